"""Actors on one asyncio loop behave as Pykka's actors do."""

import asyncio
import threading

import pykka
import pytest
from pykka import ActorDeadError, ActorRegistry

from actors.runtime.actors.dispatcher import LoopDispatcher
from actors.runtime.actors.event_loop import run
from actors.runtime.actors.inbox import LoopEnvelope, LoopInbox
from actors.runtime.actors.loop_actor import LoopActor
from actors.runtime.errors import HandlerCancelled, InboxFull, LoopWouldBlock, NoLoop
from tests.actors.runtime.eventually import eventually

pytestmark = pytest.mark.usefixtures("home")


class Parrot(LoopActor):
    """Says what it hears, and notes what happens to it."""

    def __init__(self, word: str = "") -> None:
        super().__init__()
        self.word = word
        self.heard: list[object] = []
        self.happened: list[object] = []

    def on_start(self) -> None:
        self.happened.append("start")

    def on_stop(self) -> None:
        self.happened.append("stop")

    def on_failure(self, exception_type: object, *_: object) -> None:
        self.happened.append(exception_type)

    def on_receive(self, message: object) -> object:
        if isinstance(message, Exception):
            raise message
        self.heard.append(message)
        return message

    def shout(self, text: str, marks: int = 1) -> str:
        return text.upper() + "!" * marks


async def test_an_answer_can_be_awaited_on_the_loop() -> None:
    assert await Parrot.start().ask("hello", block=False) == "hello"


async def test_an_answer_can_be_waited_for_in_another_thread() -> None:
    parrot = Parrot.start()
    assert await asyncio.to_thread(parrot.ask, "hello", timeout=20) == "hello"


async def test_an_actor_can_be_started_in_another_thread() -> None:
    parrot = await asyncio.to_thread(Parrot.start, word="hi")
    assert await parrot.proxy().word == "hi"


def test_an_actor_without_a_loop_is_refused() -> None:
    LoopDispatcher.default = None
    with pytest.raises(NoLoop, match=r"Parrot .* actors\.runtime\.loop\.run"):
        Parrot.start()
    assert ActorRegistry.get_by_class(Parrot) == []


async def test_waiting_on_the_loop_is_refused_and_says_what_to_do() -> None:
    parrot = Parrot.start()
    with pytest.raises(LoopWouldBlock, match="await the future instead"):
        parrot.ask("hello")
    answer = parrot.ask("again", block=False)
    await answer
    assert answer.get() == "again"


async def test_messages_are_handled_in_order_one_at_a_time() -> None:
    parrot = Parrot.start()
    for number in range(500):
        parrot.tell(number)
    assert await parrot.proxy().heard == list(range(500))


async def test_what_comes_while_very_many_wait_is_handled_behind_them() -> None:
    class Repeating(Parrot):
        def on_receive(self, message: object) -> object:
            if isinstance(message, int) and message < 500:
                self.actor_ref.tell(message + 500)
            return super().on_receive(message)

    repeating = Repeating.start()
    for number in range(500):
        repeating.tell(number)
    inbox = repeating.actor_inbox
    assert inbox.waiting() == 500
    await eventually(lambda: inbox.empty())
    assert await repeating.proxy().heard == list(range(1000))


async def test_messages_that_are_taken_out_leave_the_others_in_their_order() -> None:
    inbox = LoopInbox()
    for number in range(6):
        inbox.put(LoopEnvelope(number))
    inbox.shorten()
    inbox.put(LoopEnvelope(6))
    assert (inbox.get().message, inbox.waiting()) == (0, 6)
    taken = inbox.take(lambda envelope: envelope.message % 2 == 0)
    assert [envelope.message for envelope in taken] == [2, 4, 6]
    assert [envelope.message for envelope in inbox.take_all()] == [1, 3, 5]
    assert inbox.empty()


async def test_messages_of_a_thread_arrive_in_its_order() -> None:
    parrot = Parrot.start()

    def send() -> None:
        for number in range(2000):
            parrot.tell(number)

    await asyncio.gather(*[asyncio.to_thread(send) for _ in range(4)])
    heard = await parrot.proxy().heard
    assert sorted(heard) == sorted(list(range(2000)) * 4)
    first_of_each = [heard.index(number) for number in range(2000)]
    assert first_of_each == sorted(first_of_each)


async def test_questions_from_threads_that_race_with_a_stop_are_all_answered() -> None:
    for _ in range(30):
        parrot = Parrot.start()

        def ask_on_and_on(parrot: pykka.ActorRef = parrot) -> list[object]:
            answers = [parrot.ask(number, block=False) for number in range(100)]
            outcomes: list[object] = []
            for answer in answers:
                try:
                    outcomes.append(answer.get(timeout=60))
                except ActorDeadError:
                    outcomes.append(None)
            return outcomes

        asking = [asyncio.create_task(asyncio.to_thread(ask_on_and_on)) for _ in range(3)]
        await asyncio.sleep(0)
        await parrot.stop(block=False)
        for outcomes in await asyncio.gather(*asking):
            answered = [outcome for outcome in outcomes if outcome is not None]
            assert answered == list(range(len(answered)))


