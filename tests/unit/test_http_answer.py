"""What a reply says: as an answer, or as a failure of a kind."""

import json
from contextlib import suppress

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.calling import CallError
from toolquiver.calling.http.answer import answer, page_text, text_of
from toolquiver.calling.http.exchange import Reply
from toolquiver.calling.http.failures import failure


def reply(content=b"", kind="application/json", status=200, *, method="GET", whole=True, **headers):
    content = content.encode() if isinstance(content, str) else content
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    typed = {"content-type": kind} if kind else {}
    return Reply(method=method, status=status, headers=httpx.Headers(typed | named), content=content, whole=whole)


def failed(*arguments, **options):
    with pytest.raises(CallError) as caught:
        answer(reply(*arguments, **options))
    return caught.value.kind, str(caught.value)


@pytest.mark.parametrize(
    ("content", "kind", "text"),
    [
        ('{ "a": [1,\n 2.50, "é"] }', "application/json", '{"a":[1,2.5,"é"]}'),
        ('{"a": 1}', "application/problem+json; charset=utf-8", '{"a":1}'),
        ('{"a": 1}', "text/html", '{"a":1}'),
        ('{"a": 1}', "image/png", '{"a":1}'),
        ('[ "a" ]', "", '["a"]'),
        (b'\xef\xbb\xbf{"a": 1}', "application/json", '{"a":1}'),
        ('{"a": "é"}'.encode("utf-16"), "application/json", '{"a":"é"}'),
        ('"\\ud83d"', "application/json", '"?"'),
        ("OK", "application/json", "OK"),
        ("plain é", "text/plain", "plain é"),
        ("plain é".encode("latin-1"), "text/plain; charset=ISO-8859-1", "plain é"),
        ("plain é".encode("latin-1"), "text/plain", "plain é"),
        ("жук".encode("cp1251"), 'text/csv; charset="windows-1251"', "жук"),
        ("é", "text/plain; charset=nonsense", "é"),
        ("é", "text/plain; charset=base64", "é"),
        ("Bcher-kva", "text/plain; charset=punycode", "Bcher-kva"),
        ("xn--bcher-kva", "text/plain; charset=IDNA", "xn--bcher-kva"),
        ("é \\ud83d", "text/plain; charset=unicode_escape", "é \\ud83d"),
        ("é \\ud83d", "text/plain; charset=Raw-Unicode-Escape", "é \\ud83d"),
        ("half +2D0-", "text/plain; charset=U7", "half +2D0-"),
        ("é", "text/plain; charset=undefined", "é"),
        ("é", "text/plain; charset=a\0b", "é"),
        ("a: 1", "application/yaml", "a: 1"),
        ("<a>1</a>", "application/xml", "<a>1</a>"),
        ("plain", "", "plain"),
        ("{a: 1}", "text/plain", "{a: 1}"),
        ("<p>One &amp;\n two</p><script>x()</script><p>Three", "text/html; charset=utf-8", "One & two\nThree"),
    ],
)
def test_answers_read_as_text(content, kind, text):
    assert answer(reply(content, kind)) == text


@pytest.mark.parametrize(
    ("content", "kind", "told"),
    [
        (b"\x89PNG\r\n\0", "image/png", "The answer is image/png, 7 bytes; it is not shown."),
        (b"text\0\1", "text/plain", "The answer is text/plain, 6 bytes; it is not shown."),
        (b"\0\1", "", "The answer is no text, 2 bytes; it is not shown."),
        (b"PK\3\4", "application/octet-stream", "The answer is application/octet-stream, 4 bytes; it is not shown."),
    ],
)
def test_what_is_no_text_is_described(content, kind, told):
    assert answer(reply(content, kind)) == told


def test_more_than_was_read_is_described_or_refused():
    image = reply(b"\x89PNG", "image/png", whole=False)
    assert "more than 4 bytes" in answer(image)
    assert "900 bytes" in answer(reply(b"\x89PNG", "image/png", whole=False, content_length="900"))
    assert failed("[1, 2, 3", whole=False) == (
        "tool_error",
        "The answer is too large to be read. Ask for a smaller part.",
    )


@pytest.mark.parametrize("content", ['{"a": [1, 2', '{"a" 1}', "[" * 100_000, '{"a": 1} {"b"'])
def test_broken_json_is_no_answer(content):
    kind, message = failed(content)
    assert kind == "server_error"
    assert content[:5] in message
    assert len(message) < 500


@pytest.mark.parametrize("kind", ["application/x-ndjson", "application/jsonl", "application/json", "text/plain"])
def test_json_in_lines_is_a_value_in_each(kind):
    assert answer(reply('{"a": 1}\r\n\n{"b": "\u2028"}\n', kind)) == '{"a":1}\n{"b":"\u2028"}'


