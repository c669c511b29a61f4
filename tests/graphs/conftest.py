"""Token counts that are the same on every machine, and snapshots that `--snapshot-update` writes anew."""

from importlib import import_module
from pathlib import Path

import pytest

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"


def pytest_addoption(parser):
    parser.addoption("--snapshot-update", action="store_true", help="write the snapshots anew: pytest tests/graphs ...")


def pytest_configure(config):
    config.addinivalue_line("markers", "studio: starts LangGraph's development server")


@pytest.fixture(autouse=True)
def _same_token_counts_everywhere(monkeypatch):
    monkeypatch.setattr(import_module("toolquiver.models.tokens"), "load_table", lambda: None)


@pytest.fixture
def snapshot(request):
    """Compare a text with the snapshot of this name, or write that."""
    update = request.config.getoption("--snapshot-update", default=False)

    def compare(name, text):
        path = SNAPSHOTS / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        if not path.is_file():
            pytest.fail(f"There is no snapshot {name}. Write it: pytest tests/graphs --snapshot-update")
        assert text == path.read_text("utf-8"), "If this is meant: pytest tests/graphs --snapshot-update"

    return compare


@pytest.fixture
def strict(monkeypatch):
    """As with LANGGRAPH_STRICT_MSGPACK=true, which langgraph reads when it is imported."""
    monkeypatch.setattr("langgraph.checkpoint.serde._msgpack.STRICT_MSGPACK_ENABLED", True)
