"""The page of a run: it holds everything, loads nothing, and shows what others wrote as text."""

import asyncio
from html.parser import HTMLParser

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.support.anytool_search import Policy, Search
from tests.support.commands import entered
from tests.support.programs import Programs, an_api, code
from tests.support.solver_talk import DONE, Talk
from toolquiver.calling import CallError
from toolquiver.catalog import Catalog
from toolquiver.cli import ask as command
from toolquiver.contexts import QuiverContext
from toolquiver.errors import ModelError
from toolquiver.graphs import react
from toolquiver.masking import MASK
from toolquiver.models import scripted, tokens
from toolquiver.pictures import path_svg
from toolquiver.report import Trace, about_run, run_page, sections
from toolquiver.report.happened import setbacks
from toolquiver.report.happened import told as told_of
from toolquiver.report.sections import calls
from toolquiver.report.wording import hidden

WAY, MEASURE = "How long is the way to the town?", "tests/tests/measure"
QUERY = "How high is Alpha, and how old is the Bravo mountain?"
SEARCHING = {"top_k": 1, "verification": "always"}
NASTY = '<script>alert("x")</script> & "quoted" \x1b[31m'
VOID = {"meta", "br", "img", "link", "input", "hr"}


class Page(HTMLParser):
    """Refuses what is not balanced; keeps the elements and the text."""

    def __init__(self, page):
        super().__init__()
        self.open, self.seen, self.said = [], [], []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said.append(data)


def reported(whole, query=QUERY, **settings):
    graph, trace = whole.build(), Trace()
    result = traced(graph, {"query": query}, trace, **settings)
    return run_page(graph, query, result, trace), trace


def traced(graph, given, trace, **settings):
    """The result of the run, which the trace has taken in."""
    kind = graph.context_schema

    async def run():
        result = {}
        events = graph.astream(
            given,
            {"recursion_limit": 1_000, "configurable": {"thread_id": "one"}},
            context=kind(**{"call_retries": 0} | settings),
            stream_mode=["tasks", "values"],
            subgraphs=True,
        )
        async for inside, mode, event in events:
            if mode == "tasks":
                trace.add(inside, event)
            elif not inside:
                result = event
        return result

    return asyncio.run(run())


def text_of(page):
    return " ".join(Page(page).said)


TOPICS = "height age name shape owner colour weather".split()
NAMES = "alpha bravo charlie delta echo foxtrot golf".split()
NUMBER = {"metres": {"type": "number"}}


def a_hard_run(*, why=NASTY, worded=None):
    """A call fails, the planner gives up, agents search, and another program answers."""
    plans = (
        "search_apis(['Tell the height of a mountain.', 'Tell the age of a mountain.'])",
        "alpha(note='a')",
        f"bravo(note='b')\ngive_up({why!r})",
        "answer = bravo(note='b')",
    )
    apis = [an_api(name, about=f"Tell the {topic} of a mountain.") for name, topic in zip(NAMES, TOPICS, strict=True)]
    apis += [an_api(f"river_{number}", about="Tell of a river.", category="water") for number in range(12)]
    usual = ("Alpha is 8848 m high.", [2]), ("Bravo is old.", [])
    said = {"sentences": [{"text": text, "calls": calls} for text, calls in usual], "missing": ["the age"]}
    return Programs(*apis, plans=list(map(code, plans)), respond=answering, agents=Policy(), Worded=worded or said)


def answering(api, _):
    if api.name == "alpha":
        raise CallError("server_error", "It is broken.")
    return f"{api.name} says 8848 and sk-4711-geheim"


def asking():
    """A call that needs a number that only the user knows."""
    measure = an_api("measure", NUMBER)
    nobody = {"metres": {"source": "nobody", "value": None}}
    return Programs(measure, plans=code("answer = measure(metres=UNKNOWN)"), Sources=nobody)


def an_airport():
    """The distance needs a code, which another API gives."""
    returns = {"type": "object", "properties": {"code": {"type": "string"}}}
    distance = an_api("distance", {"code": {"type": "string"}}, about="The distance to an airport by its code.")
    find = an_api("find_code", {"city": {"type": "string"}}, output=returns, about="The airport code of a city.")

    def sources(text, schema):
        given = {"city": {"source": "value", "value": "Lisbon"}, "code": {"source": "find_code", "value": None}}
        return {name: given[name] for name in schema["properties"]}

    return Programs(
        distance,
        find,
        plans=code("answer = distance()"),
        respond=lambda api, _: {"code": "L77123"} if api.name == "find_code" else "2 km",
        Sources=sources,
    )


