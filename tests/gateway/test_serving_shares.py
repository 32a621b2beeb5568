"""Runs of one fleet side by side: who comes later does not wait for all of who came before."""

from pathlib import Path

import pytest

from actors.runtime.embedded_nats.server import EmbeddedNats
from gateway.services.runs.plan_run import prepare, record_run
from store.log.event_store import EventStore
from store.read_model import queries
from tests.faults.process import Troupe
from tests.support.runs import model_minds, plan
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.store_checks import check_store

PLACES = 4
"""Episodes that each of the two processes plays at once."""
LARGE = 200
"""Episodes of the large run: all of them would be queued before the small one, were it allowed."""


def leave(store: EventStore, path: Path, text: str) -> str:
    """Leave a run to the server; its id."""
    path.write_text(text)
    prepared = prepare(store, path)
    record_run(store, prepared, detached=True)
    return prepared.run


@pytest.mark.long
async def test_a_small_run_that_comes_later_ends_long_before_a_large_one(
    tmp_path: Path, nats_server: EmbeddedNats, space: str
) -> None:
    machine = Troupe(
        tmp_path,
        TROUPE_NATS_URL=nats_server.url,
        TROUPE_NATS_TOKEN=nats_server.token,
        TROUPE_SPACE=space,
        TROUPE_EPISODES_AT_ONCE=str(PLACES),
        STUB_KEY="any",
    )
    store = machine.open()
    async with StubServer(StubSettings(latency_s=0.1)) as stub:
        minds = f'{model_minds(stub.url)}\napi_key_env = "STUB_KEY"'

        def text(tasks: int, repeats: int) -> str:
            return plan(
                minds,
                tasks=tasks,
                repeats=repeats,
                concurrency=1000,
                rules="turn_cap = 4",
                judges='["rehearsal-strict"]',
            )

        large = leave(store, tmp_path / "large.toml", text(20, LARGE // 20))
        processes = [await machine.start(word, "--port", "0") for word in ("serve", "worker")]
        await until(lambda: ended(store, large) >= 2 * PLACES, 300.0)
        small = leave(store, tmp_path / "small.toml", text(6, 1))
        await until(lambda: queries.run(store, small).status == "ended", 300.0)
        assert queries.run(store, large).status == "running"
        assert ended(store, large) < LARGE // 2, "most of it is still to be played"
        for process in processes:
            assert await process.stop() == 0, process.said()
    check_store(store, small)
    store.close()


def ended(store: EventStore, run: str) -> int:
    """How many of a run's episodes have ended."""
    return sum(row.status == "ended" for row in queries.episodes(store, run=run))
