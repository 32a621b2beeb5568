"""A part for a situation nobody has written one for, made from the seat's own goal."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from actors.social.rehearsal.grammar import (
    confession,
    first_person,
    mentions_partner,
    sentence,
    spoken_to,
)
from actors.social.rehearsal.improvised_tasks import bargain_part, divide_part, mutual_friend_part
from actors.social.rehearsal.parts import ScriptPart, Voice, improvised_lines, improvised_replies

_TAG = re.compile(r"<[^>]+>")
_ASIDE = re.compile(r"\(?\s*\b(?:extra information|clarification hint|strategy hint|hint)s?\s*:\s*",
                    re.IGNORECASE)  # fmt: skip
_HINT = re.compile(r"<(strategy|clarification)_hint>.*?</\1_hint>", re.DOTALL)
_SECOND_THOUGHT = re.compile(
    r",? (?:but|while|without|so that|so as|in case|unless|and in any case|if|because|although|"
    r"though|which|that isn't|as you|and show off|and rationalize)\b.*",
    re.DOTALL,
)
_REQUEST = re.compile(
    r"^(?:convince|persuade|get|ask)\b(?P<whom>(?: [\w'-]+){1,4}?) to (?P<what>\w.*)$",
    re.IGNORECASE | re.DOTALL,
)
_WISH = re.compile(r"^(?:you (?:want|need|would like|wish|have) to|(?:want )?to) ", re.IGNORECASE)
_VERBS = frozenset(
    [
        "accept",
        "acquire",
        "apologise",
        "apologize",
        "appreciate",
        "ask",
        "assure",
        "attempt",
        "avoid",
        "be",
        "borrow",
        "break",
        "bring",
        "buy",
        "change",
        "clarify",
        "clear",
        "come",
        "confess",
        "consider",
        "continue",
        "convince",
        "correct",
        "decide",
        "decline",
        "defend",
        "distance",
        "donate",
        "draw",
        "drive",
        "encourage",
        "enjoy",
        "explain",
        "express",
        "figure",
        "find",
        "finish",
        "get",
        "give",
        "go",
        "have",
        "help",
        "hold",
        "insist",
        "introduce",
        "invite",
        "join",
        "justify",
        "keep",
        "know",
        "learn",
        "leave",
        "lend",
        "listen",
        "maintain",
        "make",
        "meet",
        "minimize",
        "minimise",
        "move",
        "negotiate",
        "offer",
        "pay",
        "persuade",
        "play",
        "prevent",
        "propose",
        "protect",
        "provide",
        "rekindle",
        "remain",
        "respect",
        "reveal",
        "save",
        "see",
        "seek",
        "sell",
        "settle",
        "share",
        "show",
        "sleep",
        "spend",
        "start",
        "stay",
        "stop",
        "support",
        "take",
        "talk",
        "tell",
        "trim",
        "try",
        "understand",
        "visit",
        "watch",
        "win",
        "work",
    ]
)
_MISSPOKEN = frozenset({"don't", "not", "never", "maximize", "maximise"})


class Wants(NamedTuple):
    """What a goal comes to in the seat's own words."""

    request: str
    """What the other is asked to do, as in ``join the trip``; or empty."""
    wish: str
    """What the seat wants to do itself; or empty."""
    facts: tuple[str, ...]
    """What it knows, one sentence each."""


@lru_cache(maxsize=4096)
def improvised_part(context: str, goal: str, advice: tuple[str, ...] = ()) -> ScriptPart:
    """A part from the situation and the seat's goal as they are shown to it. ``advice``: passages
    of the goal, which nobody says aloud."""
    for passage in advice:
        goal = goal.replace(passage, " ")
    games: tuple[Callable[[str, str], ScriptPart | None], ...] = (
        bargain_part, mutual_friend_part, divide_part,
    )  # fmt: skip
    for game in games:
        part = game(context, goal)
        if part is not None:
            return part
    wants = wants_of(goal)
    lines = improvised_lines()
    about = "request" if wants.request else "wish" if wants.wish else "open"
    what = wants.request or wants.wish

    def filled(pool: str) -> tuple[str, ...]:
        return tuple(line.replace("{what}", what) for line in lines[pool])

    told = tuple(
        frame.replace("{fact}", _inside(frame, fact))
        for frame, fact in zip(lines["fact"] * 3, wants.facts, strict=False)
    )
    return ScriptPart(
        open=filled(f"open_{about}"),
        argue=told[::2] + filled(f"argue_{about}") + filled("argue"),
        ask=filled(f"ask_{about}") + filled("ask"),
        tell=told[1::2] + filled("tell"),
        bluff=filled("bluff"),
        reply=improvised_replies(),
        offer=filled(f"offer_{about}") + filled("offer"),
        accept=filled("accept"),
        act=filled("act"),
    )


def _inside(frame: str, fact: str) -> str:
    """A fact set into a frame: small after a colon unless it begins with ``I``."""
    if frame.startswith("{fact}") or fact.startswith(("I ", "I'")):
        return fact
    return fact[0].lower() + fact[1:]


def wants_of(goal: str) -> Wants:
    """What a goal comes to, once its hints and its second thoughts are put aside."""
    goal = _TAG.sub(" ", _HINT.sub(" ", goal))
    asides = _ASIDE.split(" ".join(goal.split()))
    main = re.split(r"[(.]", asides[0].strip())[0].strip()
    rest = asides[0].strip()[len(main) :].lstrip(" (.")
    hinted = [bool(re.match(r"\(?\s*(?:clarification |strategy )?hint", m, re.IGNORECASE))
              for m in _ASIDE.findall(" ".join(goal.split()))]  # fmt: skip
    facts = [rest] + [text for text, hint in zip(asides[1:], hinted, strict=True) if not hint]
    request, wish = _aim(_SECOND_THOUGHT.sub("", main))
    return Wants(request, wish, _facts(facts))


def _aim(main: str) -> tuple[str, str]:
    """The request or the wish in a goal's first clause."""
    if main.lower().startswith("you ") and not _WISH.match(main):
        return "", ""
    main = _WISH.sub("", main).strip(" .")
    asked = _REQUEST.match(main)
    if asked:
        what = spoken_to(asked["what"])
        return ("", "") if what.split()[0].lower() in _MISSPOKEN else (_lower(what), "")
    first = main.partition(" ")[0].lower()
    if first not in _VERBS or re.search(r"\bthe(?:m|y|ir)\b", main):
        return "", ""
    return "", _lower(spoken_to(main))


def _lower(text: str) -> str:
    return text if text.startswith(("I ", "I'")) else text[0].lower() + text[1:]


def _facts(texts: list[str]) -> tuple[str, ...]:
    """The sentences a seat can say about itself without clumsiness."""
    facts = []
    for text in texts:
        for raw in re.split(r"(?<=[.!?;]) ", text):
            plain = raw.strip(" ().;")
            if 15 <= len(plain) <= 170 and not mentions_partner(plain) and "penal" not in plain:
                facts.append(sentence(first_person(plain)))
    return tuple(facts[:6])


@lru_cache(maxsize=4096)
def improvised_voice(secret: str) -> Voice:
    """A voice for somebody who has none of their own."""
    lines = improvised_lines()
    told = confession(secret)
    plain = secret.strip().rstrip(".")
    confess = tuple(frame.replace("{told}", told) for frame in lines["confess"]) if told else ()
    if not told and plain:
        confess = tuple(frame.replace("{told}", plain) for frame in lines["confess_bare"])
    return Voice(hint=lines["hint"], confess=confess, deflect=lines["deflect"])
