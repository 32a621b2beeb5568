"""What somebody who watches an episode from outside guesses, move by move. It is worked out when a
researcher asks for it, and is in no event, so nobody who plays can be told of it."""

from typing import Literal

from events.base import Value

Found = Literal["", "right", "partly", "wrong"]
"""How a guess compares with what was meant; empty: nothing is known to have been."""


class GuessedLine(Value, frozen=True, kw_only=True):
    """One thing that is guessed of one seat."""

    seat: int
    """From 0."""
    who: str
    what: str
    found: Found = ""


class Guess(Value, frozen=True, kw_only=True):
    """All that is guessed after an event."""

    number: int
    """The event's."""
    turn: int
    lines: tuple[GuessedLine, ...] = ()
    """Empty: that nobody means anything."""


class Guesses(Value, frozen=True, kw_only=True):
    """A watcher's guesses."""

    title: str
    """What pages call the watcher."""
    by: str
    """How it guesses, in a few words."""
    guesses: tuple[Guess, ...] = ()
    """The oldest first; the last ones alone, where there are many."""
    meant: tuple[GuessedLine, ...] = ()
    """What is right."""
    fault: str = ""
    """Why there are none, as a sentence."""
