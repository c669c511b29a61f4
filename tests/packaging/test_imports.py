"""Imports point one way: graphs, nodes, prompts, then what those stand on."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOUNDATION = {"catalog", "calling", "models", "registration", "context", "bounds", "errors"}

ALLOWED = {
    "graphs": {"graphs", "nodes", "bounds", "context", "contexts", "errors"},  # one graph is a node of another
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


def imported_names(path):
    """What a module imports, inside functions too: modules with the names that are taken from them."""
    for statement in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(statement, ast.ImportFrom):
            assert statement.level == 0, f"{path} imports by a relative name"
            yield from (f"{statement.module}.{alias.name}" for alias in statement.names)
        elif isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)


def imported(path):
    """The parts of toolquiver that a module imports."""
    for name in imported_names(path):
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
    nodes = ROOT / "nodes"
    return sorted(path for path in nodes.iterdir() if (path / "__init__.py").is_file())


@pytest.mark.parametrize("folder", folders_of_nodes(), ids=lambda folder: folder.name)
def test_a_folder_of_nodes_imports_no_other(folder):
    others = {f"toolquiver.nodes.{other.name}" for other in folders_of_nodes() if other != folder}
    for path in folder.rglob("*.py"):
        for name in imported_names(path):
            assert ".".join(name.split(".")[:3]) not in others, f"{path} imports {name}"
