"""What a run is given: the question, and perhaps the only APIs to use for it."""

from __future__ import annotations

from toolquiver.catalog import ApiId
from toolquiver.errors import InputError
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Query


def must_call(run: Run) -> None:
    """Refuse `plan_only` in a graph whose next step depends on what its calls return.

    Raises:
        InputError: nothing is to be called.
    """
    if run.context.plan_only:
        raise InputError(
            "plan_only is set, but this graph cannot plan without calls."
            " Use the graph reverse_chain, which `toolquiver plan` runs."
        )


async def candidates_given(state: Query, run: Run) -> list[ApiId] | None:
    """The candidates that the run is given, each once; None where it is to search.

    Raises:
        InputError: the query is empty, or a candidate is not in the catalogue.
    """
    if not (state.get("query") or "").strip():
        raise InputError("The question is empty. Ask something.")
    given = state.get("candidates")
    if unknown := set(given or ()) - {api.id for api in await run.apis(given or [])}:
        raise InputError(f"The catalogue has no {', '.join(sorted(unknown))}. `toolquiver catalog search` finds ids.")
    return None if given is None else list(dict.fromkeys(given))
