"""The parts of a request are its questions, in its own words."""

import pytest

from toolquiver.nodes.texts.parts import lacks_its_condition, orders, parts_of, sentences, stands_alone


@pytest.mark.parametrize(
    ("request_", "parts"),
    [
        ("How high is Mont Blanc?", ["How high is Mont Blanc?"]),
        ("Add 2 and 3.", ["Add 2 and 3."]),
        ("  ", [""]),
        ("How high is Etna, and how far is Rome?", ["How high is Etna", "how far is Rome?"]),
        ("I have 2. Of how many? And who has 3?", ["I have 2. Of how many?", "And who has 3?"]),
        ("Who wrote Dune, and when was she born?", ["Who wrote Dune, and when was she born?"]),
        ("Who wrote Dune? Where is she now?", ["Who wrote Dune? Where is she now?"]),
        ("Who is she? I met her in May.", ["Who is she? I met her in May."]),
        ("If it is 5 pm here, what time is it in Rome?", ["If it is 5 pm here, what time is it in Rome?"]),
        ("Which letter and which number has my seat?", ["Which letter and which number has my seat?"]),
        ("How old is it, which is red, and in what Street?", ["How old is it, which is red", "in what Street?"]),
        ("What is the port of St. Helena? It is small.", ["What is the port of St. Helena? It is small."]),
        ("When and where was she born?", ["When and where was she born?"]),
        ("At what date and at what time did it run?", ["At what date and at what time did it run?"]),
        ("How high is it and how many of 300 steps lead up?", ["How high is it", "how many of 300 steps lead up?"]),
        ("Find Dune. Also, please list the ports of Peru.", ["Find Dune.", "Also, please list the ports of Peru."]),
        ("Write 12 in words. Also, list ports of Peru.", ["Write 12 in words.", "Also, list ports of Peru."]),
        ("I want to name my dog. Which names begin with O?", ["I want to name my dog. Which names begin with O?"]),
        ("Name: Ada Lovelace. When was she born?", ["Name: Ada Lovelace. When was she born?"]),
        ("List ports of Peru. Also write them in a table.", ["List ports of Peru. Also write them in a table."]),
        ("I want a film. Is Dune on? Then book 2 seats.", ["I want a film. Is Dune on?", "Then book 2 seats."]),
        ("Translate 'home'. I'd like to know what Zen is.", ["Translate 'home'.", "I'd like to know what Zen is."]),
        ("Show me Oslo. Also, recommend hotels.", ["Show me Oslo.", "Also, recommend hotels."]),
        ("Show me Oslo. Also, recommend hotels in it.", ["Show me Oslo.", "Also, recommend hotels in it."]),
        ("Track A1. I also wait for B2. Lastly, list ports.", ["Track A1. I also wait for B2.", "Lastly, list ports."]),
        ("Track it. Also, I'm curious about its price.", ["Track it.", "Also, I'm curious about its price."]),
        ("Track it. I'm curious about its price.", ["Track it. I'm curious about its price."]),
        ("Track it. Don't forget to check the date.", ["Track it.", "Don't forget to check the date."]),
        ("Track it. Additionally, please include prices.", ["Track it.", "Additionally, please include prices."]),
        ("I want to find X1. Get me Y2.", ["I want to find X1.", "Get me Y2."]),
        ("I need a QR code. Can you make a QR code of X1?", ["I need a QR code. Can you make a QR code of X1?"]),
        ("I need to see parcel A1. Track parcel B2.", ["I need to see parcel A1.", "Track parcel B2."]),
        ("Get Y2. Also, I need map A1. Find map A1.", ["Get Y2.", "Also, I need map A1. Find map A1."]),
        ("I want to see map A1. Find map A1. Find B2.", ["I want to see map A1. Find map A1.", "Find B2."]),
        ("I want to find X1. I want to find Y2.", ["I want to find X1.", "I want to find Y2."]),
        ("Get A1. I'm also interested in bars.", ["Get A1.", "I'm also interested in bars."]),
        ("Get A1. It would also be nice to see bars.", ["Get A1. It would also be nice to see bars."]),
        ("Get A1. Please also list bars.", ["Get A1.", "Please also list bars."]),
        ("Get A1. And please be quick.", ["Get A1. And please be quick."]),
        ("Get A1. Also, please use Celsius.", ["Get A1. Also, please use Celsius."]),
        ("Add 5 and 3. Then calculate the total.", ["Add 5 and 3. Then calculate the total."]),
        ("Who runs A1? Give it also in miles.", ["Who runs A1? Give it also in miles."]),
        ("I want to know who runs X1. Who runs Y2?", ["I want to know who runs X1.", "Who runs Y2?"]),
        ("I want to find X1. Also, get me Y2.", ["I want to find X1.", "Also, get me Y2."]),
        ("Find Dune. It would be great to see it.", ["Find Dune. It would be great to see it."]),
        ("Get Xi. Appreciate it if you can also list Yo.", ["Get Xi.", "Appreciate it if you can also list Yo."]),
        ("Show me Oslo. List all hotels.", ["Show me Oslo. List all hotels."]),
        ("Book Flight. is a tool. I tell Ann.", ["Book Flight. is a tool. I tell Ann."]),
        ("How high is Etna? Give 2 decimals.", ["How high is Etna? Give 2 decimals."]),
        ("What is A1, what is B2, and where is C3?", ["What is A1", "what is B2", "where is C3?"]),
    ],
)  # fmt: skip
def test_what_is_joined_is_parted(request_, parts):
    assert parts_of(request_) == parts


