"""One async function a node, run alike from `invoke` and `ainvoke`.

From `ainvoke` a node runs in the caller's event loop. From `invoke` it runs in one background loop that all graphs
share, so that `invoke` also works inside a running loop (a notebook) and from several threads at once.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from functools import lru_cache
from typing import Any, cast

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.config import get_config
from langgraph.runtime import get_runtime

from toolquiver.catalog.named import no_catalog
from toolquiver.context import Context
from toolquiver.contexts import settings_for
from toolquiver.nodes.bound import check_bound
from toolquiver.nodes.run import Resources, Run
from toolquiver.nodes.storable import storable

Update = dict[str, Any]
"""What a node changes in the state, by key."""
Node = Callable[[Any, Run[Any]], Awaitable[Update]]
"""A node: from the state and the run to what changes in the state."""
Router = Callable[[Any], Hashable | list[Any]]
"""A router: from the state to the label of an edge, or to what is sent."""


_INSIDE = "|"  # stands between the namespaces of a graph's checkpoints and of those around it


def node(
    function: Node, bound: Resources, *, needs_catalog: Callable[[Any], bool] | None = None
) -> Runnable[Any, Update]:
    """`function` as LangGraph takes it, with the run's resources handed to it.

    `needs_catalog` tells from a state whether to load the catalogue that the `Context` names; by default it is loaded.

    Raises:
        TypeError: something is bound that is no resource; without it the demo or the local model would stand in.
    """
    check_bound(bound)
    return _Node(function, bound, needs_catalog)


def route(function: Router) -> Runnable[Any, Hashable | list[Any]]:
    """`function` as LangGraph takes it: run where it is called, as handing it to a thread takes longer."""
    return _Router(function)


class _Node(Runnable[Any, Update]):
    """A node that runs either way; LangGraph traces it, so it needs no tracing of its own as a `RunnableLambda` has."""

    def __init__(self, function: Node, bound: Resources, needs_catalog: Callable[[Any], bool] | None) -> None:
        self.name = getattr(function, "__name__", None)
        self._function = function
        self._bound = bound
        self._needs_catalog = needs_catalog

    def invoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Update:  # noqa: A002 - LangChain's name
        del config  # LangGraph has it in this thread's context
        return wait_for(self._run(input))

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Update:  # noqa: A002
        del config
        return await self._run(input)

    async def _run(self, state: Any) -> Update:
        inside = _INSIDE in get_config().get("configurable", {}).get("checkpoint_ns", "")
        own: Context = self._bound.get("context") or Context()
        context = settings_for(own, get_runtime(Context).context, inside=inside)
        bound = self._bound.copy()
        if self._needs_catalog and "catalog" not in bound and not self._needs_catalog(state):
            bound["catalog"] = await no_catalog()
        written = await self._function(state, await Run.of(context, bound))
        return cast("Update", storable(written))


class _Router(Runnable[Any, Hashable | list[Any]]):
    """A router that only looks at the state, and so never waits."""

    def __init__(self, function: Router) -> None:
        self.name = getattr(function, "__name__", None)
        self.func = function

    def invoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Hashable | list[Any]:  # noqa: A002
        del config
        return self.func(input)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Hashable | list[Any]:  # noqa: A002
        del config
        return self.func(input)


def wait_for(work: Coroutine[Any, Any, Update]) -> Update:
    """Run `work` in the background loop, with this thread's context variables, and wait for it.

    Raises:
        RuntimeError: this is called in the background loop, which would wait for itself.
    """
    if _in_background():
        work.close()
        raise RuntimeError("A graph was invoked within an async function. Use `await graph.ainvoke(...)` there.")
    result: Future[Update] = Future()
    loop, context = _background_loop(), contextvars.copy_context()
    tasks: list[asyncio.Task[None]] = []

    async def settle() -> None:
        try:
            result.set_result(await work)
        except asyncio.CancelledError:
            result.cancel()
            raise
        except BaseException as error:  # noqa: BLE001 - handed to the waiting thread, whatever it is
            result.set_exception(error)

    loop.call_soon_threadsafe(lambda: tasks.append(loop.create_task(settle(), context=context)))
    try:
        return result.result()
    except (KeyboardInterrupt, CancelledError):
        loop.call_soon_threadsafe(lambda: [task.cancel() for task in tasks])
        raise


def _in_background() -> bool:
    """Whether this runs in the background loop."""
    try:
        return asyncio.get_running_loop() is _background_loop()
    except RuntimeError:  # no loop runs here
        return False


_making = threading.RLock()


def _background_loop() -> asyncio.AbstractEventLoop:
    with _making:  # a cache alone lets two threads make one each
        return _made_loop()


@lru_cache(maxsize=1)
def _made_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=_run_on, args=(loop,), name="toolquiver", daemon=True).start()
    return loop


def _forked() -> None:
    _made_loop.cache_clear()
    _making.release()


if hasattr(os, "register_at_fork"):  # Windows has none; a forked process has the loop, but not its thread
    # Held meanwhile, so that no other thread is making one then, whose lock the child would wait for.
    os.register_at_fork(before=_making.acquire, after_in_parent=_making.release, after_in_child=_forked)


def _run_on(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop for ever: a KeyboardInterrupt or SystemExit of one task, which has it too, must not end all."""
    while True:
        with suppress(KeyboardInterrupt, SystemExit):
            loop.run_forever()
