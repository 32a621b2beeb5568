"""Rewrites what a catalog says about a character ("you need…", "Has a hidden…") as what the
character would say. English only; a text that cannot be rewritten is left out."""

import re

_OBJECT = re.compile(
    r"\b(to|for|with|of|from|at|about|on|by|than|like|gives?|gave|tells?|told|helps?|helped|lets?|"
    r"makes?|made|asks?|asked|costs?|leaves?|hurts?|affects?|bothers?|keeps?|lends?|lent|shows?|pays?|owes?|brings?|teach|"
    r"offers?) you\b(?!['’])",
    re.IGNORECASE,
)
_SWAPS = tuple(
    (re.compile(rf"\b{old}\b", re.IGNORECASE), new)
    for old, new in (
        ("you are", "I am"), ("you're", "I'm"), ("you were", "I was"), ("yourself", "myself"),
        ("yours", "mine"), ("your", "my"), ("you", "I"),
    )
)  # fmt: skip
_PARTNER = (
    r"(?:friend|partner|roommate|neighbou?r|other person|other individual|other inmate|other|"
    r"another person|co-actor|individual|person)"
)
_PARTNER_WORD = re.compile(
    rf"\b(?:(?:your|the|a|another) {_PARTNER}|(?<=help )friend|(?<=to )friend)\b", re.IGNORECASE
)
_THEM = "\x01"
_SUBJECT = re.compile(r"^(?:he|she|they)(?P<is>['’]s)?\b\s*", re.IGNORECASE)
_OWN = re.compile(r"\b(his|her|their)\b", re.IGNORECASE)
_SELF = re.compile(r"\b(himself|herself|themselves|themself)\b", re.IGNORECASE)
_BARE_STATE = re.compile(
    r"(?:secretly )?(?:in|involved|part|descendant|an?|the)\b|(?:secretly )?\w+ing\b"
)
_IRREGULAR = {"has": "have", "is": "am", "was": "was", "does": "do", "goes": "go"}


def first_person(text: str) -> str:
    """``you have your reasons`` becomes ``I have my reasons``."""
    text = _OBJECT.sub(r"\1 me", text)
    for pattern, new in _SWAPS:
        text = pattern.sub(new, text)
    return re.sub(r"\b(I [^.,]*) and are\b", r"\1 and am", text)


def mentions_partner(text: str) -> bool:
    """Whether a text speaks of the one spoken to in the third person."""
    return bool(_PARTNER_WORD.search(text))


def spoken_to(text: str) -> str:
    """In the first person, to the one it is about: ``help your friend with your friend's debts``
    becomes ``help you with your debts``."""
    text = first_person(_PARTNER_WORD.sub(_THEM, text))
    return re.sub(f"{_THEM}['’]s", "your", text).replace(_THEM, "you")


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    text = text.strip().rstrip(",;:")
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else f"{text}."


def confession(secret: str) -> str:
    """A secret told in the first person, or empty where the grammar is beyond this module."""
    text = secret.strip().rstrip(".")
    if not text or len(text) > 120 or ". " in text:
        return ""
    subject = _SUBJECT.match(text)
    rest = text[subject.end() :] if subject else text
    if subject and subject["is"]:
        rest = f"is {rest}"
    if not rest:
        return ""
    rest = rest[0].lower() + rest[1:]
    rest = re.sub(r", \w+s .*", "", rest).replace(" and has ", " and have ")
    rest = re.sub(r"\bbut never (\w+[^s])s\b", r"but never \1", rest)
    rest = _SELF.sub("myself", _OWN.sub("my", rest))
    if not subject and _BARE_STATE.match(rest):
        noun = rest.startswith("descendant")
        am = "I was" if "youth" in rest else "I'm"
        return f"{am} {'a ' if noun else ''}{rest}."
    return f"I {_base_form(rest)}."


def _base_form(predicate: str) -> str:
    """``secretly loves dogs`` becomes ``secretly love dogs``."""
    words = predicate.split(" ")
    at = 0
    while at < len(words) - 1 and (words[at].endswith("ly") or words[at] == "once"):
        at += 1
    verb = words[at]
    if verb in _IRREGULAR:
        words[at] = _IRREGULAR[verb]
    elif verb.endswith("ies"):
        words[at] = f"{verb[:-3]}y"
    elif verb.endswith(("sses", "shes", "ches", "xes")):
        words[at] = verb[:-2]
    elif verb.endswith("s") and not verb.endswith("ss"):
        words[at] = verb[:-1]
    return " ".join(words)
