"""Runs work on a thread with an event loop of its own, whether the caller waits or awaits.

So it makes no difference whether a loop is already running in the caller's thread, as in a
notebook. A process does one such piece of work at a time; others wait for it.
"""

import asyncio
import functools
import inspect
import queue
import threading
import warnings
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec

from actors.runs.execution.work import Progress, Work
from actors.runtime.actors.event_loop import run as run_loop
from events.environments import Catalog
from events.evaluation import JudgeSpec
from events.minds import ModelSpec
from events.run import RunPlanned
from gateway.errors import GatewayError
from gateway.process.in_process_worker import ProgressObserver, carry_out_here
from gateway.process.worker_node import WorkerNode
from gateway.run_progress_bars import held_words
from gateway.settings import Settings
from store.log.event_store import EventStore
from troupe.errors import in_sentences
from troupe.progress import Show, shown

P = ParamSpec("P")
T = TypeVar("T")

HELD_LOOK_S = 1.0
"""How often it is looked whether a model is held back, in seconds."""
LOST_S = 0.5
"""How often it is looked whether the work is over though nothing said so, in seconds."""
_one_at_a_time = threading.Lock()
_busy: list[str] = []
"""Why work cannot begin before its caller does something else first."""
_here = threading.local()
"""``telling``: a function of the caller's is being told how far it is."""


class FromProgress(GatewayError):
    """Work was asked for while other work waits for the answer of who asks."""

    def __init__(self) -> None:
        super().__init__(
            "a function that is told of progress cannot begin work of its own: what it is told of "
            "would wait for it; begin it after"
        )


@contextmanager
def kept_busy(why: str) -> Iterator[None]:
    """Do work of the process that lasts until its caller ends it. Other work is refused meanwhile,
    and its caller told ``why``: it may be the very one who would have to end this."""
    with _one_at_a_time:
        _busy.append(why)
        try:
            yield
        finally:
            _busy.remove(why)


@contextmanager
def _in_turn() -> Iterator[None]:
    if _busy:
        raise GatewayError(_busy[0])
    with _one_at_a_time:
        yield


class Call:
    """Some work, as the thread that does it and the caller share it."""

    def __init__(self, tell: Callable[[Callable[[], object]], object]) -> None:
        """``tell`` has something called on the caller's side."""
        self._tell = tell
        self._shown = ExitStack()
        self._show: Callable[[Progress], object] = lambda _: None
        self._lock = threading.Lock()
        self._stopped = False
        self._stop: Callable[[], object] = lambda: None
        self.trouble: BaseException | None = None
        """What the caller's side met; the work was stopped for it."""
        self.begun = ""
        """How what was begun goes on where it is stopped, in words."""

    def start(self, body: Callable[[], T]) -> "Future[T]":
        """Do it on a thread."""
        done: Future[T] = Future()

        def work() -> None:
            try:
                with _in_turn(), in_sentences():
                    found = body()
            except BaseException as error:  # noqa: BLE001 - the caller's to meet
                done.set_exception(error)
            else:
                done.set_result(found)

        threading.Thread(target=work, name="troupe").start()
        return done

    def stop(self) -> None:
        """Let what is under way finish its turn, and begin nothing more."""
        with self._lock:
            self._stopped = True
            self._stop()

    def happen(self, thing: Callable[[], object]) -> None:
        """On the caller's side: what the thread has told. Where that fails, the work is stopped."""
        _here.telling = True
        try:
            thing()
        except BaseException as error:  # noqa: BLE001 - raised once the work has stopped
            self.fail(error)
        finally:
            _here.telling = False

    def fail(self, error: BaseException) -> None:
        """On the caller's side: stop because of something, which is raised after."""
        if self.trouble is None:
            self.trouble = error
            if self.begun:
                error.add_note(self.begun)
        self.stop()

    def carry_out(
        self,
        settings: Settings,
        store: EventStore,
        begin: Callable[[], Work],
        concurrency: int,
        *,
        show: Show,
        models: Sequence[ModelSpec] = (),
        run: str = "",
        judges: Sequence[JudgeSpec] = (),
        command: str,
        planned: Callable[[], tuple[RunPlanned, Catalog] | None] | None = None,
    ) -> Progress:
        """``carry_out_here`` on a loop of this thread, which the caller may stop."""

        async def main() -> Progress:
            stop, loop = asyncio.Event(), asyncio.get_running_loop()
            with self._lock:
                self._stop = partial(loop.call_soon_threadsafe, stop.set)
                if self._stopped:
                    stop.set()
            try:
                return await carry_out_here(
                    settings,
                    store,
                    begin,
                    concurrency,
                    stop=stop,
                    onlooker=_Teller(self, show),
                    models=models,
                    run=run,
                    judges=judges,
                    command=command,
                    planned=planned,
                )
            finally:
                with self._lock:
                    self._stop = lambda: None

        return run_loop(main(), guest=True)

    def open(self, show: Show, begun: Progress) -> None:
        """Have the caller's side show how far it is."""

        def begin() -> None:
            self._show = self._shown.enter_context(shown(show, begun))
            self._show(begun)

        self._tell(begin)

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """Some other work, on a loop of this thread; cancelled where the caller stops it."""

        async def main() -> T:
            task, loop = asyncio.ensure_future(work), asyncio.get_running_loop()
            with self._lock:
                self._stop = partial(loop.call_soon_threadsafe, task.cancel)
                if self._stopped:
                    task.cancel()
            try:
                return await task
            finally:
                with self._lock:
                    self._stop = lambda: None

        return run_loop(main(), guest=True)

    def tell_of(self, thing: Callable[[], object]) -> None:
        """Have something called on the caller's side."""
        self._tell(thing)

    def tell(self, now: Progress) -> None:
        """Have it show this."""
        self._tell(lambda: self._show(now))

    def warn(self, sentence: str) -> None:
        """Have it warned of something."""
        self._tell(lambda: warnings.warn(sentence, stacklevel=2))

    def close(self) -> None:
        """Have it show no more."""
        self._tell(self._shown.close)


