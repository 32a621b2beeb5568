"""Which streams belong to a run, a chain or an episode."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import sqlalchemy as sa

from events.base import Envelope
from events.episode import EpisodeForked, EpisodeStarted
from events.serialization.codec import event_of
from events.wire.subjects import agent_stream, interview_stream, memory_stream, stream_name
from store.database.id_batches import in_batches
from store.database.tables import log
from store.log.event_store import EventStore
from store.projections.tables import evaluations
from store.read_model import queries
from store.read_model.episode_history import ancestors
from store.read_model.records import ChainRow, EpisodeRow


def of_run(store: EventStore, run: str) -> Iterator[list[Envelope]]:
    """The streams of a run, one list each: the run's own, then those of its chains and episodes.

    Takes an id in full.
    """
    yield store.read(stream_name("run", run))
    for chain in queries.chains(store, run):
        yield from _of_chain(store, chain)
    yield from _played(store, queries.episodes(store, run=run, superseded=True))


def names_of_run(store: EventStore, run: str) -> Iterator[str]:
    """The names of the streams that are a run's own, as far as they have begun: of its chains, its
    episodes, forks among them, and its evaluations. Takes an id in full."""
    yield stream_name("run", run)
    for chain in queries.chains(store, run):
        yield from _names_of_chain(chain)
    episodes = queries.episodes(store, run=run, superseded=True)
    for row in episodes:
        yield stream_name("episode", row.id)
        for seat in range(len(row.minds)):
            yield agent_stream(row.id, seat)
    for interviews in _interviews(store, [row.id for row in episodes]).values():
        yield from interviews
    for evaluation in queries.evaluations_where(store, evaluations.c.run == run):
        yield stream_name("evaluation", evaluation.id)


def of_chain(store: EventStore, chain: str) -> Iterator[list[Envelope]]:
    """The streams of a chain: its own, what its seats remember, those of its episodes.

    Takes an id in full.
    """
    yield from _of_chain(store, queries.chain(store, chain))
    yield from _played(store, queries.episodes(store, chain=chain))


def of_episode(store: EventStore, episode: str) -> Iterator[list[Envelope]]:
    """The streams of an episode and of those it was forked from: each episode's own, its agents',
    its evaluations'. Takes an id in full."""
    yield from _of_episodes(store, _with_ancestors(store, [queries.episode(store, episode)]))


def _of_chain(store: EventStore, chain: ChainRow) -> Iterator[list[Envelope]]:
    for name in _names_of_chain(chain):
        yield store.read(name)


def _names_of_chain(chain: ChainRow) -> Iterator[str]:
    yield stream_name("chain", chain.id)
    for seat in range(len(chain.minds)):
        yield memory_stream(chain.id, seat)


def _played(store: EventStore, rows: Iterable[EpisodeRow]) -> Iterator[list[Envelope]]:
    begun = [row for row in rows if row.started_at is not None]
    return _of_episodes(store, _with_ancestors(store, begun))


def _with_ancestors(store: EventStore, rows: Iterable[EpisodeRow]) -> list[str]:
    """Ids, each once, parents before their forks."""
    ids: dict[str, None] = {}
    for row in rows:
        for one in (*reversed(ancestors(store, row)), row):
            ids.setdefault(one.id)
    return list(ids)


def _of_episodes(store: EventStore, episodes: Sequence[str]) -> Iterator[list[Envelope]]:
    for some in in_batches(episodes):
        judged: dict[str, list[str]] = defaultdict(list)
        for row in queries.evaluations_where(store, evaluations.c.episode.in_(some)):
            judged[row.episode].append(row.id)
        interviews = _interviews(store, some)
        for episode in some:
            yield from _of_episode(store, episode, interviews[episode])
            for id_ in judged[episode]:
                yield store.read(stream_name("evaluation", id_))


def _of_episode(
    store: EventStore, episode: str, interviews: Sequence[str]
) -> Iterator[list[Envelope]]:
    own = store.read(stream_name("episode", episode))
    yield own
    first = event_of(own[0])
    if isinstance(first, EpisodeStarted | EpisodeForked):
        for seat in range(len(first.minds)):
            yield store.read(agent_stream(episode, seat))
    for stream in interviews:
        yield store.read(stream)


def _interviews(store: EventStore, episodes: Sequence[str]) -> dict[str, list[str]]:
    """The names of the streams of each episode's interviews, which are numbered from 1."""
    found: dict[str, list[str]] = {episode: [] for episode in episodes}
    number, left = 1, list(episodes)
    while left:
        begun = _begun(store, [interview_stream(episode, number) for episode in left])
        left = [episode for episode in left if interview_stream(episode, number) in begun]
        for episode in left:
            found[episode].append(interview_stream(episode, number))
        number += 1
    return found


def _begun(store: EventStore, names: Sequence[str]) -> set[str]:
    """Those of some streams that there are."""
    found: set[str] = set()
    with store.engine.connect() as connection:
        for some in in_batches(names):
            query = sa.select(log.c.stream).where(log.c.stream.in_(some), log.c.version == 0)
            found.update(connection.execute(query).scalars())
    return found
