"""Evidence is put under the answer, and a rule says whether there is any doubt: only then a model judges."""

from __future__ import annotations

from typing import Literal

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.judging.evidence import Statement, statements
from toolquiver.nodes.loop.quiver_state import QuiverState
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.sureness import may_help
from toolquiver.nodes.texts.conversions import with_conversion
from toolquiver.nodes.texts.coverage import forgets


async def weigh(state: QuiverState, run: Run) -> Update:
    """Say which call each statement stands on, and whether the answer must be judged.

    It is beyond doubt when the verifier has passed every subtask and contested none, every statement stands on a call,
    no number is without one, nothing that is asked was forgotten, and a tool that was called has to do with the query.
    """
    evidence = statements(state["answer"], state)
    doubted = run.context.judging == "always" or (
        run.context.judging == "in_doubt"
        and (state["status"] != "solved" or _doubtful(evidence, state) or await _beside_the_point(state, run))
    )
    update: Update = {"evidence": evidence, "passed": not doubted, "verdict_votes": [], "verdict_reason": ""}
    if doubted or run.context.judging == "never":
        return update | {"verdict": "unsure"}
    return update | {"verdict": "solved", "verdict_reason": "Every statement stands on a call."}


def _doubtful(evidence: list[Statement], state: QuiverState) -> bool:
    floating = any(not statement["calls"] or statement["unsupported"] for statement in evidence)
    contested = any(found.get("contested") for found in state["known"])
    return floating or contested or forgets([state["answer"], *state["subtasks"]], state["query"])


async def _beside_the_point(state: QuiverState, run: Run) -> bool:
    called = await run.apis(list(dict.fromkeys(call["api"] for call in state["calls"] if call["ok"])))
    wants = " ".join([with_conversion(state["query"]), *state["expansions"].values()])
    return bool(called) and not may_help(wants, called)


def after_weigh(state: QuiverState) -> Literal["no doubt", "in doubt"]:
    """What is beyond doubt is not judged."""
    return "no doubt" if state["passed"] else "in doubt"
