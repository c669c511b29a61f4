"""A request as it would go out, and why one is refused."""

from email import message_from_bytes
from email.policy import HTTP

import pytest

from tests.support.http_server import an_api
from toolquiver.calling import CallError
from toolquiver.calling.http.request import outgoing
from toolquiver.catalog.operation import HttpOperation, Placement


def built(path="/", method="GET", arguments=None, *, places=(), properties=None, server="https://a.test/v1/", **more):
    """The request; each place is an argument's name and location, and what else its placement says."""
    placements = [
        Placement(**({"argument": name, "name": name, "location": location} | options))
        for name, location, options in ((*place, {})[:3] for place in places)
    ]
    operation = HttpOperation(server=server, path=path, method=method, placements=placements, **more)
    return outgoing(operation, an_api(operation, properties), arguments or {})


def refusal(*arguments, kind="invalid_arguments", **options):
    with pytest.raises(CallError) as caught:
        built(*arguments, **options)
    assert caught.value.kind == kind
    return str(caught.value)


def parts(request):
    head = f"Content-Type: {request.content_type}\r\n\r\n".encode()
    found = message_from_bytes(head + request.content, policy=HTTP).iter_parts()
    return [
        (
            part.get_param("name", header="content-disposition"),
            part.get_filename(),
            part.get_content_type(),
            part.get_payload(decode=True),
        )
        for part in found
    ]
