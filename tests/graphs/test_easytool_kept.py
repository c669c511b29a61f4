"""EasyTool: what an earlier run has written and proven is not lost, nor written once more."""

import asyncio

import pytest

from tests.graphs.test_easytool import FISH, Lakes, Writer, an_api, example, the_function, written
from tests.graphs.test_easytool_marks import Counted, proofs, trying
from toolquiver.catalog import Catalog
from toolquiver.cli.documenting import left_to_write, write_all
from toolquiver.context import Context
from toolquiver.models import scripted
from toolquiver.nodes.documents.documenting import documented

pytestmark = pytest.mark.usefixtures("strict")


def test_an_example_that_is_only_to_be_tried_is_not_written_while_another_function_is():
    writer, lakes = Counted(example()), Lakes()
    with Catalog.create() as catalog:
        catalog.add(an_api())
        trying(catalog, writer, lakes, try_examples="never")
        catalog.add(an_api("eel"))
        writer.since()
        trying(catalog, writer, lakes)
        assert writer.since().count("Example") == 1  # the new function's
        assert proofs(catalog) == ["valid", "called"]
        assert sorted(name for name, _ in lakes.got) == ["eel", "fish"]


def test_of_an_answer_that_lacks_a_function_the_other_drafts_stay():
    def script(messages, schema):
        said = writer(messages, schema)
        if schema["title"] == "Examples":
            said["examples"].pop(next(name for name in said["examples"] if name.endswith("trout")))
        return said

    names, writer = ["carp", "eel", "fish", "trout"], Writer(example())
    _, result = written(*map(an_api, names), model=script, examples_at_once=4)
    assert [one["proof"] for one in result["functions"]] == ["valid"] * 4
    titles = [title for title, _ in writer.asked]
    assert (titles.count("Examples"), titles.count("Example")) == (1, 1)


def test_a_call_that_failed_is_not_made_again():
    lakes, writer = Lakes("tool_error", "tool_error"), Writer(example())
    _, result = written(an_api(method="POST"), model=writer, caller=lakes, try_examples="all", max_repairs=3)
    assert len(lakes.got) == 1
    assert (the_function(result)["proof"], "tool_error" in the_function(result)["problem"]) == ("none", True)


def test_an_example_that_a_call_has_proven_is_not_lost_when_the_function_is_written_anew():
    with Catalog.create() as catalog:
        catalog.add(an_api(method="CALL"))
        answers = [Counted(example(), lines="https://a.b"), Counted(example(boat="red"))]
        for writer in answers:
            trying(catalog, writer, Lakes(), again=True, try_examples="all", describe="all", max_repairs=0)
        guideline = catalog.instructions.guidelines([catalog.get(FISH)])[FISH]
        assert (guideline.proof, guideline.arguments) == ("called", {"lake": "Como"})
        assert "boat" in guideline.problem


def test_what_another_model_has_written_since_is_not_this_one_s():
    def write(model, name):
        works = left_to_write(catalog, name)
        bound = {"model": scripted(model)}
        asyncio.run(write_all(catalog, works, Context(), concurrency=1, progress=lambda *_: 0, **bound))
        return len(works)

    with Catalog.create() as catalog:
        catalog.add(an_api())
        name = type(scripted(Writer(example()))).__name__
        assert write(Writer(example()), name) == 1
        assert left_to_write(catalog, name) == []
        (last, *_) = catalog.instructions.versions(FISH)
        catalog.instructions.put([last.model_copy(update={"model": "another"})])
        assert len(left_to_write(catalog, name)) == 1


def test_a_long_enumeration_is_told_in_part():
    many = {"type": "string", "enum": [f"value number {n}" for n in range(900)]}
    assert len(documented(an_api(kind=many))) < 500
