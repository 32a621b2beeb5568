"""What if: forks at any event, forks of forks, over real NATS and SQLite."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from actors.runs.execution.coordinator import Work, carry_out
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.runtime.errors import CommandRefused
from events.base import Envelope
from events.episode import ActionTaken, EpisodeEnded, TurnOpened
from gateway.process.worker_node import WorkerNode
from gateway.services.episodes.fork_episode import fork_episode, prepare_fork
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.open_store import open_store
from store.read_model import queries
from store.read_model.episode_history import lineage, read_history
from tests.support.runs import carry_out_here, plan, record, settings_of
from tests.support.store_checks import check_projections, check_versions


@pytest.fixture
async def world(tmp_path: Path, nats_server: EmbeddedNats, space: str):
    """A store with a finished episode, the settings to play on, and the episode."""
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    settings = settings_of(tmp_path, store, nats_server, space)
    run = record(store, tmp_path, plan(tasks=2, pairings='[["generous", "stubborn"]]'))
    await carry_out_here(settings, store, run)
    yield store, settings, max(queries.episodes(store, run=run), key=lambda row: row.turns).id
    store.close()


async def play(settings: Settings, store: EventStore, forks: Sequence[str]) -> None:
    """Play forks to their ends."""
    async with WorkerNode(settings, store) as bench:
        await bench.work(16)
        work = Work.continuing(forks)
        progress = await carry_out(
            store, bench.jobs, work, stop=asyncio.Event(), on_progress=lambda _: None
        )
    assert progress.episodes_ended == len(forks)


def fork_at(store: EventStore, episode: str, at: int, seats: Sequence[str]) -> str:
    """Begin a fork; its id."""
    return fork_episode(store, prepare_fork(store, episode, at, seats))


def stored(store: EventStore, episode: str) -> list[Envelope]:
    """An episode's own stream, byte for byte."""
    return store.read(f"episode-{episode}")


async def test_an_episode_forks_at_each_of_its_events_and_so_do_its_forks(world):
    store, settings, parent = world
    before = stored(store, parent)
    last = len(before) - 1
    forks = [
        fork_at(store, parent, at, ["2=rehearsal:candid", "1=rehearsal:guarded"][: at % 3])
        for at in range(last)
    ]
    await play(settings, store, forks)
    children = {fork: stored(store, fork) for fork in forks}

    of_forks = []
    for at, fork in enumerate(forks):
        own = len(children[fork])
        # Inside the shared past, at the fork itself, and after it.
        for number in {at // 2, at, at + 1, at + own - 1}:
            of_forks.append((fork, number, fork_at(store, fork, number, [])))
    await play(settings, store, [id_ for _, _, id_ in of_forks])

    assert stored(store, parent) == before, "the parent is as it was"
    assert {fork: stored(store, fork) for fork in forks} == children
    for at, fork in enumerate(forks):
        assert read_history(store, fork)[: at + 1] == read_history(store, parent, at)
    for fork, number, id_ in of_forks:
        history = read_history(store, id_)
        assert [n.number for n in history] == list(range(len(history)))
        assert history[: number + 1] == read_history(store, fork, number)
        assert isinstance(history[-1].event, EpisodeEnded)

    tree = lineage(store, of_forks[-1][2])
    assert tree.episode.id == parent
    assert [child.episode.id for child in tree.forks] == forks
    grown = {(child.episode.id, n.episode.id) for child in tree.forks for n in child.forks}
    assert grown == {(fork, id_) for fork, _, id_ in of_forks}
    check_versions(store)
    check_projections(store)


async def test_an_end_cannot_be_forked(world):
    store, _, parent = world
    last = len(stored(store, parent)) - 1
    head = store.head()
    with pytest.raises(CommandRefused, match=rf"event {last} of episode {parent} is its end"):
        fork_at(store, parent, last, [])
    assert store.head() == head


async def test_recorded_minds_do_again_what_was_done(world):
    store, settings, parent = world
    seats = [f"{seat}=recorded:{parent}" for seat in (1, 2)]
    forks = [fork_at(store, parent, at, seats) for at in (0, len(stored(store, parent)) // 2)]
    await play(settings, store, forks)
    kinds = TurnOpened | ActionTaken | EpisodeEnded
    original = [n.event for n in read_history(store, parent) if isinstance(n.event, kinds)]
    for fork in forks:
        again = [n.event for n in read_history(store, fork) if isinstance(n.event, kinds)]
        assert again == original
