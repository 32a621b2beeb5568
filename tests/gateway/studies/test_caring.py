"""Looking after studies: what goes wrong in one place stays there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gateway.http.context import Gateway
from gateway.services.studies.supervisor import StudySupervisor
from store.open_store import open_store
from tests.gateway.served import gateway_over


@pytest.fixture
def caring(tmp_path: Path) -> Iterator[StudySupervisor]:
    store = open_store(f"sqlite:///{tmp_path / 'troupe.db'}", durable=False)
    yield StudySupervisor(gateway_over(store, tmp_path))
    store.close()


async def test_a_study_with_a_fault_keeps_none_from_being_looked_after(
    caring: StudySupervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    async def look_after(loaded: str, *, idle: bool) -> None:
        assert idle
        seen.append(loaded)
        if loaded == "a":
            raise LookupError("its catalog is gone")

    monkeypatch.setattr(caring.studies, "ids", lambda: ["a", "b"])
    monkeypatch.setattr(caring.studies, "load", lambda study: study)
    monkeypatch.setattr(caring, "_look_after", look_after)
    await caring.look()
    assert seen == ["a", "b"]


async def test_an_episode_is_queued_once_by_all_who_follow_it(caring: StudySupervisor) -> None:
    class Jobs:
        """Takes jobs; while it does, it is asked again what is in the queue."""

        def __init__(self, gateway: Gateway) -> None:
            self.bus, self.sent = gateway.bus, 0

        async def held(self, _kind: str) -> set[str]:
            return set()

        async def enqueue(self, _kind: str, _job: object, **_: Any) -> None:
            self.sent += 1
            if self.sent == 1:
                await caring._queue("r1", "e1")
            caring._held = None

    jobs = Jobs(caring.gateway)
    caring._jobs = jobs  # type: ignore[assignment]
    await caring._queue("r1", "e1")
    assert jobs.sent == 1
