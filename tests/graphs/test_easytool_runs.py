"""EasyTool over whole catalogues: parallel, resumable, with marks; one tool that fails stops no other."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.easytool import FISH, Lakes, Writer, an_api, example, left, write
from toolquiver.catalog import Catalog, Source
from toolquiver.catalog.instruction import tool_subject
from toolquiver.errors import InputError, MissingKey, ModelError, ModelFileError, ModelUnreachable, UnknownModel

pytestmark = pytest.mark.usefixtures("strict")

SUBJECT = tool_subject("Food", "Lakes")


@contextmanager
def a_file(tmp_path):
    with Catalog.create(tmp_path / "apis.db") as catalog:
        catalog.add(*(an_api(tool=f"Lakes{n}") for n in range(4)))
        yield catalog


def versions(catalog):
    return [(one.subject, one.version) for one in catalog.instructions.versions()]


def proofs(catalog):
    return [one.content.proof for one in catalog.instructions.versions(FISH)]


def test_only_what_is_new_or_changed_is_written(tmp_path):
    with a_file(tmp_path) as catalog:
        assert len(write(catalog, Writer(), concurrency=2)) == 4
        assert left(catalog) == []
        catalog.update(an_api(tool="Lakes2", description="Counts fish."))
        assert [work.tool for work in left(catalog)] == ["Lakes2"]
        assert left(catalog, limit=0) == []


def test_a_changed_function_alone_is_written_and_the_purpose_stays():
    writer = Writer()
    with Catalog.create() as catalog:
        catalog.add(an_api(), an_api("eel"))
        write(catalog, writer)
        before, _ = versions(catalog), writer.since()
        catalog.update(an_api("eel", most={"type": "integer"}))
        (done,) = write(catalog, writer)
        assert writer.since() == ["Description", "Example"]
        assert [one["api"] for one in done.result["functions"]] == ["food/lakes/eel"]
        assert sorted(set(versions(catalog)) - set(before)) == [("food/lakes/eel", 2)]


def test_of_a_tool_that_lost_a_function_only_the_purpose_is_written():
    writer = Writer()
    with Catalog.create() as catalog:
        apis = [an_api(name) for name in ("eel", "fish", "pike")]
        catalog.sync(Source(key="lakes", kind="other"), apis)
        write(catalog, writer)
        writer.since()
        catalog.sync(Source(key="lakes", kind="other"), apis[:2])
        (done,) = write(catalog, writer)
        assert writer.since() == ["Joined"]
        assert (done.result["functions"], done.failed, done.marked) == ([], "", False)
        assert write(catalog, writer) == []


def test_what_is_marked_is_written_again_where_that_is_asked_for():
    with Catalog.create() as catalog:
        catalog.add(an_api(), an_api("eel"))
        (done,) = write(catalog, lambda *_: "no JSON")
        assert done.marked
        assert left(catalog) == []
        (work,) = left(catalog, again=True)
        assert len(work.apis) == 2
        (done,) = write(catalog, Writer(), again=True)
        assert not done.marked
        assert left(catalog, again=True) == []


def test_what_another_model_has_written_since_is_not_this_one_s():
    with Catalog.create() as catalog:
        catalog.add(an_api())
        write(catalog, Writer())
        (last, *_) = catalog.instructions.versions(FISH)
        catalog.instructions.put([last.model_copy(update={"model": "another"})])
        assert len(left(catalog)) == 1


def test_an_example_that_nobody_could_call_is_tried_later_without_the_model():
    writer, lakes = Writer(), Lakes()
    with Catalog.create() as catalog:
        catalog.add(an_api(), an_api("sink", method="POST"))
        write(catalog, writer, caller=lakes, try_examples="never")
        writer.since()
        assert write(catalog, writer, caller=lakes, try_examples="never") == []
        write(catalog, writer, caller=lakes)
        assert (writer.since(), lakes.got, proofs(catalog)) == ([], [("fish", {"lake": "Como"})], ["valid", "called"])
        assert catalog.instructions.guidelines([catalog.get(FISH)])[FISH].description == "lists it"
        assert write(catalog, writer, caller=lakes) == []


def test_a_call_that_was_not_answered_is_made_again_where_that_is_asked_for():
    writer, lakes = Writer(), Lakes("unauthorized")
    with Catalog.create() as catalog:
        catalog.add(an_api())
        write(catalog, writer, caller=lakes)
        writer.since()
        assert write(catalog, writer, caller=lakes) == []
        write(catalog, writer, caller=lakes, again=True)
        assert (writer.since(), proofs(catalog)) == ([], ["valid", "called"])


def test_a_stored_example_that_fails_is_mended():
    writer, lakes = Writer(example(lake="Atlantis"), example()), Lakes("not_found")
    with Catalog.create() as catalog:
        catalog.add(an_api())
        write(catalog, writer, caller=lakes, try_examples="never")
        writer.since()
        write(catalog, writer, caller=lakes)
        assert (writer.since(), proofs(catalog)) == (["Example"], ["valid", "called"])
        assert [arguments for _, arguments in lakes.got] == [{"lake": "Atlantis"}, {"lake": "Como"}]


class Refused(Exception):
    """A provider's answer to what it cannot read."""

    status_code = 400


