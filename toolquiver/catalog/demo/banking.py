"""The numbers of banks, accounts, companies and securities."""

from typing import Annotated

from pydantic import Field
from schwifty import BIC, IBAN
from schwifty.exceptions import SchwiftyException
from stdnum import isin, lei
from stdnum.eu import vat
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import find_country, refused

CATEGORY = "Banking"
TOOL = "Bank Codes"

Iban = Annotated[str, Field(description="International bank account number, spaces allowed")]


class IbanParts(TypedDict):
    """A bank account."""

    country_code: str
    bank_code: str
    account_code: str
    bic: str | None
    bank_name: str | None
    formatted: str


class IbanNumber(TypedDict):
    """An IBAN."""

    iban: str


class BicParts(TypedDict):
    """What the letters of a BIC mean."""

    bank_code: str
    country: str
    location_code: str
    branch_code: str
    bank_names: list[str]


class Valid(TypedDict):
    """Whether a number is valid."""

    valid: bool


def parse_iban(iban: Iban) -> IbanParts:
    """Validate an IBAN and split it; names the bank where it is known."""
    with refused(f"{iban!r} is not a valid IBAN", SchwiftyException):
        found = IBAN(iban)
    return {
        "country_code": found.country_code,
        "bank_code": found.bank_code,
        "account_code": found.account_code,
        "bic": str(found.bic) if found.bic else None,
        "bank_name": found.bank_name,
        "formatted": found.formatted,
    }


def make_iban(
    country: Annotated[str, Field(description="Country name or ISO code")], bank_code: str, account_code: str
) -> IbanNumber:
    """Generate an IBAN from a national bank code and an account number."""
    with refused("these codes make no valid IBAN of that country", SchwiftyException, LookupError):
        found = IBAN.generate(find_country(country).alpha_2, bank_code=bank_code, account_code=account_code)
    return {"iban": str(found)}


def isValidIBAN(iban: str) -> Valid:
    """IBAN check."""
    return {"valid": IBAN(iban, allow_invalid=True).is_valid}


def parse_bic(bic: Annotated[str, Field(description="BIC (SWIFT code), 8 or 11 characters")]) -> BicParts:
    """Take a BIC (SWIFT code) apart: bank, country, location, branch."""
    with refused(f"{bic!r} is not a valid BIC", SchwiftyException):
        found = BIC(bic)
    return {
        "bank_code": found.bank_code,
        "country": find_country(found.country_code).name,
        "location_code": found.location_code,
        "branch_code": found.branch_code,
        "bank_names": found.bank_names,
    }


def validate_isin(number: Annotated[str, Field(description="ISIN of a security, 12 characters")]) -> Valid:
    """Check the ISIN of a share or bond."""
    return {"valid": isin.is_valid(number)}


def validate_lei(number: Annotated[str, Field(description="legal entity identifier, 20 characters")]) -> Valid:
    """Check a legal entity identifier (LEI)."""
    return {"valid": lei.is_valid(number)}


def validate_eu_vat(number: Annotated[str, Field(description="VAT number with its country prefix")]) -> Valid:
    """Check form and check digits of a European value added tax number (whether it is registered is not known)."""
    return {"valid": vat.is_valid(number)}


APIS = [parse_iban, make_iban, isValidIBAN, parse_bic, validate_isin, validate_lei, validate_eu_vat]
