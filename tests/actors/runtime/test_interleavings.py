"""Whatever is sent in whatever order, every question gets an answer."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any

import pykka
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pykka import ActorDeadError, ActorRegistry

from actors.runtime.actors.event_loop import run
from actors.runtime.actors.loop_actor import LoopActor
from actors.runtime.errors import CommandRefused
from events.ids import new_id
from events.serialization.codec import event_of
from store.log.event_store import EventStore
from store.open_store import open_store
from tests.actors.runtime.counting import Add, Counter, counted

STEPS = st.lists(
    st.sampled_from(
        ["ask", "ask", "ask", "tell", "ask_badly", "tell_badly", "ask_from_thread", "stop", "pause"]
    ),
    max_size=30,
)


class Bad(Exception):
    """What the actors raise when told to."""


class Plain(LoopActor):
    def on_receive(self, message: object) -> object:
        if message == "bad":
            raise Bad
        return message


class Waiting(LoopActor):
    async def on_receive(self, message: object) -> object:
        await asyncio.sleep(0)
        if message == "bad":
            raise Bad
        return message


class Spawning(LoopActor):
    """Has a task under way for each message; a bad one's fails."""

    def on_receive(self, message: object) -> object:
        self.spawn(self.work(message))
        return message

    async def work(self, message: object) -> None:
        await asyncio.sleep(0)
        if message == "bad":
            raise Bad


class Told:
    """An actor under test, what it was asked, and what came of it."""

    def __init__(self, ref: pykka.ActorRef) -> None:
        self.ref = ref
        self.asked: list[tuple[object, asyncio.Future]] = []

    def ask(self, message: object) -> None:
        answer = self.ref.ask(message, block=False)

        async def wait() -> object:
            return await answer

        self.asked.append((message, asyncio.ensure_future(wait())))

    def tell(self, message: object) -> None:
        try:
            self.ref.tell(message)
        except ActorDeadError:
            assert not self.ref.is_alive()

    async def answers(self) -> list[tuple[object, object]]:
        """Every question with its outcome; none may be missing in the end."""
        async with asyncio.timeout(60):
            await self.ref.stop(block=False)
            outcomes = await asyncio.gather(
                *[future for _, future in self.asked], return_exceptions=True
            )
        return [
            (message, outcome) for (message, _), outcome in zip(self.asked, outcomes, strict=True)
        ]


async def play(steps: list[str], told: Told, good: Callable[[int], object], bad: object) -> None:
    for number, step in enumerate(steps):
        match step:
            case "ask":
                told.ask(good(number))
            case "tell":
                told.tell(good(number))
            case "ask_badly":
                told.ask(bad)
            case "tell_badly":
                told.tell(bad)
            case "ask_from_thread":
                loop = asyncio.get_running_loop()
                future = asyncio.ensure_future(
                    asyncio.to_thread(told.ref.ask, good(number), timeout=20)
                )
                told.asked.append((good(number), future))
                await loop.run_in_executor(None, lambda: None)
            case "stop":
                told.ref.stop(block=False)
            case "pause":
                await asyncio.sleep(0)


def finished(main: Coroutine[Any, Any, None]) -> Awaitable[None] | None:
    try:
        return run(main)
    finally:
        assert ActorRegistry.get_all() == []


@pytest.mark.parametrize("kind", [Plain, Waiting, Spawning])
@given(steps=STEPS)
@settings(deadline=None)
def test_every_question_is_answered_or_the_actor_is_dead(
    kind: type[LoopActor], steps: list
) -> None:
    async def main() -> None:
        told = Told(kind.start())
        await play(steps, told, lambda number: number, "bad")
        for message, outcome in await told.answers():
            assert outcome == message or isinstance(outcome, ActorDeadError | Bad)
            assert not (isinstance(outcome, Bad) and message != "bad")

    finished(main())


@given(steps=STEPS)
@settings(deadline=None)
def test_nothing_is_answered_that_was_sent_after_stop(steps: list) -> None:
    async def main() -> None:
        told = Told(Plain.start())
        kept = [step for step in steps if step not in ("tell_badly", "ask_from_thread", "pause")]
        await play(kept, told, lambda number: number, "bad")
        end = kept.index("stop") if "stop" in kept else len(kept)
        for message, outcome in await told.answers():
            if isinstance(message, int):
                assert isinstance(outcome, ActorDeadError) == (message > end)

    finished(main())


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EventStore]:
    path = tmp_path_factory.mktemp("interleavings") / "events.db"
    store = open_store(f"sqlite:///{path}", durable=False)
    yield store
    store.close()


class Recording(Counter):
    """Records beside its commands: a tenth for each."""

    def on_receive(self, message: Any) -> Any:
        if isinstance(message, Add) and message.tokens > 0:
            self.spawn(self.record([counted(message.tokens), counted(message.tokens)]))
        return super().on_receive(message)


@pytest.mark.parametrize("kind", [Counter, Recording])
@given(steps=STEPS)
@settings(deadline=None)
def test_every_command_is_stored_once_refused_or_the_actor_is_dead(
    kind: type[Counter], steps: list, shared_store: EventStore
) -> None:
    stream = f"agent-{new_id('t')}.0"

    async def main() -> None:
        actor = kind(shared_store, stream)
        told = Told(actor.launch())
        await play(steps, told, lambda number: Add(number + 1), Add(-1))
        answers = await told.answers()
        stored = [event_of(envelope).input_tokens for envelope in shared_store.read(stream)]
        assert (actor.version, actor.state) == (len(stored) - 1, sum(stored))
        for message, outcome in answers:
            if isinstance(outcome, int):
                assert stored[outcome] == message.tokens
            elif isinstance(outcome, CommandRefused):
                assert message == Add(-1)
            else:
                assert isinstance(outcome, ActorDeadError)

    finished(main())
