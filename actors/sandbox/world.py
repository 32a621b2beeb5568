"""The state of a town, folded from its events: positions, activities, and knowledge of
everybody."""

from array import array

from actors.sandbox.setup import Act, Tile, Town
from events.base import Value
from events.environments import Action


class WalkUnderWay(Value, frozen=True, kw_only=True):
    """Where somebody is: on ``end`` from step ``arrives`` on, before that on the way."""

    tile: Tile
    """Where they stood at step ``left``."""
    way: str = ""
    """A letter a step."""
    left: int = 0
    end: Tile
    arrives: int = 0


class Doing(Value, frozen=True, kw_only=True):
    """What somebody does, from departure on."""

    text: str = ""
    """Empty: they were not asked yet."""
    address: str = ""
    emoji: str = ""
    until: int = 0
    """The step at which it is done."""
    conversing: bool = False
    """It is what a talk takes."""
    asleep: bool = False
    """They neither perceive nor talk."""
    free: bool = False
    """They can be talked to: they neither sleep, wait nor talk."""


class Knowing(Value, frozen=True, kw_only=True):
    """What the rules keep of what somebody lived through."""

    known: int = 0
    """Places, as ``Grid.seen_from`` says them."""
    recent: tuple[tuple[int, str, str], ...] = ()
    """What they noticed last, the latest last: who, text and address."""
    talked: tuple[tuple[int, int], ...] = ()
    """With whom, and at which step."""
    passed: tuple[tuple[int, int], ...] = ()
    """Who came into view, so that they were asked, and at which step."""
    broken_off: Act | None = None
    """What a talk came in between of."""
    broken_until: int = 0
    """When that would have been done; 0: it was not begun."""


class Talking(Value, frozen=True, kw_only=True):
    """A talk that goes on. It takes no time before it is over."""

    id: int
    seats: tuple[int, int]
    said: int = 0
    """Utterances."""
    characters: int = 0
    about: str = ""
    over: bool = False

    @property
    def speaker(self) -> int:
        """Whose turn it is."""
        return self.seats[self.said % 2]

    @property
    def listener(self) -> int:
        return self.seats[1 - self.said % 2]


class World(Value, frozen=True, kw_only=True):
    """A town after some event. Parts that change together are tuples with a place a seat, so that
    an instant copies a few of them."""

    town: Town
    at: int = -1
    """The step; -1: it has not begun."""
    turn: int = 0
    asked_at: int = -1
    """The step of the last turn."""
    walks: tuple[WalkUnderWay, ...]
    doings: tuple[Doing, ...]
    untils: "array[int]"
    """By seat the step at which what they do is done, side by side: each instant looks at all of
    them. Never changed in place."""
    knowings: tuple[Knowing, ...]
    talks: tuple[Talking, ...] = ()
    """Those that go on."""
    opened: int = 0
    """Talks so far."""
    unasked: int = 0
    """Instants since somebody was asked."""
    answers: tuple[tuple[int, Action], ...] = ()
    """What was answered in this turn to what one does, by seat."""
