"""What an API would return, made up by a model."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from typing import Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from toolquiver.calling.outcome import CallError
from toolquiver.calling.replay.recordings import Recording
from toolquiver.calling.replay.shape import shape_of, value_of
from toolquiver.catalog.records import API
from toolquiver.errors import BudgetExceeded
from toolquiver.marks import as_data
from toolquiver.models import InvalidDecision, Method, Usage, add_usage, decide, tokens

_EXAMPLE_CHARACTERS = 1_000

Render = Callable[..., Sequence[BaseMessage]]
"""Makes the prompt out of `name`, `description`, `parameters` (lines), `arguments` (JSON), `schema` (JSON, "" where
there is none) and `examples` (each with `arguments` and `result`): `load_prompt("simulate").messages`."""


class Simulator:
    """Makes up what APIs return, so that an evaluation can go on where nothing was recorded.

    `render` makes the prompt: `load_prompt("simulate").messages`. `token_budget` is for all simulations together; those
    that run side by side may each use what is left. `method` is as in `decide`. `spent` is told, where a simulation
    is made, what it has cost.
    """

    def __init__(
        self,
        model: BaseChatModel,
        render: Render,
        *,
        token_budget: int = 200_000,
        method: Method | Literal["auto"] = "auto",
        spent: Callable[[Usage], None] = lambda _: None,
    ) -> None:
        self._model = model
        self._render = render
        self._budget = token_budget
        self._method = method
        self._spent = spent
        self._usage: Usage = {}
        self._lock = threading.Lock()

    @property
    def usage(self) -> Usage:
        """What all simulations so far have cost, under the role `simulate`."""
        with self._lock:
            return dict(self._usage)

    async def answer(self, api: API, arguments: str, examples: Sequence[Recording] = ()) -> str:
        """What the API would return for these normalised arguments: JSON that fits its output schema, else any text.

        `examples` are recorded calls of the same API.

        Raises:
            CallError: `not_recorded`, when the model gives nothing valid or the budget is spent.
            ModelError: the model cannot be used.
        """
        messages = self._render(
            name=api.name,
            description=api.description,
            parameters=[f"{one.name} ({one.type}): {one.description}" for one in api.parameter_list()],
            arguments=arguments,
            schema=json.dumps(api.output, ensure_ascii=False) if api.output else "",
            examples=[_shown(example) for example in examples],
        )
        left = self._budget - tokens(self.usage)
        try:
            decision = await decide(
                self._model, shape_of(api.output), messages, role="simulate", tokens_left=left, method=self._method
            )
        except InvalidDecision as failed:
            self._add(failed.usage)
            raise _unanswered(api, "the model's simulation is not valid: try another model") from failed
        except BudgetExceeded as spent:
            self._add(spent.usage)
            raise _unanswered(api, "the simulator's tokens are spent: raise its token_budget") from spent
        self._add(decision.usage)
        value = value_of(decision.value, api.output)
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def _add(self, usage: Usage) -> None:
        with self._lock:
            self._usage = add_usage(self._usage, usage)
        self._spent(usage)


def _shown(example: Recording) -> dict[str, str]:
    text = example.outcome.model_dump().get("text", "")
    return {"arguments": example.arguments, "result": as_data(text[:_EXAMPLE_CHARACTERS])}


def _unanswered(api: API, reason: str) -> CallError:
    return CallError("not_recorded", f"Nothing is recorded for {api.name} with these arguments, and {reason}.")
