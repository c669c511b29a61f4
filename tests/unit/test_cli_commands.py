"""The commands besides `ask`: what they print, and what they refuse."""

import json
import re
import sys

import pytest
from langchain_core.tools import tool
from rich.text import Text

from toolquiver import __version__
from toolquiver.catalog import API, Catalog, Source
from toolquiver.cli import main
from toolquiver.graphs import answering_names, graph_names


@tool
def weather(city: str) -> str:
    """Tell the [bold]weather[/bold] :sunny: [/]."""
    return ""


@tool
def rooms(guests: int) -> str:
    """Find rooms.

    Second line.
    """
    return ""


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command with these arguments: its exit code, what it printed, and its errors."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["toolquiver", *map(str, arguments)])
        monkeypatch.setenv("COLUMNS", str(run.columns))
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    run.columns = 160
    return run


@pytest.fixture
def file(tmp_path):
    weather.metadata = {"category": "[red]sky[/red]", "tool": "[/x] :sun:"}
    Catalog.from_tools([weather, rooms], path=tmp_path / "apis.db").close()
    return tmp_path / "apis.db"


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["ask"],
        ["draw"],
        ["catalog"],
        ["catalog", "list"],
        ["catalog", "show"],
        ["catalog", "search"],
        ["catalog", "stats"],
        ["catalog", "import"],
        ["catalog", "effect"],
        ["model"],
        ["model", "pull"],
        ["model", "path"],
        ["model", "serve"],
    ],
    ids=" ".join,
)
def test_every_command_has_help(run, command):
    code, out, err = run(*command, "--help")
    assert (code, err) == (0, "")
    assert f"Usage: {' '.join(['toolquiver', *command])} " in out
    assert len(out.splitlines()) > 5


@pytest.mark.parametrize(("command", "names"), [("ask", answering_names()), ("draw", graph_names())])
def test_help_names_the_graphs(run, command, names):
    _, out, _ = run(command, "--help")
    assert set(re.findall(r"\w+", out)) >= {*names}


def test_help_says_what_the_exit_codes_are_and_where_all_settings_stand(run):
    _, ask, _ = run("ask", "--help")
    _, call, _ = run("call", "--help")
    assert "Exit code 1" in ask
    assert "docs/limits.md" in ask
    assert "2: there is no such API" in call


def test_the_help_of_a_plan_s_tree_names_no_graph(run):
    _, out, _ = run("plan", "--help")
    assert not {"quiver", "anytool", "retriever", "dfsdt"} & set(re.findall(r"\w+", out))


def test_it_says_which_version_it_is(run):
    assert run("--version") == (0, f"toolquiver {__version__}\n", "")


@pytest.mark.parametrize("command", [["nonsense"], ["ask"], ["catalog", "show"], ["ask", "x", "--budget", "many"]])
def test_a_command_written_wrongly_says_how_it_is_written(run, command):
    code, out, err = run(*command)
    assert (code, out) == (2, "")
    assert "Usage:" in err
    assert "Traceback" not in err


def test_the_apis_are_listed_literally(run, file):
    code, out, _ = run("catalog", "list", "--catalog", file)
    assert code == 0
    for text in ("[red]sky[/red]", "[/x] :sun:", "Tell the [bold]weather[/bold] :sunny: [/].", "tools/tools/rooms"):
        assert text in out
    assert "Second line" not in out


@pytest.fixture
def long_names(tmp_path):
    rooms.metadata = {"category": "a category of hotels and the like", "tool": "the rooms of all hotels in all cities"}
    Catalog.from_tools([rooms], path=tmp_path / "long.db").close()
    rooms.metadata = None
    return tmp_path / "long.db"


LONG = "a_category_of_hotels_and_the_like/the_rooms_of_all_hotels_in_all_cities/rooms"


@pytest.mark.parametrize("command", [["search", "rooms"], ["search", "rooms", "--explain"], ["list"]], ids=" ".join)
@pytest.mark.parametrize("columns", [80, 40])
def test_an_id_is_whole_however_narrow_the_terminal_is(run, long_names, monkeypatch, command, columns):
    monkeypatch.setenv("FORCE_COLOR", "1")
    run.columns = columns
    code, out, _ = run("catalog", *command, "--catalog", long_names)
    lines = Text.from_ansi(out).plain.splitlines()
    assert code == 0
    assert sum(line.endswith(LONG) for line in lines) == 1
    assert all(len(line) <= columns for line in lines if LONG not in line and " / " not in line)


def test_elsewhere_each_api_is_a_line_with_tabs(run, long_names):
    _, out, _ = run("catalog", "search", "rooms", "--catalog", long_names)
    (line,) = out.splitlines()
    assert line.split("\t")[1:] == [LONG, "Find rooms."]
    _, out, _ = run("catalog", "search", "rooms", "--explain", "--catalog", long_names)
    assert [parts.split("\t")[1] for parts in out.splitlines()] == [LONG]
    _, out, _ = run("catalog", "list", "--catalog", long_names)
    names = "a category of hotels and the like\tthe rooms of all hotels in all cities"
    assert out == f"{names}\t{LONG}\tFind rooms.\n"


def test_one_category_is_listed_alone(run, file):
    _, out, _ = run("catalog", "list", "tools", "--catalog", file)
    assert "rooms" in out
    assert "weather" not in out