def test_it_shows_the_answer_its_calls_what_went_wrong_and_who_searched():
    page, trace = reported(a_hard_run(), top_k=2)  # fewer than there are, so that agents are woken
    said = " ".join(Page(page).said)
    for part in ("Alpha is 8848 m high.", "server_error", "It is broken.", "rollback: the rest is planned anew"):
        assert part in said
    assert "alpha leaves the list of step 1" in said
    for heading in ("Programs", "Calls", "Agents", "Tokens by role", "Timeline", "What went wrong", "What is missing"):
        assert heading in said
    assert "reflection 1" in said
    assert "woken: meta" in said
    assert "<b>1</b> reflection<" in page
    assert "answer = bravo(note='b')" in said
    assert "bravo says 8848" in said
    assert trace.path[:3] == ["find", "plan", "run"]
    assert trace.path[-1] == "deliver"
    assert ("a", {"class": "call", "href": "#call-2"}) in Page(page).seen
    assert "no call" in said


def test_calls_that_wait_side_by_side_are_each_asked_about_once():
    program = "a, b = await gather(write(n=3), write(n=4))\nanswer = [a, b]"
    stage = Programs(an_api("write", {"n": {"type": "integer"}}, effect="write"), plans=code(program))
    graph, trace = stage.build(checkpointer=InMemorySaver()), Trace()
    traced(graph, {"query": "Write both.", "candidates": stage.ids}, trace)
    for _ in range(2):
        waiting = graph.get_state({"configurable": {"thread_id": "one"}}).interrupts
        trace.replied("approve", waiting[0].value)
        result = traced(graph, Command(resume={waiting[0].id: "approve"}), trace)
    assert [(one.question["arguments"]["n"], one.answer) for one in trace.asked] == [(3, "approve"), (4, "approve")]
    assert [call["ok"] for call in result["calls"]] == [True, True]
    assert trace.path.count("call") == 2


def test_a_call_that_a_chain_made_shows_what_it_brought():
    page, _ = reported(an_airport(), "What is the distance to the airport of Lisbon?")
    assert '{"code": "L77123"}' in text_of(page)


def test_the_calls_of_a_conversation_show_what_they_returned():
    talk = Talk(react, [("alpha", {"note": "a"})], [("bravo", {"note": "b"}), ("absent", {})], [DONE])
    graph = talk.build()
    trace = Trace()
    result = traced(graph, {"query": QUERY, "candidates": [api.id for api in talk.apis]}, trace, registration="all")
    said = text_of(run_page(graph, QUERY, result, trace))
    for outcome in ("ok alpha a", "ok bravo b", "unknown_api"):
        assert outcome in " ".join(said.split())


@pytest.mark.parametrize("name", ["api_key", "text"])
def test_calls_that_look_alike_where_arguments_are_hidden_or_cut_show_each_its_own(name):
    called = [{"subtask": 0, "api": "t/t/find", "arguments": {name: "x" * 1_600 + end}} for end in "ab"]
    made = [call | {"ok": True, "failure": None, "message": ""} for call in called]
    steps = [call | {"observation": seen} for call, seen in zip(called, ("the first", "the second"), strict=True)]
    said = text_of(calls({"calls": made, "history": steps}, Trace()))
    assert said.count("the first") == said.count("the second") == 1


def test_the_same_call_made_twice_shows_what_each_returned():
    made = {"subtask": 0, "api": "t/t/draw", "arguments": {}, "ok": True, "failure": None, "message": ""}
    trace = Trace()
    for number, text in enumerate(("red", "blue")):
        update = {"calls": [made], "messages": [ToolMessage(text, tool_call_id=str(number))]}
        trace.add((), {"id": str(number), "name": "perform", "input": {}})
        trace.add((), {"id": str(number), "name": "perform", "result": update})
    said = text_of(calls({"calls": [made, made]}, trace))
    assert said.index("red") < said.index("blue")


def test_the_tokens_of_the_timeline_are_those_of_the_ledger():
    graph, trace = a_hard_run().build(), Trace()
    result = traced(graph, {"query": QUERY}, trace, **SEARCHING)
    assert sum(event.tokens for event in trace.events if not event.inside) == tokens(result["usage"])


@pytest.mark.parametrize("whole", [a_hard_run, an_airport, lambda: Programs(an_api("alpha"), plans="Hello.")])
def test_something_is_told_of_whatever_a_node_does(whole):
    _, trace = reported(whole(), **SEARCHING)
    assert [event.node for event in trace.events if not told_of(event).strip()] == []


