"""Barcodes and other numbers with a check digit."""

from typing import Annotated

from langchain_core.tools import ToolException
from pydantic import Field
from stdnum import ean, imei, luhn, verhoeff
from stdnum.exceptions import ValidationError
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import refused

CATEGORY = "Barcodes"
TOOL = "Check Digits"

EAN_LENGTHS = (7, 11, 12, 13)
UPC_LENGTH = 12


class Valid(TypedDict):
    """Whether a number is valid."""

    valid: bool


class Complete(TypedDict):
    """A number with its check digit."""

    check_digit: str
    complete: str


class Ean(TypedDict):
    """An article number of 13 digits."""

    ean13: str


class Imei(TypedDict):
    """The parts of a mobile phone's number."""

    type_allocation_code: str
    serial_number: str
    check_digit: str


def ean_check(code: Annotated[str, Field(description="EAN-8, EAN-13, UPC-A or GTIN-14, digits only")]) -> Valid:
    """Validate the check digit of an article's barcode."""
    return {"valid": ean.is_valid(code)}


def ean_check_digit(
    digits: Annotated[str, Field(description="the code without its last digit (7, 11, 12 or 13 digits)")],
) -> Complete:
    """Calculate the check digit of a barcode (EAN-8, UPC-A, EAN-13, GTIN-14)."""
    if len(digits) not in EAN_LENGTHS or not digits.isdecimal():
        raise ToolException("7, 11, 12 or 13 digits are needed")
    check = ean.calc_check_digit(digits)
    return {"check_digit": check, "complete": digits + check}


def upc_to_ean13(upc: Annotated[str, Field(description="UPC-A code, 12 digits")]) -> Ean:
    """Turn a UPC-A barcode into an EAN-13."""
    with refused(f"{upc!r} is not a valid UPC-A code", ValidationError):
        found = ean.validate(upc)
    if len(found) != UPC_LENGTH:
        raise ToolException("a UPC-A code has 12 digits")
    return {"ean13": f"0{found}"}


def luhnCheck(number: str) -> Valid:
    """Luhn."""
    return {"valid": luhn.is_valid(number)}


def luhn_check_digit(number: Annotated[str, Field(description="digits to which the check digit is added")]) -> Complete:
    """Append the Luhn check digit (mod 10, as on credit cards) to a number."""
    if not number.isdecimal():
        raise ToolException("only digits are allowed")
    check = luhn.calc_check_digit(number)
    return {"check_digit": check, "complete": number + check}


def verhoeff_check_digit(number: str) -> Complete:
    """Append the check digit of Verhoeff's dihedral scheme."""
    if not number.isdecimal():
        raise ToolException("only digits are allowed")
    check = verhoeff.calc_check_digit(number)
    return {"check_digit": check, "complete": number + check}


def imei_parts(number: Annotated[str, Field(description="IMEI of 15 digits")]) -> Imei:
    """Split the IMEI of a mobile phone; fails when its check digit is wrong."""
    with refused(f"{number!r} is not a valid IMEI", ValidationError):
        allocation, serial, check = imei.split(imei.validate(number))
    return {"type_allocation_code": allocation, "serial_number": serial, "check_digit": check}


APIS = [
    ean_check,
    ean_check_digit,
    upc_to_ean13,
    luhnCheck,
    luhn_check_digit,
    verhoeff_check_digit,
    imei_parts,
]
