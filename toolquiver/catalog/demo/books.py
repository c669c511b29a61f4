"""The numbers of books and journals."""

from typing import Annotated

from langchain_core.tools import ToolException
from pydantic import Field
from stdnum import isbn, issn
from stdnum.exceptions import ValidationError
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import refused

CATEGORY = "Books"
TOOL = "ISBN Tools"

ISSN_DIGITS = 7

Isbn = Annotated[str, Field(description="ISBN of 10 or 13 digits, hyphens allowed")]


class Isbn13(TypedDict):
    """An ISBN of 13 digits."""

    isbn13: str
    formatted: str


class Isbn10(TypedDict):
    """An ISBN of 10 digits."""

    isbn10: str


class IsbnParts(TypedDict):
    """What the digits of an ISBN mean."""

    prefix: str
    group: str
    publisher: str
    title: str
    check_digit: str


class Valid(TypedDict):
    """Whether a number is valid."""

    valid: bool


class CheckDigit(TypedDict):
    """The last digit of a number, by which it is checked."""

    check_digit: str
    complete: str


def _isbn(text: str) -> str:
    with refused(f"{text!r} is not a valid ISBN", ValidationError):
        return isbn.validate(text)


def isbn_to_isbn13(number: Isbn) -> Isbn13:
    """Convert an ISBN-10 to an ISBN-13, and hyphenate it."""
    found = isbn.to_isbn13(_isbn(number))
    return {"isbn13": found, "formatted": isbn.format(found)}


def isbn_to_isbn10(number: Isbn) -> Isbn10:
    """Convert an ISBN-13 to an ISBN-10. Fails for numbers that have no ISBN-10."""
    with refused(f"{number} has no ISBN-10", ValidationError):
        return {"isbn10": isbn.to_isbn10(_isbn(number))}


def isbnParts(number: str) -> IsbnParts:
    """Split ISBN."""
    prefix, group, publisher, title, check = isbn.split(_isbn(number))
    return {
        "prefix": prefix,
        "group": group,
        "publisher": publisher,
        "title": title,
        "check_digit": check,
    }


def validate_isbn(number: Isbn) -> Valid:
    """Tells whether an ISBN is well-formed and its check digit right."""
    return {"valid": isbn.is_valid(number)}


def validate_issn(number: Annotated[str, Field(description="ISSN: eight digits, the last may be X")]) -> Valid:
    """Tells whether the ISSN of a journal is right."""
    return {"valid": issn.is_valid(number)}


def issn_check_digit(digits: Annotated[str, Field(description="the first seven digits of the ISSN")]) -> CheckDigit:
    """Compute the check digit of an ISSN."""
    found = issn.compact(digits)
    if len(found) != ISSN_DIGITS or not found.isdecimal():
        raise ToolException("seven digits are needed")
    check = issn.calc_check_digit(found)
    return {"check_digit": check, "complete": issn.format(found + check)}


APIS = [isbn_to_isbn13, isbn_to_isbn10, isbnParts, validate_isbn, validate_issn, issn_check_digit]
