"""Work in a thread that nobody waits for when the program ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import Any


async def in_daemon_thread(work: Callable[..., Any], *arguments: Any, name: str) -> Any:
    """What `work` returns, or raises, `sys.exit` too; it runs in a thread of its own of this name.

    Nobody can stop a thread: it must be none of those that the end of the program, or of its loop, waits for.
    """
    loop, context = asyncio.get_running_loop(), copy_context()
    done: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()

    def tell(result: Any, error: BaseException | None) -> None:
        if not done.done():  # nobody waits any more
            done.set_result((result, error))

    def run() -> None:
        found: tuple[Any, BaseException | None]
        try:
            found = context.run(work, *arguments), None
        except BaseException as error:  # noqa: BLE001 - whoever waits raises it
            found = None, error
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(tell, *found)

    threading.Thread(target=run, name=name, daemon=True).start()
    result, error = await done
    if error is not None:
        raise error
    return result
