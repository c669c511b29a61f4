"""Semantic versions of software."""

from typing import Annotated, Literal

from pydantic import Field
from semver import Version
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import refused

CATEGORY = "Developer Tools"
TOOL = "SemVer"

Text = Annotated[str, Field(description="version by the rules of semantic versioning: three numbers with dots")]


class Order(TypedDict):
    """How two versions compare: -1 older, 0 the same, 1 newer."""

    order: int


class NewVersion(TypedDict):
    """A version."""

    version: str


class Match(TypedDict):
    """Whether a version meets a condition."""

    matches: bool


class Parts(TypedDict):
    """The parts of a version."""

    major: int
    minor: int
    patch: int
    prerelease: str | None
    build: str | None


def _version(text: str) -> Version:
    with refused(f"{text!r} is not a semantic version"):
        return Version.parse(text.strip())


def compare_versions(first: Text, second: Text) -> Order:
    """Tells which of two versions is newer."""
    return {"order": _version(first).compare(_version(second))}


def bump_version(version: Text, part: Literal["major", "minor", "patch"]) -> NewVersion:
    """The version that follows when one part is raised."""
    return {"version": str(_version(version).next_version(part))}


def version_matches(
    version: Text, condition: Annotated[str, Field(description="comparison sign followed by a version")]
) -> Match:
    """Check a version against a condition."""
    found = _version(version)
    with refused(f"{condition!r} is not a comparison with a version"):
        return {"matches": found.match(condition.replace(" ", ""))}


def parseVersion(version: str) -> Parts:
    """Split version string."""
    found = _version(version)
    return {
        "major": found.major,
        "minor": found.minor,
        "patch": found.patch,
        "prerelease": found.prerelease,
        "build": found.build,
    }


def latest_version(versions: Annotated[list[str], Field(description="semantic versions")]) -> NewVersion:
    """Picks the newest out of a list of versions."""
    with refused("the list is empty"):
        return {"version": str(max(_version(version) for version in versions))}


APIS = [compare_versions, bump_version, version_matches, parseVersion, latest_version]
