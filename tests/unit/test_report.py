"""The page of a run: it holds everything, loads nothing, and shows what others wrote as text."""

import asyncio
from html.parser import HTMLParser

import pytest
from langchain_core.tools import tool

from tests.graphs.quivers import QUERY, Whole
from tests.graphs.script import plan_of
from tests.unit.commands import entered
from toolquiver.calling import CallError
from toolquiver.catalog import Catalog
from toolquiver.cli import ask as command
from toolquiver.contexts import QuiverContext
from toolquiver.models import scripted
from toolquiver.report import Trace, run_page
from toolquiver.report.happened import told as told_of

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

    async def run():
        result = {}
        events = graph.astream(
            {"query": query},
            {"recursion_limit": 1_000},
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

    return run_page(graph, query, asyncio.run(run()), trace), trace


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
    page, trace = reported(a_hard_run())
    said = " ".join(Page(page).said)
    for part in ("Alpha is 8848 m high.", "tool_error", "It is broken.", "rollback: choose again", "reflection 1"):
        assert part in said
    for heading in ("Subtasks", "Calls", "Agents", "Tokens by role", "Timeline", "What went wrong"):
        assert heading in said
    assert "woken: meta" in said
    assert trace.path[:2] == ["check", "find"]  # how sure search is then depends on whether it has vectors
    assert "plan" in trace.path
    assert trace.path[-1] == "present"
    assert ("a", {"class": "call", "href": "#call-2"}) in Page(page).seen


def test_work_that_waited_for_the_user_counts_once():
    trace, asking = Trace(), {"id": "1", "name": "ask_user"}
    for more in ({"input": {}}, {"result": {}, "interrupts": [{"value": "?"}]}):
        trace.add((), asking | more)
    for more in ({"input": {}}, {"result": {"said": ["days is 3."], "decided": "given"}, "interrupts": []}):
        trace.add((), asking | more)
    assert trace.path == ["ask_user"]
    assert told_of(trace.events[0]) == "days is 3."


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


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_asked(run, tmp_path):
    code, _, err = run("How is the weather?", "--report", str(tmp_path / "nowhere" / "run.html"))
    assert code == 2
    assert "Cannot write" in err
