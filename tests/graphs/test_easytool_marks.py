"""EasyTool's marks: what the model did not write is known, and written again; one tool that fails stops no other."""

import asyncio

import pytest
from langchain_core.messages import AIMessage

from tests.graphs.test_easytool import FISH, Lakes, Writer, an_api, example, the_function, written
from toolquiver.catalog import Catalog, Source
from toolquiver.catalog.instruction import tool_subject
from toolquiver.cli.documenting import callable_now, left_to_write, write_all
from toolquiver.context import Context
from toolquiver.errors import InputError, MissingKey, ModelError, ModelFileError, ModelUnreachable, UnknownModel
from toolquiver.models import scripted
from toolquiver.nodes.documents.document_costs import estimated_usage
from toolquiver.nodes.documents.join_parts import joined_from

pytestmark = pytest.mark.usefixtures("strict")

SUBJECT = tool_subject("Food", "Lakes")
NO_LINE = "The model wrote no valid description."


def silent(name="fish", tool="Lakes"):
    """A function that nobody has described, without inputs."""
    nothing = {"type": "object", "properties": {}}
    return an_api(name, tool=tool).model_copy(update={"description": "", "parameters": nothing})


def purpose_of(catalog):
    return catalog.instructions.versions(SUBJECT)[-1].content


def write(catalog, model, *, again=False, **settings):
    """Write what is left, with one tool at a time: how each ended."""
    works = left_to_write(catalog, type(model).__name__, again=again)
    context = Context(**settings)
    return asyncio.run(write_all(catalog, works, context, concurrency=1, progress=lambda *_: 0, model=model))


def test_a_line_that_was_not_written_is_marked_and_so_is_the_purpose():
    catalog, result = written(silent(), model=lambda *_: "no JSON", describe="needed")
    assert (the_function(result)["proof"], the_function(result)["problem"]) == ("valid", NO_LINE)
    assert result["problem"] == NO_LINE
    (guideline,) = catalog.instructions.guidelines([catalog.get(FISH)]).values()
    assert (guideline.description, guideline.problem) == ("", NO_LINE)
    assert (purpose_of(catalog).purpose, purpose_of(catalog).problem) == ("", NO_LINE)


def test_what_is_written_has_no_mark():
    catalog, result = written(an_api(), an_api("eel"), model=Writer(example()))
    assert [one["problem"] for one in result["functions"]] == ["", ""]
    assert (result["problem"], purpose_of(catalog).problem) == ("", "")


def test_only_the_line_that_is_none_is_marked():
    def script(messages, schema):
        said = writer(messages, schema)
        if schema["title"] == "Description":
            said["functions"]["eel"] = "https://a.b"
        return said

    writer = Writer(example())
    catalog, result = written(an_api(), an_api("eel"), model=script)
    assert [one["problem"] for one in result["functions"]] == ["", NO_LINE]
    assert (result["functions"][1]["description"], purpose_of(catalog).problem) == ("Lists eel.", "")


def test_a_line_and_an_example_that_are_missing_are_both_said():
    _, result = written(an_api(), model=lambda *_: "no JSON")
    assert the_function(result)["problem"] == f"{NO_LINE} The model wrote no valid guideline."


def test_a_purpose_that_was_not_joined_is_marked():
    def script(messages, schema):
        return "no JSON" if schema["title"] == "Joined" else writer(messages, schema)

    writer = Writer(example())
    catalog, result = written(*(an_api(f"fish{n}") for n in range(3)), model=script, document_tokens=40)
    assert [one["problem"] for one in result["functions"]] == [""] * 3
    assert (result["problem"], purpose_of(catalog).problem) == (NO_LINE, NO_LINE)


def test_a_spent_budget_marks_what_it_left_undescribed():
    apis = [silent(f"fish{n:02}") for n in range(19)]
    catalog, result = written(*apis, an_api("more"), model=Writer(example()), token_budget=700)
    why = purpose_of(catalog).problem
    assert "budget" in why
    assert [one["problem"] for one in result["functions"]][::19] == ["", why]
    assert result["functions"][18]["problem"] == why


