"""What a long-lived process does not keep."""

import asyncio
import gc
import weakref
from pathlib import Path

import pytest

from actors.runs.execution.ending_announcements import EndingAnnouncements
from actors.runtime.actors.loop_actor import LoopActor
from store.open_store import open_store
from tests.support.runs import carry_out_here, chain_plan, model_minds, record, settings_of
from tests.support.servers.stub_llm import StubServer


async def test_who_is_gone_is_not_left_to_the_garbage_collector(
    tmp_path: Path, nats_server, space: str, monkeypatch: pytest.MonkeyPatch
):
    seen: list[weakref.ref[object]] = []

    def noted(kind: type, name: str) -> None:
        method = getattr(kind, name)

        def noting(self, *arguments):
            seen.append(weakref.ref(self))
            return method(self, *arguments)

        monkeypatch.setattr(kind, name, noting)

    noted(LoopActor, "launch")
    noted(EndingAnnouncements, "__enter__")
    store = open_store(f"sqlite:///{tmp_path}/troupe.db", durable=False)
    settings = settings_of(tmp_path, store, nats_server, space)
    gc.disable()
    try:
        async with StubServer() as stub:
            minds = model_minds(stub.url)
            text = chain_plan(
                length=2,
                pairs=1,
                minds=minds,
                pairings='"same"',
                turn_cap=2,
                judges='["rehearsal-strict"]',
            )
            run = record(store, tmp_path, text)
            assert (await carry_out_here(settings, store, run)).done
        await asyncio.sleep(0)
        left = [type(one).__name__ for ref in seen if (one := ref()) is not None]
    finally:
        gc.enable()
        store.close()
    # Of two episodes: theirs, two agents, two memories that recall and remember, an evaluator;
    # a chain; and the run's announcements.
    assert len(seen) >= 2 * 8 + 1 + 1
    assert left == []
