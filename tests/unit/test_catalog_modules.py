"""LangChain tools out of `module:attribute`: what it may lead to, and what is said when it leads nowhere."""

import sys

import pytest

from tests.support.my_modules import TOOLS, modules_in
from toolquiver.catalog.langchain import records
from toolquiver.catalog.modules import is_module_path, load_tools
from toolquiver.errors import CatalogError

MORE = """
class Toolkit:
    def get_tools(self):
        return [population]

class Holder:
    inner = [motto]

def make():
    return (motto, population)

def make_toolkit():
    return Toolkit()

async def later():
    return tools

def fails():
    raise RuntimeError("no luck")

kit = Toolkit()
mixed = [population, len]
number = 5
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    with modules_in(tmp_path, monkeypatch) as write:
        yield write


@pytest.mark.parametrize(
    ("attribute", "names"),
    [
        ("tools", ["population", "motto"]),
        ("population", ["population"]),
        ("kit", ["population"]),
        ("Toolkit", ["population"]),
        ("make", ["motto", "population"]),
        ("make_toolkit", ["population"]),
        ("Holder.inner", ["motto"]),
        ("kit.get_tools", ["population"]),
    ],
)
def test_an_attribute_leads_to_tools(write, attribute, names):
    write("cities_a", TOOLS + MORE)
    assert [tool.name for tool in load_tools(f"cities_a:{attribute}")] == names


@pytest.mark.parametrize(
    ("location", "said"),
    [
        ("cities_b:no", "cities_b:no cannot be found"),
        ("cities_b:number", "no list of LangChain tools but a int"),
        ("cities_b:mixed", "has a builtin_function_or_method among its tools"),
        ("cities_b:later", "is an async function"),
        ("cities_b:fails", "RuntimeError: no luck"),
        ("cities_nowhere:tools", "no module 'cities_nowhere'. Run this in the folder"),
        ("cities_b.inner:tools", "no module 'cities_b.inner'"),
        ("needy:tools", "needs 'cities_nowhere'.* Install it"),
        ("broken:tools", "The module 'broken' fails: SyntaxError"),
        ("leaving:tools", "The module 'leaving' fails: SystemExit"),
        ("cities_b", "not written module:attribute"),
        ("a:b:c", "not written module:attribute"),
        ("../cities_b:tools", "not written module:attribute"),
    ],
)
def test_what_leads_nowhere_is_one_clear_error(write, location, said):
    write("cities_b", TOOLS + MORE)
    write("needy", "import cities_nowhere")
    write("broken", "def")
    write("leaving", "import sys; sys.exit(3)")
    with pytest.raises(CatalogError, match=said):
        load_tools(location)


def test_the_current_folder_stands_once_on_the_path(write, tmp_path):
    write("cities_c", TOOLS)
    load_tools("cities_c:tools")
    load_tools("cities_c:tools")
    assert sys.path.count(str(tmp_path)) == 1


@pytest.mark.parametrize(
    ("location", "expected"),
    [("a:b", True), ("a.b:c.d", True), ("a", False), ("a:", False), (":b", False), ("a/b:c", False), ("1:2", False)],
)
def test_a_module_path_is_known_by_its_form(location, expected):
    assert is_module_path(location) is expected


PLACED = """
from langchain_core.tools import StructuredTool

def made(name, **metadata):
    return StructuredTool.from_function(lambda: 1, name=name, description="x", metadata=metadata)

tools = [made("get-it"), made("get_it"), made("other", category="Zoo", tool="Animals")]
"""


def test_records_say_where_they_belong_and_what_they_are_called_by(write):
    write("placed", PLACED)
    tools = load_tools("placed:tools")
    apis = records(tools, "langchain:placed", name="placed")
    assert (apis[2].id, apis[2].binding, apis[2].source) == ("zoo/animals/other", {"tool": "other"}, "langchain:placed")
    assert {api.name: api.id for api in records(tools[::-1], "langchain:placed", name="placed")} == {
        api.name: api.id for api in apis
    }
    assert len({api.id for api in apis}) == 3
    assert {(api.category, api.tool) for api in apis[:2]} == {("langchain", "placed")}
    set_ = records(tools, "langchain:placed", name="placed", category="C", group="T")
    assert {(api.category, api.tool) for api in set_} == {("C", "T")}


def test_arguments_without_a_schema_are_one_clear_error(write):
    write(
        "odd",
        """
        import threading
        from langchain_core.tools import tool

        @tool
        def odd(lock: threading.Thread) -> str:
            '''Take what is no data.'''
            return ""
        """,
    )
    with pytest.raises(CatalogError, match="'odd' cannot be described"):
        records(load_tools("odd:odd"), "langchain:odd", name="odd")
