"""Verifier agent: is the subtask done, and if not, what is missing? (Smurfs, eq. 7.)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel

from toolquiver.catalog import API, ApiId
from toolquiver.catalog.text import content_words, spaced
from toolquiver.nodes.apis.changing import changes, harmless
from toolquiver.nodes.apis.usable import usable
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import said
from toolquiver.nodes.executor import finding
from toolquiver.nodes.executor.settled import confirmed
from toolquiver.nodes.executor.siblings import is_sibling, siblings_named, told, with_siblings
from toolquiver.nodes.records import Step
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.sureness import may_help
from toolquiver.nodes.shapes import brief
from toolquiver.nodes.state import ExecutorState, calls_of_subtask, current_task
from toolquiver.nodes.texts.comparisons import compares
from toolquiver.nodes.texts.coverage import begun
from toolquiver.nodes.texts.denials import denies, leaves_untold
from toolquiver.nodes.texts.givens import named_in, passed_over_for_another, untaken
from toolquiver.nodes.texts.kinds import ANOTHER_COUNT, HAS_NO, OPEN, counts_other, left_open, other_kind
from toolquiver.nodes.texts.units import other_unit
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("verify")
_NOTHING = {"nothing", "none"}
_HELPERS = 4  # of the APIs that fit what is missing
_UNANSWERED = "The last result does not answer the task."
_UNUSED = "The last result does not take into account:"


class Verdict(BaseModel):
    """What was asked for, what was given, what is missing, and so whether the task is done.

    Written down in this order, a small model sees that feet are not metres.
    """

    asked: str = brief(80)
    given: str = brief(80)
    missing: str = brief(160)
    done: bool


async def verify(state: ExecutorState, run: Run) -> Update:
    """Keep the step in both memories and judge the subtask; a pending one is no rollback.

    A step that was to find out an argument, or whose response could not be digested, leaves the task pending unasked.
    So does a first step that took no notice of a number that the task gives, took another name, counts something else,
    or leaves open what is to be told besides: most such answers are to another question, but what changes something is
    not done twice for that. Where that was beside the point, and a second step takes less of the task, the first is
    judged, and if it is done the second one forgotten.
    A verdict that names nothing that is missing, of an answer that an earlier step gave already, has nothing against
    it, and no tool has more to say: done.
    The last step of a formula that took every number is done unasked. Without the verifier nothing is judged done: as
    in the paper's ablation, the steps go on to the limit.
    """
    return await _verified(state, run, siblings=False)


async def _verified(state: ExecutorState, run: Run, *, siblings: bool) -> Update:
    assert state["chosen"] is not None
    step = Step(
        subtask=state["current"],
        thought=state["thought"],
        api=state["chosen"],
        arguments=state["arguments"] or {},
        observation=state["observation"],
        answer=state["step_answer"],
    )
    trail = [*state["trail"], step]
    kept: Update = {"trail": trail, "history": [step], "hint": "", "unexplained": False}
    over = len(trail) >= run.context.max_steps or calls_of_subtask(state) >= run.context.max_calls
    task, first = current_task(state), trail[0]
    judged = first if state["doubted"] and named_in(task, step) < named_in(task, first) else step
    kept |= {"doubted": False, "decided": "at the limit" if over else "not yet"}
    if not run.context.verifier:
        return kept
    digested = state["decided"] != "undigested" and not state["missing"]
    if siblings and digested:
        if is_sibling(state):
            return kept | {"decided": "at the limit" if leaves_untold(step["answer"]) else "subtask done"}
        if found := await siblings_named(step, state, run):
            done, _, cost = await verdict_on(task, step["answer"], state, run, shown=said(step))
            kept |= {"step_answer": told(step["answer"]), "decided": "subtask done", **cost}
            return kept | with_siblings(found, state, needed=not done)
    doubts = run.context.grounding and not over and not changes(await run.chosen(state))
    counted = await _counts_other(task, step, run) if doubts and digested and len(trail) == 1 else ""
    ruled: Update | None = {"hint": f"{ANOTHER_COUNT} {counted}.", "doubted": True} if counted else None
    if judged is step and not counted:
        ruled = _ruled(task, trail, state, doubts=doubts)
    if ruled is not None:
        return kept | ruled
    done, missing, cost = await verdict_on(task, judged["answer"], state, run, shown=said(judged))
    if missing == _UNANSWERED and confirmed(judged, trail):
        done, missing = True, ""
    if done and judged is not step:  # the second step is forgotten
        return {"step_answer": judged["answer"], "hint": "", "doubted": False, "decided": "subtask done", **cost}
    kept |= {"hint": missing, "unexplained": missing == _UNANSWERED, **cost}
    return kept | ({"decided": "subtask done"} if done else {})


def _ruled(task: str, trail: list[Step], state: ExecutorState, *, doubts: bool) -> Update | None:
    """What a rule says of the last step, so that the model need not be asked; None where no rule does."""
    if state["missing"]:
        return {"hint": f"{', '.join(state['missing'])} were looked for and can be used now."}
    if state["decided"] == "undigested":
        return {"hint": other_unit(task, spaced(state["observation"])) or _UNANSWERED}
    first = doubts and len(trail) == 1 and not compares(task)  # of two quantities one need not be converted
    before = [*state.get("chained", ()), *state["history"]]
    passed = untaken(task, [*before, *trail]) if first else []
    if first and not passed:
        passed = passed_over_for_another(task, trail[0], " ".join(step["observation"] for step in before))
    if passed:
        return {"hint": f"{_UNUSED} {', '.join(passed)}.", "doubted": True}
    if first and (left := left_open(task, trail[0])):
        return {"hint": f"{OPEN} {left}", "doubted": True}
    if len(trail) == len(state.get("formula", ())) and not untaken(task, trail):
        return {"decided": "subtask done"}
    return None


async def _counts_other(task: str, step: Step, run: Run) -> str:
    """What a step counts that is not asked for, where search by the task's own words has another tool first.

    A field has not always the task's word for what it counts: that so many people speak it are its `speakers`.
    """
    counted = counts_other(task, step)
    hits = await run.hits(task, 1) if counted else []
    return counted if hits and hits[0].api.id != step["api"] else ""


async def verdict_on(
    task: str, answer: str, state: ExecutorState, run: Run, *, shown: str = ""
) -> tuple[bool, str, Update]:
    """Whether the answer, which may be `shown` otherwise, completes the task, what is missing, what asking cost.

    An answer in another unit, or of another kind, than the task names is not done, nor one that only says what is
    lacking; that is not left to the model. Nor is one without a verdict. A verdict that misses only what the
    answer has, be it inflected, and does not deny, contradicts itself: done. One that can name nothing that is missing
    does not: so a small model judges what answers another question.
    """
    if problem := other_unit(task, answer) or other_kind(task, answer):
        return False, problem, {}
    verdict, cost = await run.decide("verify", Verdict, _PROMPT.messages(task=task, answer=shown or answer), state)
    if verdict is None:
        return False, "", cost
    missing = set(content_words(verdict.missing)) - _NOTHING
    has_it = bool(missing) and begun(missing) <= begun(content_words(answer)) and not denies(answer)
    done = verdict.done or has_it
    return done, "" if done else verdict.missing if missing else _UNANSWERED, cost


def after_verify(state: ExecutorState) -> Literal["subtask done", "not yet", "at the limit"]:
    """Pending goes on with the next step, unless steps, calls or budget are used up."""
    if state["decided"] == "subtask done":
        return "subtask done"
    return "at the limit" if state["stopped"] or state["decided"] == "at the limit" else "not yet"


async def advance(state: ExecutorState, run: Run) -> Update:
    """The next step t+1, with a fresh list of the subtask's candidates, in front a few that fit the verifier's hint.

    A tool without inputs that has answered is not among them: it has nothing else to say; nor is one that counts
    something else, and only what search finds by the task's own words then is. Where the verifier can name nothing that
    is missing, and no other tool has to do with the task, what has answered is all that is left.
    """
    pool, miscounted = state["pool"], state["hint"].startswith(ANOTHER_COUNT)
    fitting = await _fitting(_sought(state), state, run)
    if fitting:
        pool = list(dict.fromkeys([*fitting, *(step["api"] for step in state["trail"]), *pool]))
    answered = await run.apis(list(dict.fromkeys(step["api"] for step in state["trail"])))
    told = {api.id for api in answered if not api.parameter_list()}
    told |= {state["trail"][-1]["api"]} if miscounted else set()
    among = fitting if miscounted and fitting else pool
    lists, left = state["tool_lists"], [id_ for id_ in among if id_ not in told] or pool
    if state["hint"] == _UNANSWERED and await _no_other_fits(answered, pool, state, run):
        left = [api.id for api in answered]
        lists = [[id_ for id_ in tools if id_ in left] for tools in lists]
    return {"pool": pool, "tool_lists": [*lists, left], "missing": []}


def _sought(state: ExecutorState) -> str:
    """What the next tool is searched for: by the hint what is missing; the task, where something else was counted."""
    hint = state["hint"]
    if hint.startswith(ANOTHER_COUNT):
        return current_task(state)
    return "" if hint == _UNANSWERED or hint.startswith((_UNUSED, HAS_NO)) else hint.removeprefix(OPEN)


async def _fitting(text: str, state: ExecutorState, run: Run) -> list[ApiId]:
    """A few APIs that fit the text; none where candidates were given, or something is looked up."""
    if not text or state["allowed"] is not None or state["aim"]:
        return []
    helpers = usable(await finding.helpers(run, text), state.get("removed"))
    return [api.id for api in harmless(helpers, current_task(state))][:_HELPERS]


async def _no_other_fits(answered: Sequence[API], pool: Sequence[ApiId], state: ExecutorState, run: Run) -> bool:
    """Whether what has answered has to do with the task, and nothing else has."""
    tried, task = {api.id for api in answered}, current_task(state)
    others = await run.apis([id_ for id_ in pool if id_ not in tried])
    return may_help(task, answered) and not may_help(task, others)
