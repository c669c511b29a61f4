"""Text of others on the terminal: literal, and without a way to steer it."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.types import Overwrite
from rich.console import Console

from toolquiver.cli.live import LiveView
from toolquiver.cli.plain import harmless, plain
from toolquiver.cli.tables import calls_table, usage_table
from toolquiver.models import RoleUsage

NASTY = "[bold]x[/bold] [/red] :smile: a:b:c \x1b[31mred\x1b]0;title\x07 \x9b2J"
SHOWN = "[bold]x[/bold] [/red] :smile: a:b:c �[31mred�]0;title� �2J"


def console(width=300):
    return Console(file=io.StringIO(), width=width, force_terminal=False, color_system=None)


def printed(*things, **how):
    target = console(**how)
    target.print(*things)
    return target.file.getvalue()


def test_markup_emoji_names_and_escapes_are_only_text():
    assert printed(plain(NASTY)) == SHOWN + "\n"


@given(st.text())
def test_no_control_character_is_left_but_line_breaks_and_tabs(text):
    left = {character for character in harmless(text) if ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0}
    assert left <= {"\n", "\t"}
    assert len(harmless(text)) == len(text)


def test_nothing_turns_or_hides_what_is_asked():
    turned, hidden = "\N{RIGHT-TO-LEFT OVERRIDE}moc.live@eve", "1\N{ZERO WIDTH SPACE}0\N{WORD JOINER}"
    assert harmless(f"{turned} {hidden}") == "�moc.live@eve 1�0�"
    assert harmless("12\N{NARROW NO-BREAK SPACE}000 Émilie 例") == "12\N{NARROW NO-BREAK SPACE}000 Émilie 例"


def call(**changes):
    made = {"subtask": 0, "api": "a/b/c", "arguments": {}, "ok": True, "failure": None, "message": ""}
    return made | changes


def test_the_calls_are_shown_as_they_are():
    text = printed(
        calls_table(
            [
                call(arguments={"q": "[bold]é"}),
                call(api="x/[y]/z", ok=False, failure="tool_error", message="[/oops] :x:"),
            ]
        )
    )
    assert '{"q": "[bold]é"}' in text
    assert "x/[y]/z" in text
    assert "tool_error: [/oops] :x:" in text


def test_no_part_of_an_id_is_left_out_of_a_narrow_table():
    api = "a_category_of_hotels_and_the_like/the_rooms_of_all_hotels_in_all_cities/rooms"
    rows = printed(calls_table([call(api=api, arguments={"q": "x" * 60})]), width=60).splitlines()
    assert "".join(row.split("│")[2].strip() for row in rows if row.startswith("│")) == api


def test_the_tokens_are_summed_and_estimates_marked():
    usage = {
        "plan": RoleUsage(calls=1, prompt=1_000, completion=20, cached=500, estimated=0),
        "think": RoleUsage(calls=2, prompt=300, completion=40, cached=0, estimated=340),
    }
    lines = printed(usage_table(usage)).splitlines()
    (total,) = [line for line in lines if "total" in line]
    assert "total (estimated)" in total
    assert [cell.strip() for cell in total.split("│")[2:-1]] == ["3", "1,300", "500", "60"]
    assert not any("plan (estimated)" in line for line in lines)


def view_of(*events):
    target = console()
    with LiveView(target) as view:
        for mode, event in events:
            view.show(mode, event)
    return target.file.getvalue()


def test_the_live_view_shows_what_happens():
    text = view_of(
        ("tasks", {"name": "think", "input": {}}),
        ("updates", {"call": {"calls": [call(ok=False, failure="timeout", message="Too slow.")]}}),
        ("updates", {"rollback": {"decided": "choose again"}}),
        ("updates", {"record": {"known": [{"question": "How far?", "answer": "3 km", "solved": True}]}}),
        ("updates", {"verify": {"stopped": "No budget."}}),
        ("updates", {"retrieve": None}),
        ("updates", {"check": {"usage": Overwrite({}), "calls": Overwrite([])}}),
    )
    for part in ("call a/b/c {}", "failed timeout: Too slow.", "rollback choose again", "solved How far? 3 km"):
        assert part in text
    assert "stopped No budget." in text


@pytest.mark.parametrize("text", [NASTY, "x" * 500])
def test_the_live_view_shows_text_of_others_literally_and_short(text):
    shown = view_of(("updates", {"verify": {"stopped": text}}))
    assert "\x1b" not in shown
    assert SHOWN in shown or ("x" * 100 + "…" in shown and "x" * 101 not in shown)


@pytest.mark.parametrize("node", ["back_up", "rollback", "record", "finish_goal", "push"])
def test_what_a_graph_inside_does_not_hand_over_is_not_told(node):
    target = console()
    with LiveView(target) as view:
        view.show("updates", {node: {}}, inside=True)
    assert target.file.getvalue() == ""