def test_an_unknown_category_and_a_search_that_finds_nothing_are_said(run, file):
    code, out, err = run("catalog", "list", "nonsense", "--catalog", file)
    assert (code, out, err.startswith("Error: There is no category 'nonsense'.")) == (2, "", True)
    code, out, err = run("catalog", "list", "\udcff", "--catalog", file)
    assert (code, out, err.startswith("Error: There is no category ")) == (2, "", True)
    code, out, err = run("catalog", "search", "qqqq", "--catalog", file)
    assert (code, out, err) == (0, "", "Nothing fits. Say it in other words.\n")


def test_an_api_is_shown_as_json(run, file):
    code, out, _ = run("catalog", "show", "tools/tools/rooms", "--catalog", file)
    shown = json.loads(out)
    assert code == 0
    assert shown["function"] == "rooms"
    assert shown["parameters"]["properties"]["guests"]["type"] == "integer"
    assert (shown["effect"], shown["effect_from"]) == ("unknown", "import")


def test_what_an_api_does_is_said_and_shown_with_who_said_it(run, file):
    rooms_, sky = "tools/tools/rooms", "red_sky_red/x_sun/weather"
    assert run("catalog", "effect", file, rooms_, sky, "read") == (0, "read               2\n", "")
    for name in (rooms_, sky):
        shown = json.loads(run("catalog", "show", name, "--catalog", file)[1])
        assert (shown["effect"], shown["effect_from"]) == ("read", "you")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tools/tools/rooms", "no/such/api", "write"], "no API with the id 'no/such/api'"),
        (["tools/tools/rooms", "maybe"], "maybe"),
        (["tools/tools/rooms"], "Missing argument"),
        (["read"], "Missing argument"),
    ],
)
def test_an_effect_that_cannot_be_set_changes_nothing(run, file, words, said):
    code, out, err = run("catalog", "effect", file, *words)
    assert (code, out, said in err) == (2, "", True), err
    with Catalog.open(file) as catalog:
        assert not catalog.has_set_effect("tools/tools/rooms")


def test_the_best_is_found_first_and_shown_literally(run, file):
    code, out, _ = run("catalog", "search", "weather", "-k", 1, "--catalog", file)
    assert code == 0
    assert "Tell the [bold]weather[/bold] :sunny: [/]." in out
    assert "rooms" not in out


def test_a_search_says_why(run, file):
    code, out, _ = run("catalog", "search", "weather by city", "-k", 1, "--explain", "--catalog", file)
    assert code == 0
    assert "api words" in out
    assert "name: weather" in out
    assert "parameters: city" in out


def test_the_apis_are_counted(run, file):
    code, out, err = run("catalog", "stats", "--catalog", file)
    assert (code, err.count("\n"), err.startswith("No caller for 2 of python: ")) == (0, 1, True)
    assert [line.split() for line in out.splitlines()] == [
        ["categories", "2"],
        ["tools", "2"],
        ["apis", "2"],
        ["callable", "0"],
    ]


def test_what_has_a_caller_is_callable_and_the_others_are_named(run, tmp_path):
    kinds = {"openapi": 1, "mcp": 2, "langchain": 3, "toolbench": 4}
    with Catalog.create(tmp_path / "apis.db") as catalog:
        for kind, size in kinds.items():
            key, places = f"{kind}:x", {"mcp": {"calling": {"command": "x"}}}
            apis = [API(id=f"{kind}/x/{n}", name=str(n), tool="x", category=kind, source=key) for n in range(size)]
            catalog.sync(Source(key=key, kind=kind, location="x:y", settings=places.get(kind, {})), apis)
        catalog.add(API(id="a/b/c", name="c", tool="b", category="a"))
        assert catalog.stats()["callable"] == 6
    code, out, err = run("catalog", "stats", "--catalog", tmp_path / "apis.db")
    assert (code, out.splitlines()[-1].split()) == (0, ["callable", "6"])
    first, second = err.splitlines()
    assert first.startswith("No caller for 4 of toolbench:x: ")
    assert second.startswith("No caller for 1 of no source: ")


def test_the_demo_can_be_called_whole(run):
    pytest.importorskip("airportsdata", reason="the demo catalogue is not installed")
    code, out, err = run("catalog", "stats")
    apis, could = (line.split()[1] for line in out.splitlines()[-2:])
    assert (code, could, err) == (0, apis, "")


def test_an_unknown_id_is_one_line(run, file):
    code, out, err = run("catalog", "show", "no/such/\x1b[31mid", "--catalog", file)
    assert (code, out) == (2, "")
    assert err.startswith("Error: There is no API with the id")
    assert err.count("\n") == 1
    assert "\x1b" not in err


def test_a_graph_is_drawn_as_mermaid(run):
    code, out, err = run("draw", "smurfs")
    assert (code, err) == (0, "")
    assert "graph TD;" in out
    assert "__start__" in out


def test_a_graph_is_drawn_as_a_png(run, tmp_path):
    code, out, err = run("draw", "smurfs", "--png", tmp_path / "smurfs.png")
    assert (code, out, err) == (0, f"{tmp_path / 'smurfs.png'}\n", "")
    assert (tmp_path / "smurfs.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize("place", ["no/smurfs.png", "."])
def test_a_picture_that_cannot_be_written_is_one_line(run, tmp_path, place):
    code, out, err = run("draw", "smurfs", "--png", tmp_path / place)
    assert (code, out) == (2, "")
    assert err.startswith("Error: Cannot write ")
    assert err.count("\n") == 1


def test_an_unknown_graph_names_those_there_are(run):
    code, out, err = run("draw", "nonsense")
    assert (code, out) == (2, "")
    assert err.startswith("Error: There is no graph 'nonsense'. There are: ")
    assert "smurfs" in err
