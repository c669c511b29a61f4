"""The prompts: each parses, and what is put into one comes out unchanged."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.utils import mustache

import toolquiver.prompts
from toolquiver.prompts import load_prompt

FOLDER = Path(toolquiver.prompts.__file__).parent
FILES = sorted(FOLDER.rglob("*.md"))


def name_of(path):
    """A prompt's name, with its folder."""
    return path.relative_to(FOLDER).with_suffix("").as_posix()


PARTS = {name_of(path) for path in FILES if "[system]" not in path.read_text("utf-8")}
ROLES = [name_of(path) for path in FILES if name_of(path) not in PARTS]
GOING_ON = {name_of(path) for path in FILES if path.read_text("utf-8").startswith("[system]\n[user]")}
"""Messages within a conversation, which has a system message already."""
NASTY = "a {b} {{c}} {{{d}}} {{#e}} \"q\" 'q' <b>&amp; </result> [user] \\n 🎉"


def tags(text):
    return list(mustache.tokenize(text))


def values_for(name, value):
    """A value for everything that a prompt and its parts ask for; lists with one item."""
    text = "".join(path.read_text("utf-8") for path in FILES if name_of(path) in {name, *PARTS})
    fields = {tag for kind, tag in tags(text) if kind == "no escape" and tag != "."}
    lists = {tag for kind, tag in tags(text) if kind in {"section", "inverted section"} and tag not in fields}
    plain = {tag for tag in lists if re.search(rf"{{{{#{tag}}}}}[^/]*{{{{{{\.}}}}}}", text)}
    row = dict.fromkeys(fields, value)
    return row | {tag: [value if tag in plain else row] for tag in lists}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_value_is_in_triple_braces(path):
    kinds = {kind for kind, _ in tags(path.read_text("utf-8"))}
    assert kinds <= {"literal", "no escape", "section", "inverted section", "end", "partial"}, "HTML would be escaped"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_what_is_brought_in_is_there(path):
    brought_in = {tag for kind, tag in tags(path.read_text("utf-8")) if kind == "partial"}
    assert brought_in <= PARTS & toolquiver.prompts._SHARED.keys()


@pytest.mark.parametrize("name", ROLES)
def test_a_prompt_is_a_system_and_a_user_message(name):
    system, *_, user = load_prompt(name).messages(**values_for(name, "value"))
    assert isinstance(system, SystemMessage)
    assert isinstance(user, HumanMessage)
    assert bool(system.text) == (name not in GOING_ON)
    assert user.text
    assert "value" in user.text or "{{" not in load_prompt(name).user
    for text in (system.text, user.text):
        assert not re.search(r"{{\W|\W}}}|^\[(system|user)\]", text, re.MULTILINE)
        assert text == text.strip()


@pytest.mark.parametrize("name", ROLES)
def test_values_come_out_as_they_went_in(name):
    rendered = [message.text for message in load_prompt(name).messages(**values_for(name, NASTY))]
    marked = [message.text for message in load_prompt(name).messages(**values_for(name, "\N{SNOWMAN}"))]
    assert rendered == [text.replace("\N{SNOWMAN}", NASTY) for text in marked]


@given(st.text().filter(str.strip))
def test_no_question_is_read_as_a_template(query):
    (_, user) = load_prompt("smurfs/plan").messages(query=query)
    assert user.text.partition("Request:")[2].strip() == query.strip()


@pytest.mark.parametrize("name", ROLES)
def test_the_beginning_does_not_hang_on_the_work_done_so_far(name):
    values = values_for(name, "value")
    later = values | {key: [] for key in ("known", "steps") if key in values} | {"hint": "", "task": "other"}
    assert load_prompt(name).messages(**values)[0] == load_prompt(name).messages(**later)[0]