class _Teller(ProgressObserver):
    """Tells the caller's side how far it is, and warns it."""

    def __init__(self, call: Call, show: Show) -> None:
        self._call, self._as = call, show

    def tight(self, sentences: Sequence[str]) -> None:
        for sentence in sentences:
            self._call.warn(sentence)

    @contextmanager
    def following(self, node: WorkerNode, work: Work) -> Iterator[Callable[[Progress], None]]:
        def tell(now: Progress) -> None:
            held = tuple(map(held_words, node.caller.breakers))
            self._call.tell(msgspec.structs.replace(now, held=held))

        async def look() -> None:
            before: tuple[str, ...] = ()
            while True:
                await asyncio.sleep(HELD_LOOK_S)
                held = tuple(map(held_words, node.caller.breakers))
                if held != before:
                    before = held
                    tell(work.progress)

        self._call.open(self._as, msgspec.structs.replace(work.progress))
        looking = asyncio.get_running_loop().create_task(look())
        try:
            yield tell
        finally:
            looking.cancel()
            self._call.close()


def blocking(body: Callable[Concatenate[Call, P], T]) -> Callable[P, T]:
    """Waits for the work. Ctrl-C stops it cleanly first."""

    @functools.wraps(body)
    def waits(*args: P.args, **kwargs: P.kwargs) -> T:
        if getattr(_here, "telling", False):
            raise FromProgress
        told: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        call = Call(told.put)
        done = call.start(lambda: body(call, *args, **kwargs))
        done.add_done_callback(lambda _: told.put(None))
        over = False
        while not over:
            try:
                # A Ctrl-C may take away what was got just then, the last thing among it.
                over = done.done() and told.empty()
                if not over and (thing := told.get(timeout=LOST_S)) is not None:
                    call.happen(thing)
            except queue.Empty:
                continue
            except KeyboardInterrupt as error:
                call.fail(error)
        return _result(call, done)

    return _without_the_call(waits)


def awaited(body: Callable[Concatenate[Call, P], T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Is awaited. Where that is cancelled it is stopped cleanly first."""

    @functools.wraps(body)
    async def awaits(*args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()

        def tell(thing: Callable[[], object]) -> None:
            with suppress(RuntimeError):  # the caller's loop is closed
                loop.call_soon_threadsafe(call.happen, thing)

        call = Call(tell)
        done = call.start(lambda: body(call, *args, **kwargs))
        waiting = asyncio.wrap_future(done)
        while not waiting.done():
            try:
                await asyncio.wait({waiting})
            except asyncio.CancelledError as error:
                call.fail(error)
        await asyncio.sleep(0)  # what was told last happens before
        waiting.exception()  # else asyncio tells of it as of one that nobody met
        return _result(call, done)

    return _without_the_call(awaits)


def _result(call: Call, done: "Future[T]") -> T:
    if call.trouble is not None:
        raise call.trouble
    return done.result()


def _without_the_call(function: T) -> T:
    """Helps show what callers give, not the ``Call`` that the body gets first."""
    signature = inspect.signature(function)  # type: ignore[arg-type]
    _, *given = signature.parameters.values()
    function.__signature__ = signature.replace(parameters=given)  # type: ignore[attr-defined]
    return function