def test_lines_that_are_numbers_and_no_json_stay_as_they_are():
    assert answer(reply("1.50\n2.50\n", "text/csv")) == "1.50\n2.50\n"


@pytest.mark.parametrize(
    ("text", "kind", "charset"),
    [
        ('{"a":"é"}', "application/json; charset=utf-8", "utf-8-sig"),
        ('<?xml version="1.0" encoding="windows-1251"?><a>Москва</a>', "application/xml", "cp1251"),
        ("<?xml version='1.0' encoding='utf-16'?><a>é</a>", "text/xml", "utf-8"),
        ('<head><meta charset="shift_jis"></head>東京', "text/html", "shift_jis"),
        ("<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>Москва", "text/html", "koi8-r"),
        ('<meta charset="shift_jis">é', "text/html; charset=utf-8", "utf-8"),
        ('<meta charset="no such thing">é', "text/html", "utf-8"),
    ],
)
def test_the_character_set_is_the_one_that_the_answer_names(text, kind, charset):
    assert text_of(reply(text.encode(charset), kind)) == text


def test_an_empty_answer_says_so():
    assert answer(reply(status=204, kind="")) == "Done (status 204); the server returned nothing."
    assert answer(reply(status=201, kind="", location="/orders/4711")) == "Done (status 201); it is at /orders/4711."


def test_a_question_for_the_head_alone_is_answered_by_it():
    assert answer(reply(method="HEAD", kind="image/png", content_length="7")).endswith(
        "content-type: image/png\ncontent-length: 7"
    )


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=5,
    )
)
def test_json_loses_nothing(value):
    text = json.dumps(value, indent=2)
    if text.strip():
        assert json.loads(answer(reply(text))) == value


KINDS = ["", "text/plain", "text/html", "application/json", "text/x; charset=utf-16", "a/b"]


@given(st.binary(), st.sampled_from(KINDS))
def test_whatever_comes_is_an_answer_or_a_failure(content, kind):
    with suppress(CallError):
        answer(reply(content, kind)).encode()
    assert failure(reply(content, kind, status=500)).kind == "server_error"


def test_a_page_is_read_without_its_markup():
    html = """<html><head><title>The title</title><style>p {}</style></head><body><nav>Home <b>bold</b></nav>
    <table><tr><td>1</td> <td>2</td></tr></table><script>if (a < b) {}</script>
    <svg><text>no</text></svg></p></svg>end"""
    assert page_text(html) == "The title\nHome bold\n1 | 2\nend"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (
            "<table><tr><th></th><th>Temp</th></tr><tr><td>New York</td><td>12</td><td>34</td></tr></table>",
            "| Temp\nNew York | 12 | 34",
        ),
        ("<table><tr><td><p>Oslo</p></td><td><p>12</p></td></tr><tr><td></td><td></td></tr></table>", "Oslo\n12"),
        ("<dl><dt>Price</dt><dd>12</dd><dt>Stock</dt><dd>3</dd></dl>", "Price\n12\nStock\n3"),
        ("<select><option>1</option><option>2</option></select>3<hr>4", "1\n2\n3\n4"),
        ("1<ul><li>2</ul>3<pre>4</pre>5", "1\n2\n3\n4\n5"),
        ("<b>1</b>\n<b>2</b> <i>3\n</i>4", "1 2 3 4"),
    ],
)
def test_what_stands_apart_on_a_page_is_not_glued_together(html, text):
    assert page_text(html) == text


@pytest.mark.parametrize(
    "odd",
    [
        "<svg/>",
        "<svg class='a>b' id=\"c\" />",
        "<svg-icon>",
        "<template-card>",
        "<svg><svg-icon></svg-icon>no</svg>",
        "<script src='a.js'/>no</script>",
    ],
)
def test_what_closes_itself_or_is_only_named_alike_drops_nothing(odd):
    assert page_text(f"<p>a</p>{odd}<p>The price is 12.</p>") == "a\nThe price is 12."


def test_in_xml_every_tag_can_close_itself():
    page = '<p>a</p><script src="a.js"/><style>no</style><p>The price is 12.</p>'
    assert answer(reply(page, "application/xhtml+xml")) == "a\nThe price is 12."


@pytest.mark.parametrize("tag", ["style", "SCRIPT", "svg"])
def test_what_a_page_says_stands_behind_any_length_of_what_it_does_not(tag):
    silent = f"<{tag} a='b'>{'x { y: z } ' * 30_000}</{tag} >"
    assert page_text(f"<html>{silent}<p>The price is 42.</p>{silent}end") == "The price is 42.\nend"
    assert page_text(f"<p>So it is.</p><{tag}>and so on") == "So it is."
    assert page_text(f"<p>So it is.</p>{f'<{tag}>' * 20_000}") == "So it is."


