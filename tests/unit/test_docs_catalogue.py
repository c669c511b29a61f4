"""`docs/catalogue.md`: every command and script on it runs as it stands, and prints what it says."""

import pytest

pytest.importorskip("mcp")

from tests.support.docs_pages import ROOT, files, fits, free_port, prints_what_it_says, shell, steps, wait_for
from tests.support.http_server import JSON, Answer, serving
from tests.support.programs import code, worded
from tests.support.script import Script, options
from tests.support.standin import provider

PAGE = (ROOT / "docs/catalogue.md").read_text("utf-8")
KEY = "my-secret-key"

VALUES = {"number": 7, "city": "Oslo", "title": "Emma"}
TOOLS = {"Cancel": "cancel_order", "weather": "Current weather", "live in": "population"}
SAID = {"cancelled": "Order 7 is cancelled.", "sleet": "Sleet, 2 degrees.", "717000": "717000 people live in Oslo."}


def choose(question):
    task = question.text.rpartition("Task: ")[2]
    wanted = next(tool for words, tool in TOOLS.items() if words in task)
    return {"tool": next(name for name in options(question) if name.replace("_", " ") == wanted.replace("_", " "))}


def fill(question):
    return {name: VALUES[name] for name in question.schema["properties"]}


def repeat(question):
    """Say what the tool's answer means; without that, nothing."""
    return {"answer": next((text for mark, text in SAID.items() if mark in question.text), "It is not said.")}


def shop(got):
    """The shop that the page's document describes, which asks for the key."""
    if got.headers.get("x-key", got.headers.get("X-Key")) != KEY:
        return Answer(401, JSON, b'{"message": "no key"}')
    if got.path != "/orders/7":
        return Answer(404, JSON, b'{"message": "no such order"}')
    status = {"GET": "on its way", "DELETE": "cancelled"}[got.method]
    return Answer(headers=JSON, body=f'{{"number": 7, "status": "{status}"}}'.encode())


def test_the_page_runs(tmp_path):
    program = code("answer = Current_weather(city='Oslo')")
    script = Script(
        Choice=choose,
        Arguments=fill,
        Digest=repeat,
        FinalAnswer=repeat,
        Text=program,
        Worded=lambda question: worded(repeat(question)["answer"]),
    )
    with serving() as server, provider(script) as model, shell(tmp_path, OPENAI_BASE_URL=model.url) as running:
        server.answer = shop
        library = free_port()
        page = PAGE.replace("8080", str(server.port)).replace("8000", str(library))
        for name, text in files(page).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        for step in steps(page):
            prints_what_it_says(step, running)
            if step.command.endswith("&"):
                wait_for(library, running.servers[-1])
        assert [(got.method, got.path) for got in server.got] == [("GET", "/orders/7"), ("DELETE", "/orders/7")]
    for name in ("apis.db", "rapid.db", "calls.db", "cities.db"):
        stored = (tmp_path / name).read_bytes()
        assert KEY.encode() not in stored
        assert b"another-secret" not in stored


def test_the_page_shows_every_kind_of_source():
    commands = [step.command for step in steps(PAGE)]
    imports = [command.split()[3] for command in commands if command.startswith("toolquiver catalog import")]
    assert {"shop.yaml", '"python', "http://127.0.0.1:8000/mcp", "cities:tools", "rapid", "sky.jsonl"} <= set(imports)
    assert sum(bool(step.script) for step in steps(PAGE)) == 3


def test_an_output_is_compared_line_by_line():
    assert fits("a  1\n...\nz", "a 1\nb\nc\n z\n")
    assert fits("│ ... │ x", "│ 0.1 │ x\n")
    assert not fits("a", "a\nb\n")
    assert not fits("a\n...\nz", "a\nb\n")
