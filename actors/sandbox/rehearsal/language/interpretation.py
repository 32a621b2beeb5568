"""What somebody understands of what is said to them, or what they said themselves.

A plan, a place and a time are known from nowhere else: what was not said, or was not understood,
nobody knows.
"""

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple, get_args

from actors.sandbox.rehearsal.language.intents import around, cues_in
from actors.sandbox.rehearsal.language.times import When, times_in

ProposalKind = Literal["help", "company", "meeting", "gathering"]
KINDS: Final[tuple[ProposalKind, ...]] = get_args(ProposalKind)
_LONGEST: Final = 90
"""Characters of what one keeps of anything that was said."""
_MOST_STEPS: Final = 4
_SENTENCE: Final = re.compile(r"(?<=[.?!])\s+")


class AimStep(NamedTuple):
    """One of the things to be done, one after the other."""

    act: str
    """``buy medicine``."""
    place: str
    """Where, in words; empty: not said."""


class Proposal(NamedTuple):
    """What somebody would have others do, as far as it was said. ``gathering``: that people come;
    ``company``: that some join in something; ``meeting``: to meet one; ``help``: that somebody does
    something for one."""

    kind: ProposalKind
    what: str
    """``a wine party``; of company and a meeting what for: ``to have coffee``; of help its first
    step."""
    when: When = When()
    where: str = ""
    """In words; empty: not said."""
    names: str = ""
    """Words that may name whose it is, or whom a meeting is to be with."""
    steps: tuple[AimStep, ...] = ()
    """Of help."""


class Heard(NamedTuple):
    """An utterance, understood."""

    intents: frozenset[str]
    """As ``intents.toml`` calls them."""
    when: When = When()
    """A time it names."""
    where: str = ""
    """A place it names after *at*."""
    proposal: Proposal | None = None

    @property
    def yes(self) -> bool:
        """Whether it consents; what refuses as well does not."""
        return "yes" in self.intents and not self.no

    @property
    def no(self) -> bool:
        """Whether it refuses."""
        return "no" in self.intents

    @property
    def asks(self) -> bool:
        """Whether it asks when or where something is."""
        return not self.intents.isdisjoint(("when", "where"))


@lru_cache(maxsize=16384)
def heard(text: str, today: int) -> Heard:
    """What an utterance says. ``today``: the date's ordinal."""
    found = times_in(text, today)
    intents, where = set[str](), ""
    proposal: Proposal | None = None
    for sentence in _SENTENCE.split(found.rest):
        cues = cues_in(sentence, "said")
        intents.update(cues)
        where = where or placed(sentence)[1]
        kind = next((one for one in KINDS if one in cues), None)
        if kind is not None and proposal is None:
            before, behind = around(sentence, cues[kind])
            proposal = _proposal(kind, before, behind, found.when)
    return Heard(frozenset(intents), found.when, where, proposal)


def _proposal(kind: ProposalKind, before: str, behind: str, when: When) -> Proposal | None:
    if kind == "help":
        parts = behind.replace(" from ", " at ").split(" and then ")[:_MOST_STEPS]
        steps = tuple(AimStep(act.removesuffix(" to me"), at) for act, at in map(placed, parts))
        return Proposal(kind, steps[0].act, when, steps=steps) if steps[0].act else None
    what, where = placed(behind)
    return Proposal(kind, what, when, where, names=before) if what else None


def placed(text: str) -> tuple[str, str]:
    """What, and the place it is at."""
    what, _, where = text.partition(" at ")
    return _piece(what), _piece(where)


def _piece(text: str) -> str:
    """What stands before the first comma, as far as it fits into what one does: without ``@``."""
    first = text.strip(" ,;").partition(",")[0]
    return first.replace("@", "at").strip(" .?!;")[:_LONGEST]
