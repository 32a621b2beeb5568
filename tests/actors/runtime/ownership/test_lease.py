"""What a process may hold for its own, by the clock."""

import asyncio

import pytest

from actors.runtime.ownership.lease import Lease


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lease(clock: Clock) -> Lease:
    """One of a second, of which two seconds have gone by since it was begun and renewed."""
    lease = Lease(1.0, clock)
    lease.begin("episode")
    for _ in range(4):
        clock.now += 0.5
        lease.renew("episode", clock.now)
    return lease


def test_a_lease_that_is_renewed_in_time_is_held_all_along(lease: Lease):
    assert lease.held_since(100.0)


def test_a_lease_that_never_was_renewed_lapses_too(clock: Clock):
    lease = Lease(1.0, clock)
    lease.begin("episode")
    clock.now += 1.5
    assert not lease.is_held


def test_where_no_jobs_are_taken_nobody_else_can_have_them(clock: Clock):
    lease = Lease(1.0, clock)
    clock.now += 3600
    assert lease.held_since(0.5)


def test_after_a_lapse_only_what_came_later_counts(lease: Lease, clock: Clock):
    clock.now += 2.0
    assert not lease.held_since(clock.now)
    lease.renew("episode", clock.now)
    assert not lease.held_since(clock.now)
    clock.now += 0.1
    assert lease.held_since(clock.now)
    assert not lease.held_since(clock.now - 0.1)


def test_the_moment_that_counts_is_when_a_round_trip_began(lease: Lease, clock: Clock):
    begun = clock.now
    clock.now += 1.5
    lease.renew("episode", begun)
    assert not lease.is_held


def test_answers_that_come_in_another_order_take_nothing_back(lease: Lease, clock: Clock):
    clock.now += 0.9
    lease.renew("episode", clock.now)
    lease.renew("episode", clock.now - 0.5)
    clock.now += 0.9
    assert lease.held_since(100.0)


def test_one_kind_of_jobs_does_not_answer_for_another(lease: Lease, clock: Clock):
    lease.begin("evaluation")
    for _ in range(4):
        clock.now += 0.5
        lease.renew("evaluation", clock.now)
    assert not lease.is_held


async def test_who_is_cut_off_waits_until_it_is_heard_again(lease: Lease, clock: Clock):
    await lease.held()
    clock.now += 2.0
    waiting = asyncio.ensure_future(lease.held())
    await asyncio.sleep(0)
    lease.renew("episode", clock.now - 1.5)
    await asyncio.sleep(0)
    assert not waiting.done()
    lease.renew("episode", clock.now)
    await waiting
