"""Tools that change something in the world: no question is answered by one, and none is a way out.

Asked where an order is, a small model that is not content with what it was told cancels the order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolquiver.calling.approval import reads
from toolquiver.catalog import API
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import spaced
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
# Of what is posted; elsewhere they begin the names of what computes, too: add, set_difference, place_details.
_VERBS_OF_POST = frozenset("add clear close complete open place register schedule set sign start stop turn".split())
_STEMS, _STEMS_OF_POST = (frozenset(stems(" ".join(verbs))) for verbs in (_VERBS, _VERBS_OF_POST))
_ASKS = ("?", "\N{FULLWIDTH QUESTION MARK}", "\N{ARABIC QUESTION MARK}")
_QUESTION = re.compile(
    r"\s*(?:who|whose|what|when|where|which|why|how|is|are|was|were|does|do|did|has|have)\b", re.IGNORECASE
)


def changes(api: API) -> bool:
    """Whether an API's method, or the verb that its name begins with, says that it changes something."""
    if reads(api):
        return False
    method = api.method.upper()
    verbs = _VERBS | _VERBS_OF_POST if method == "POST" else _VERBS
    return method in _METHODS or not verbs.isdisjoint(_begins(api))


def _begins(api: API) -> list[str]:
    """The words that may be an API's verb: getUser is one word, then get and user."""
    return spaced(api.name).lower().split()[:2]


def harmless(apis: Sequence[API], task: str, first: int = 0) -> list[API]:
    """Those of the APIs that change nothing; all where the task has a word for a change, or may have a foreign one.

    The `first` ones, which were meant for the task, stay too unless the task is a question, and so does what has a verb
    of the task in its name.
    """
    said = frozenset(stems(task))
    if not _STEMS.isdisjoint(said) or (is_foreign(task) and not task.rstrip().endswith(_ASKS)):
        return list(apis)
    if _QUESTION.match(task):
        return [api for api in apis if not changes(api)]
    kept, posted = apis[:first], said & _STEMS_OF_POST
    return [api for api in apis if api in kept or not changes(api) or posted & set(stems(" ".join(_begins(api))))]