@pytest.mark.parametrize("apis", [[silent()], [silent(), silent("eel")]], ids=["one function", "two"])
def test_what_was_not_written_is_left_to_be_written_again(apis):
    with Catalog.create() as catalog:
        catalog.add(*apis)
        nothing, name = scripted(lambda *_: "no JSON"), type(scripted(Writer())).__name__
        (done,) = write(catalog, nothing)
        assert done.marked
        assert left_to_write(catalog, name) == []
        (work,) = left_to_write(catalog, name, again=True)
        assert [api.id for api in work.apis] == [api.id for api in apis]
        (done,) = write(catalog, scripted(Writer(example())), again=True)
        assert not done.marked
        assert left_to_write(catalog, name, again=True) == []
        assert {one.description for one in catalog.instructions.guidelines(apis).values()} == {"lists it"}


def test_a_purpose_alone_is_written_again():
    told = [an_api(name).model_copy(update={"tool_description": ""}) for name in ("fish", "eel")]

    def script(messages, schema):
        return "no JSON" if schema["title"] == "Joined" else writer(messages, schema)

    writer = Writer(example())
    with Catalog.create() as catalog:
        catalog.add(*told)
        (done,) = write(catalog, scripted(script))
        assert ([one["problem"] for one in done.result["functions"]], done.marked) == (["", ""], True)
        (again,) = write(catalog, scripted(writer), again=True)
        assert (again.marked, purpose_of(catalog).purpose, purpose_of(catalog).problem) == (
            False,
            "about all lakes",
            "",
        )


def test_of_many_lines_it_is_said_how_many_are_left_out():
    few, many = (joined_from([an_api()], [f"line {n}" for n in range(count)])[-1].text for count in (60, 1_561))
    assert "left out" not in few
    assert "- line 59\n- and 1,501 more functions, which are left out here\n" in many


def choking(writer):
    """A writer that takes nothing in which the function `huge` stands."""

    def script(messages, schema):
        if "huge:" in messages[-1].text:
            raise ValueError("This model's maximum context length is 8192 tokens.")
        return writer(messages, schema)

    return script


@pytest.mark.parametrize("at_once", [1, 4])
@pytest.mark.parametrize("first", ["aaa", "huge"])
def test_a_function_that_does_not_fit_the_context_keeps_no_other_from_being_written(at_once, first):
    writer, names = Counted(example()), ["aaa", "huge", "zzz", "zzzz"]
    with Catalog.create() as catalog:
        catalog.add(*map(an_api, names[names.index(first) :]))
        model = scripted(choking(writer))
        (done,) = write(catalog, model, examples_at_once=at_once)
        found = {one["api"].rpartition("/")[2]: (one["proof"], one["problem"]) for one in done.result["functions"]}
        assert (done.failed, done.result["stopped"]) == ("", "")
        assert (found["huge"][0], "does not fit into the context" in found.pop("huge")[1]) == ("none", True)
        assert set(found.values()) == {("valid", "")}
        (work,) = left_to_write(catalog, type(model).__name__, again=True)
        assert [api.name for api in work.apis] == ["huge"]


def test_of_a_part_that_does_not_fit_the_context_each_function_is_described_alone():
    apis, writer = [silent(name) for name in ("aaa", "huge", "zzz")], Writer(example())
    catalog, result = written(*apis, model=choking(writer), describe="needed")
    assert [(one["description"], bool(one["problem"])) for one in result["functions"]] == [
        ("lists it", False),
        ("", True),
        ("lists it", False),
    ]
    assert "does not fit into the context" in result["functions"][1]["problem"]
    assert (result["purpose"], purpose_of(catalog).problem) == ("about all lakes", "")


@pytest.mark.parametrize("apis", [[silent("huge")], [silent("huge"), silent("huge2")]], ids=["described", "joined"])
def test_a_tool_that_does_not_fit_the_context_has_the_reason(apis):
    def script(*_):
        raise ValueError("This model's maximum context length is 8192 tokens.")

    _, result = written(*apis, model=script)
    assert "does not fit into the context" in result["problem"]


class Refused(Exception):
    """A provider's answer to a document that is longer than the context."""

    status_code = 400


@pytest.mark.parametrize(("error", "said"), [(Refused("too long"), "too long"), (ValueError("odd"), "odd")])
def test_a_tool_that_fails_stops_no_other_and_is_tried_again(error, said):
    def script(messages, schema):
        if broken and "Lakes1" in messages[-1].text and schema["title"] == "Example":
            raise error
        return writer(messages, schema)

    writer, broken = Writer(example()), [True]
    model = scripted(script)
    with Catalog.create() as catalog:
        catalog.add(*(an_api(tool=f"Lakes{n}", more="") for n in range(3)))
        found = write(catalog, model, describe="all")
        assert [bool(done.failed) for done in found] == [False, True, False]
        assert said in found[1].failed
        assert found[1].result["usage"]["describe_tool"]["calls"] == 1
        assert [work.tool for work in left_to_write(catalog, type(model).__name__)] == ["Lakes1"]
        broken.clear()
        assert [(done.work.tool, done.failed) for done in write(catalog, model)] == [("Lakes1", "")]
        assert left_to_write(catalog, type(model).__name__) == []


