"""How much of a request's words some questions have: a small model loses parts of it, and adds what nobody asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from toolquiver.catalog.stems import folded
from toolquiver.catalog.text import content_words
from toolquiver.nodes.texts.parts import NAMED, asks, pieces_of, sentences

_STEM = 5  # letters: enough to tell words apart, few enough to know `melts` for `melting`
_NEW_WORDS, _NEW_SHARE = 2, 0.2  # a part of the query is two of its words, or a fifth of a short one
_POINT = re.compile(r"(?<=\d)[.,](?=\d)")  # 0.55 is one number, and not 55


def touching(questions: Sequence[str], request: str) -> list[bool]:
    """For each question whether it has words that the request asks, or a name or number of it, and none before has."""
    asked, named = _asked(request), _stems(" ".join(NAMED.findall(request)))
    untouched, found = asked | named, list[bool]()
    for question in questions:
        new = _stems(question) & untouched
        found.append(bool(new & named) or len(new) >= min(_NEW_WORDS, _NEW_SHARE * len(asked)))
        untouched -= new
    return found


def forgets(questions: Sequence[str], request: str) -> bool:
    """Whether the questions leave out what the request asks: a good part of its words is in none of them."""
    asked = _asked(request)
    return len(asked - _stems(" ".join(questions))) >= max(_NEW_WORDS, _NEW_SHARE * len(asked))


def passed_over(texts: Sequence[str], request: str) -> int:
    """How many of the request's own questions share no word with these texts."""
    pieces, said = map(_stems, pieces_of(request)), _stems(" ".join(texts))
    return sum(bool(piece) and not piece & said for piece in pieces)


def names_more(question: str, before: Sequence[str], request: str) -> bool:
    """Whether the question has a name or a number of the request that none before has."""
    named = _stems(" ".join(NAMED.findall(request)))
    return bool(named & _stems(question) - _stems(" ".join(before)))


def begun(words: Iterable[str]) -> set[str]:
    """How words begin, without accents: enough to know them where they are inflected; what has a digit stays whole."""
    return {folded(word)[:_STEM] if word.isalpha() else word for word in words}


def _asked(request: str) -> set[str]:
    """The words of the sentences that ask, or of all when none does."""
    return _stems(" ".join(filter(asks, sentences(request))) or request)


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in content_words(_POINT.sub("x", text))}
