"""The README's commands that need no local model, and its Python with another model, run as they stand."""

import re

import pytest

from tests.support.docs_pages import ROOT, Step, shell
from tests.support.programs import code as code_of
from tests.support.programs import worded
from tests.support.script import Script
from tests.support.standin import provider

PAGE = (ROOT / "README.md").read_text("utf-8")
PETSTORE = """
openapi: 3.1.0
info: {title: Petstore, version: "1"}
servers: [{url: "https://pets.test"}]
paths:
  /pets/{name}:
    get:
      operationId: find_pet
      summary: Find a pet by its name.
      parameters: [{name: name, in: path, required: true, schema: {type: string}}]
"""
COMMANDS = {"import": "added", "search": "\t", "draw": "", "--help": "catalog"}
"""The commands on the page that are run, and a word that each prints."""


def commands():
    lines = [
        line
        for block in re.findall(r"^```console\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
        for line in block.split("\n")
    ]
    return [text for text in [*lines, *re.findall(r"`([^`\n]+)`", PAGE)] if text.startswith("toolquiver ")]


def test_the_commands_run(tmp_path):
    pytest.importorskip("airportsdata", reason="the demo catalogue is not installed")
    (tmp_path / "petstore.yaml").write_text(PETSTORE)
    seen = set()
    with shell(tmp_path) as running:
        for command in commands():
            kind = next((kind for kind in COMMANDS if f" {kind}" in command), None)
            if kind is None:
                assert "FILE" in command or "ask" in command, f"{command} is new: say what it prints"
                continue
            code, out, err = running.run(Step(command=command))
            assert code == 0, f"{command}\n{err}"
            assert COMMANDS[kind] in out
            seen.add(kind)
            if command.startswith("toolquiver catalog search") and "apis.db" in command:
                assert "petstore/petstore/find_pet" in out
    assert seen == set(COMMANDS)
    assert (tmp_path / "quiver.png").read_bytes()[1:4] == b"PNG"


def test_the_python_runs_with_a_model_of_another_name(tmp_path):
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert code.count('model="local"') == 1
    code = code.replace('model="local"', 'model="openai:stand-in"')
    script = Script(Text=code_of("answer = population(city='Oslo')"), Worded=worded("717000 people."))
    with provider(script) as model, shell(tmp_path, OPENAI_BASE_URL=model.url, OPENAI_API_KEY="sk-none") as running:
        assert running.run(Step(script=code)) == (0, "717000 people.\n", "")
