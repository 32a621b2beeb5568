"""How people ask, consent and decline, and how they name things and places: by words, in English.

Shallow on purpose: another wording is not found, and irony and negation are not understood.
"""

import re
import unicodedata
from collections.abc import Iterable
from math import ceil
from typing import Final

from actors.sandbox.catalog_items import Goal
from actors.text.stems import content_stems

_ASKING: Final = re.compile(
    r"\binvit|\bjoin|\bcome\b|\bcoming\b|\battend|\bwelcome\b|\bcare to\b|"
    r"\b(?:would|could|can|will|might|may) (?:you|we|i)\b|"
    r"\bare you (?:free|available|interested|able|up for|in\b)|\bdo you (?:have|want|think)|"
    r"\blike (?:you )?to\b|\blove (?:for you |it if you |you )?(?:to\b|came|come|could)|"
    r"\bhop(?:e|ing) (?:you|to)|\bsee you\b|\bbe there\b|\blet'?s\b|\bshall we\b|\bwant(?:s)? to\b|"
    r"\binterested\b|\bfavou?r\b|\bhelp (?:me|with)|\bplease\b|\bneed(?:s)? (?:you|some|to|your)|"
    r"\blooking for\b|\bmeet\b|\bmeeting\b|\bhow about\b|\bwhat about\b|\bask(?:ing)? you\b",
    re.IGNORECASE,
)
_ASSENT: Final = re.compile(
    r"\b(?:yes|yeah|yep|sure|ok|okay|agreed|deal|great|perfect|lovely|wonderful|fantastic|cool|"
    r"excellent|absolutely|definitely|certainly|gladly|alright|all right|fine|good|brilliant)\b|"
    r"\bof course\b|\bsee you\b|\bcount me in\b|\bi'?m in\b|\bwhy not\b|\bwith pleasure\b|"
    r"\b(?:i'?ll|i will|we'?ll|we will) (?:be|come|see|meet|join|do|bring|wait)|\blet'?s\b|"
    r"\bi'?d (?:love|like|be happy|be glad)|\b(?:happy|glad) to\b|\blook(?:ing)? forward\b|"
    r"\b(?:works|suits|sounds)\b|\bcan'?t wait\b|\bno (?:problem|worries)\b",
    re.IGNORECASE,
)
_DECLINING: Final = re.compile(
    r"\b(?:can'?t|cannot|can not|won'?t|couldn'?t|wouldn'?t|unable|unfortunately|sorry|afraid|"
    r"decline|impossible)\b|\bnot (?:able|sure|free|available|possible|interested|going to)\b|"
    r"\bdon'?t (?:think|have)\b|\bno(?=[,.!]|\s*$)|\banother time\b|\bbusy\b|\bi have to pass\b",
    re.IGNORECASE,
)
_NO_DECLINING: Final = re.compile(
    r"\bcan'?t wait\b|\bno (?:problem|worries)\b|\bsorry (?:to keep|for the wait|i'?m late)\b|"
    r"\bnot at all\b|\bwouldn'?t miss\b|\bno,? not at all\b",
    re.IGNORECASE,
)

_FETCHING: Final = """
buy bought purchase get grab fetch collect pick borrow order obtain restock find
"""
_BRINGING: Final = "deliver bring send drop take carry hand pass drive leave"
FETCH: Final = frozenset(_FETCHING.split())
BRING: Final = frozenset(_BRINGING.split())
"""What one asks others to do first, and then."""

_IDIOMS: Final = re.compile(
    r"\b(?:take (?:care|your time|place|a seat|it easy)|drop (?:in|by)|get (?:on|going|well|better|"
    r"back|along|started|together)|find out|pass by|in order|on the other hand|leave you to it)\b",
    re.IGNORECASE,
)
"""Where verbs of fetching and bringing mean something else."""

