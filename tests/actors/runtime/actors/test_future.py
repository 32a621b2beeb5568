"""An answer can be awaited, waited for, derived from, and is given once."""

import asyncio
import threading

import pykka
import pytest

from actors.runtime.actors.future import LoopFuture
from actors.runtime.errors import LoopWouldBlock


async def test_awaiting_gives_the_value() -> None:
    future: LoopFuture[int] = LoopFuture()
    asyncio.get_running_loop().call_soon(future.set, 7)
    assert await future == 7
    assert future.get() == 7


async def test_several_may_await_one_answer() -> None:
    future: LoopFuture[int] = LoopFuture()

    async def wait() -> int:
        return await future

    waiting = [asyncio.create_task(wait()) for _ in range(5)]
    await asyncio.sleep(0)
    future.set(7)
    assert await asyncio.gather(*waiting) == [7] * 5


async def test_who_gave_up_waiting_is_passed_over() -> None:
    future: LoopFuture[int] = LoopFuture()

    async def wait() -> int:
        return await future

    gone, staying = asyncio.create_task(wait()), asyncio.create_task(wait())
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    future.set(7)
    assert await staying == 7


@pytest.mark.parametrize("wrapped", [True, False])
async def test_an_error_is_raised_where_the_answer_is_wanted(wrapped: bool) -> None:
    future: LoopFuture[int] = LoopFuture()
    error = ValueError("bad")
    future.set_exception((ValueError, error, None) if wrapped else error)
    with pytest.raises(ValueError, match="bad") as raised:
        await future
    assert raised.value is error


async def test_the_error_being_handled_is_the_answer_by_default() -> None:
    future: LoopFuture[int] = LoopFuture()
    try:
        raise ValueError("bad")
    except ValueError:
        future.set_exception()
    with pytest.raises(ValueError, match="bad"):
        future.get()


def test_there_is_one_answer_only() -> None:
    future: LoopFuture[int] = LoopFuture()
    future.set(1)
    with pytest.raises(asyncio.InvalidStateError):
        future.set(2)
    with pytest.raises(asyncio.InvalidStateError):
        future.set_exception(ValueError())
    with pytest.raises(asyncio.InvalidStateError):
        future.set_get_hook(lambda _: 3)
    assert future.get() == 1


def test_a_thread_waits_until_the_answer_comes() -> None:
    future: LoopFuture[int] = LoopFuture()
    got: list[int] = []
    threads = [threading.Thread(target=lambda: got.append(future.get())) for _ in range(4)]
    for thread in threads:
        thread.start()
    future.set(7)
    for thread in threads:
        thread.join()
    assert got == [7] * 4


def test_a_thread_waits_no_longer_than_it_says() -> None:
    with pytest.raises(pykka.Timeout, match=r"0\.01 seconds"):
        LoopFuture[int]().get(timeout=0.01)


async def test_waiting_on_a_loop_is_refused() -> None:
    future: LoopFuture[int] = LoopFuture()
    with pytest.raises(LoopWouldBlock) as raised:
        future.get()
    assert raised.value.future is future


async def test_an_answer_from_a_thread_wakes_the_loop() -> None:
    for _ in range(200):
        future: LoopFuture[int] = LoopFuture()
        thread = threading.Thread(target=future.set, args=(7,))
        thread.start()
        async with asyncio.timeout(60):
            assert await future == 7
        thread.join()


async def test_derived_futures_can_be_awaited() -> None:
    one: LoopFuture[list[int]] = LoopFuture()
    two: LoopFuture[list[int]] = LoopFuture()
    doubled = one.map(lambda numbers: [number * 2 for number in numbers])
    odd = one.filter(lambda number: number % 2 == 1)
    total = one.reduce(lambda left, right: left + right, 0)
    both = doubled.join(two)
    loop = asyncio.get_running_loop()
    loop.call_soon(one.set, [1, 2, 3])
    loop.call_soon(loop.call_soon, two.set, [4])
    assert await both == [[2, 4, 6], [4]]
    assert await odd == [1, 3]
    assert await total == 6


async def test_callbacks_are_called_once_each_and_one_that_fails_harms_no_other() -> None:
    future: LoopFuture[int] = LoopFuture()
    called: list[str] = []

    def failing(_: object) -> None:
        called.append("failing")
        raise ValueError("bad")

    future.add_done_callback(failing)
    future.add_done_callback(lambda answer: called.append(f"early {answer.get()}"))
    future.set(7)
    future.add_done_callback(lambda answer: called.append(f"late {answer.get()}"))
    assert called == ["failing", "early 7", "late 7"]
