"""The records of a rehearsal mind's life: identity, sightings, and talks."""

from dataclasses import dataclass, field
from typing import NamedTuple

from actors.sandbox.catalog_items import Inhabitant
from actors.sandbox.rehearsal.engagements import Engagement
from actors.sandbox.rehearsal.language.interpretation import Heard, Proposal


class Who(NamedTuple):
    """Who a mind is, and what it knows when all begins."""

    seat: int
    me: Inhabitant
    names: tuple[str, ...]
    """Of all, by seat."""
    start: int
    """The moment of step 0, in minutes as ``hours`` counts them."""
    step_s: int
    seed: int
    known: tuple[str, ...]
    """Places."""
    aim: Proposal | None = None
    goal: str = ""
    """The goal as it was set."""


class Sighting(NamedTuple):
    """Where somebody was seen last."""

    moment: int
    address: str
    text: str


class SpokenLine(NamedTuple):
    """An utterance of a talk."""

    mine: bool
    text: str
    heard: Heard


@dataclass(slots=True)
class RememberedTalk:
    """A talk that goes on."""

    partner: int
    lines: list[SpokenLine] = field(default_factory=list)
    own: int = 0
    """How many of them are mine."""
    last: Heard | None = None
    """What the partner said last; None: nothing yet."""
    mine: Engagement | None = None
    """What I have proposed."""
    theirs: Engagement | None = None
    """What was proposed to me."""
    replied: str = ""
    """What the partner answered to ``mine``: ``yes``, ``no``; empty: nothing yet."""
    answered: str = ""
    """What I answered to ``theirs``."""
    asked: bool = False
    """Whether I asked for what was left open of ``theirs``."""
    thanked: bool = False
    """Whether I have said something to the answer to ``mine``."""

    def add(self, line: SpokenLine) -> None:
        """One more utterance."""
        self.lines.append(line)
        if line.mine:
            self.own += 1
        else:
            self.last = line.heard

    def said(self, *, mine: bool | None = None) -> str:
        """All that was said, or what one of the two said."""
        return " ".join(one.text for one in self.lines if mine in (None, one.mine))


class RememberedNote(NamedTuple):
    """Something worth remembering."""

    moment: int
    text: str
    importance: float
    subject: str = ""