_PLACES: Final = """
cafe coffee shop pub bar park library classroom college school campus office store market pharmacy
gallery studio dorm dormitory hall garden plaza square restaurant bakery museum theatre theater gym
house home apartment room kitchen lab laboratory church station workshop farm harbour harbor mill
bench fountain diner tavern inn clinic hospital place
"""
_PLACE: Final = "|".join(_PLACES.split())
_SOME_PLACE: Final = re.compile(
    r"\b(?:at|in|to|by|near|outside|inside|into|on)\s+(?:the|my|your|our|a|his|her|their|this|that)?"
    rf"\s*(?:[\w'-]+\s+){{0,4}}?(?P<noun>{_PLACE})\b",
    re.IGNORECASE,
)
_OWN_HOME: Final = re.compile(
    r"\b(?:my|our) (?:place|house|home|dorm|apartment|room|flat|studio)\b|\bto me\b",
    re.IGNORECASE,
)


def asks(text: str) -> bool:
    """Whether somebody invites, asks or proposes."""
    return bool(_ASKING.search(_plain(text)))


def consents(text: str) -> bool:
    """Whether somebody takes up what was proposed."""
    return bool(_ASSENT.search(_plain(text))) and not declines(text)


def declines(text: str) -> bool:
    """Whether somebody turns something down, or takes it back."""
    return bool(_DECLINING.search(_NO_DECLINING.sub("", _plain(text))))


def names_thing(text: str, goal: Goal) -> bool:
    """Whether a text names what a goal is about: all the words of one of its keywords, whatever
    their forms."""
    return _holds_any(text, (goal.keyword, *goal.other_keywords))


def names_object(text: str, goal: Goal) -> bool:
    """Whether a text names what is to be fetched or brought: of one of the goal's keywords the last
    word before any "to", "from" or "at", where that is no verb."""
    stems = content_stems(_plain(text))
    return any(_object(keyword) & stems for keyword in (goal.keyword, *goal.other_keywords))


def _object(keyword: str) -> frozenset[str]:
    phrase = re.split(r"\b(?:to|from|at|for)\b", _plain(keyword))[0]
    words = [word for word in phrase.casefold().split() if word not in FETCH | BRING]
    return next((found for word in reversed(words) if (found := content_stems(word))), frozenset())


def tells_to(text: str, goal: Goal, place: int) -> bool:
    """Whether a text holds the verb of a goal, or one of its kind. ``place``: the goal's among
    those of the task, which says what kind where the keyword does not."""
    first = goal.keyword.casefold().split()
    kinds = [kind for kind in (FETCH, BRING) if first and first[0] in kind]
    wanted = kinds[0] if kinds else (FETCH if place == 0 else BRING)
    words = re.findall(r"[a-z]+", _IDIOMS.sub("", _plain(text)).casefold())
    return any(word in wanted or word.removesuffix("s") in wanted for word in words)


def names_place(text: str, place: str, home: str = "") -> bool:
    """Whether a text names a place, ``sector`` or ``sector:arena``: of the most exact part three
    words in five, and at least two where there are two. ``home``: the speaker's address, which
    "my house" names too."""
    exact = place.rpartition(":")[2]
    wanted = content_stems(_plain(exact))
    if not wanted:
        return place.casefold() in text.casefold()
    there = len(wanted & content_stems(_plain(text)))
    if there >= max(min(2, len(wanted)), ceil(0.6 * len(wanted))):
        return True
    return bool(home) and place in home and bool(_OWN_HOME.search(_plain(text)))


def places_in(text: str, known: Iterable[str] = ()) -> frozenset[str]:
    """The places that a text names: those of ``known``, and words for one after "at", "in", …."""
    nouns = {match["noun"].casefold() for match in _SOME_PLACE.finditer(_plain(text))}
    return frozenset(nouns | {one for one in known if names_place(text, one)})


def _holds_any(text: str, phrases: Iterable[str]) -> bool:
    plain = _plain(text)
    stems = content_stems(plain)
    for phrase in phrases:
        wanted = content_stems(_plain(phrase))
        if wanted <= stems if wanted else phrase.casefold() in plain.casefold():
            return True
    return False


def _plain(text: str) -> str:
    """Without accents and typographic marks."""
    bare = unicodedata.normalize("NFKD", text.replace("’", "'"))
    return "".join(letter for letter in bare if not unicodedata.combining(letter))
