"""Whole runs of chains: in order, resumed in the middle, given up in the middle."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from actors.runs.execution.coordinator import Progress, Work, carry_out, end_run
from actors.social.catalog.starter import starter_catalog
from events.base import Envelope
from events.chain import ChainAdvanced, ChainEnded, ChainFailed, ChainStarted
from events.episode import EpisodeEnded, EpisodeFailed, EpisodeStarted
from events.serialization.codec import event_of
from gateway.process.process_limits import Tuning
from gateway.process.worker_node import WorkerNode
from gateway.services.runs.plan_run import prepare, record_run
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.read_model.catalogs import save_catalog
from tests.support.runs import chain_plan, events_of, record, settings_of, state_of
from tests.support.servers.nats_server import until
from tests.support.store_checks import check_store

JUDGED = '["rehearsal-strict"]'


@pytest.fixture
def settings(tmp_path: Path, store, nats_server, space) -> Settings:
    settings = settings_of(tmp_path, store, nats_server, space)
    return msgspec.structs.replace(settings, tuning=Tuning(job_tries=1, reconcile_s=1.0))


async def carry_out_until(
    settings: Settings, store: EventStore, run: str, enough: Callable[[], bool]
) -> Progress:
    """Carry a run out in a process that leaves when ``enough()``."""
    stop = asyncio.Event()
    async with WorkerNode(settings, store) as bench:
        await bench.work(4)
        going = asyncio.ensure_future(
            carry_out(
                store,
                bench.jobs,
                Work.of(run, state_of(store, run)),
                stop=stop,
                on_progress=lambda _: None,
                reconcile_s=settings.tuning.reconcile_s,
            )
        )
        await until(lambda: enough() or going.done(), 60.0)
        stop.set()
        progress = await asyncio.wait_for(going, 60.0)
    if progress.done:
        end_run(store, run, progress)
    return progress


def log_of(store: EventStore, run: str, *kinds: type) -> list[Envelope]:
    """A run's events of some kinds, in the log's order."""
    tags = [kind.__name__ for kind in kinds]
    return [found for found in store.read_all(tags=tags) if found.correlation == run]


def advanced(store: EventStore, run: str) -> int:
    """Episodes of a run's chains that are over and remembered."""
    return len(log_of(store, run, ChainAdvanced))


def check_order(store: EventStore, run: str) -> None:
    """Every episode of a chain began after the chain had come to it, and was played once."""
    at: dict[str, int] = {}
    for envelope in log_of(store, run, EpisodeStarted, ChainAdvanced):
        event = event_of(envelope)
        if isinstance(event, EpisodeStarted):
            assert event.index == at.get(event.chain, 0)
        else:
            chain = envelope.stream.removeprefix("chain-")
            assert event.index == at.get(chain, 0)
            at[chain] = event.index + 1
    begun = [envelope.stream for envelope in log_of(store, run, EpisodeStarted)]
    assert len(set(begun)) == len(begun)


async def test_chains_are_played_in_order_remembered_and_scored(store, settings, tmp_path):
    run = record(store, tmp_path, chain_plan(length=4, pairs=2, judges=JUDGED))
    progress = await carry_out_until(settings, store, run, lambda: False)
    assert progress.done
    assert (progress.chains, progress.chains_ended) == (2, 2)
    assert (progress.episodes_ended, progress.evaluations_ended) == (8, 8)
    state = state_of(store, run)
    assert state.status == "ended"
    for chain in state.chains:
        begun, *moved, ended = events_of(store, f"chain-{chain.id}")
        assert isinstance(begun, ChainStarted)
        assert (begun.characters, begun.episodes) == (chain.characters, chain.episodes)
        assert begun.memory == state.plan.memories[0]
        assert [event.episode for event in moved] == list(chain.episodes)
        assert ended == ChainEnded(ended=4, failed=0)
    planned = {episode.id: episode for episode in state.episodes}
    for envelope in log_of(store, run, EpisodeStarted):
        event = event_of(envelope)
        episode = planned[envelope.stream.removeprefix("episode-")]
        assert (event.chain, event.index) == (episode.chain, episode.index)
        assert event.scenario == episode.scenario
        assert event.setup.rules.seed == episode.seed
    check_order(store, run)
    check_store(store, run)


async def test_a_run_goes_on_in_the_middle_of_its_chains(store, settings, tmp_path):
    run = record(store, tmp_path, chain_plan(length=12, pairs=2, judges=JUDGED))
    for stops in (1, 4, 8):
        progress = await carry_out_until(
            settings, store, run, lambda stops=stops: advanced(store, run) >= stops
        )
        assert not progress.done
    progress = await carry_out_until(settings, store, run, lambda: False)
    assert progress.done
    assert (progress.episodes_ended, progress.episodes_failed) == (24, 0)
    check_order(store, run)
    check_store(store, run)


async def test_a_run_plays_the_same_as_another_of_its_plan_that_was_stopped(
    store, settings, tmp_path
):
    text = chain_plan(length=4, pairs=1)
    whole, stopped = record(store, tmp_path, text), record(store, tmp_path, text)
    await carry_out_until(settings, store, whole, lambda: False)
    await carry_out_until(settings, store, stopped, lambda: advanced(store, stopped) >= 2)
    await carry_out_until(settings, store, stopped, lambda: False)

    def said(run: str) -> list[list[bytes]]:
        """What happened in the episodes after their beginnings, which name their chain."""
        return [
            [bytes(envelope.payload) for envelope in store.read(f"episode-{episode.id}", 1)]
            for episode in state_of(store, run).episodes
        ]

    assert said(whole) == said(stopped)
    assert all(said(whole))


async def test_a_chain_that_is_given_up_in_the_middle_ends_the_run_with_a_reason(
    store, settings, tmp_path
):
    more = """
characters = [["june_halloran", "tomasz_wrobel"], ["sunniva_dahl", "bram_de_vries"]]
scenarios = ["quiz_ham", "box_room", "quiz_ham"]"""
    path = tmp_path / "plan.toml"
    path.write_text(chain_plan(length=3, pairs=0, judges=JUDGED, more=more))
    prepared = prepare(store, path)
    first, second = prepared.planned.chains
    # What the second needs is gone before the run begins.
    starter = starter_catalog()
    others = [tie for tie in starter.relationships if tie.id not in second.relationships]
    save_catalog(store, msgspec.structs.replace(starter, relationships=tuple(others)), "a test")
    run = record_run(store, prepared)
    progress = await carry_out_until(settings, store, run, lambda: False)
    assert progress.done
    assert (progress.chains_ended, progress.chains_failed) == (1, 1)
    assert (progress.episodes_ended, progress.episodes_failed) == (3, 3)
    assert (progress.evaluations, progress.evaluations_ended) == (3, 3)
    assert isinstance(events_of(store, f"chain-{first.id}")[-1], ChainEnded)
    assert isinstance(events_of(store, f"chain-{second.id}")[-1], ChainFailed)
    for episode in second.episodes:
        (failed,) = events_of(store, f"episode-{episode}")
        assert isinstance(failed, EpisodeFailed)
        assert "its chain was given up" in failed.reason
    ended = log_of(store, run, EpisodeEnded)
    assert {envelope.stream for envelope in ended} == {f"episode-{id_}" for id_ in first.episodes}
    # Nothing is left to be done by whoever comes later.
    again = await carry_out_until(settings, store, run, lambda: False)
    assert (again.done, again.chains_failed, again.episodes_failed) == (True, 1, 3)