@pytest.mark.parametrize("odd", ["<![foo[bar]]>", "<![%x", "<!DOCTYPE [%x", "<![", "<!-"])
def test_a_page_with_a_section_that_nobody_knows_is_read_all_the_same(odd):
    assert "before" in page_text(f"<p>before</p>{odd}<p>behind</p>")


@pytest.mark.parametrize("left_open", ["<a ", "<!a", "</a ", "<a b='"])
def test_a_page_of_tags_that_nobody_closes_is_read_at_once(left_open):
    assert page_text(f"<p>before</p>{left_open * 33_000}").startswith("before\n<"), "in minutes, if tag by tag"


def test_comments_are_no_text_and_signs_are():
    html = "<p>3 < 4 <!-- <b>not this</b> --> but <!--> 5 <!-- nor <script> this --></script>> 4</p><!-- nor this <p>"
    assert page_text(html) == "3 < 4 but 5 > 4"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_arguments"),
        (401, "unauthorized"),
        (403, "forbidden"),
        (404, "not_found"),
        (405, "tool_error"),
        (408, "timeout"),
        (409, "tool_error"),
        (410, "not_found"),
        (422, "invalid_arguments"),
        (429, "rate_limited"),
        (500, "server_error"),
        (502, "server_error"),
        (503, "server_error"),
        (504, "timeout"),
        (599, "server_error"),
        (304, "tool_error"),
    ],
)
def test_a_status_is_a_kind_of_failure(status, kind):
    error = failure(reply('{"message":  "No such\\n pet"}', status=status))
    assert error.kind == kind
    assert str(error).startswith(f"The server answered {status}")
    assert str(error).endswith(': {"message":"No such\\n pet"}')


def test_a_failure_tells_a_short_piece_of_the_body():
    assert len(str(failure(reply("x" * 10_000, "text/plain", 500)))) < 400
    assert str(failure(reply("<html><h1>Not  here</h1></html>", "text/html", 404))).endswith("404 Not Found: Not here")
    assert str(failure(reply(b"\x89PNG\0", "image/png", 404))) == "The server answered 404 Not Found."


def test_a_failure_tells_letters_that_were_escaped_and_what_is_too_deep_as_it_is():
    assert str(failure(reply('{"error": "\\u00e9t\\u00E9 \\ud800"}'))) == "The tool says: été ?"
    assert str(failure(reply('{"error": "\\u00e9t\\u00E9 \\ud800"}', status=400))).endswith(': {"error":"été ?"}')
    assert str(failure(reply("[" * 90_000, status=400))).endswith("[[[...")


@pytest.mark.parametrize(
    ("value", "seconds"), [("7", 7.0), ("0.5", 0.5), ("soon", None), ("", None), ("-1", None), ("nan", None)]
)
def test_the_server_says_when_to_come_again(value, seconds):
    assert failure(reply(status=429, retry_after=value)).retry_after == seconds


@pytest.mark.parametrize(
    "body",
    [
        {"error": "No such city."},
        {"error": {"code": 7, "message": "No such city."}},
        {"error": True, "message": "No such city."},
        {"success": False, "message": "No such city."},
        {"ok": False, "error": "No such city.", "needed": "scope"},
        {"success": False, "data": None, "errors": ["No such city."]},
        {"data": None, "errors": [{"message": "No such city."}]},
        {"status": "error", "error": "No such city."},
        {"success": False, "error": "none", "message": "No such city."},
    ],
)
def test_an_error_in_a_good_status_is_one(body):
    error = failure(reply(json.dumps(body)))
    assert error.kind == "tool_error"
    assert "No such city." in str(error)


@pytest.mark.parametrize(
    "body",
    [
        {"error": None, "data": 1},
        {"error": "", "result": 1},
        {"error": 0.05},
        {"error": "none to speak of", "mean": 3.2},
        {"errors": [], "data": {}},
        {"errors": [{"message": "a field is old"}], "data": {"a": 1}},
        {"ok": False, "balance": 3},
        {"success": True, "message": "Done"},
        {"success": True, "error": "none", "message": "Order 77 placed"},
        {"ok": True, "error": "Order 77 placed"},
        {"status": "success", "error": "OK"},
        {"status": "success", "errors": "None."},
        {"error": "0"},
        {"message": "Hello"},
        {"status": "error"},
        ["error"],
        "error",
        {},
    ],
)
def test_what_may_be_an_answer_is_no_error(body):
    assert failure(reply(json.dumps(body))) is None
