"""The commands besides `ask`: what they print, and what they refuse."""

import json
import sys

import pytest
from langchain_core.tools import tool

from toolquiver.catalog import Catalog
from toolquiver.cli import main


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
        monkeypatch.setenv("COLUMNS", "160")
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

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


def test_one_category_is_listed_alone(run, file):
    _, out, _ = run("catalog", "list", "tools", "--catalog", file)
    assert "rooms" in out
    assert "weather" not in out


def test_an_api_is_shown_as_json(run, file):
    code, out, _ = run("catalog", "show", "tools/tools/rooms", "--catalog", file)
    shown = json.loads(out)
    assert code == 0
    assert shown["function"] == "rooms"
    assert shown["parameters"]["properties"]["guests"]["type"] == "integer"


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
    code, out, _ = run("catalog", "stats", "--catalog", file)
    assert code == 0
    assert [line.split() for line in out.splitlines()] == [
        ["categories", "2"],
        ["tools", "2"],
        ["apis", "2"],
        ["callable", "0"],
    ]


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
