"""Print the oldest version that pyproject.toml allows of each dependency, as constraints for pip."""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def floor(text):
    """A requirement's floor, such as `jsonschema==4.23`."""
    requirement = Requirement(text)
    floors = [spec.version for spec in requirement.specifier if spec.operator in {">=", "==", "~="}]
    if len(floors) != 1:
        raise SystemExit(f"{text!r} in pyproject.toml has no floor. Write it as name>=version.")
    return f"{requirement.name}=={floors[0]}"


if __name__ == "__main__":
    for dependency in tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["dependencies"]:
        print(floor(dependency))
