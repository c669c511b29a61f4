"""Languages and scripts."""

from typing import Annotated

import langcodes
import pycountry
from babel.languages import get_official_languages
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import find_country, refused

CATEGORY = "Languages"
TOOL = "LinguaCodes"

Code = Annotated[str, Field(description="Language code: ISO 639 or BCP 47")]


class LanguageCode(TypedDict):
    """A language in ISO 639."""

    name: str
    alpha_2: str | None
    alpha_3: str


class LanguageName(TypedDict):
    """What a language is called."""

    code: str
    name: str
    own_name: str


class Speakers(TypedDict):
    """How many people speak and write a language."""

    code: str
    speakers: int
    writers: int


class Script(TypedDict):
    """A writing system in ISO 15924."""

    code: str
    name: str
    number: str


class Official(TypedDict):
    """The official languages of a country."""

    country: str
    languages: list[str]


class Likeness(TypedDict):
    """How far apart two languages are: 0 the same, 134 nothing in common."""

    distance: int


def _language(code: str) -> langcodes.Language:
    with refused(f"unknown language code {code!r}", ValueError):
        found = langcodes.Language.get(code.strip())
    if not found.is_valid():
        raise ToolException(f"unknown language code {code!r}")
    return found


def language_code(name: Annotated[str, Field(description="English name of the language")]) -> LanguageCode:
    """Find the ISO 639 codes (two and three letters) of a language by its name."""
    with refused(f"unknown language {name!r}", LookupError):
        found = pycountry.languages.lookup(name.strip())
    return {"name": found.name, "alpha_2": getattr(found, "alpha_2", None), "alpha_3": found.alpha_3}


def language_name(code: Code, in_language: Code = "en") -> LanguageName:
    """What a language is called in another language, and by its own speakers."""
    found = _language(code)
    return {
        "code": found.to_tag(),
        "name": found.display_name(_language(in_language)),
        "own_name": found.autonym(),
    }


def languageSpeakers(code: str) -> Speakers:
    """Number of speakers worldwide."""
    found = _language(code)
    return {
        "code": found.to_tag(),
        "speakers": found.speaking_population(),
        "writers": found.writing_population(),
    }


def script_of_language(code: Code) -> Script:
    """The script in which a language is most commonly written."""
    return script_info(str(_language(code).maximize().script))


def script_info(script: Annotated[str, Field(description="Name or ISO 15924 code of the script")]) -> Script:
    """Code, name and number of a writing system."""
    with refused(f"unknown script {script!r}", LookupError):
        found = pycountry.scripts.lookup(script.strip())
    return {"code": found.alpha_4, "name": found.name, "number": found.numeric}


def official_languages(country: Annotated[str, Field(description="Country name or ISO code")]) -> Official:
    """Codes of the official languages of a country."""
    found = find_country(country)
    codes = list(get_official_languages(found.alpha_2, de_facto=True))
    if not codes:
        raise ToolException(f"no official language of {found.name} is known")
    return {"country": found.name, "languages": codes}


def language_distance(code1: str, code2: str) -> Likeness:
    """How well a speaker of the first language is served by the second. Small is good."""
    return {"distance": langcodes.tag_distance(_language(code1), _language(code2))}


APIS = [
    language_code,
    language_name,
    languageSpeakers,
    script_of_language,
    script_info,
    official_languages,
    language_distance,
]
