"""The wheel: built offline, nothing at its top but the package, and usable without the repository."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("build")
setuptools = pytest.importorskip("setuptools", minversion="77")

ROOT = Path(__file__).parents[2]
DATA = {
    "toolquiver/py.typed",
    "toolquiver/catalog/schema.sql",
    "toolquiver/evaluation/metrics/prices.toml",
    "toolquiver/models/local/template.jinja",
    *(f"toolquiver/prompts/{path.name}" for path in (ROOT / "prompts").glob("*.md")),
}
OFFLINE = {"PIP_NO_INDEX": "1"} | dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of a copy of the sources: building leaves files beside them."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name in ("graphs", "nodes", "prompts", "toolquiver"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(source)]
    done = subprocess.run(command, env=os.environ | OFFLINE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.iterdir()
    return built


def test_the_wheel_holds_the_package_and_its_data_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    version = wheel.name.split("-")[1]
    assert {name.split("/")[0] for name in names} == {"toolquiver", f"toolquiver-{version}.dist-info"}
    assert names >= DATA
    assert {name for name in names if name.endswith(".py")} == set(modules())


def modules():
    """The modules as they are called in the wheel."""
    for folder in ("graphs", "nodes", "prompts", "toolquiver"):
        for path in (ROOT / folder).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            yield name if folder == "toolquiver" else f"toolquiver/{name}"


def test_the_wheel_works_without_the_repository(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "unpacked")
    code = (
        "import sys; sys.path[:0] = sys.argv[1:]; import toolquiver.graphs.smurfs as smurfs, toolquiver;"
        "print(smurfs.__file__, toolquiver.__version__)"
    )
    # Isolated and without `site`, no path file leads to the repository.
    command = [sys.executable, "-I", "-S", "-c", code, str(tmp_path / "unpacked"), sysconfig.get_path("purelib")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    file, version = done.stdout.split()
    assert Path(file) == tmp_path / "unpacked/toolquiver/graphs/smurfs.py"
    assert version == wheel.name.split("-")[1]
