"""`toolquiver document`: what it would cost, what it writes, and what can be done with that."""

import json

import pytest

from toolquiver.catalog import API, Catalog, Source
from toolquiver.evaluation.metrics.prices import load_prices
from toolquiver.models import scripted
from toolquiver.models.local.settings import SLOTS


def an_api(tool, name="fish"):
    lake = {"lake": {"type": "string", "description": "Which lake"}}
    return API(
        id=f"food/{tool.lower()}/{name}",
        name=name,
        description="Lists **fish**. " + " ".join(f"It knows the water number {n} as well." for n in range(9)),
        method="GET",
        parameters={"type": "object", "properties": lake, "required": ["lake"]},
        tool=tool,
        category="Food",
    )


@pytest.fixture
def path(tmp_path):
    with Catalog.create(tmp_path / "apis.db") as catalog:
        catalog.add(an_api("Lakes"), an_api("Lakes", "eel"), an_api("Rivers"))
    return tmp_path / "apis.db"


@pytest.fixture
def model(monkeypatch):
    """The model that every name leads to; it counts what it is asked."""
    asked = []

    def script(messages, schema):
        asked.append(schema["title"])
        if schema["title"] == "Description":
            names = schema["properties"]["functions"]["properties"]
            return {"purpose": f"about waters {len(asked)}", "functions": dict.fromkeys(names, "names trout")}
        return {"scenario": "if you want to fish in Como", "arguments": {"lake": "Como"}}

    async def named(_):
        return scripted(script)

    monkeypatch.setattr("toolquiver.nodes.run.model_named", named)
    return asked


def test_what_it_would_cost_is_told_before_any_call(run, path, model):
    code, out, _ = run("document", path, "--dry-run", "--model", "openai:gpt-5-mini")
    lines = dict(line.rsplit(maxsplit=1) for line in out.splitlines())
    assert (code, model, lines["tools"], lines["functions"]) == (0, [], "2", "3")
    price = load_prices()["openai:gpt-5-mini"]
    prompt, completion = (int(lines[key].replace(",", "")) for key in ("prompt", "completion"))
    cost = (prompt * price.input + completion * price.output) / 1e6
    assert float(lines["US dollars"]) == pytest.approx(cost, abs=0.01)
    assert "No price is known for local" in run("document", path, "--dry-run", "--limit", 1)[1]


def test_the_time_is_told_by_what_was_written_before(run, path, model):
    assert "No time is known for local" in run("document", path, "--dry-run")[1]
    run("document", path, "--limit", 1, "--concurrency", 1)
    with Catalog.open(path) as catalog:
        (noted,) = catalog.instructions.attempts("local")
        assert (noted.subject, noted.tokens > 0, noted.failed) == ("food/lakes", True, "")
        catalog.instructions.note(noted._replace(seconds=noted.tokens / 2))
    for asked, together in (((), SLOTS), (("--concurrency", 1), 1)):
        out = run("document", path, "--dry-run", *asked)[1]
        lines = dict(line.rsplit(maxsplit=1) for line in out.splitlines())
        minutes, seconds = map(int, lines["time, about"].split(":")[1:])
        spent = sum(int(lines[key].replace(",", "")) for key in ("prompt", "completion"))
        assert minutes * 60 + seconds == pytest.approx(spent / 2 / together, abs=1)


def test_it_writes_what_is_missing_once(run, path, model):
    code, out, err = run("document", path, "--limit", 1)
    assert (code, "1 tools, 2 functions" in out, "1/1 written" in err) == (0, True, True)
    assert "2 valid" in out
    assert "1 tools, 1 functions" in run("document", path)[1]
    asked = len(model)
    assert "Every tool has its instruction" in run("document", path)[2]
    assert len(model) == asked


def test_an_instruction_is_shown_compared_and_dropped(run, path, model):
    assert run("document", path, "--category", "Food")[0] == 0
    out = run("document", "show", path, "Food/Lakes")[1]
    assert "fish(lake: string) names trout" in out
    assert 'e.g. if you want to fish in Como: {"lake": "Como"}' in out
    assert json.loads(run("document", "show", path, "food/lakes/fish")[1].partition("\n")[2])["proof"] == "valid"
    told = run("document", "diff", path, "food/lakes/fish")[1]
    assert "-Lists **fish**." in told
    assert "names trout" in told
    assert run("document", "drop", path, "Food/Lakes")[1] == "dropped 3\n"
    assert run("document", "show", path, "food/lakes/fish")[0] == 2
    assert run("document", "export", path, path.with_name("said.jsonl"))[1] == "exported 2\n"
    assert run("document", "drop", path, "--all")[1] == "dropped 2\n"


def test_instructions_that_cannot_be_exported_are_one_line(run, path, model):
    run("document", path, "--category", "Food")
    code, out, err = run("document", "export", path, path.parent / "nowhere" / "said.jsonl")
    assert (code, out) == (2, "")
    assert err.startswith("Error: Cannot write ")


def test_two_versions_are_compared(run, path, model):
    run("document", path)
    with Catalog.open(path) as catalog:
        (first,) = catalog.instructions.versions("food/rivers/fish")
        content = first.content.model_copy(update={"description": "names pike"})
        catalog.instructions.put([first.model_copy(update={"content": content})])
    out = run("document", "diff", path, "food/rivers/fish")[1]
    assert "version 1" in out
    assert "-names trout" in out
    assert "+names pike" in out
    assert run("document", "drop", path, "food/rivers/fish", "--last")[1] == "dropped 1\n"
    assert "names trout" in run("document", "show", path, "Food/Rivers")[1]