def test_the_agents_of_one_wave_are_one_step_of_the_path():
    trace, graph = Trace(), Search().build()
    result = traced(graph, {"query": "alpha"}, trace)
    begin, *steps, settle = trace.steps
    assert (begin, settle) == (["begin"], ["settle"])
    assert all(step == ["coordinate"] for step in steps[::2])
    assert all(all(name.endswith("_agent") for name in step) for step in steps[1::2])
    assert max(map(len, steps)) > 1
    assert [name for step in trace.steps for name in step] == trace.path
    drawn = path_svg(graph, trace.steps)
    assert drawn in run_page(graph, "alpha", result, trace)
    unfinished = path_svg(graph, trace.steps, ended=False)
    assert drawn != unfinished
    for state in (result | {"status": "stopped"}, {"query": "alpha"}, result | {"__interrupt__": ()}):
        assert unfinished in run_page(graph, "alpha", state, trace)


def test_a_rollback_says_what_it_dropped():
    trace = Trace()
    found = {"chosen": "t/t/second", "trail": [{"api": "t/t/first"}], "hint": "second failed: It is broken."}
    trace.add((), {"id": "1", "name": "rollback", "input": found})
    trace.add((), {"id": "1", "name": "rollback", "result": {"trail": [], "decided": "choose again"}})
    (setback,) = setbacks(trace)
    assert setback.what == "rollback: choose again, second is dropped, and with it the step before, by first"
    assert setback.why == "second failed: It is broken."


def test_a_run_that_went_on_says_that_its_beginning_is_not_there():
    whole, first, second = asking(), Trace(), Trace()
    graph = whole.build(checkpointer=InMemorySaver())
    traced(graph, {"query": WAY, "candidates": [MEASURE]}, first)
    second.goes_on = True
    result = traced(graph, Command(resume={"metres": 12.5}), second)
    before = sum(event.tokens for event in first.events if not event.inside)
    page = text_of(run_page(graph, WAY, result, second))
    assert "went on from an earlier stop" in page
    assert f"{before:,} of the {tokens(result['usage']):,} tokens" in page
    assert "went on from an earlier stop" not in text_of(reported(an_airport())[0])


def test_it_shows_what_the_user_was_asked_and_no_answer_that_is_called_a_secret():
    whole, trace = asking(), Trace()
    graph = whole.build(checkpointer=InMemorySaver())
    traced(graph, {"query": WAY, "candidates": [MEASURE]}, trace)
    trace.replied({"metres": 12.5}, trace.asked[0].question)
    result = traced(graph, Command(resume={"metres": 12.5}), trace)
    page = text_of(run_page(graph, WAY, result, trace))
    assert "measure needs metres" in page
    assert '{"metres": 12.5}' in page
    trace.replied({"user_password": "hunter22", "days": 3}, {"question": "May it?"})
    trace.replied("hunter22", {"question": "Which?", "missing": [{"name": "apiKey", "type": "string", "why": "so"}]})
    page = text_of(run_page(graph, WAY, result, trace))
    assert "hunter22" not in page
    assert '"days": 3' in page


@pytest.mark.parametrize(
    "name",
    "api_key apiKeys X-Api-Key Authorization auth accesstoken clientsecret secretkey authtoken jwt otp password"
    " passwords secrets page_access_token private_key my_apikey token key".split(),
)
def test_what_a_name_says_is_secret_is_hidden(name):
    assert hidden(name, "v") == MASK


@pytest.mark.parametrize(
    "name",
    "page_token nextToken continuation_token next_passenger_token pagination_key sort_key primaryKey max_tokens keys"
    " keyword author monkey".split(),
)
def test_what_only_sounds_like_a_secret_is_shown(name):
    assert hidden(name, "v") == "v"


def test_it_says_what_the_run_was_made_with():
    context = QuiverContext(approval="writes", role_models={"plan": "openai:x"})
    made = about_run(context, graph="quiver", catalog="demo", model="local")
    assert made["settings"] == 'role_models={"plan": "openai:x"}, approval="writes"'
    assert about_run(QuiverContext(), graph="quiver", catalog="demo")["settings"] == "the usual ones"
    graph, trace = an_airport().build(), Trace()
    page = text_of(run_page(graph, QUERY, {"status": "solved"}, trace, made))
    assert "approval" in page
    assert "demo" in page


