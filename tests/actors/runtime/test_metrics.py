"""Figures about actors carry class names and nothing else."""

import asyncio

import pytest
from prometheus_client import REGISTRY

from actors.runtime.actors.loop_actor import LoopActor
from actors.runtime.errors import CommandRefused
from tests.actors.runtime.eventually import eventually

pytestmark = pytest.mark.usefixtures("home")


class Measured(LoopActor):
    """Waits, fails or refuses as it is told."""

    async def on_receive(self, message: object) -> None:
        if isinstance(message, Exception):
            raise message
        if isinstance(message, asyncio.Event):
            await message.wait()


def figure(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def test_messages_that_wait_are_counted_by_class() -> None:
    gate = asyncio.Event()
    measured = [Measured.start() for _ in range(2)]
    for actor in measured:
        for _ in range(4):
            actor.tell(gate)
    # The first message of each is being handled, the others wait.
    await eventually(lambda: figure("troupe_actor_mailbox_depth", **{"class": "Measured"}) == 6)
    gate.set()
    for actor in measured:
        await actor.ask("done", block=False)
    assert figure("troupe_actor_mailbox_depth", **{"class": "Measured"}) == 0


async def test_a_failure_is_counted_by_class_and_error() -> None:
    labels = {"class": "Measured", "error_type": "ZeroDivisionError"}
    before = figure("troupe_actor_failures_total", **labels)
    measured = Measured.start()
    measured.tell(ZeroDivisionError())
    await eventually(lambda: not measured.is_alive())
    assert figure("troupe_actor_failures_total", **labels) == before + 1


async def test_a_refusal_is_counted_and_is_no_failure() -> None:
    labels = {"class": "Measured"}
    before = figure("troupe_actor_refusals_total", **labels)
    measured = Measured.start()
    measured.tell(CommandRefused("no"))
    await measured.ask("still there?", block=False)
    assert figure("troupe_actor_refusals_total", **labels) == before + 1
    failed = {"class": "Measured", "error_type": "CommandRefused"}
    assert figure("troupe_actor_failures_total", **failed) == 0