async def test_a_watcher_that_fails_leaves_no_question_open() -> None:
    def watcher(*_: object) -> None:
        raise ValueError("bad")

    parrot = Parrot().launch(watcher)
    parrot.tell(ValueError("bad"))
    late = parrot.ask("late", block=False)
    with pytest.raises(ActorDeadError):
        await late


class Slow(LoopActor):
    """Takes a while over each message."""

    def __init__(self) -> None:
        super().__init__()
        self.at_once = self.most_at_once = 0

    async def on_receive(self, message: object) -> object:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        if isinstance(message, Exception):
            raise message
        return message


async def test_an_async_handler_has_one_message_at_a_time() -> None:
    slow = Slow.start()
    answers = [slow.ask(number, block=False) for number in range(20)]
    assert [await answer for answer in answers] == list(range(20))
    assert await slow.proxy().most_at_once == 1


async def test_async_handlers_of_many_actors_run_side_by_side() -> None:
    barrier = asyncio.Barrier(50)

    class Meeting(LoopActor):
        async def on_receive(self, message: object) -> object:
            await barrier.wait()
            return message

    answers = [Meeting.start().ask(number, block=False) for number in range(50)]
    assert [await answer for answer in answers] == list(range(50))


async def test_an_async_handlers_error_goes_to_the_asker() -> None:
    slow = Slow.start()
    with pytest.raises(ValueError, match="bad"):
        await slow.ask(ValueError("bad"), block=False)
    assert await slow.ask("still there", block=False) == "still there"


async def test_an_async_handlers_error_in_a_tell_ends_the_actor() -> None:
    slow = Slow.start()
    slow.tell(ValueError("bad"))
    await eventually(lambda: not slow.is_alive())


class Cancelling(LoopActor):
    """Awaits something that is cancelled."""

    async def on_receive(self, message: object) -> None:
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        await future


async def test_a_cancelled_handler_does_not_look_like_a_cancelled_asker() -> None:
    with pytest.raises(HandlerCancelled, match="Cancelling"):
        await Cancelling.start().ask("x", block=False)


async def test_async_on_start_ends_before_the_first_message() -> None:
    class Prepared(LoopActor):
        ready = False

        async def on_start(self) -> None:
            await asyncio.sleep(0)
            self.ready = True

        def on_receive(self, message: object) -> bool:
            return self.ready

    assert await Prepared.start().ask("ready?", block=False) is True


async def test_proxies_call_read_and_set() -> None:
    parrot = Parrot.start().proxy()
    assert await parrot.shout("hey", marks=2) == "HEY!!"

    def from_a_thread() -> str:
        parrot.word = "changed"
        return parrot.word.get(timeout=60)

    assert await asyncio.to_thread(from_a_thread) == "changed"


async def test_an_error_in_an_ask_is_the_askers() -> None:
    parrot = Parrot.start()
    with pytest.raises(ValueError, match="bad"):
        await parrot.ask(ValueError("bad"), block=False)
    assert parrot.is_alive()


async def test_an_error_in_a_tell_ends_the_actor_and_its_hook_hears_of_it() -> None:
    actor = Parrot()
    parrot = actor.launch()
    parrot.tell(ValueError("bad"))
    late = parrot.ask("late", block=False)
    with pytest.raises(ActorDeadError):
        await late
    assert actor.happened == ["start", ValueError]
    assert ActorRegistry.get_by_urn(parrot.actor_urn) is None


async def test_stopping_handles_what_came_before_and_refuses_what_came_after() -> None:
    actor = Parrot()
    parrot = actor.launch()
    before = parrot.ask("before", block=False)
    stopped = parrot.stop(block=False)
    after = parrot.ask("after", block=False)
    assert await before == "before"
    assert await stopped is True
    with pytest.raises(ActorDeadError):
        await after
    with pytest.raises(ActorDeadError):
        parrot.tell("much later")
    assert await parrot.stop(block=False) is False
    assert actor.happened == ["start", "stop"]


async def test_an_actor_can_stop_itself() -> None:
    class Leaving(LoopActor):
        def on_receive(self, message: object) -> str:
            self.stop()
            return "goodbye"

    leaving = Leaving.start()
    assert await leaving.ask("leave", block=False) == "goodbye"
    await eventually(lambda: not leaving.is_alive())


async def test_the_registry_finds_broadcasts_and_stops() -> None:
    parrots = [Parrot.start() for _ in range(30)]
    assert ActorRegistry.get_by_class(Parrot) == parrots
    ActorRegistry.broadcast("all", Parrot)
    assert [await parrot.proxy().heard for parrot in parrots] == [["all"]] * 30
    assert all([await stopped for stopped in ActorRegistry.stop_all(block=False)])
    assert ActorRegistry.get_all() == []


