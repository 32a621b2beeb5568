"""The events of an episode of the social environment. Stream ``episode-<id>``.

Event numbers. An episode's *history* is what ``troupe replay --at N`` counts: number N is the
N-th event, from 0. In an episode that was not forked this is the stream's version. A fork shares
its parent's history up to and including ``EpisodeForked.at``; its own events go on from there.
"""

from typing import Literal

from events.base import Event, Value
from events.catalog import Character, RelationshipKind, Scenario
from events.minds import MindSpec

ActionKind = Literal["speak", "non_verbal", "physical", "none", "leave"]
TurnOrder = Literal["round_robin", "simultaneous", "random"]
EndReason = Literal["turn_cap", "left", "stale", "stopped"]

ACTION_KINDS: tuple[ActionKind, ...] = ("speak", "non_verbal", "physical", "none", "leave")


class Tie(Value, frozen=True, kw_only=True):
    """The relationship between two seats. Seats without a tie are strangers."""

    seats: tuple[int, int]
    """Seat numbers, from 0."""
    kind: RelationshipKind
    story: str = ""


class EpisodeRules(Value, frozen=True, kw_only=True):
    """How an episode runs and ends (SOTOPIA, sections 2.3 and 4)."""

    order: TurnOrder = "round_robin"
    turn_cap: int = 20
    """The episode ends after this many turns."""
    stale_turns: int = 2
    """The episode ends after this many turns in a row in which nobody did anything; 0: never."""
    seed: int = 0
    """Decides the order of speakers where it is random, and rehearsal minds' choices."""


class Action(Value, frozen=True, kw_only=True):
    """What a seat does with its turn."""

    kind: ActionKind
    text: str = ""
    """What is said or done; empty for ``none``, and optional for ``leave``."""
    to: tuple[int, ...] = ()
    """Seats that may notice it (a whisper); empty: everybody."""


class ActionFailure(Value, frozen=True, kw_only=True):
    """Why a seat's mind gave no usable action; the action recorded with it is ``none``."""

    reason: Literal["unreadable", "model_error", "timeout", "mind_error"]
    detail: str = ""
    raw: str = ""
    """The last answer that could not be read."""


class EpisodeStarted(Event, frozen=True, kw_only=True):
    """The cast took their seats. Holds all that the episode needs, so that later changes of the
    catalog do not change the past."""

    run: str
    """Empty when it belongs to no run."""
    task: str
    catalog: str
    scenario: Scenario
    cast: tuple[Character, ...]
    """One character a seat."""
    ties: tuple[Tie, ...] = ()
    minds: tuple[MindSpec, ...]
    """One mind a seat."""
    rules: EpisodeRules = EpisodeRules()
    tags: tuple[str, ...] = ()
    chain: str = ""
    """The chain it belongs to; empty: none."""
    index: int = 0
    """Its place in the chain: 0, 1, 2, …"""


class EpisodeForked(Event, frozen=True, kw_only=True):
    """A new episode begins with the past of another. First event of a fork's stream."""

    parent: str
    """The episode forked from."""
    at: int
    """The last event number of the parent's history that is shared."""
    minds: tuple[MindSpec, ...]
    """One mind a seat, from here on."""
    run: str = ""


class TurnOpened(Event, frozen=True, kw_only=True):
    """Some seats are asked to act."""

    turn: int
    """1, 2, 3, …"""
    seats: tuple[int, ...]


class ActionTaken(Event, frozen=True, kw_only=True):
    """A seat acted."""

    turn: int
    seat: int
    action: Action
    failure: ActionFailure | None = None


class EpisodeEnded(Event, frozen=True, kw_only=True):
    """The episode is over."""

    reason: EndReason
    turn: int
    """The last turn played."""
    detail: str = ""


class EpisodeFailed(Event, frozen=True, kw_only=True):
    """The episode was given up after its actor failed again and again."""

    reason: str
    attempts: int


class EpisodeReopened(Event, frozen=True, kw_only=True):
    """Somebody who has mended what was wrong has an episode that was given up go on after all."""

    detail: str = ""
    """Who asked for it."""
