"""Who really sat in the seats of episodes that people and other minds took over."""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from events.episode import ActionTaken, EpisodeForked, EpisodeStarted, SeatReleased, SeatTaken
from events.minds import MindSpec
from store.database.id_batches import in_batches
from store.log.event_store import EventStore
from store.log.forked_history import BrokenFork, read_history
from store.projections import tables as t
from store.projections.episodes import EPISODES
from store.projections.maintenance.projector import catch_up
from store.projections.seats import SEATS

Sitters = dict[str, dict[int, tuple[str, ...]]]
"""By episode and seat (from 0) the names of all who acted there, in order: only where people and
other minds acted, or others than were planned."""


def who_sat(store: EventStore, runs: Sequence[str]) -> Sitters:
    """Of the episodes of some runs (ids in full). Blocking; reads the few episodes in which a seat
    came to another mind than was planned."""
    catch_up(store, EPISODES, SEATS)
    found: Sitters = {}
    with store.engine.connect() as connection:
        if connection.execute(sa.select(t.seat_changes.c.episode).limit(1)).first() is None:
            return found
        changed = sorted(set(_changed(connection, runs)) | set(_forks(connection, runs)))
    for episode in changed:
        if seats := _sitters(store, episode):
            found[episode] = seats
    return found


def with_sitters(minds: Sequence[str], sat: dict[int, tuple[str, ...]]) -> tuple[str, ...]:
    """The minds of an episode, one a seat, as tables name them: those that shared a seat with
    people have both names, ``calm + person``."""
    return tuple(" + ".join(sat.get(seat, (mind,))) for seat, mind in enumerate(minds))


def _changed(connection: sa.Connection, runs: Sequence[str]) -> Iterator[str]:
    c, e = t.seat_changes.c, t.episodes.c
    query = (
        sa.select(c.episode, c.seat, c.mind, e.minds)
        .select_from(t.seat_changes.join(t.episodes, e.id == c.episode))
        .where(e.run.in_(runs))
    )
    for episode, seat, mind, minds in connection.execute(query):
        # People who sit down where a person is planned are who is expected.
        if not 0 <= seat < len(minds) or minds[seat] != mind:
            yield episode


def _forks(connection: sa.Connection, runs: Sequence[str]) -> Iterator[str]:
    """Forks of episodes in which a seat was taken or left, at any depth."""
    c = t.episodes.c
    query = sa.select(c.id, c.parent).where(c.run.in_(runs), c.parent.is_not(None))
    above: dict[str, str] = {}
    waiting = [(id_, parent) for id_, parent in connection.execute(query)]
    forks = {id_ for id_, _ in waiting}
    while waiting:
        above |= dict(waiting)
        parents = sorted({parent for _, parent in waiting} - above.keys())
        waiting = []
        for some in in_batches(parents):
            rows = sa.select(c.id, c.parent).where(c.id.in_(some), c.parent.is_not(None))
            waiting += [(id_, parent) for id_, parent in connection.execute(rows)]
    changed: set[str] = set()
    for some in in_batches(sorted(set(above.values()))):
        rows = sa.select(t.seat_changes.c.episode).where(t.seat_changes.c.episode.in_(some))
        changed.update(connection.execute(rows).scalars())
    for fork in forks:
        parent = above.get(fork)
        while parent is not None and parent not in changed:
            parent = above.get(parent)
        if parent is not None:
            yield fork


def _sitters(store: EventStore, episode: str) -> dict[int, tuple[str, ...]]:
    try:
        history = read_history(store, episode)
    except BrokenFork:
        return {}  # of a past that is not here
    minds: list[MindSpec] = []
    planned: tuple[MindSpec, ...] = ()
    acted: dict[int, list[MindSpec]] = {}
    for one in history:
        match one.event:
            case EpisodeStarted() | EpisodeForked() as begun:
                planned, minds = begun.minds, list(begun.minds)
            case SeatTaken() | SeatReleased() as change if 0 <= change.seat < len(minds):
                minds[change.seat] = change.mind
            case ActionTaken(seat=seat) if 0 <= seat < len(minds):
                acted.setdefault(seat, []).append(minds[seat])
            case _:
                pass
    found = {}
    for seat, those in acted.items():
        kinds = {mind.kind == "person" for mind in those}
        if kinds != {planned[seat].kind == "person"}:
            found[seat] = tuple(dict.fromkeys(mind.name for mind in those))
    return found