def test_what_a_model_refuses_of_one_function_stops_no_other_and_is_counted():
    def script(messages, schema):
        asked.append(schema["title"])
        refuses = "eel" in messages[-1].text and schema["title"] != "Joined"
        return AIMessage("", additional_kwargs={"refusal": "Not eels."}) if refuses else writer(messages, schema)

    asked, writer = [], Writer(example())
    _, result = written(an_api(), an_api("eel"), model=script)
    problems = {one["api"].rsplit("/", 1)[1]: one["problem"] for one in result["functions"]}
    assert (problems["fish"], "Not eels." in problems["eel"]) == ("", True)
    assert sum(spent["calls"] for spent in result["usage"].values()) == len(asked)


@pytest.mark.parametrize("kind", [MissingKey, ModelFileError, ModelUnreachable, UnknownModel, InputError])
def test_what_every_tool_would_end_in_ends_it(kind):
    def script(*_):
        raise kind("The end.")

    with Catalog.create() as catalog:
        catalog.add(an_api(), an_api(tool="Rivers"))
        with pytest.raises(kind, match="The end"):
            write(catalog, scripted(script))


def test_a_tool_that_is_removed_meanwhile_stops_no_other():
    with Catalog.create() as catalog:
        catalog.sync(Source(key="lakes", kind="test"), [an_api()])
        catalog.add(an_api(tool="Rivers").model_copy(update={"source": "rivers"}))
        works = left_to_write(catalog, "local")
        catalog.sync(Source(key="lakes", kind="test"), [])
        model = scripted(Writer(example()))
        found = asyncio.run(write_all(catalog, works, Context(), concurrency=1, progress=lambda *_: 0, model=model))
    assert ["no tool 'Lakes'" in done.failed for done in found] == [True, False]


def test_a_function_that_is_removed_meanwhile_stops_no_other_tool():
    with Catalog.create() as catalog:
        catalog.sync(Source(key="lakes", kind="test"), [an_api(), an_api("eel")])
        catalog.add(an_api(tool="Rivers").model_copy(update={"source": "rivers"}))
        works = left_to_write(catalog, "local")
        catalog.sync(Source(key="lakes", kind="test"), [an_api()])
        model = scripted(Writer(example()))
        found = asyncio.run(write_all(catalog, works, Context(), concurrency=1, progress=lambda *_: 0, model=model))
    assert ["has no food/lakes/eel" in done.failed for done in found] == [True, False]


def test_a_model_that_cannot_be_loaded_ends_it(monkeypatch):
    async def named(_):
        raise ModelError("It is not installed.")

    monkeypatch.setattr("toolquiver.nodes.run.model_named", named)
    with Catalog.create() as catalog:
        catalog.add(an_api(), an_api(tool="Rivers"))
        works = left_to_write(catalog, "local")
        with pytest.raises(ModelError, match="not installed"):
            asyncio.run(write_all(catalog, works, Context(), concurrency=1, progress=lambda *_: 0))


class Counted(Writer):
    """A writer whose questions can be forgotten."""

    def since(self):
        asked, self.asked = [title for title, _ in self.asked], []
        return asked


def versions(catalog):
    return [(one.subject, one.version) for one in catalog.instructions.versions()]


def test_a_changed_function_alone_is_written_and_the_purpose_stays():
    writer = Counted(example())
    with Catalog.create() as catalog:
        catalog.add(an_api(), an_api("eel"))
        write(catalog, scripted(writer))
        before, _ = versions(catalog), writer.since()
        catalog.update(an_api("eel", most={"type": "integer", "description": "How many"}))
        (done,) = write(catalog, scripted(writer))
        assert writer.since() == ["Example"]
        assert [one["api"] for one in done.result["functions"]] == ["food/lakes/eel"]
        assert sorted(set(versions(catalog)) - set(before)) == [("food/lakes/eel", 2)]
        assert done.result["purpose"] == purpose_of(catalog).purpose == "about all lakes"


