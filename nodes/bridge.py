"""One async function a node, run alike from `invoke` and `ainvoke`.

From `ainvoke` a node runs in the caller's event loop. From `invoke` it runs in one background loop that all graphs
share, so that `invoke` also works inside a running loop (a notebook) and from several threads at once.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, cast

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.config import get_config
from langgraph.errors import GraphInterrupt
from langgraph.func import task
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


# Slots that a node needs at once: itself, LangGraph's streaming, one task. With fewer it waits for ever.
_LEAST_CONCURRENCY = 3


async def gather_checkpointed(name: str, works: Sequence[Callable[[], Coroutine[Any, Any, Update]]]) -> list[Update]:
    """Do several things at once within a node, each as a task of LangGraph of this name; what comes out is in order.

    With a checkpointer each is kept as it ends: a run that is killed meanwhile does only the others when it goes on. So
    what comes out must be plain data, and the same things must be handed over in the same order then. Where the run may
    do less than three things at once, they are done one after another, and kept together.
    """
    if (get_config().get("max_concurrency") or _LEAST_CONCURRENCY) < _LEAST_CONCURRENCY:
        return [await work() for work in works]
    named: Callable[[Callable[[], Any]], Callable[[], Any]] = task(name=name)
    if _in_background():  # from `invoke`, where LangGraph runs tasks in threads
        begun: list[asyncio.Task[None]] = []
        waiting = [named(partial(_wait_for_work, work, begun))() for work in works]
        try:
            return await _gathered([asyncio.wrap_future(one) for one in waiting])
        except asyncio.CancelledError:
            for one in begun:
                one.cancel()
            raise
    return await _gathered([asyncio.ensure_future(named(work)()) for work in works])


async def _gathered(waiting: Sequence[asyncio.Future[Update]]) -> list[Update]:
    """What they give; where one has a question for the user, those of the others are asked with it."""
    try:
        return list(await asyncio.gather(*waiting))
    except GraphInterrupt:
        ended = await asyncio.gather(*waiting, return_exceptions=True)
        failed = [one for one in ended if isinstance(one, BaseException)]
        questions = [question for one in failed if isinstance(one, GraphInterrupt) for question in one.args[0]]
        raise next((one for one in failed if not isinstance(one, GraphInterrupt)), GraphInterrupt(questions)) from None


def _wait_for_work(work: Callable[[], Coroutine[Any, Any, Update]], begun: list[asyncio.Task[None]]) -> Update:
    return wait_for(work(), begun)


def wait_for(work: Coroutine[Any, Any, Update], begun: list[asyncio.Task[None]] | None = None) -> Update:
    """Run `work` in the background loop, with this thread's context variables, and wait for it.

    The task that it is there is added to those `begun`.

    Raises:
        RuntimeError: this is called in the background loop, which would wait for itself.
    """
    if _in_background():
        work.close()
        raise RuntimeError("A graph was invoked within an async function. Use `await graph.ainvoke(...)` there.")
    result: Future[Update] = Future()
    loop, context = _background_loop(), contextvars.copy_context()
    tasks: list[asyncio.Task[None]] = [] if begun is None else begun

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
