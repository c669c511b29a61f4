"""Tools that change something in the world: no question is answered by one, and none is a way out.

Asked where an order is, a small model that is not content with what it was told cancels the order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolquiver.calling.approval import reads
from toolquiver.catalog import API
from toolquiver.catalog.stems import stems
from toolquiver.nodes.texts.languages import is_foreign

_METHODS = {"PUT", "PATCH", "DELETE"}
_VERBS = frozenset(
    """
    activate approve archive assign authorize ban block book buy cancel charge create deactivate delete deploy deposit
    destroy disable discard dismiss drop enable erase follow invite insert merge modify mute overwrite patch pause pay
    post publish purchase purge put reboot refund reject remove rename reorder replace reschedule reset restart restore
    revoke save send shutdown submit subscribe suspend terminate transfer trash unblock unfollow uninstall unsubscribe
    update upload upsert wipe withdraw write
    """.split()
)
# Of what is posted; elsewhere they begin the names of what computes or tells, too: add_fractions, close_price.
_VERBS_OF_POST = frozenset("add clear close complete place register start stop turn".split())
_NOUNS = frozenset("autocomplete details id ids nearby photos search".split())  # place_details is no deed
# Verbs that are nouns too. Between a verb that reads and what is told of them they are: get_book, block_height.
_THINGS = frozenset(
    """
    archive block book charge deposit drop follow insert invite mute patch pause pay post publish purchase put refund
    reset transfer trash upload
    """.split()
)
_READING = frozenset("check count describe fetch find get list lookup query read retrieve search show view".split())
# And before what is told of them, where that is no deed: nobody resets what is called `reset_data` to be told of it.
_TOLD_OF = frozenset(["block", "book"])
_TOLD = frozenset("details height info information price prices rating ratings reviews search".split())
_STEMS = frozenset(stems(" ".join(_VERBS)))
_ASKS = ("?", "\N{FULLWIDTH QUESTION MARK}", "\N{ARABIC QUESTION MARK}")
_QUESTION = re.compile(
    r"\s*(?:who|whose|what|when|where|which|why|how|is|are|was|were|does|do|did|has|have)\b", re.IGNORECASE
)


def changes(api: API) -> bool:
    """Whether an API's method, or the verb that its name begins with, says that it changes something."""
    return not reads(api) and may_change(api)


def may_change(api: API) -> bool:
    """Whether its method, or the verb that its name begins with, says so: some APIs delete what is got."""
    return _says_so(api) or _is_posted(api)


def changes_by_method(api: API) -> bool:
    """Whether its method says so."""
    return api.method.upper() in _METHODS


def _says_so(api: API) -> bool:
    words = [word.lower() for word in _words(api.name)]
    return changes_by_method(api) or any(
        word in _VERBS and not (word in _THINGS and _is_told_of(words, place)) for place, word in enumerate(words[:2])
    )


def _is_told_of(words: Sequence[str], place: int) -> bool:
    """Whether the word at this place is what the name is about, and no deed."""
    if place > 0:
        return words[0] in _READING
    return words[0] in _TOLD_OF and len(words) > 1 and set(words[1:]) <= _TOLD


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", name) if word]


def _is_posted(api: API) -> bool:
    """Whether it posts what it is called to add, place or start, and is not given numbers alone, to compute with."""
    verb, *others = _words(api.name) or [""]
    named = verb.lower() in _VERBS_OF_POST and bool(others) and others[0].lower() not in _NOUNS
    numeric = all(one.schema_.get("type") in ("number", "integer") for one in api.required_list())
    return api.method.upper() == "POST" and named and not (numeric and api.required_list())


def harmless(apis: Sequence[API], task: str, first: int = 0) -> list[API]:
    """Those of the APIs that change nothing; all where the task has a word for a change, or may have a foreign one.

    The `first` ones, which were meant for the task, stay too unless the task is a question, and so does what is only
    posted.
    """
    if not _STEMS.isdisjoint(stems(task)) or (is_foreign(task) and not task.rstrip().endswith(_ASKS)):
        return list(apis)
    if _QUESTION.match(task):
        return [api for api in apis if not changes(api)]
    kept = apis[:first]
    return [api for api in apis if api in kept or reads(api) or not _says_so(api)]
