"""What of a run can leave the log, and what stays there for the sake of others."""

from array import array
from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter

import msgspec
import sqlalchemy as sa

from events.wire.subjects import stream_name
from store.database.id_batches import in_batches
from store.database.tables import log
from store.log.event_store import EventStore
from store.log.position_ranges import Ranges, of_sorted
from store.log.tombstones import last_taken_out, streams_digest
from store.projections import tables as t
from store.projections.chains import CHAINS
from store.projections.episodes import EPISODES
from store.projections.maintenance.projector import catch_up
from store.projections.runs import RUNS
from store.read_model import related_streams

Span = tuple[int, int]
"""First and last version."""


class RunContents(msgspec.Struct, frozen=True):
    """What of a run is to leave the log."""

    run: str
    streams: Mapping[str, Span]
    """Those that go, whole."""
    taken: Ranges
    """Where their events are."""
    kept: tuple[str, ...]
    """Streams of the run that stay, because forks or chains elsewhere need them."""
    kept_for: tuple[str, ...]
    """The forks and chains that need them."""
    needs: tuple[str, ...]
    """Episodes elsewhere that the run's forks and chains need, by id."""
    copied: Collection[str]
    """Streams that stay and are written beside what goes, so that the files can be read alone."""
    written: Ranges
    """Where all that is written is."""
    head: int
    """The log's last position when all of this was true."""

    @property
    def streams_sha256(self) -> str:
        """See ``events.archive.StreamsTakenOut``."""
        return streams_digest((name, *span) for name, span in self.streams.items())


def belongings(store: EventStore, run: str) -> RunContents:
    """What of a run can leave the log. Takes an id in full."""
    head = store.head()
    names = list(related_streams.names_of_run(store, run))
    catch_up(store, RUNS, EPISODES, CHAINS)
    with store.engine.connect() as connection:
        needed = _needed_episodes(store, connection, run)
        needs = _needs(connection, run)
        of_others = _with_ancestors(connection, needs)
        kept = {stream_name("episode", episode) for episode in needed}
        streams, positions = _places(connection, [name for name in names if name not in kept])
        copied = [*kept, *(stream_name("episode", episode) for episode in of_others)]
        _, others = _places(connection, copied)
    return RunContents(
        run=run,
        streams=streams,
        taken=of_sorted(array("q", positions)),
        kept=tuple(sorted(kept)),
        kept_for=tuple(sorted({by for many in needed.values() for by in many})),
        needs=tuple(sorted(needs)),
        copied=frozenset(copied),
        written=of_sorted(positions + others),
        head=head,
    )


def _places(
    connection: sa.Connection, names: Sequence[str]
) -> tuple[dict[str, Span], "array[int]"]:
    """The versions of the streams that there are, and where their events are."""
    spans: dict[str, Span] = {}
    positions = array("q")
    c = log.c
    ends = sa.select(c.stream, sa.func.min(c.version), sa.func.max(c.version)).group_by(c.stream)
    everywhere = sa.select(c.position)
    for some in in_batches(names):
        for stream, first, last in connection.execute(ends.where(c.stream.in_(some))):
            spans[stream] = first, last
        # Straight from the driver: there are as many rows as events.
        cursor = connection.execute(everywhere.where(c.stream.in_(some))).cursor
        assert cursor is not None, "a query answers rows"
        positions.extend(map(itemgetter(0), cursor.fetchall()))
    return spans, positions


def _needed_episodes(store: EventStore, connection: sa.Connection, run: str) -> dict[str, set[str]]:
    """The run's episodes that others need, each with who does: forks that are elsewhere, here or
    in an archive, and chains elsewhere that go on from one of the run's."""
    parent, fork = t.episodes.alias(), t.episodes.alias()
    forks = (
        sa.select(parent.c.id, fork.c.id)
        .join(fork, fork.c.parent == parent.c.id)
        .where(parent.c.run == run, fork.c.run != run)
    )
    chains = (
        sa.select(t.episodes.c.id, t.memories.c.chain)
        .join(t.memories, t.memories.c.episode == t.episodes.c.id)
        .join(t.chains, t.chains.c.id == t.memories.c.chain)
        .where(t.episodes.c.run == run, t.chains.c.run != run)
        .distinct()
    )
    needed: dict[str, set[str]] = {}
    for query in (forks, chains):
        for episode, by in connection.execute(query):
            needed.setdefault(episode, set()).add(by)
    away = connection.execute(sa.select(t.runs.c.id).where(t.runs.c.taken_to != "")).scalars()
    for other in away.all():
        taken_out = last_taken_out(store, other)
        for episode in taken_out.event.needs if taken_out else ():
            needed.setdefault(episode, set()).add(f"{other} (archived)")
    own = _of_run(connection, run, needed)
    found = {episode: by for episode, by in needed.items() if episode in own}
    for episode in _with_ancestors(connection, found):
        found.setdefault(episode, set())
    own = _of_run(connection, run, found)
    return {episode: by for episode, by in found.items() if episode in own}


def _needs(connection: sa.Connection, run: str) -> list[str]:
    """Episodes elsewhere that the run's own forks and chains need."""
    parents = sa.select(t.episodes.c.parent).where(
        t.episodes.c.run == run, t.episodes.c.parent.is_not(None)
    )
    remembered = (
        sa.select(t.memories.c.episode)
        .join(t.chains, t.chains.c.id == t.memories.c.chain)
        .where(t.chains.c.run == run)
    )
    ids = set(connection.execute(parents).scalars()) | set(connection.execute(remembered).scalars())
    return sorted(id_ for id_ in ids - _of_run(connection, run, ids) if id_)


def _with_ancestors(connection: sa.Connection, episodes: Collection[str]) -> list[str]:
    """Some episodes and what they were forked from, as far as it is known here."""
    found: dict[str, None] = {}
    level = list(episodes)
    while level:
        found.update(dict.fromkeys(level))
        parents: set[str] = set()
        for some in in_batches(level):
            query = sa.select(t.episodes.c.parent).where(t.episodes.c.id.in_(some))
            parents.update(
                connection.execute(query.where(t.episodes.c.parent.is_not(None))).scalars()
            )
        level = [id_ for id_ in parents if id_ not in found]
    return list(found)


def _of_run(connection: sa.Connection, run: str, episodes: Collection[str]) -> set[str]:
    """Those of some episodes that are the run's."""
    found: set[str] = set()
    for some in in_batches(list(episodes)):
        query = sa.select(t.episodes.c.id).where(t.episodes.c.run == run)
        found.update(connection.execute(query.where(t.episodes.c.id.in_(some))).scalars())
    return found
