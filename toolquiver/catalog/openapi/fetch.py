"""The bytes of a document: out of a file, or from a web server."""

from __future__ import annotations

import urllib.error
import urllib.request
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from toolquiver.catalog.openapi.parse import MOST_BYTES
from toolquiver.errors import CatalogError

_PATIENCE = 30  # seconds without a byte
_HEADERS = {"Accept": "application/json, application/yaml, */*", "User-Agent": "toolquiver"}
_EVENTS = "text/event-stream"
_NO_PAGE = frozenset({400, 405, 406, 415})  # what MCP servers say to those who only want to read
_MCP = "If it is an MCP server, import it with `--kind mcp`."
_WEB = frozenset({"http", "https"})
_READ = _WEB | {"file"}


def is_url(location: str) -> bool:
    """Whether a location is an address on the web; everything else is a file's path.

    Raises:
        CatalogError: it begins like an address, but is not one, such as `https://[tenant].example.com`.
    """
    try:
        return urlsplit(location).scheme in _WEB
    except ValueError as error:
        if location.partition(":")[0].lower() not in _WEB:
            return False
        shown = location.partition("?")[0].rpartition("@")[2]  # without what may be a key or a password
        raise CatalogError(
            f"{shown!r} is no address ({error}). Write the host as it is, with no placeholder."
        ) from error


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
    """Whether a document may lead to another: files to files, a web server's to the same server's, all else nowhere."""
    start, end = urlsplit(root), urlsplit(uri)
    return start.scheme in _READ and (start.scheme, start.netloc) == (end.scheme, end.netloc)


def _file(path: Path) -> bytes:
    try:
        for there in (path, path.with_name(path.name + ".gz")):
            if there.is_file():
                return there.read_bytes()
    except OSError as error:
        raise CatalogError(f"{str(path)!r} cannot be read: {error.strerror}. Check its rights.") from error
    raise CatalogError(f"There is no file {str(path)!r}. Check the path.")


def _web(url: str) -> bytes:
    request = urllib.request.Request(url, headers=_HEADERS)  # noqa: S310 - only http and https come here
    try:
        with urllib.request.build_opener(_SameHost).open(request, timeout=_PATIENCE) as response:
            if response.headers.get_content_type() == _EVENTS:  # which may never end
                raise CatalogError(f"{url!r} sends events, and no document. {_MCP}")
            data: bytes = response.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        hint = f" {_MCP}" if error.code in _NO_PAGE else ""
        raise CatalogError(f"{url!r} answers {error.code} {error.reason}. Check the address.{hint}") from error
    except (OSError, ValueError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise CatalogError(f"{url!r} cannot be reached: {reason}. Check the address and the network.") from error
    return data


class _SameHost(urllib.request.HTTPRedirectHandler):
    """Follows redirects on one host only, so that a document cannot have others asked."""

    def redirect_request(  # noqa: PLR0917 - as urllib calls it
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        if urlsplit(newurl).hostname != urlsplit(req.full_url).hostname:
            raise CatalogError(f"{req.full_url!r} leads to {newurl!r}. Import that address if you trust it.")
        return super().redirect_request(req, fp, code, msg, headers, newurl)
