"""The bytes of a document: out of a file, or from a web server."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from toolquiver.catalog.openapi.parse import MOST_BYTES
from toolquiver.errors import CatalogError

_PATIENCE = 30  # seconds without a byte
_WEB = frozenset({"http", "https"})


def is_url(location: str) -> bool:
    """Whether a location is an address on the web; everything else is a file's path."""
    return urlsplit(location).scheme in _WEB


def document_uri(location: str) -> str:
    """The URI that a document's references are relative to; a packed file goes by the name it has unpacked."""
    return location if is_url(location) else Path(location).resolve().as_uri().removesuffix(".gz")


def fetch(uri: str) -> bytes:
    """The bytes at a URI of `document_uri`; of a file that is there only packed, the packed ones.

    Raises:
        CatalogError: nothing can be read there.
    """
    return _web(uri) if is_url(uri) else _file(Path(urllib.request.url2pathname(urlsplit(uri).path)))


def may_refer(root: str, uri: str) -> bool:
    """Whether a document may lead to another: files to files, a web server's to the same server's."""
    start, end = urlsplit(root), urlsplit(uri)
    return (start.scheme, start.netloc) == (end.scheme, end.netloc)


def _file(path: Path) -> bytes:
    try:
        for there in (path, path.with_name(path.name + ".gz")):
            if there.is_file():
                return there.read_bytes()
    except OSError as error:
        raise CatalogError(f"{str(path)!r} cannot be read: {error.strerror}. Check its rights.") from error
    raise CatalogError(f"There is no file {str(path)!r}. Check the path.")


def _web(url: str) -> bytes:
    request = urllib.request.Request(url, headers={"Accept": "application/json, application/yaml, */*"})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as response:  # noqa: S310 - only http and https
            if not may_refer(url, response.url) and not _same_site(url, response.url):
                raise CatalogError(f"{url!r} leads to {response.url!r}. Import that address if you trust it.")
            data: bytes = response.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        raise CatalogError(f"{url!r} answers {error.code} {error.reason}. Check the address.") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise CatalogError(f"{url!r} cannot be reached: {reason}. Check the address and the network.") from error
    return data


def _same_site(url: str, other: str) -> bool:
    """From http to https of the same host, as many servers redirect."""
    return urlsplit(url).hostname == urlsplit(other).hostname
