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


ROLES = [name_of(path) for path in FILES]
NASTY = "a {b} {{c}} {{{d}}} {{#e}} \"q\" 'q' <b>&amp; </result> [user] \\n 🎉"


def tags(text):
    return list(mustache.tokenize(text))


def values_for(name, value):
    """A value for everything that a prompt asks for; lists with one item."""
    text = (FOLDER / f"{name}.md").read_text("utf-8")
    fields = {tag for kind, tag in tags(text) if kind == "no escape" and tag != "."}
    lists = {tag for kind, tag in tags(text) if kind in {"section", "inverted section"} and tag not in fields}
    plain = {tag for tag in lists if re.search(rf"{{{{#{tag}}}}}[^/]*{{{{{{\.}}}}}}", text)}
    row = dict.fromkeys(fields, value)
    return row | {tag: [value if tag in plain else row] for tag in lists}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_value_is_in_triple_braces(path):
    kinds = {kind for kind, _ in tags(path.read_text("utf-8"))}
    assert kinds <= {"literal", "no escape", "section", "inverted section", "end"}, "HTML would be escaped"


@pytest.mark.parametrize("name", ROLES)
def test_a_prompt_ends_with_a_user_message_and_begins_with_a_system_message_unless_it_goes_on(name):
    messages = load_prompt(name).messages(**values_for(name, "value"))
    goes_on = not (FOLDER / f"{name}.md").read_text("utf-8").startswith("[system]")  # a conversation has one already
    assert isinstance(messages[0], HumanMessage if goes_on else SystemMessage)
    assert isinstance(messages[-1], HumanMessage)
    for message in messages:
        assert message.text
        assert message.text == message.text.strip()
        assert not re.search(r"{{\W|\W}}}|^\[(system|user|assistant)\]", message.text, re.MULTILINE)


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
