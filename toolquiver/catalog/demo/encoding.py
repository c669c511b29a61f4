"""Hashes and encodings."""

import base64
import binascii
import hashlib
import zlib
from typing import Annotated, Literal
from urllib.parse import quote, unquote

from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import refused

CATEGORY = "Encoding"
TOOL = "Hash & Encode"

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
CODES = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. "
    "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
)
MORSE = dict(zip(LETTERS, CODES.split(), strict=True))

Text = Annotated[str, Field(description="text, taken as UTF-8")]


class Digest(TypedDict):
    """A hash in hexadecimal digits."""

    algorithm: str
    hexdigest: str


class Coded(TypedDict):
    """The text after coding."""

    text: str


def hash_text(
    text: Text, algorithm: Literal["md5", "sha1", "sha256", "sha512", "blake2b", "sha3_256"] = "sha256"
) -> Digest:
    """Cryptographic hash of a text in hexadecimal."""
    digest = hashlib.new(algorithm, text.encode(), usedforsecurity=False)
    return {"algorithm": algorithm, "hexdigest": digest.hexdigest()}


def crc32(text: Text) -> Digest:
    """CRC-32 checksum."""
    return {"algorithm": "crc32", "hexdigest": f"{zlib.crc32(text.encode()):08x}"}


def base64Encode(text: Text) -> Coded:
    """Encode text as Base64."""
    return {"text": base64.b64encode(text.encode()).decode()}


def base64Decode(data: str) -> Coded:
    """Decode Base64 to text."""
    with refused("this is not Base64 of a UTF-8 text", binascii.Error, ValueError):
        return {"text": base64.b64decode(data, validate=True).decode()}


def url_encode(text: Text) -> Coded:
    """Percent-encode text for use in a URL."""
    return {"text": quote(text, safe="")}


def url_decode(text: str) -> Coded:
    """Undo percent-encoding."""
    return {"text": unquote(text)}


def caesar_cipher(
    text: Text, shift: Annotated[int, Field(description="places in the alphabet; negative to decipher")] = 13
) -> Coded:
    """Shift the Latin letters of a text along the alphabet (ROT13 unless another shift is given)."""

    def moved(letter: str) -> str:
        if not (letter.isascii() and letter.isalpha()):
            return letter
        start = ord("A" if letter.isupper() else "a")
        return chr((ord(letter) - start + shift) % 26 + start)

    return {"text": "".join(map(moved, text))}


def to_morse(text: Annotated[str, Field(description="Latin letters, digits and spaces")]) -> Coded:
    """Morse code of a text; words are separated by a slash."""
    with refused("Morse code has only Latin letters and digits", KeyError):
        words = [" ".join(MORSE[letter] for letter in word) for word in text.upper().split()]
    return {"text": " / ".join(words)}


APIS = [hash_text, crc32, base64Encode, base64Decode, url_encode, url_decode, caesar_cipher, to_morse]
