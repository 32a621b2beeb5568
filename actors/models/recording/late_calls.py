"""Calls that continue after their caller is gone, because the answer is paid for in any case."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

from actors.models.caller import ModelCaller
from actors.models.recording.call_log import CallEvent, CallRecorder
from actors.runtime.actors.spawned_task import SpawnedTask
from events.agent import ModelAnswered

P = ParamSpec("P")
T = TypeVar("T")
Call = Callable[Concatenate[ModelCaller, CallRecorder, P], Coroutine[object, None, T]]


def goes_on_when_left(call: Call[P, T]) -> Call[P, T]:
    """Have a call that is cancelled while the model is at work come to its end in the background:
    its answer is recorded and counted. What was not sent yet is not sent any more."""

    @wraps(call)
    async def until_left(
        caller: ModelCaller, calls: CallRecorder, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        watched = _Watched(caller, calls)
        task = asyncio.current_task()
        if type(task) is not SpawnedTask or task.lasting is not None:
            return await _beside(call(caller, watched, *args, **kwargs), watched)
        # An actor's own task needs no other beside it: the actor asks before it cancels.
        task.lasting = watched
        try:
            answer = await call(caller, watched, *args, **kwargs)
        except Exception as error:
            if not watched.left:
                raise
            caller.late_call_failed(error)
            raise asyncio.CancelledError from error
        finally:
            task.lasting = None
        if watched.left:
            raise asyncio.CancelledError  # the answer is recorded; nothing is done with it
        return answer

    return cast(Call[P, T], until_left)


async def _beside(call: Coroutine[object, None, T], watched: "_Watched") -> T:
    """What a call brings, in a task of its own."""
    loop = asyncio.get_running_loop()
    made = loop.create_task(call)
    # What asyncio.shield does, at half the cost.
    over = loop.create_future()

    def came(_: asyncio.Task[T]) -> None:
        if not over.done():
            over.set_result(None)

    made.add_done_callback(came)
    try:
        await over
    except asyncio.CancelledError:
        if not watched.leave(made):
            watched.left = True
            made.cancel()
        raise
    return made.result()


class _Watched:
    """The recorder of one call, which knows whether the model was asked."""

    __slots__ = ("caller", "calls", "left", "sent")

    def __init__(self, caller: ModelCaller, calls: CallRecorder) -> None:
        self.caller, self.calls = caller, calls
        self.left = False
        """Nobody waits for the answer any more."""
        self.sent = False
        """The model was asked, once at least."""

    def leave(self, task: asyncio.Task[T]) -> bool:
        """As ``actors.runtime.actors.spawned_task.Lasting`` says."""
        if not self.sent:
            return False
        self.left = True
        self.caller.await_late(cast(asyncio.Task[object], task))
        return True

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        """As the recorder says."""
        return self.calls.answers_to(turn, attempt)

    def record(self, event: CallEvent) -> Awaitable[object]:
        """As the recorder does."""
        recording = self.calls.record(event)
        return recording if type(event) is ModelAnswered else _Recording(recording, self)

    async def confirm(self) -> None:
        """Ask, unless nobody waits for what would come."""
        if self.left:
            raise asyncio.CancelledError  # a retry
        await self.calls.confirm()
        self.sent = True


class _Recording:
    """A question on its way to the store. An answer that comes late is recorded without it, too:
    another may own the stream by now."""

    __slots__ = ("call", "recording")

    def __init__(self, recording: Awaitable[object], call: _Watched) -> None:
        self.recording, self.call = recording, call

    def __await__(self) -> Generator[object, None, object]:
        try:
            return (yield from self.recording.__await__())
        except Exception:
            if not self.call.left:
                raise
            return None
