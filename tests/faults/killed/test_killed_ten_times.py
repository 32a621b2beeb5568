"""Chains killed ten times at random end as if nothing had happened."""

import random
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from events.base import Event
from events.chain import ChainEnded
from events.episode import EpisodeEnded
from events.serialization.codec import event_of
from store.log.event_store import EventStore
from store.read_model import queries
from tests.faults.process import Troupe
from tests.support.runs import chain_plan, record
from tests.support.servers.nats_server import until
from tests.support.store_checks import check_store, whole_log

CHAINS, LENGTH, KILLS = 4, 40, 10
EPISODES = CHAINS * LENGTH
PLAN = chain_plan(
    length=LENGTH,
    pairs=CHAINS,
    turn_cap=3,
    judges='["belext-rehearsal", "rehearsal-strict"]',
)


def what_is_stored(store: EventStore) -> dict[str, list[Event]]:
    """Each stream's events in their order, but for their ids and when they were recorded."""
    streams: dict[str, list[Event]] = defaultdict(list)
    for envelope in whole_log(store):
        streams[envelope.stream].append(event_of(envelope))
    return streams


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_chains_killed_ten_times_end_as_if_they_never_had_been(tmp_path: Path):
    draw = random.Random(7)
    spared, killed = Troupe(tmp_path / "spared"), Troupe(tmp_path / "killed")
    # The same run in two places: ids derive from the run's, so that all events have to be the same.
    store = spared.open()
    run = record(store, tmp_path, PLAN)
    store.close()
    shutil.copytree(spared.folder, killed.folder)

    store = spared.open()
    process = await spared.start("resume", run)
    assert await process.ended() == 0, process.said()
    expected, scores, length = what_is_stored(store), queries.scores(store, run=run), store.head()
    store.close()
    assert sum(isinstance(events[-1], ChainEnded) for events in expected.values()) == CHAINS
    assert sum(isinstance(events[-1], EpisodeEnded) for events in expected.values()) == EPISODES

    store = killed.open()
    for part in range(KILLS):
        drawn = round(length * (part + draw.random()) / (KILLS + 1))
        moment = max(drawn, store.head() + 1)
        process = await killed.start("resume", run)
        await process.kill_when(lambda moment=moment: store.head() >= moment)
        await until(lambda: not killed.servers())
    process = await killed.start("resume", run)
    assert await process.ended() == 0, process.said()
    found = what_is_stored(store)
    assert found.keys() == expected.keys()
    assert [stream for stream in expected if found[stream] != expected[stream]] == []
    assert sorted(queries.scores(store, run=run), key=repr) == sorted(scores, key=repr)
    check_store(store, run)
    store.close()
