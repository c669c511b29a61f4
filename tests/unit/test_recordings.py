"""Recordings in a file: kept by worth, all or none, shared by threads and processes."""

import sqlite3
import threading
from datetime import UTC, datetime

import pytest

from toolquiver.calling import Failure, Observation
from toolquiver.calling.replay import Recording, Recordings
from toolquiver.catalog import Catalog
from toolquiver.errors import RecordingError

WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def recording(text="sun", arguments="{}", *, kind=None, api="a/b/c", **more):
    outcome = Failure(kind=kind, message=text) if kind else Observation(text=text)
    return Recording(api=api, arguments=arguments, outcome=outcome, **more)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "calls.db"


@pytest.fixture
def recordings():
    with Recordings.create() as made:
        yield made


ALL_SORTS = [
    recording(recorded=WHEN),
    recording("none", '{"a":1}', kind="not_found"),
    recording("made up", '{"a":2}', simulated=True, recorded=WHEN),
    recording(arguments='{"a":3}').model_copy(update={"outcome": Observation(text="long", omitted=7)}),
    recording("ünïcode \0 \n", "{}", api="x/y/z"),
]


def test_a_file_holds_what_was_put_there(path):
    with Recordings.create(path) as recordings:
        recordings.put(ALL_SORTS)
        assert len(recordings) == len(ALL_SORTS)
    with Recordings.open(str(path)) as again:
        assert [again.find(one.api, one.arguments) for one in ALL_SORTS] == ALL_SORTS
        assert again.counts() == {"not_found": 1, "observation": 3, "simulated": 1}
        assert again.path == path
        assert again.find("a/b/c", '{"a":9}') is None
        assert again.find("a/b", "{}") is None


REAL, OTHER = recording("real"), recording("other")
FAILED, TIMED_OUT = recording("failed", kind="not_found"), recording("slow", kind="timeout")
MADE_UP, MADE_UP_LATER = recording("made up", simulated=True), recording("made up later", simulated=True)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        (REAL, OTHER, OTHER),
        (REAL, FAILED, REAL),
        (REAL, MADE_UP, REAL),
        (FAILED, REAL, REAL),
        (FAILED, TIMED_OUT, TIMED_OUT),
        (FAILED, MADE_UP, FAILED),
        (MADE_UP, REAL, REAL),
        (MADE_UP, FAILED, FAILED),
        (MADE_UP, MADE_UP_LATER, MADE_UP),
    ],
)
def test_of_two_recordings_of_a_call_the_better_one_is_kept(recordings, first, second, kept):
    recordings.put([first])
    recordings.put([second])
    assert recordings.find("a/b/c", "{}") == kept
    assert len(recordings) == 1


def test_all_are_stored_or_none(recordings):
    def broken():
        yield recording()
        raise ValueError("the file ends here")

    with pytest.raises(ValueError, match="ends here"):
        recordings.put(broken())
    assert len(recordings) == 0
    recordings.put([recording()])
    assert len(recordings) == 1


def test_examples_are_real_observations_of_the_api(recordings):
    recordings.put(ALL_SORTS)
    assert recordings.examples("a/b/c", 9) == [ALL_SORTS[3], ALL_SORTS[0]]
    assert recordings.examples("a/b/c", 1) == [ALL_SORTS[3]]


def test_a_file_is_never_overwritten(path):
    path.write_text("precious")
    with pytest.raises(RecordingError, match=r"is there already.*Recordings\.open"):
        Recordings.create(path)
    assert path.read_text() == "precious"


def not_there(path):
    return "There is no file"


def a_folder(path):
    path.mkdir()
    return "is a folder. Name the file of the recordings"


def a_text(path):
    path.write_text("hello " * 1000)
    return "holds no recordings"


def a_catalogue(path):
    Catalog.create(path).close()
    return "holds no recordings of toolquiver"


def of_a_newer_version(path):
    Recordings.create(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    return "newer toolquiver"


@pytest.mark.parametrize("make", [not_there, a_folder, a_text, a_catalogue, of_a_newer_version])
def test_what_holds_no_recordings_is_refused(path, make):
    said = make(path)
    with pytest.raises(RecordingError, match=said):
        Recordings.open(path)


def test_a_folder_that_does_not_exist_is_no_place_for_recordings(tmp_path):
    with pytest.raises(RecordingError, match="Name another place"):
        Recordings.create(tmp_path / "no" / "calls.db")


def test_closed_recordings_say_so(path):
    recordings = Recordings.create(path)
    recordings.close()
    with pytest.raises(RecordingError, match="cannot be read or written"):
        recordings.find("a/b/c", "{}")


def test_several_threads_and_openings_write_one_file(path):
    Recordings.create(path).close()
    shared = Recordings.open(path)
    others = [Recordings.open(path) for _ in range(3)]
    errors = []

    def write(recordings, number):
        try:
            for turn in range(10):
                recordings.put([recording(arguments=f'{{"a":{number * 100 + turn}}}')])
                assert recordings.find("a/b/c", f'{{"a":{number * 100 + turn}}}')
        except BaseException as error:  # noqa: BLE001 - told in the test's own thread
            errors.append(error)

    threads = [
        threading.Thread(target=write, args=(one, number)) for number, one in enumerate([shared, shared, *others])
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(shared) == 50
    for one in (shared, *others):
        one.close()