async def test_an_exit_stops_all_actors_and_the_asker_hears_of_it() -> None:
    class Exiting(LoopActor):
        def on_receive(self, message: object) -> None:
            raise SystemExit(message)

    other = Parrot.start()
    answer = Exiting.start().ask("now", block=False)
    with pytest.raises(SystemExit):
        await answer
    await eventually(lambda: not other.is_alive())


class Small(Parrot):
    """Lets two messages wait."""

    inbox_limit = 2


async def test_a_full_inbox_tells_the_sender_and_still_can_be_stopped() -> None:
    small = Small.start()
    small.tell(1)
    answer = small.ask(2, block=False)
    with pytest.raises(InboxFull, match="2 messages waiting") as raised:
        small.tell(3)
    assert raised.value.limit == 2
    stopped = small.stop(block=False)
    assert await answer == 2
    assert await stopped is True


async def test_a_spawned_task_runs_beside_the_inbox_and_is_cancelled_at_stop() -> None:
    ended = asyncio.Event()

    class Waiting(Parrot):
        def on_start(self) -> None:
            self.spawn(self.wait())

        async def wait(self) -> None:
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                await asyncio.sleep(0)  # it may take its time to clean up
                ended.set()

    waiting = Waiting.start()
    assert await waiting.ask("hello", block=False) == "hello"
    assert await waiting.stop(block=False)
    assert ended.is_set()


async def test_a_task_that_cleans_up_is_left_in_peace_when_another_ends() -> None:
    cleaned: list[str] = []

    class Untidy(Parrot):
        def on_start(self) -> None:
            for name, steps in (("quick", 1), ("slow", 10)):
                self.spawn(self.clean_up(name, steps))

        async def clean_up(self, name: str, steps: int) -> None:
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                for _ in range(steps):
                    await asyncio.sleep(0)
                cleaned.append(name)

    untidy = Untidy.start()
    await untidy.ask("hello", block=False)
    await asyncio.sleep(0)
    await untidy.stop(block=False)
    assert cleaned == ["quick", "slow"]


async def test_a_spawned_tasks_error_ends_the_actor() -> None:
    class Failing(Parrot):
        def on_receive(self, message: object) -> None:
            self.spawn(self.break_down())

        async def break_down(self) -> None:
            raise ValueError("bad")

    actor = Failing()
    failing = actor.launch()
    await failing.ask("go", block=False)
    await eventually(lambda: not failing.is_alive())
    assert actor.happened == ["start", ValueError]


async def test_when_a_spawned_task_fails_the_message_under_way_is_given_up() -> None:
    class Torn(LoopActor):
        async def on_receive(self, message: object) -> None:
            self.spawn(self.break_down())
            await asyncio.get_running_loop().create_future()

        async def break_down(self) -> None:
            raise ValueError("bad")

    with pytest.raises(ActorDeadError):
        await Torn.start().ask("go", block=False)


async def test_the_watcher_hears_once_when_the_actor_is_gone_and_why() -> None:
    heard: list[object] = []

    def watcher(actor: LoopActor, cause: BaseException | None) -> None:
        heard.append((type(actor), type(cause), actor.actor_inbox.waiting()))

    stopped = Parrot().launch(watcher)
    await stopped.stop(block=False)
    failed = Parrot().launch(watcher)
    failed.tell(ValueError("bad"))
    failed.tell("left behind")
    await eventually(lambda: len(heard) == 2)
    assert heard == [(Parrot, type(None), 0), (Parrot, ValueError, 1)]


async def test_a_busy_actor_does_not_starve_the_loop() -> None:
    class Restless(LoopActor):
        rounds = 0

        def on_receive(self, message: object) -> None:
            self.rounds += 1
            self.actor_ref.tell(message)

    restless = Restless.start()
    restless.tell("on and on")
    loop_ran = asyncio.Event()
    asyncio.get_running_loop().call_soon(loop_ran.set)
    async with asyncio.timeout(60):
        await loop_ran.wait()
    assert await restless.proxy().rounds > 0


async def test_an_actor_is_freed_once_it_is_gone() -> None:
    import weakref

    class Light(LoopActor):
        pass

    actor = Light()
    trace = weakref.ref(actor)
    reference = actor.launch()
    del actor
    await reference.stop(block=False)
    await eventually(lambda: trace() is None)
    assert not reference.is_alive()


def test_run_is_home_for_actors_of_other_threads() -> None:
    async def main() -> object:
        parrot = await asyncio.to_thread(Parrot.start)
        answer = await parrot.ask("hello", block=False)
        await parrot.stop(block=False)
        return answer

    assert run(main()) == "hello"


def test_after_its_loop_has_closed_an_actor_is_dead() -> None:
    kept: list[pykka.ActorRef] = []

    async def main() -> None:
        kept.append(Parrot.start())
        await kept[0].ask("hello", block=False)

    thread = threading.Thread(target=run, args=(main(),))
    thread.start()
    thread.join()
    with pytest.raises(ActorDeadError, match="loop of the actor is closed"):
        kept[0].tell("anybody?")
    ActorRegistry.unregister(kept[0])
