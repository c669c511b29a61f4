"""Tools that tell of named things, such as an encyclopaedia's pages, and the names that stand in texts.

A page names the next one to read. Which names there are is read by code: a model that has to write one writes the
whole question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.feeds import output_fields
from toolquiver.catalog.text import content_words
from toolquiver.nodes.responses import object_in
from toolquiver.nodes.texts.parts import sentences

# What inputs that take a name are called, or described as; those that take more words than a name; and what outputs
# that tell of a thing are called.
_NAMING = set("article entity name page person place subject term thing title topic word".split())
_WORDY = set("keyword phrase query question string text".split())
_TELLING = set("abstract article biography body content definition description extract sentence summary text".split())
_UPPER = "A-Z" + "".join(filter(str.isupper, map(chr, range(0xC0, 0x530))))  # Latin, Greek, Cyrillic
# A word of a name, with the little ones before the next, and in brackets what tells it from its namesakes.
_WORD = (
    rf"(?:(?:[{_UPPER}]|Dr|Jr|Mr|Mrs|Ms|Mt|Sr|St)\.(?=\s)"
    rf"|(?:[{_UPPER}]|\d+(?:st|nd|rd|th)\s+[{_UPPER}])[\w\u2019'&/-]*(?:\.\w+)*)"
)
_LINK = r"(?:\s+(?:of|the|for|in|on|to|at|de|la|le|von|van|der|del|du|a|an|&)){0,2}"
_SAME = r"(?:\s\((?:\d{4}\s)?(?:[A-Z]?[a-z]+\s?){1,3}\))?"
_NAME = re.compile(rf"(?<![\w\u2019']){_WORD}(?:{_LINK}\s+[\"\u201c]?(?:{_WORD}|\d+)[\"\u201d]?)*{_SAME}")
_QUOTED = re.compile(r"[\"\u201c]([^\"\u201c\u201d]{2,80})[\"\u201d]")
_OF_FORM = re.compile(
    r"\s*(?:please\s+)?(?:answer|give|provide|reply|respond|return|state|write)\b.*\b(?:alone|answer|only)\b",
    re.IGNORECASE,
)
_MISSING = re.compile(
    r"\b(?:no|not any|without an?) (?:\w+ )?(?:article|entry|match|page|result)|\bnot? (?:be )?found\b|does not exist",
    re.IGNORECASE,
)
_ARTICLES = {"a", "an", "the"}
_OWN = re.compile(r"['\u2019]s$")
_AROUND = " .,;:\"'\u201c\u201d\u2019"
_LIST = re.compile(r":\s*([^:]+)$")
_NAMESAKE = re.compile(r"\s\([^()]+\)$")


def reader_among(apis: Sequence[API]) -> API | None:
    """The one API that tells of a thing by its name alone, where all of them take names and words, and give texts."""
    readers = [api for api in apis if len(needed := api.required_list()) == 1 and _takes(needed[0], _NAMING)]
    return readers[0] if len(readers) == 1 and all(map(_tells, apis)) else None


def name_parameter(api: API) -> str:
    """The input of a reader that takes the name."""
    return api.required_list()[0].name


def _takes(parameter: Parameter, kind: set[str]) -> bool:
    """Whether it takes what is called so, and not, as a search of the web does, a question."""
    schema = parameter.schema_
    named = _singular(parameter.name)
    words = named | _singular(parameter.description)
    if schema.get("type") != "string" or schema.keys() & {"enum", "format"} or kind.isdisjoint(words):
        return False
    return not kind.isdisjoint(named) or _WORDY.isdisjoint(named)


def _tells(api: API) -> bool:
    """Whether it takes names or words, and gives a text, as its output or, without one, its description says."""
    fields = output_fields(api.output)
    given = _singular(" ".join(fields) or f"{api.function} {api.description}")
    told = bool(fields) or (api.output or {}).get("type", "object") in ("object", "string")
    needed = api.required_list()
    takes = bool(needed) and all(_takes(parameter, _NAMING | _WORDY) for parameter in needed)
    return takes and told and not _TELLING.isdisjoint(given)


def _singular(text: str) -> set[str]:
    return {word.rstrip("s") for word in content_words(text)}


def asked_names(question: str) -> list[str]:
    """The names that a question has, in its order; not those of a sentence that tells the form of the answer."""
    told = [sentence for sentence in sentences(question) if not _OF_FORM.match(sentence)]
    return names_in(" ".join(told))


def names_in(text: str) -> list[str]:
    """The names of a text, in its order: capitalised words, with the little ones between them, and what is quoted.

    A single word that begins a sentence is capitalised anyhow, and is not a name.
    """
    found = {match.start(1): match[1] for match in _QUOTED.finditer(text)}
    begins = {0}
    for sentence in sentences(text):
        begins.add(text.find(sentence, max(begins)))
    for match in _NAME.finditer(text):
        name, start = match[0], match.start()
        if start in begins:
            name = _unopened(name)
            start += len(match[0]) - len(name)
        name = _OWN.sub("", name.strip(_AROUND))
        if name[:1].isupper() or name[:1].isdigit():
            found.setdefault(start, name)
    return list(dict.fromkeys(name for _, name in sorted(found.items()) if content_words(name)))


def _unopened(name: str) -> str:
    """A name at the beginning of a sentence without what is capitalised there anyhow: `Was the Bank of England`."""
    first, *others = name.split(" ")
    if others and content_words(first) and others[0] not in _ARTICLES:
        return name
    return " ".join(dropwhile(lambda word: word.isalpha() and word.islower(), others))


def page_text(observation: str) -> str:
    """What a page says, without the marks of its form."""
    fields = object_in(observation)
    if fields is None:
        return observation
    return ": ".join(" ".join(str(value).split()) for value in fields.values() if value not in ("", None))


def is_missing(page: str) -> bool:
    """Whether a page says that there is none."""
    return bool(_MISSING.search(page[:200]))


def similar(page: str, name: str, context: str) -> str:
    """Of the names that are listed where a page is missing, the one that means the same; empty where none does.

    One that stands in the context does, commas and all. Else it has nothing that neither the name nor the context has,
    but for what tells it from its namesakes, `Gigantic (2008 film)`: of these the one that the context speaks of.
    """
    listed = _LIST.search(page.strip().rstrip("."))
    pieces = [piece.strip() for piece in listed[1].split(",")] if listed else []
    runs = (", ".join(pieces[start:end]) for end in range(len(pieces) + 1) for start in range(end))
    said = [run for run in runs if run in context and name in run and run != name]
    asked, known = set(content_words(name)), set(content_words(f"{name} {context}"))
    alike = list[tuple[int, int, str]]()
    for place, piece in enumerate(pieces):
        own = set(content_words(_NAMESAKE.sub("", piece)))
        if piece != name and own and own <= known and (own <= asked or asked <= own):
            alike.append((len(set(content_words(piece)) & known), -place, piece))
    return max(said, key=len, default="") or max(alike, default=(0, 0, ""))[2]
