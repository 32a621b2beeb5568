"""``kill -9`` at a random moment, again and again: nothing is lost, nothing done twice."""

import random
from pathlib import Path

import pytest

from events.episode import EpisodeEnded
from tests.faults.process import Troupe
from tests.support.runs import plan, record
from tests.support.servers.nats_server import until
from tests.support.store_checks import check_store, whole_log


@pytest.mark.long
async def test_a_run_killed_at_random_moments_is_resumed_to_its_end(tmp_path: Path):
    draw = random.Random(1)
    troupe = Troupe(tmp_path)
    store = troupe.open()
    text = plan(tasks=30, judges='["rehearsal-strict"]', concurrency=8)
    run = record(store, tmp_path, text)
    for _ in range(3):
        moment = store.head() + draw.randint(1, 900)
        process = await troupe.start("resume", run)
        await process.kill_when(lambda moment=moment: store.head() >= moment)
        await until(lambda: not troupe.servers())
    ended = {e.stream: e for e in whole_log(store) if e.tag == EpisodeEnded.__name__}
    assert ended, "it was killed in the middle"
    process = await troupe.start("resume", run)
    assert await process.ended() == 0, process.said()
    check_store(store, run)
    after = {e.stream: e for e in whole_log(store) if e.tag == EpisodeEnded.__name__}
    assert after.items() >= ended.items(), "what had ended was not played again"
    assert not troupe.servers()
    store.close()
