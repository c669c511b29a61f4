"""What a graph is bound to when it is built must be what it is taken for, or a run ends in errors of something else."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping

from toolquiver.bounds import check_roles
from toolquiver.catalog import Catalog
from toolquiver.context import Context
from toolquiver.nodes.run import Resources

_MODEL = "Pass a chat model of LangChain, 'local', or a name such as 'openai:gpt-5-mini'."


def check_bound(bound: Resources) -> None:
    """Refuse what is no resource, or none of its kind.

    Raises:
        TypeError: with how to pass it.
        InputError: a model is for a role that is called otherwise.
    """
    known = Resources.__annotations__
    if unknown := sorted(bound.keys() - known.keys()):
        raise TypeError(f"build() takes no {', '.join(unknown)}. It takes: {', '.join(known)}, checkpointer.")
    if "catalog" in bound and not isinstance(bound["catalog"], Catalog):
        how = "Pass a Catalog (`Catalog.open(path)`, `Catalog.from_tools(tools)`), or its path in Context(catalog=...)."
        raise TypeError(f"catalog is {reprlib.repr(bound['catalog'])}. {how}")
    if bound.get("context") is not None and not isinstance(bound["context"], Context):
        raise TypeError(f"context is {reprlib.repr(bound['context'])}. Pass a Context: Context(top_k=5).")
    _check_models(bound)
    _check_callers(bound)


def _check_models(bound: Resources) -> None:
    named = bound.get("models", {})
    if not isinstance(named, Mapping):
        raise TypeError(f"models is {reprlib.repr(named)}. Pass a dict of models by role.")
    check_roles(named)
    for name, model in {"model": bound.get("model"), **named}.items():
        if not (model is None or isinstance(model, str) or hasattr(model, "bind_tools")):  # a binding has it, too
            raise TypeError(f"The model {name!r} is {reprlib.repr(model)}. {_MODEL}")


def _check_callers(bound: Resources) -> None:
    callers = bound.get("callers", {})
    if not isinstance(callers, Mapping):
        raise TypeError(
            f"callers is {reprlib.repr(callers)}. Pass a dict of callers by the source whose APIs they call."
        )
    for source, caller in callers.items():
        if not callable(getattr(caller, "call", None)):
            how = "It needs a method `async def call(self, api, arguments)`."
            raise TypeError(f"The caller of {source!r} is {reprlib.repr(caller)}. {how}")
