"""LangChain tools of a module are imported, synced and called from the command line."""

import asyncio
import sys

import pytest

from tests.support.my_modules import TOOLS, modules_in
from toolquiver.calling import Failure, Limits, Observation, callers_of, perform
from toolquiver.catalog import Catalog

LIMITS = Limits(retries=0)
POPULATION = "langchain/cities/population"


@pytest.fixture
def write(tmp_path, monkeypatch):
    with modules_in(tmp_path, monkeypatch) as write:
        yield write


@pytest.fixture
def cities(run, write, tmp_path):
    """A catalogue of the module `cities`, and the module no longer imported."""
    write("cities", TOOLS)
    code, out, err = run("catalog", "import", "cities:tools", "--into", tmp_path / "apis.db")
    assert (code, out.split()[:2], err) == (0, ["added", "2"], "")
    del sys.modules["cities"]
    return tmp_path / "apis.db"


def called(path, api_id, **arguments):
    with Catalog.open(path) as catalog:
        return asyncio.run(perform(catalog.get(api_id), arguments, callers_of(catalog), LIMITS))


def test_an_imported_tool_is_called_and_its_module_is_imported_only_then(run, cities):
    code, out, _ = run("catalog", "search", "people in a city", "--catalog", cities)
    assert (code, POPULATION in out) == (0, True)
    with Catalog.open(cities) as catalog:
        callers_of(catalog)
        (source,) = catalog.sources()
    assert (source.key, source.kind, source.location) == ("langchain:cities", "langchain", "cities:tools")
    assert "cities" not in sys.modules
    code, out, err = run("call", POPULATION, "--args", '{"city": "Oslo"}', "--catalog", cities)
    assert (code, out, err) == (0, "717000\n", "")
    assert "cities" in sys.modules


def test_an_import_again_is_a_sync(run, cities, write):
    def again(*options):
        sys.modules.pop("cities", None)
        code, out, _ = run("catalog", "import", "cities:tools", "--into", cities, *options)
        assert code == 0
        return out.split()

    assert again()[1::2] == ["0", "0", "0", "2"]
    write("cities", TOOLS.replace("The motto", "The proud motto").replace("population", "people"))
    before = cities.read_bytes()
    shown = again("--dry-run")
    assert shown[:6] == ["+", "langchain/cities/people", "~", "langchain/cities/motto", "-", POPULATION]
    assert cities.read_bytes() == before
    assert again()[1::2] == ["1", "1", "1", "0"]
    sys.modules.pop("cities")
    assert run("catalog", "import", "cities", "--into", cities)[1].split()[1::2] == ["0", "0", "0", "2"]


def test_what_is_said_places_the_tools_and_is_kept(run, cities, tmp_path):
    path = tmp_path / "other.db"
    options = ("--name", "geo", "--category", "Places", "--tool", "Cities")
    assert run("catalog", "import", "cities:population", "--kind", "langchain", *options, "--into", path)[0] == 0
    assert run("catalog", "import", "geo", "--into", path)[1].split()[1::2] == ["0", "0", "0", "1"]
    with Catalog.open(path) as catalog:
        (api,) = catalog.apis()
    assert (api.id, api.source) == ("places/cities/population", "langchain:geo")


def test_a_module_that_is_gone_is_a_failure_that_says_what_to_do(cities, tmp_path):
    (tmp_path / "cities.py").unlink()
    outcome = called(cities, POPULATION, city="Oslo")
    assert isinstance(outcome, Failure)
    assert (outcome.kind, "no module 'cities'" in outcome.message) == ("unknown_api", True)
    assert "PYTHONPATH" in outcome.message


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("tools = ", "others = ", "cannot be found"), ("population, motto]", "motto]", "Import it again")],
)
def test_a_tool_that_is_gone_is_a_failure_that_says_what_to_do(cities, write, old, new, said):
    write("cities", TOOLS.replace(old, new))
    outcome = called(cities, POPULATION, city="Oslo")
    assert isinstance(outcome, Failure)
    assert (outcome.kind, said in outcome.message) == ("unknown_api", True)


def test_a_module_that_comes_back_is_imported_by_the_next_call(cities, write, tmp_path):
    text = (tmp_path / "cities.py").read_text()
    (tmp_path / "cities.py").unlink()
    with Catalog.open(cities) as catalog:
        api, callers = catalog.get(POPULATION), callers_of(catalog)
        assert isinstance(asyncio.run(perform(api, {"city": "Oslo"}, callers, LIMITS)), Failure)
        write("cities", text)
        assert asyncio.run(perform(api, {"city": "Oslo"}, callers, LIMITS)) == Observation(text="717000")


def test_a_tool_that_fails_is_a_failure(cities):
    outcome = called(cities, POPULATION, city="Atlantis")
    assert (outcome.kind, outcome.message) == ("tool_error", "KeyError: 'atlantis'")


@pytest.mark.parametrize(
    ("source", "options", "said"),
    [
        ("nowhere:tools", (), "no module 'nowhere'"),
        ("openapi:tools", (), "There is no file"),
        ("cities:CITIES", (), "no list of LangChain tools but a dict"),
        ("cities:tools", ("--server", "https://x.test"), "--server says nothing about a source of the kind langchain"),
        ("cities.py", ("--kind", "langchain"), "not written module:attribute"),
        ("twice:tools", (), "Two APIs"),
    ],
)
def test_bad_input_is_one_message_and_leaves_no_file(run, write, tmp_path, *, source, options, said):
    write("cities", TOOLS)
    write("twice", TOOLS + "tools = [motto, motto]")
    code, out, err = run("catalog", "import", source, "--into", tmp_path / "new.db", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert not (tmp_path / "new.db").exists()


def test_another_module_of_one_name_is_not_replaced_unasked(run, cities):
    code, _, err = run("catalog", "import", "cities:motto", "--into", cities)
    assert (code, "--name cities" in err) == (2, True)
