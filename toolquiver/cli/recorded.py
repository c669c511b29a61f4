"""The option `--recordings`: recorded calls answer instead of the APIs."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from toolquiver.calling import Caller
from toolquiver.calling.replay import Recordings, replay_callers
from toolquiver.catalog import Catalog


@contextmanager
def replayed(catalog: Catalog, path: Path | None) -> Iterator[Mapping[str, Caller]]:
    """Callers that replay the file for all of the catalogue's sources; none where there is no file.

    Raises:
        RecordingError: the file cannot be read, or holds no recordings.
    """
    if path is None:
        yield {}
        return
    with Recordings.open(path) as recordings:
        yield replay_callers(catalog, recordings)