def test_an_order_may_follow_any_number_of_little_words():
    many = "also " * 40_000  # this takes minutes where every order tries them one by one
    assert parts_of(f"Show me Oslo. Also, {many}list hotels.") == ["Show me Oslo.", f"Also, {many}list hotels."]
    assert parts_of(many) == [many.strip()]


@pytest.mark.parametrize(
    "request_",
    [
        'Which language is "Wo ist Berlin? Was kostet 1 Bier?" written in?',
        'Encode the text "Where is Alice? Tell Bob 5 things." in base64.',
        "Count the vowels in 'Find Bob. Find Alice. Send 3 mails.'",
        "Count the vowels in 'It's Bob's. Find Alice.', please.",
        'Translate "Who is Bob, and how old is Ann?" to French.',
        "Translate \u201cFind Bob. Find Alice.\u201d to French.",
        "Translate \u201eFind Bob. Find Alice.\u201c to French.",
        "Translate \u00abFind Bob. Find Alice.\u00bb to French.",
        "'Find Bob. Find Alice.' has how many vowels?",
    ],
)
def test_what_is_quoted_is_not_parted(request_):
    assert parts_of(request_) == [request_]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It's here. Find the users' data. Find Bob's.", ["It's here.", "Find the users' data.", "Find Bob's."]),
        ("I like '90s music. Find the Boys' songs.", ["I like '90s music.", "Find the Boys' songs."]),
        ('Find a 24" screen. Find a 27" screen.', ['Find a 24" screen.', 'Find a 27" screen.']),
        ('Say "Go. Find "Bob". Find A.', ['Say "Go.', 'Find "Bob".', "Find A."]),
        ("Say 'Go. Find 'Bob'. Find A.", ["Say 'Go.", "Find 'Bob'.", "Find A."]),
        ("Say \u201cGo. Find \u201cBob\u201d.", ["Say \u201cGo.", "Find \u201cBob\u201d."]),
        ('He said "Go. Now." and left. "So he did."', ['He said "Go. Now." and left.', '"So he did."']),
        ('Find "A  b.\nC". Find D.', ['Find "A  b.\nC".', "Find D."]),
    ],
)
def test_a_sentence_ends_outside_of_what_is_quoted(text, said):
    assert sentences(text) == said


@pytest.mark.parametrize(
    ("part", "order"),
    [
        ("Find Dune.", True),
        ("I like it. Also, please show me Dune.", True),
        ("How high is Etna? Give 2 decimals.", False),
        ("Find Dune. Is it old?", False),
        ("I met her in May.", False),
        ("I like films. Can you suggest some like Dune?", True),
        ("Additionally, could you please provide me with reviews?", True),
        ("Would you say that it is old?", False),
        ("Can you suggest some films? How long are they?", False),
        ("How many ways can you form a team?", False),
    ],
)
def test_an_order_is_no_question(part, order):
    assert orders(part) == order


@pytest.mark.parametrize(
    ("part", "alone"),
    [
        ("what percentage of the mass of caffeine (C8H10N4O2) is nitrogen", True),
        ("What percentage of the mass of caffeine (C8H10N4O2) is nitrogen?", True),
        ("how many days is that from 3 May 2031?", False),
        ("what percentage of caffeine is nitrogen, in the words of another", False),
        ("How heavy is a mole of caffeine (C8H10N4O2)?", False),
    ],
)
def test_what_stands_alone_in_a_request_refers_to_nothing_else(part, alone):
    first, second = (
        "what percentage of the mass of caffeine (C8H10N4O2) is nitrogen",
        "how many days is that from 3 May 2031?",
    )
    request = f"Tell me {first}, and {second}"
    assert stands_alone(part, request) == alone


def test_the_whole_request_is_no_part_of_it():
    assert not stands_alone("What is the capital of Peru?", "What is the capital of Peru?")


@pytest.mark.parametrize(
    ("question", "request_", "lacks"),
    [
        ("What time is it in Mumbai?", "If it is 14:00 in Toronto, what time is it in Mumbai?", True),
        ("How far is it?", "Given a speed of 5 km/h, then how far is it?", True),
        ("What is the time in Toronto?", "If it is 14:00 in Toronto, what time is it in Mumbai?", False),
        ("What time is it in Mumbai?", "What time is it in Mumbai?", False),
        ("What time is it?", "When was he born, and what time is it?", False),
    ],
)
def test_a_question_may_have_lost_its_condition(question, request_, lacks):
    assert lacks_its_condition(question, request_) is lacks
