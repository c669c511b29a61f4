"""Imports point one way: graphs, nodes, prompts, then what those stand on."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOUNDATION = {"catalog", "calling", "models", "registration", "context", "bounds", "errors"}

ALLOWED = {
    "graphs": {"graphs", "nodes", "context", "contexts", "errors"},  # one graph is a node of another
    "nodes": {"nodes", "prompts", "programs", "contexts", "json_texts", "marks", "surrogates", *FOUNDATION},
    "prompts": set(),
    "catalog": {"catalog", "databases", "errors", "json_texts", "surrogates", "whole_file"},
    "calling": {
        "calling",
        "catalog",
        "databases",
        "errors",
        "marks",
        "masking",
        "models",
        "spellings",
        "surrogates",
        "threads",
    },
    "models": {"models", "catalog", "errors", "surrogates", "marks"},
    "programs": {"programs", "calling", "catalog", "json_texts"},
    "bounds": {"calling", "catalog", "context", "registration", "errors"},  # of the context its type alone
    "context": {"bounds", "calling", "catalog", "registration"},
    "contexts": {"bounds", "calling", "context", "contexts", "errors", "registration"},
    "databases": {"errors"},
    "registration": {"calling", "catalog", "models"},
    "errors": set(),
    "surrogates": set(),
    "json_texts": set(),
    "marks": set(),
    "whole_file": {"errors"},
    "pictures": {"drawings"},
    "drawings": set(),
    "trees": {"escaping", "masking"},
    "curves": {"escaping", "masking"},
    "escaping": set(),
    "masking": {"spellings"},
    "spellings": set(),
    "threads": set(),
    "report": {"report", "catalog", "context", "escaping", "masking", "models", "pictures", "trees"},
    "__init__": {"catalog", "context", "errors"},
    "__main__": {"cli"},
    "cli": {
        "cli",
        "curves",
        "contexts",
        "escaping",
        "graphs",
        "nodes",
        "pictures",
        "trees",
        "report",
        "surrogates",
        "evaluation",
        "whole_file",
        *FOUNDATION,
    },
    "evaluation": {
        "evaluation",
        "contexts",
        "curves",
        "graphs",
        "nodes",
        "prompts",
        "databases",
        "escaping",
        "json_texts",
        "masking",
        "threads",
        *FOUNDATION,
    },
}
"""What each part may import of the others; a part that is not here is new: say what it stands on."""


def modules():
    for folder, package in (("graphs", "graphs"), ("nodes", "nodes"), ("prompts", "prompts"), ("toolquiver", None)):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path, package or path.relative_to(ROOT / folder).parts[0].removesuffix(".py")


def imported(path):
    """The parts of toolquiver that a module imports, those inside functions too."""
    for statement in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(statement, ast.ImportFrom):
            assert statement.level == 0, f"{path} imports by a relative name"
            names = [f"{statement.module}.{alias.name}" for alias in statement.names]
        elif isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        else:
            continue
        for name in names:
            first, *rest = name.split(".")
            assert first not in {"graphs", "nodes", "prompts", "tests"}, f"{path} imports {name}"
            if first == "toolquiver" and rest:
                yield rest[0]


@pytest.mark.parametrize(("path", "part"), list(modules()), ids=lambda value: str(value).replace(f"{ROOT}/", ""))
def test_a_module_imports_only_what_its_part_stands_on(path, part):
    assert part in ALLOWED, f"{part} is new: say in ALLOWED what it stands on"
    known = {other for _, other in modules()}
    assert {name for name in imported(path) if name in known} <= ALLOWED[part]


def folders_of_nodes():
    """Each folder of nodes with those that its modules import."""
    nodes = ROOT / "nodes"
    folders = {path.name: set() for path in nodes.iterdir() if (path / "__init__.py").is_file()}
    for name, others in folders.items():
        for path in (nodes / name).glob("*.py"):
            for statement in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(statement, ast.ImportFrom):
                    _, _, inside = statement.module.partition("toolquiver.nodes")
                    others |= {part for part in inside.split(".")[1:2] if part in folders and part != name}
    return folders


def test_folders_of_nodes_do_not_lean_on_each_other_in_a_circle():
    TopologicalSorter(folders_of_nodes()).prepare()  # raises where there is a circle, and names it