def test_of_a_tool_without_a_purpose_of_its_own_the_functions_are_shown_and_dropped(run, path, model):
    run("document", path)
    with Catalog.open(path) as catalog:
        catalog.instructions.drop(["food/lakes"])
        changed = {"tool_description": "All about **rivers**."}
        catalog.update(an_api("Rivers").model_copy(update=changed))
    code, out, _ = run("document", "show", path, "Food/Lakes")
    assert (code, "fish(lake: string) names trout" in out, "! what the tool is for" in out) == (0, True, True)
    assert run("document", "show", path, "Food/Rivers")[1].startswith("Rivers: All about rivers.\n")
    assert run("document", "drop", path, "Food/Lakes")[1] == "dropped 2\n"
    assert run("document", "drop", path, "Food/Lakes")[0] == 2


def test_a_version_says_whether_it_counts(run, path, model):
    run("document", path)
    with Catalog.open(path) as catalog:
        catalog.update(an_api("Rivers").model_copy(update={"description": "Counts **fish**. " * 20}))
    assert "of another documentation\n" in run("document", "show", path, "food/rivers/fish")[1]
    told = run("document", "diff", path, "food/rivers/fish")[1]
    assert "+++ version 1 (of another documentation)" in told
    run("document", path)
    heads = [line for line in run("document", "show", path, "food/rivers/fish")[1].splitlines() if "version" in line]
    assert [head.rpartition(", ")[2] for head in heads] == ["of another documentation", "in force"]


def test_documentation_and_instruction_are_compared_line_by_line(run, path, model):
    run("document", path)
    told = run("document", "diff", path, "food/lakes/fish")[1].splitlines()
    assert told[:2] == ["--- documentation", "+++ version 1"]
    assert [line for line in told if line[0] in " +"][1:] == [
        "+names trout",
        " lake (string): Which lake",
        '+e.g. if you want to fish in Como: {"lake": "Como"} (valid)',
    ]
    about = run("document", "diff", path, "Food/Rivers")[1]
    assert ("about waters" in about, "Lists" in about) == (True, False)
    same = run("document", "diff", path, "food/lakes/fish", "--from", 1, "--to", 1)[1]
    assert same == "There is no difference between version 1 and version 1.\n"
    assert (
        "no version 3. There are: 1, 0, the documentation."
        in run("document", "diff", path, "food/lakes/fish", "--from", 3)[2]
    )


def test_what_is_gone_from_the_catalogue_can_be_seen_and_dropped(run, path, model):
    run("document", path)
    with Catalog.open(path) as catalog:
        catalog.sync(Source(key="", kind="other"), [an_api("Lakes")])
    assert "any more" in run("document", "show", path, "food/rivers/fish")[1]
    assert run("document", "show", path, "Food/Rivers")[1].count("any more") == 2  # the tool's and its function's
    with Catalog.open(path) as catalog:
        catalog.instructions.drop(["food/rivers"])
    assert "any more" in run("document", "show", path, "Food/Rivers")[1]
    assert run("document", "drop", path, "food/rivers/fish")[1] == "dropped 1\n"
    assert "no API or tool" in run("document", "drop", path, "Food/Rivers")[2]
    assert run("document", "drop", path, "Food/Lakes")[1] == "dropped 3\n"


def test_a_tool_that_fails_is_told_and_tried_again(run, path, model, monkeypatch):
    class Refused(Exception):
        status_code = 400

    def script(messages, _):
        if "Lakes" in messages[-1].text:
            raise Refused("longer than the context of this model, which takes so many tokens and no more")
        return "no JSON"

    async def named(_):
        return scripted(script)

    with monkeypatch.context() as broken:
        broken.setattr("toolquiver.nodes.run.model_named", named)
        code, out, err = run("document", path, "--concurrency", 1)
    assert (code, "1 tools, 1 functions" in out) == (1, True)
    assert "1/2 failed" in err
    assert "2/2 marked" in err
    assert "1 failed: ModelError" in err
    assert "so many tokens and no more" in err
    assert "1 tools are not finished. The same command tries them again." in err
    assert "Food/Rivers" in run("document", path, "--limit", 1, "--retry")[2]  # what failed comes last
    code, out, err = run("document", path)
    assert (code, "1 tools, 2 functions" in out, "failed" in err) == (0, True, False)
    assert "Every tool has its instruction" in run("document", path, "--retry")[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["demo"], "comes with its instructions"),
        (["PATH", "--category", "Cars"], "no category 'Cars'"),
        (["nowhere.db"], "no file"),
        (["show", "PATH", "Food/Ponds"], "no API or tool 'Food/Ponds'"),
        (["show", "PATH", "food/lakes/fish"], "has no instruction"),
        (["drop", "PATH"], "--all"),
        (["drop", "PATH", "Food/Lakes", "--all"], "--all"),
    ],
)
def test_what_cannot_be_done_is_said(run, path, model, words, said):
    code, _, err = run("document", *(path if word == "PATH" else word for word in words))
    assert code == 2
    assert said in err
    assert model == []
