"""Compares two episodes: the past that they share, and the differences after it."""

from collections import defaultdict
from collections.abc import Sequence

from actors.episodes.port.words import Account, Entry
from events.base import Value
from events.episode import EpisodeForked, EpisodeStarted
from events.minds import MindSpec
from store.log.forked_history import Numbered


class OtherMind(Value, frozen=True, kw_only=True):
    """A seat in which another mind sits."""

    seat: int
    """From 0."""
    minds: tuple[MindSpec, MindSpec]
    """Those who sit there at the end of the first episode and of the second."""


class ForkMark(Value, frozen=True, kw_only=True):
    """Where an episode's history leaves that of the one it was forked from."""

    number: int
    """The fork's number in the history: what stands before it is shared."""
    parent: str
    """The episode forked from."""
    minds: tuple[tuple[int, MindSpec], ...] = ()
    """The seats, from 0, in which another mind sits from here on."""


class TurnBeside(Value, frozen=True, kw_only=True):
    """A turn behind the shared past, as each episode had it."""

    turn: int
    entries: tuple[tuple[Entry, ...], tuple[Entry, ...]]
    """What happened in it in the first episode and in the second; empty: it did not come to it."""
    same: bool
    """Whether the same was done, or failed in the same way."""


class Differences(Value, frozen=True, kw_only=True):
    """What differs between two episodes, the first and the second, and from where on."""

    shared: int
    """The last event of the past they share, by its number; -1: they share none."""
    minds: tuple[OtherMind, ...]
    """The seats that are not played by the same."""
    turns: tuple[TurnBeside, ...]
    """All behind the shared past, in order."""
    endings: tuple[str, str]
    """How they ended, as half a sentence; empty: it goes on."""

    @property
    def parts(self) -> int | None:
        """The first turn in which they differ; None: the same happened to the end."""
        return next((beside.turn for beside in self.turns if not beside.same), None)


def fork_marks(history: Sequence[Numbered]) -> tuple[ForkMark, ...]:
    """Where a history was forked, the first fork first: a fork may be one of a fork."""
    found: list[ForkMark] = []
    minds: tuple[MindSpec, ...] = ()
    for number, _, event in history:
        if isinstance(event, EpisodeForked):
            found.append(fork_mark(number, event, minds))
        if isinstance(event, EpisodeForked | EpisodeStarted):
            minds = event.minds
    return tuple(found)


def fork_mark(number: int, forked: EpisodeForked, minds: Sequence[MindSpec]) -> ForkMark:
    """One of them, the fork's number being ``number``; ``minds`` sat there before."""
    others = enumerate(zip(minds, forked.minds, strict=False))
    changed = tuple((seat, now) for seat, (was, now) in others if was != now)
    return ForkMark(number=number, parent=forked.parent, minds=changed)


def shared_past(histories: tuple[Sequence[Numbered], Sequence[Numbered]]) -> int:
    """The last number at which two histories hold the very same event, of one stream; -1: none."""
    last = -1
    for one, other in zip(*histories, strict=False):
        if one.envelope.event_id != other.envelope.event_id:
            break
        last = one.number
    return last


def differences(
    histories: tuple[Sequence[Numbered], Sequence[Numbered]], accounts: tuple[Account, Account]
) -> Differences:
    """What differs between two episodes: an episode and its fork, two forks of one past, or two
    that share none. ``accounts`` tell the whole histories to the same reader."""
    shared = shared_past(histories)
    first, second = (_by_turn(account, shared) for account in accounts)
    one, other = map(_minds, histories)
    return Differences(
        shared=shared,
        minds=tuple(
            OtherMind(seat=seat, minds=(was, became))
            for seat, (was, became) in enumerate(zip(one, other, strict=False))
            if was != became
        ),
        turns=tuple(_beside(turn, first[turn], second[turn]) for turn in sorted({*first, *second})),
        endings=(accounts[0].ending, accounts[1].ending),
    )


def _minds(history: Sequence[Numbered]) -> tuple[MindSpec, ...]:
    for numbered in reversed(history):
        if isinstance(numbered.event, EpisodeForked | EpisodeStarted):
            return numbered.event.minds
    return ()


def _by_turn(account: Account, shared: int) -> defaultdict[int, tuple[Entry, ...]]:
    found = defaultdict[int, tuple[Entry, ...]](tuple)
    for entry in account.entries:
        if entry.number > shared:
            found[entry.turn] += (entry,)
    return found


def _beside(turn: int, first: tuple[Entry, ...], second: tuple[Entry, ...]) -> TurnBeside:
    return TurnBeside(
        turn=turn, entries=(first, second), same=[*map(_done, first)] == [*map(_done, second)]
    )


def _done(entry: Entry) -> tuple[int | None, str, str]:
    return entry.seat, entry.line, entry.failed
