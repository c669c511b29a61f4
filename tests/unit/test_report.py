"""The page of a run: it holds everything, loads nothing, and shows what others wrote as text."""

import asyncio
from html.parser import HTMLParser

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.graphs.quivers import QUERY, Whole, an_airport
from tests.graphs.script import SOURCE, plan_of
from tests.graphs.searching import Search
from tests.graphs.test_quiver_asks import MEASURE, WAY, Asking
from tests.graphs.test_react import DONE, Talk
from tests.unit.commands import entered
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

    async def run():
        result = {}
        events = graph.astream(
            given,
            {"recursion_limit": 1_000, "configurable": {"thread_id": "one"}},
            context=QuiverContext(**{"call_retries": 0} | settings),
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


def a_hard_run(**answers):
    verdicts = iter([True, False, False, False])
    usual = {
        "Plan": plan_of("How high is Alpha?", "How old is the Bravo mountain?"),
        "Verdict": lambda _: {"done": next(verdicts, True)},
        "Judgement": {"verdict": "unsolved", "reason": NASTY},
        "Digest": {"answer": "It is 8848 m."},
        "FinalAnswer": {"answer": "Alpha is 8848 m high."},
    }
    return Whole(respond=told, **(usual | answers))


def told(api, _):
    if api.name == "alpha":
        raise CallError("tool_error", "It is broken.")
    return f"{api.name} says 8848 and sk-4711-geheim"


def test_it_shows_the_answer_its_calls_what_went_wrong_and_who_searched():
    page, trace = reported(a_hard_run(), top_k=4, pool_size=6)  # fewer than there are, so that agents are woken
    said = " ".join(Page(page).said)
    for part in ("Alpha is 8848 m high.", "tool_error", "It is broken.", "rollback: choose again", "reflection 1"):
        assert part in said
    for heading in ("Subtasks", "Calls", "Agents", "Tokens by role", "Timeline", "What went wrong"):
        assert heading in said
    assert "woken: meta" in said
    assert "<b>1</b> reflection<" in page
    assert trace.path[:2] == ["check", "find"]  # how sure search is then depends on whether it has vectors
    assert "plan" in trace.path
    assert trace.path[-1] == "present"
    assert ("a", {"class": "call", "href": "#call-2"}) in Page(page).seen


def test_a_call_that_a_chain_made_shows_what_it_brought():
    page, _ = reported(an_airport(), "What is the distance to the airport of Lisbon?", drafts=False)
    assert '{"code": "L77123"}' in text_of(page)


def test_the_calls_of_a_conversation_show_what_they_returned():
    talk = Talk([("alpha", {"note": "a"})], [("bravo", {"note": "b"}), ("absent", {})], [DONE])
    graph = react.build(model=talk.model, catalog=talk.catalog, callers={SOURCE: talk.caller})
    trace = Trace()
    result = traced(graph, {"query": QUERY, "candidates": [api.id for api in talk.apis]}, trace, registration="all")
    said = text_of(run_page(graph, QUERY, result, trace))
    for outcome in ("ok alpha says so", "ok bravo says so", "unknown_api"):
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


@pytest.mark.parametrize("settings", [{"tool_check": True}, {"judging": "always"}, {"search_decides": False}])
def test_the_tokens_of_the_timeline_are_those_of_the_ledger(settings):
    whole = a_hard_run(NeedsTool={"needs_tool": True}, Solvability={"verdict": "unsolvable", "reason": "No."})
    graph, trace = whole.build(), Trace()
    result = traced(graph, {"query": QUERY}, trace, **settings)
    assert sum(event.tokens for event in trace.events if not event.inside) == tokens(result["usage"])


@pytest.mark.parametrize(
    ("whole", "settings"),
    [
        (lambda: a_hard_run(Solvability={"verdict": "unsolvable", "reason": "No."}), {"search_decides": False}),
        (an_airport, {"drafts": False}),
        (an_airport, {"chain_fill": True, "ask": False}),
        (lambda: Whole(NeedsTool={"needs_tool": False}, DirectAnswer={"answer": "Hello."}), {"tool_check": True}),
    ],
)
def test_something_is_told_of_whatever_a_node_does(whole, settings):
    _, trace = reported(whole(), "What is the distance to the airport of Lisbon, how high is Alpha, Bravo?", **settings)
    silent = {event.node for event in trace.events if not told_of(event).strip()}
    assert silent <= {"begin_search", "end_search"}


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
    whole, first, second = Asking(), Trace(), Trace()
    graph = whole.build(checkpointer=InMemorySaver())
    settings = {"judging": "never", "runoff": False}
    traced(graph, {"query": WAY, "candidates": [MEASURE]}, first, **settings)
    second.goes_on = True
    result = traced(graph, Command(resume={"metres": 12.5}), second, **settings)
    before = sum(event.tokens for event in first.events if not event.inside)
    page = text_of(run_page(graph, WAY, result, second))
    assert "went on from an earlier stop" in page
    assert f"{before:,} of the {tokens(result['usage']):,} tokens" in page
    assert "went on from an earlier stop" not in text_of(reported(Whole())[0])


def test_it_shows_what_the_user_was_asked_and_no_answer_that_is_called_a_secret():
    whole, trace = Asking(), Trace()
    graph = whole.build(checkpointer=InMemorySaver())
    settings = {"judging": "never", "runoff": False}
    traced(graph, {"query": WAY, "candidates": [MEASURE]}, trace, **settings)
    trace.replied({"metres": 12.5}, trace.asked[0].question)
    result = traced(graph, Command(resume={"metres": 12.5}), trace, **settings)
    page = text_of(run_page(graph, WAY, result, trace))
    assert "Needed, and not found out: metres. metres (number): measure needs it for the request" in page
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
    graph, trace = Whole().build(), Trace()
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
    whole = a_hard_run(Digest={"answer": NASTY}, FinalAnswer={"answer": NASTY})
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
    page, _ = reported(Whole(Help={"tool": "none"}), query="xqzzt wvvrk")
    assert "No tool of the catalogue fits" in " ".join(Page(page).said)


@pytest.fixture
def run(monkeypatch, capsys):
    def run(*arguments):
        return entered(monkeypatch, capsys, "ask", *arguments)

    @tool
    def forecast(city: str) -> str:
        """Tell the weather of a city."""
        return "It is warm."

    whole = Whole()
    with Catalog.from_tools([forecast]) as catalog:
        monkeypatch.setattr(command, "load_catalog", lambda _: catalog)
        monkeypatch.setattr(command, "load_model", lambda _: scripted(whole.model))
        whole.script.answers["Arguments"] = {"city": "Lima"}
        yield run


def test_the_command_writes_it(run, tmp_path):
    code, _, err = run("How is the weather?", "--report", str(tmp_path / "run.html"))
    assert code == 0
    assert "agent" not in err, "those that sleep are not shown"
    assert "How is the weather?" in " ".join(Page((tmp_path / "run.html").read_text("utf-8")).said)


def test_where_no_tool_fits_nothing_says_that_they_suffice(run, tmp_path):
    file = tmp_path / "run.html"  # that nothing helps is what a script says that has no `Help`
    code, _, err = run("xqzzt wvvrk", "--report", str(file))
    assert code == 1
    assert "Tools none fits" in err
    assert "Tools suffice" not in err
    assert "the tools suffice" not in text_of(file.read_text("utf-8"))


@pytest.mark.parametrize("error", [ModelError("The model is gone."), KeyboardInterrupt()], ids=["error", "Ctrl-C"])
def test_a_run_that_is_stopped_has_its_page_too(run, monkeypatch, tmp_path, error):
    def model(messages, schema):
        if schema.get("title") == "Digest":
            raise error
        return whole.model(messages, schema)

    whole = Whole(Arguments={"city": "Lima"})
    monkeypatch.setattr(command, "load_model", lambda _: scripted(model))
    code, _, _ = run("How is the weather?", "--report", str(tmp_path / "run.html"))
    assert code
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