def test_of_a_tool_that_lost_a_function_only_the_purpose_is_written():
    writer = Counted(example())
    with Catalog.create() as catalog:
        apis = [an_api(name) for name in ("eel", "fish", "pike")]
        catalog.sync(Source(key="lakes", kind="other"), apis)
        write(catalog, scripted(writer))
        before, _ = versions(catalog), writer.since()
        catalog.sync(Source(key="lakes", kind="other"), apis[:2])
        (work,) = left_to_write(catalog, type(scripted(writer)).__name__)
        assert (work.apis, work.whole, estimated_usage(work.apis, Context(), every=work.every)["calls"]) == (
            [],
            True,
            1,
        )
        (done,) = write(catalog, scripted(writer))
        assert writer.since() == ["Joined"]
        assert (done.result["functions"], done.failed, done.marked) == ([], "", False)
        assert set(versions(catalog)) - set(before) == {("food/lakes", 2)}
        assert write(catalog, scripted(writer)) == []


def test_a_purpose_that_is_gone_is_written_without_its_functions():
    writer = Counted(example())
    with Catalog.create() as catalog:
        catalog.add(an_api(), an_api("eel"))
        write(catalog, scripted(writer))
        writer.since()
        catalog.instructions.drop([SUBJECT])
        write(catalog, scripted(writer))
        assert writer.since() == ["Joined"]
        assert versions(catalog) == [("food/lakes", 1), ("food/lakes/eel", 1), ("food/lakes/fish", 1)]


def trying(catalog, writer, lakes, *, again=False, **settings):
    """Run with somebody to call: how each tool ended."""
    model, context = scripted(writer), Context(call_retries=0, **settings)
    can_try = callable_now(catalog, context, {"lakes": lakes})
    works = left_to_write(catalog, type(model).__name__, again=again, can_try=can_try)
    bound = {"model": model, "callers": {"lakes": lakes}}
    return asyncio.run(write_all(catalog, works, context, concurrency=1, progress=lambda *_: 0, **bound))


def proofs(catalog):
    return [one.content.proof for one in catalog.instructions.versions("food/lakes/fish")]


def test_an_example_that_nobody_could_call_is_tried_later_without_the_model():
    writer, lakes = Counted(example(meanings={"most": "how many"})), Lakes()
    with Catalog.create() as catalog:
        catalog.add(an_api(most={"type": "integer"}), an_api("sink", method="POST"))
        trying(catalog, writer, lakes, try_examples="never")
        writer.since()
        assert trying(catalog, writer, lakes, try_examples="never") == []
        (done,) = trying(catalog, writer, lakes)
        assert (writer.since(), lakes.got, proofs(catalog)) == ([], [("fish", {"lake": "Como"})], ["valid", "called"])
        assert done.result["functions"][0]["proof"] == "called"
        guideline = catalog.instructions.guidelines([catalog.get(FISH)])[FISH]
        assert (guideline.description, guideline.meaning("most")) == ("Lists fish.", "how many")
        assert trying(catalog, writer, lakes) == []
        assert [name for name, _ in lakes.got] == ["fish"]


def test_an_example_whose_call_was_not_answered_is_tried_again_where_that_is_asked_for():
    writer, lakes = Counted(example()), Lakes("unauthorized", "unauthorized")
    with Catalog.create() as catalog:
        catalog.add(an_api())
        trying(catalog, writer, lakes)
        writer.since()
        assert trying(catalog, writer, lakes) == []
        trying(catalog, writer, lakes, again=True)
        assert proofs(catalog) == ["valid"]  # nothing new was found out
        trying(catalog, writer, lakes, again=True)
        assert (writer.since(), proofs(catalog)) == ([], ["valid", "called"])
        assert trying(catalog, writer, lakes, again=True) == []


def test_a_stored_example_that_fails_is_mended():
    writer, lakes = Counted(example(lake="Atlantis"), example()), Lakes("not_found")
    with Catalog.create() as catalog:
        catalog.add(an_api())
        trying(catalog, writer, lakes, try_examples="never")
        writer.since()
        trying(catalog, writer, lakes)
        assert (writer.since(), proofs(catalog)) == (["Example"], ["valid", "called"])
        assert [arguments for _, arguments in lakes.got] == [{"lake": "Atlantis"}, {"lake": "Como"}]
