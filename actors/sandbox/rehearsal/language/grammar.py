"""Small turns of English: from a wish to what somebody does, from somebody to oneself."""

import re
from functools import lru_cache
from typing import Final

_SHORT: Final = re.compile(r"^[^aeiou]*[aeiou][^aeiouwxy]$")
_AM: Final = {
    "is": "am", "are": "am", "was": "was", "were": "was", "has": "have", "does": "do",
    "goes": "go", "isn't": "am not",
}  # fmt: skip
_OWN: Final = re.compile(r"\b(his|her|their|your)\b(?=\s+\w)", re.IGNORECASE)
_SELF: Final = re.compile(r"\b(?:himself|herself|themselves|themself|yourself)\b", re.IGNORECASE)
_SUBJECT: Final = re.compile(r"^(?:he|she|they|you)\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def doing(verb_phrase: str) -> str:
    """``buy medicine`` becomes ``buying medicine``."""
    verb, space, rest = verb_phrase.strip().partition(" ")
    low = verb.lower()
    if low.endswith("ing") and len(low) > 5:
        return verb_phrase.strip()
    if low.endswith("ie"):
        verb = verb[:-2] + "y"
    elif low.endswith("e") and not low.endswith(("ee", "oe", "ye")) and len(low) > 2:
        verb = verb[:-1]
    elif _SHORT.match(low):
        verb += verb[-1]
    return f"{verb}ing{space}{rest}"


def without_article(phrase: str) -> str:
    """``a wine party`` becomes ``wine party``."""
    return re.sub(
        r"^(?:an?|the|some|my|our|his|her|their)\s+", "", phrase.strip(), flags=re.IGNORECASE
    )


def the(phrase: str) -> str:
    """``a wine party`` becomes ``the wine party``."""
    return f"the {without_article(phrase)}"


def capital(text: str) -> str:
    """With a capital first letter."""
    return text[:1].upper() + text[1:]


def first_person(sentence: str, name: str) -> str:
    """``Ann Bee is busy with her exam`` and ``You are busy …`` become ``I am busy with my …``."""
    text = sentence.strip()
    for subject in (name, name.partition(" ")[0]):
        if text.startswith(subject):
            text = "I" + text[len(subject) :]
            break
    text = _SUBJECT.sub("I", text)
    text = _SELF.sub("myself", _OWN.sub("my", text))

    def conjugated(found: re.Match[str]) -> str:
        return f"{found[1]}{plain_verb(found[2])}"

    text = re.sub(r"^(I (?:also )?)([\w']+)", conjugated, text)
    return re.sub(r"(\b(?:but|and) (?:also )?)(is|has|does|needs|wants)\b", conjugated, text)


def plain_verb(verb: str) -> str:
    """``buys`` becomes ``buy``."""
    if verb in _AM:
        return _AM[verb]
    if verb.endswith(("sses", "shes", "ches", "xes")):
        return verb[:-2]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
