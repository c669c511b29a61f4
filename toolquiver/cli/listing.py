"""APIs one below the other, their ids always whole: an id is there to be copied into the next command."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from toolquiver.cli.plain import harmless, plain


class Entry(NamedTuple):
    """An API as it is listed: its id, what is said of it, its score in a search, and the group it stands in."""

    id: str
    notes: Sequence[str]
    score: str = ""
    group: tuple[str, ...] = ()


def show(entries: Iterable[Entry]) -> None:
    """Print the entries: on a terminal with the notes below each id, else one a line, its parts between tabs."""
    console = Console()
    group: tuple[str, ...] = ()
    for entry in entries:
        if not console.is_terminal:
            print("\t".join(_one_line(part) for part in _parts(entry)))
            continue
        if entry.group != group:
            group = entry.group
            console.print(plain(_one_line(" / ".join(group)), "underline"), soft_wrap=True)
        _below_each_other(console, entry)


def _parts(entry: Entry) -> list[str]:
    return [*entry.group, *([entry.score] if entry.score else []), entry.id, *entry.notes]


def _below_each_other(console: Console, entry: Entry) -> None:
    head = Text.assemble(f"{entry.score}  " if entry.score else "  ", plain(entry.id, "bold"))
    console.print(head, soft_wrap=True, highlight=False)  # a line that is broken by us cannot be copied
    for note in entry.notes:
        if note:
            console.print(Padding(plain(_one_line(note)), (0, 0, 0, 6), expand=False), highlight=False)


def _one_line(text: str) -> str:
    return harmless(" ".join(text.split()))
