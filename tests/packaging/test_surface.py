"""What the packages offer: exact names, documented; and files that stay small enough to read."""

import ast
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

from toolquiver.nodes.decided import Decided

ROOT = Path(__file__).parents[2]
FOLDERS = ("graphs", "nodes", "prompts", "toolquiver")
MODULES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
PACKAGES = [path for path in MODULES if path.name == "__init__.py"]
MOST_LINES = 260


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


def decisions(value):
    """The texts that an expression may come to."""
    if isinstance(value, ast.IfExp):
        return decisions(value.body) | decisions(value.orelse)
    return {value.value} if isinstance(value, ast.Constant) else set()


@pytest.mark.parametrize("folder", ["answering", "chain", "loop"])
def test_what_nodes_decide_is_of_the_type_that_routers_compare(folder):
    trees = [ast.parse(path.read_text("utf-8")) for path in (ROOT / "nodes" / folder).glob("*.py")]
    written = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    pairs = [pair for node in written for pair in zip(node.keys, node.values, strict=True)]
    said = set().union(*(decisions(value) for key, value in pairs if getattr(key, "value", "") == "decided"))
    assert said
    assert said <= set(get_args(Decided))


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
