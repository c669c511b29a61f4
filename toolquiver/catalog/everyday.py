"""Everyday words for what APIs are called by a noun: who asks how far it is wants the distance, and does not say so."""

from __future__ import annotations

import re
from functools import lru_cache, partial

_BETWEEN = r"([^.?!]{1,100}?)"  # what a question is about stays
_MUCH = rf"how much (?:can|could|do|does|did|is|are|was|were|shall|should|will|would) {_BETWEEN}"
_ASKED = {
    "age old": r"how old",
    "antonyms": r"(?:the )?opposite of",
    "area size big large": r"how (?:big|large)",
    "author": r"who wrote",
    "bearing direction": r"(?:which|what) (?:compass )?direction",
    "bright brightness": r"how bright",
    "carrier operator": r"(?:who|which company) (?:runs|operates)",
    "cast actors": r"who (?:plays|played|stars|starred) in",
    "comparison similarity alike similar different": r"how (?:alike|similar|different)",
    "current time": r"(?<!, )(?:how late|what time) is it(?![^.?!]{0,100}\b(?:if|when)\b)",
    "definition meaning": rf"what (?:does|do) {_BETWEEN} mean",
    "depth deep": r"how deep",
    "directions route": r"how (?:can|do) (?:i|we) get (?:from|to)",
    "distance far": r"how far(?! along)",
    "height high tall": r"how (?:tall|high)",
    "hotels accommodation": r"where (?:can|could|should) (?:i|we) (?:stay|sleep)",
    "length duration long": r"how long",
    "location coordinates": r"where (?:is|are|lies)",
    "manufacturer": r"who (?:made|makes|manufactures|produces)",
    "nearest": r"close to",
    "population": r"how many (?:people|inhabitants|residents) (?:live|are there|does|do|has|have)|inhabitants",
    "price cost": rf"how (?:expensive|cheap)|{_MUCH} costs?",
    "probability chance": r"how (?:likely|probable)|what is the chance",
    "public holidays": r"days? off",
    "restaurants": r"where (?:can|could|should) (?:i|we) eat",
    "speed fast": r"how fast",
    "sunrise": r"(?:get|gets|becomes?) light|sun (?:comes?|goes?) up",
    "sunset": r"(?:get|gets|becomes?) dark|sun (?:goes?) down",
    "synonyms": r"(?:another|other) words? for",
    "temperature": r"how (?:hot|warm|cold|cool)",
    "translation": rf"how (?:do|does|would) (?:i|one|we|you) say|how is {_BETWEEN} said in",
    "weather forecast": r"(?:will|does) it (?:rain|snow)|(?:need|take) (?:a coat|an umbrella)",
    "weight mass heavy": rf"how heavy|{_MUCH} weigh",
}
_NOUNS = {noun: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for noun, words in _ASKED.items()}
_ANY = re.compile(rf"\b(?:{'|'.join(_ASKED.values())})\b", re.IGNORECASE)


@lru_cache(maxsize=256)  # a search reads its sentences as words and as meanings
def in_nouns(text: str) -> str:
    """A text with what it asks for as APIs call it: `distance is it to Rome?` for how far it is."""
    for noun, words in _NOUNS.items() if _ANY.search(text) else ():
        text = words.sub(partial(_put, noun), text)
    return text


def _put(noun: str, found: re.Match[str]) -> str:
    return " ".join([noun, *filter(None, found.groups())])