def test_work_that_waited_for_the_user_counts_once():
    trace, asking = Trace(), {"id": "1", "name": "ask_user"}
    origins = {"city": "task", "days": "user", "rate": "user"}
    frames = [{"arguments": {"city": "Lima", "days": 3, "rate": 2}, "origins": origins}]
    for more in ({"input": {}}, {"result": {}, "interrupts": [{"value": "?"}]}):
        trace.add((), asking | more)
    for more in ({"input": {}}, {"result": {"frames": frames, "decided": "given"}, "interrupts": []}):
        trace.add((), asking | more)
    assert trace.path == ["ask_user"]
    assert told_of(trace.events[0]) == "days is 3, rate is 2"


def test_what_is_done_within_a_node_is_part_of_it():
    trace = Trace()
    for event in (
        {"id": "1", "name": "call", "input": {}},
        {"id": "2", "name": "made", "input": ((), {})},
        {"id": "2", "name": "made", "result": {"__return__": {"text": "Done."}}, "interrupts": []},
        {"id": "1", "name": "call", "result": {"calls": []}, "interrupts": []},
    ):
        trace.add((), event)
    assert trace.path == ["call"]


def test_it_needs_nothing_from_elsewhere_and_may_run_nothing():
    seen = Page(reported(a_hard_run())[0]).seen
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in seen}
    for _, attributes in seen:
        assert attributes.get("href", "#").startswith("#")
        assert "src" not in attributes
        assert not any(name.startswith("on") for name in attributes)
    policy = next(attributes for tag, attributes in seen if tag == "meta" and "http-equiv" in attributes)
    assert policy["content"].startswith("default-src 'none'")


def test_what_others_wrote_is_text():
    whole = a_hard_run(worded={"sentences": [{"text": NASTY, "calls": [2]}], "missing": [NASTY]})
    page, _ = reported(whole, query=f"How high is Alpha {NASTY}, and how old is the Bravo mountain?")
    assert "<script" not in page
    assert "\x1b" not in page
    assert 'alert("x")' in " ".join(Page(page).said)


def test_no_secret_is_in_it(monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "sk-4711-geheim")
    page, _ = reported(a_hard_run())
    assert "geheim" not in page
    assert "[hidden]" in page


def test_a_run_that_called_nothing_has_a_page_too():
    page, _ = reported(Programs(an_api("alpha"), plans="Hello."))
    assert "Hello." in " ".join(Page(page).said)


@pytest.fixture
def run(monkeypatch, capsys):
    def run(*arguments):
        return entered(monkeypatch, capsys, "ask", *arguments)

    @tool
    def forecast(city: str) -> str:
        """Tell the weather of a city."""
        return "It is warm."

    whole = Programs(plans=code("answer = forecast('Lima')"))
    with Catalog.from_tools([forecast]) as catalog:
        monkeypatch.setattr(command, "load_catalog", lambda _: catalog)
        monkeypatch.setattr(command, "load_model", lambda _: scripted(whole.reply))
        yield run


def test_the_command_writes_it(run, tmp_path):
    code, _, err = run("How is the weather?", "--report", str(tmp_path / "run.html"))
    assert code == 0
    assert "agent" not in err, "those that sleep are not shown"
    assert "How is the weather?" in " ".join(Page((tmp_path / "run.html").read_text("utf-8")).said)


@pytest.mark.parametrize("error", [ModelError("The model is gone."), KeyboardInterrupt()], ids=["error", "Ctrl-C"])
def test_a_run_that_is_stopped_has_its_page_too(run, monkeypatch, tmp_path, error):
    def model(messages, schema):
        if schema.get("title") == "Worded":
            raise error
        return whole.reply(messages, schema)

    whole = Programs(plans=code("answer = forecast('Lima')"))
    monkeypatch.setattr(command, "load_model", lambda _: scripted(model))
    status, _, _ = run("How is the weather?", "--report", str(tmp_path / "run.html"))
    assert status
    said = text_of((tmp_path / "run.html").read_text("utf-8"))
    assert "Stopped before its end" in said
    assert "forecast" in said
    assert [path.name for path in tmp_path.iterdir()] == ["run.html"]


def test_a_page_that_cannot_be_made_leaves_the_one_before(run, monkeypatch, tmp_path):
    page = tmp_path / "run.html"
    page.write_text("the one before")
    monkeypatch.setattr("toolquiver.cli.run_report.run_page", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run("How is the weather?", "--report", str(page))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("run.html", "the one before")]


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_asked(run, tmp_path):
    code, _, err = run("How is the weather?", "--report", str(tmp_path / "nowhere" / "run.html"))
    assert code == 2
    assert "Cannot write" in err


def test_a_long_answer_is_shown_whole():
    assert "z" * 5_000 in sections.answer({"answer": "z" * 5_000})
