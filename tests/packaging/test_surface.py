"""What the packages offer: exact names, documented; and files that stay small enough to read."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("graphs", "nodes", "prompts", "toolquiver")
MODULES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
PACKAGES = [path for path in MODULES if path.name == "__init__.py"]
MOST_LINES = 260
FEW_WORDS = 2
"""A collection in nodes/ has no more texts that the code does not define."""
WORDS_OF_OTHERS = {
    "nodes/clock.py",  # variables of prompts
    "nodes/reverse_chain/offers.py",  # formats of JSON Schema
    "nodes/solver/state.py",  # functions that a model calls
    "toolquiver/programs/check.py",  # rules of the type checker, types of JSON Schema, stubs
    "toolquiver/programs/described.py",  # types of JSON Schema
    "toolquiver/programs/replies.py",  # names of Python as a language of code blocks
    "toolquiver/programs/source.py",  # modules that a program can import
    "toolquiver/programs/values.py",  # how Python prints functions, classes and modules
}
"""Files of nodes/ with a collection of texts that others define, and what these are: no word list over language."""
NO_LANGUAGE = {"nodes/storable.py"}  # digits of whole numbers
"""Files of nodes/ with a regular expression that is not over language, and over what."""


def name_of(path):
    return str(path.relative_to(ROOT))


def exported(tree):
    """The names in `__all__`, None without one."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", None) == "__all__":
            return ast.literal_eval(statement.value)
    return None


def bound(tree, package):
    """The public names that a package's module defines, or takes from the modules of the package."""
    for node in ast.walk(tree):  # also under `if TYPE_CHECKING`
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{package}."):
            yield from (alias.asname or alias.name for alias in node.names)
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name


def packages():
    for path in PACKAGES:
        if path.parent.name != "cli":  # a command, nothing to import
            yield pytest.param(path, id=name_of(path))


@pytest.mark.parametrize("path", list(packages()))
def test_all_is_exact(path):
    tree = ast.parse(path.read_text("utf-8"))
    inside = path.parent.relative_to(ROOT).parts
    package = ".".join(inside if inside[0] == "toolquiver" else ("toolquiver", *inside))
    names, public = exported(tree), {name for name in bound(tree, package) if not name.startswith("_")}
    assert set(names or ()) - {"__version__"} == public
    assert len(names or ()) == len(set(names or ()))
    if path.parent.name == "local":
        pytest.importorskip("xllamacpp")  # its names are loaded on first use
    assert all(hasattr(import_module(package), name) for name in public)


NODES = [path for path in MODULES if path.is_relative_to(ROOT / "nodes") or path.parent.name == "programs"]


def is_literal(node):
    return isinstance(node, ast.Subscript) and getattr(node.value, "id", "") == "Literal"


def texts(nodes):
    return [part.value for part in nodes if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def defined_in(path):
    """The names of fields, functions and classes in a file, and the labels of its types."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.AnnAssign):
            yield getattr(node.target, "id", "")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif is_literal(node):
            yield from texts(ast.walk(node))


def collections_in(tree):
    """The texts of each tuple, list, set and dictionary, and of each text that is split into words."""
    labels = {id(part) for node in ast.walk(tree) if is_literal(node) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and id(node) not in labels:
            yield texts(node.elts)
        elif isinstance(node, ast.Dict):
            yield texts(node.keys)
        elif isinstance(node, ast.Attribute) and node.attr in ("split", "splitlines"):
            yield [word for text in texts([node.value]) for word in text.split()]


DEFINED = {name for path in MODULES if "demo" not in path.parts for name in defined_in(path)}


@pytest.mark.parametrize("path", NODES, ids=name_of)
def test_no_node_judges_language_by_rule(path):
    """No regular expression, and no collection of words but of those that the code itself defines."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        assert "re" not in (*imported, getattr(node, "module", "")) or name_of(path) in NO_LANGUAGE
    found = [undefined(words) for words in collections_in(tree)]
    assert name_of(path) in WORDS_OF_OTHERS or all(len(words) <= FEW_WORDS for words in found), found


def undefined(words):
    return [word for word in words if word not in DEFINED]


@pytest.mark.parametrize(
    "code",
    ['"yesterday tomorrow tonight".split()', '{"km": 1, "feet": 3, "mph": 5}', 'frozenset({"yes", "no", "maybe"})'],
)
def test_a_short_word_list_is_one(code):
    (words,) = collections_in(ast.parse(code))
    assert len(undefined(words)) > FEW_WORDS


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_everything_public_says_what_it_is_for(path):
    tree = ast.parse(path.read_text("utf-8"))
    assert ast.get_docstring(tree), "the module has no docstring"
    for definition in definitions(tree):
        assert ast.get_docstring(definition), f"{definition.name} has no docstring"


def definitions(parent):
    """The public functions, classes and methods of a module."""
    for node in parent.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from definitions(node)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_file_can_be_read_at_once(path):
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES
    assert path.name not in {"utils.py", "helpers.py", "common.py", "misc.py"}