def test_a_tool_that_fails_stops_no_other_and_is_tried_again(tmp_path):
    def script(messages, schema):
        if broken and "Lakes1" in messages[-1].text and schema["title"] == "Example":
            raise Refused("too odd")
        return writer(messages, schema)

    writer, broken = Writer(), [True]
    with a_file(tmp_path) as catalog:
        found = write(catalog, script)
        assert [bool(done.failed) for done in found] == [False, True, False, False]
        assert "too odd" in found[1].failed
        assert found[1].result["usage"]["describe_tool"]["calls"] == 1
        broken.clear()
        assert [(done.work.tool, done.failed) for done in write(catalog, script)] == [("Lakes1", "")]


@pytest.mark.parametrize("kind", [MissingKey, ModelFileError, ModelUnreachable, UnknownModel, InputError])
def test_what_every_tool_would_end_in_ends_it(kind):
    def script(*_):
        raise kind("The end.")

    with Catalog.create() as catalog:
        catalog.add(an_api(), an_api(tool="Rivers"))
        with pytest.raises(kind, match="The end"):
            write(catalog, script)


def test_a_model_that_cannot_be_reached_ends_it_and_what_is_done_stays(tmp_path):
    def script(messages, schema):
        if len(writer.asked) > 2:
            raise ConnectionError
        return writer(messages, schema)

    writer = Writer()
    with a_file(tmp_path) as catalog:
        with pytest.raises(ModelError):
            write(catalog, script)
        assert len(left(catalog)) == 3


def test_a_tool_that_is_removed_meanwhile_stops_no_other():
    def script(messages, schema):
        if not removed:
            removed.append(catalog.sync(Source(key="lakes", kind="test"), []))
        return writer(messages, schema)

    removed, writer = [], Writer()
    with Catalog.create() as catalog:
        catalog.add(an_api(tool="Alps").model_copy(update={"source": "alps"}))
        catalog.sync(Source(key="lakes", kind="test"), [an_api()])
        catalog.add(an_api(tool="Rivers").model_copy(update={"source": "rivers"}))
        found = {done.work.tool: done.failed for done in write(catalog, script)}
    assert "no tool 'Lakes'" in found.pop("Lakes")
    assert found == {"Alps": "", "Rivers": ""}


KILLED = """
import os, signal, sys
from tests.support.easytool import Writer, write
from toolquiver.catalog import Catalog

writer = Writer()

def script(messages, schema):
    if len(writer.asked) == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    return writer(messages, schema)

write(Catalog.open(sys.argv[1]), script)
"""


def left_after_a_kill(path):
    root = Path(__file__).parents[2]
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)], cwd=root, env=os.environ | {"PYTHONPATH": str(root)}, check=False
    )
    assert ended.returncode == -signal.SIGKILL
    with Catalog.open(path) as catalog:
        return left(catalog)


def test_after_a_kill_only_the_rest_is_written(tmp_path):
    with a_file(tmp_path):
        pass
    assert [work.tool for work in left_after_a_kill(tmp_path / "apis.db")] == ["Lakes2", "Lakes3"]


def test_after_a_kill_within_a_tool_only_its_other_functions_are_written(tmp_path):
    with Catalog.create(tmp_path / "apis.db") as catalog:
        catalog.add(*(an_api(f"fish{n:02}") for n in range(6)))
    (work,) = left_after_a_kill(tmp_path / "apis.db")
    assert [api.name for api in work.apis] == [f"fish{n:02}" for n in range(3, 6)]
