"""What must not stand anywhere in the repository, and the README's code."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN = {  # written so that this file does not hold them
    "the path of one machine": re.compile(r"(?<![\w.:/-])/(?:work|root|home/\w+)/"),
    "something left to do": re.compile(r"\bTO" + r"DO\b|\bFIX" + r"ME\b"),
    "code that is run from text": re.compile(r"(?<![\w.])ev" + r"al\("),
}


def repository_files():
    """What git tracks, and what it would track: everything that it does not ignore."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    paths = (ROOT / name for name in listed.stdout.decode().split("\0") if name)
    return [path for path in paths if path.is_file()]


def text_of(path):
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds(what):
    files = repository_files()
    assert len(files) > 50
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in files
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if FORBIDDEN[what].search(line)
    ]
    assert not found, f"{what}: " + "; ".join(found)


def readme_code():
    return re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.e2e
@pytest.mark.parametrize("code", readme_code())
def test_the_readme_s_code_runs(code, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=1_200, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("test_*.py")), ids=lambda path: path.stem)
def test_no_test_module_imports_another(path):
    imported = [
        node.module or "" for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
    ]
    assert [name for name in imported if name.startswith("tests.") and ".test_" in name] == []
