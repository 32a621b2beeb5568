"""Whoever hands a task to an actor learns what became of it."""

import asyncio

import pytest

from actors.runtime.outcomes import Outcomes


async def waiting(outcomes: Outcomes[str], *ids: str) -> list[asyncio.Task[None]]:
    tasks = [asyncio.create_task(outcomes.of(id_)) for id_ in ids]
    await asyncio.sleep(0)
    return tasks


async def test_all_who_wait_learn_that_a_task_is_done() -> None:
    outcomes = Outcomes[str]()
    assert outcomes.expect("e1", "play")
    one, other = await waiting(outcomes, "e1", "e1")
    outcomes.succeed("e1")
    await asyncio.gather(one, other)
    assert "e1" not in outcomes


async def test_a_failure_is_raised_at_those_who_wait_and_nowhere_else() -> None:
    outcomes = Outcomes[str]()
    outcomes.expect("e1", "play")
    outcomes.expect("e2", "play")
    (first,) = await waiting(outcomes, "e1")
    outcomes.fail("e1", ValueError("no luck"))
    with pytest.raises(ValueError, match="no luck"):
        await first
    assert list(outcomes) == ["e2"]
    outcomes.fail("e2", ValueError("nobody waits"))
    assert len(outcomes) == 0


async def test_the_task_is_kept_until_its_outcome_and_the_first_one_stays() -> None:
    outcomes = Outcomes[str]()
    assert outcomes.expect("e1", "play")
    assert not outcomes.expect("e1", "another")
    assert outcomes.task("e1") == "play"
    outcomes.succeed("e1")
    assert outcomes.task("e1") is None


async def test_one_that_is_cancelled_does_not_take_the_others_along() -> None:
    outcomes = Outcomes[str]()
    outcomes.expect("e1", "play")
    one, other = await waiting(outcomes, "e1", "e1")
    one.cancel()
    await asyncio.wait([one])
    outcomes.succeed("e1")
    await other


async def test_an_outcome_that_nobody_expects_is_harmless() -> None:
    outcomes = Outcomes[str]()
    outcomes.succeed("e1")
    outcomes.fail("e1", ValueError())
    assert outcomes.forget("e1") is None
    with pytest.raises(KeyError):
        await outcomes.of("e1")


async def test_a_task_that_was_forgotten_is_the_callers_to_end() -> None:
    outcomes = Outcomes[str]()
    outcomes.expect("e1", "play")
    (one,) = await waiting(outcomes, "e1")
    future = outcomes.forget("e1")
    assert future is not None
    outcomes.succeed("e1")
    assert not one.done()
    future.set_result(None)
    await one
