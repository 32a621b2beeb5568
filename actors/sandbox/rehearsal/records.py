"""The records of a rehearsal mind's life: identity, sightings, and talks."""

from typing import NamedTuple

from actors.sandbox.catalog_items import Inhabitant
from actors.sandbox.rehearsal.engagements import Engagement
from actors.sandbox.rehearsal.language.aims import PerformerAim
from actors.sandbox.rehearsal.language.interpretation import Heard


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
    aim: PerformerAim | None = None
    goal: str = ""
    """The goal as it was set."""
    town: bool = True
    """Whether one lives in a town, or in a talk alone."""


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


class RememberedTalk:
    """A talk that goes on."""

    __slots__ = (
        "answered", "asked", "counter", "last", "lines", "mine", "number", "own", "partner",
        "replied", "theirs", "told",
    )  # fmt: skip

    def __init__(self, number: int, partner: int) -> None:
        self.number, self.partner = number, partner
        self.lines: list[SpokenLine] = []
        self.own = 0
        """How many of them are mine."""
        self.last: Heard | None = None
        """What the partner said last; None: nothing yet."""
        self.mine: Engagement | None = None
        """What I have proposed."""
        self.theirs: Engagement | None = None
        """What was proposed to me."""
        self.replied = ""
        """What the partner answered to ``mine``: ``yes``, ``no``; empty: nothing yet."""
        self.answered = ""
        """What I answered to ``theirs``."""
        self.asked = False
        """Whether who is invited asked for what was left open."""
        self.counter: int | None = None
        """Another time of day that was proposed instead."""
        self.told: set[str] = set()
        """Kinds of things that I have brought up."""

    def add(self, line: SpokenLine) -> None:
        """One more utterance."""
        self.lines.append(line)
        if line.mine:
            self.own += 1
        else:
            self.last = line.heard


class RememberedNote(NamedTuple):
    """Something worth remembering."""

    moment: int
    kind: str
    """``event``, ``thought`` or ``talk``."""
    text: str
    importance: float
    subject: str = ""
