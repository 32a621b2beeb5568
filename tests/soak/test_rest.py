"""Rest: nothing is under way, nothing begins, and then work goes on."""

import asyncio

import pytest

from tests.soak import rest
from tests.soak.rest import Gate


async def test_rest_waits_for_what_is_under_way_and_holds_back_what_would_begin():
    gate, seen = Gate(), list[str]()
    let_end, rests, let_go = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def work(name: str, until: asyncio.Event) -> None:
        async with gate.work():
            seen.append(f"{name} begins")
            await until.wait()
            seen.append(f"{name} ends")

    async def pause() -> None:
        async with gate.rest():
            seen.append("rest")
            rests.set()
            await let_go.wait()

    async with asyncio.TaskGroup() as group:
        group.create_task(work("first", let_end))
        await asyncio.sleep(0)
        group.create_task(pause())
        await asyncio.sleep(0)
        group.create_task(work("second", let_end))
        await asyncio.sleep(0)
        assert seen == ["first begins"]
        let_end.set()
        await rests.wait()
        await asyncio.sleep(0)
        assert seen == ["first begins", "first ends", "rest"]
        let_go.set()
    assert seen[3:] == ["second begins", "second ends"]


async def test_work_that_does_not_end_is_an_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rest, "ENDS_S", 0.01)
    gate = Gate()
    async with gate.work():
        with pytest.raises(TimeoutError):
            async with gate.rest():
                pass
    async with gate.rest(), asyncio.timeout(1):
        pass
