"""Functions that look something up and call no API: `search_apis`, `api_docs`, `show_result`."""

from __future__ import annotations

from typing import Any, cast

from toolquiver.catalog.document import document_with_output
from toolquiver.contexts import SolverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.begin import registering
from toolquiver.nodes.solver.call import cut, room
from toolquiver.nodes.solver.state import DOCS, SEARCH, Visit, all_calls, number_of, outcome
from toolquiver.nodes.solver_io import SolverCall

_EACH = 5  # APIs that one search lists
_FOUND = "Found, the likeliest first; perhaps none fits. {how}\n{lines}"
_CALLABLE, _LISTED = "They can be called from the next step on.", "They can be registered now."
_NONE = "Nothing was found for {what!r}. Other words may help."
_UNKNOWN = "There is no function {name!r}."
_NO_CALL = "There is no call {number!r} with a result."


async def look_up(state: Visit, run: Run[SolverContext]) -> Update:
    """Serve one such request."""
    request = state["requests"][state["place"]]
    given: dict[str, Any] = request["arguments"] or {}
    if request["name"] == SEARCH:
        return await _search(str(given.get("what") or ""), state, run)
    if request["name"] == DOCS:
        return await _document(str(given.get("name") or ""), state, run)
    return await _show(given, state, run)


async def _search(what: str, state: Visit, run: Run[SolverContext]) -> Update:
    """What the catalogue has; it joins the candidates. With `candidates` given, or off, nothing is searched."""
    if state["allowed"] or not run.context.catalogue_functions:
        return outcome(state, "There are no further functions.", ok=False)
    hits = [hit.api for hit in await run.hits(what, _EACH) if hit.evidence] if what.strip() else []
    if not hits:
        return outcome(state, _NONE.format(what=what))
    how = await registering(state, run)
    ids = [api.id for api in hits]
    lines = "\n".join(f"- {how.line(api)}" for api in hits)
    if how.mode == "on_demand":
        return outcome(state, _FOUND.format(how=_LISTED, lines=lines), found=ids)
    return outcome(state, _FOUND.format(how=_CALLABLE, lines=lines), found=ids, registered=ids)


async def _document(name: str, state: Visit, run: Run[SolverContext]) -> Update:
    """The documentation of a candidate as it was imported, whole."""
    api = next((api for api in await run.apis(state["pool"]) if api.function == name), None)
    if api is None:
        return outcome(state, _UNKNOWN.format(name=name), ok=False)
    return outcome(state, document_with_output(await run.whole(api.id)))


async def _show(given: dict[str, Any], state: Visit, run: Run[SolverContext]) -> Update:
    """What a call returned, from a character on."""
    number, start = given.get("call"), given.get("start") or 0
    called = next((call for call in all_calls(state) if call["ok"] and number_of(call) == number), None)
    if called is None or not isinstance(start, int):
        return outcome(state, _NO_CALL.format(number=number), ok=False)
    text = str(cast("SolverCall", called)["text"])
    return outcome(state, cut(text, await room(state, run), number_of(called), max(0, start)))
