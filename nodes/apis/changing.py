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
_STEMS = frozenset(stems(" ".join(_VERBS)))
_QUESTION = re.compile(
    r"\s*(?:who|whose|what|when|where|which|why|how|is|are|was|were|does|do|did|has|have)\b", re.IGNORECASE
)


def changes(api: API) -> bool:
    """Whether an API's method, or the verb that its name begins with, says that it changes something."""
    if reads(api):
        return False
    begins = spaced(api.name).lower().split()[:2]  # getUser is one word, then get and user
    return api.method.upper() in _METHODS or not _VERBS.isdisjoint(begins)


def harmless(apis: Sequence[API], task: str, first: int = 0) -> list[API]:
    """Those of the APIs that change nothing; all where the task has a word for a change.

    The `first` ones, which were meant for the task, stay too unless the task is a question.
    """
    if not _STEMS.isdisjoint(stems(task)):
        return list(apis)
    kept = [] if _QUESTION.match(task) else apis[:first]
    return [api for api in apis if api in kept or not changes(api)]
