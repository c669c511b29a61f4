"""The local model's server in the foreground, for clients of any kind."""

import contextlib
import secrets
import time

from rich.console import Console

from toolquiver.errors import ModelError
from toolquiver.models.local import files, locks
from toolquiver.models.local.settings import default_settings
from toolquiver.models.local.share import check_installed


def serve_forever(port: int = 0, console: Console | None = None) -> None:
    """Serve the local model on 127.0.0.1 until Ctrl-C, and print the base URL and the key that clients need.

    Args:
        port: TCP port; 0 takes a free one.
        console: Where to print; by default standard output.

    Raises:
        ModelError: The port is taken, or the model cannot be fetched or loaded, or xllamacpp is missing.
    """
    locks.check_platform()
    check_installed()
    from toolquiver.models.local import server  # noqa: PLC0415 - it needs the platform just checked

    console = console or Console()
    key = secrets.token_urlsafe(32)
    settings = default_settings(files.pull())
    try:
        running = server.start(settings.as_json(), key, port)
    except RuntimeError as error:
        raise ModelError(f"The local model cannot be served on port {port}: {error} Try another port.") from error
    console.print(f"OPENAI_BASE_URL=http://127.0.0.1:{server.port_of(running)}/v1", soft_wrap=True)
    console.print(f"OPENAI_API_KEY={key}", soft_wrap=True, highlight=False)
    console.print(f"Model: {settings.name}. Stop it with Ctrl-C.")
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            time.sleep(3600)
