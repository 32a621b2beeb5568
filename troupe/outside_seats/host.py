"""What plays episodes beside the caller: NATS, actors and models on a thread of their own, as long
as the caller plays any."""

import asyncio
import os
import threading
from collections import defaultdict
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from actors.runtime.actors.event_loop import run as run_loop
from events.untrusted.safe_text import shortened
from events.wire.messages import Job
from gateway.errors import GatewayError
from gateway.process.in_process_worker import worker_node
from gateway.process.worker_node import WorkerNode
from gateway.settings import Settings
from store.log.event_store import EventStore
from troupe.arguments import Where, settings_at
from troupe.errors import in_sentences
from troupe.sessions import session
from troupe.worker_thread import kept_busy

T = TypeVar("T")

EPISODES: Final = 256
"""Episodes under way at once in a process."""
_STILL_OPEN: Final = (
    "this process plays episodes seat by seat at present; close those environments first "
    "(env.close())"
)


class ElsewhereOpen(GatewayError):
    """Episodes of two places were to be played in one process at the same time."""

    def __init__(self, there: str) -> None:
        super().__init__(
            f"this process plays episodes of {shortened(there)} at present; close those "
            "environments first (env.close()), or play in another process"
        )


class SeatHost:
    """The worker node of this process, shared by all that play seats in it.

    ``node`` and ``store`` are to be used on its loop; ``call`` has something done there.
    """

    node: WorkerNode
    store: EventStore
    loop: asyncio.AbstractEventLoop
    _stop: asyncio.Event

    def __init__(self, settings: Settings, where: Where) -> None:
        self.settings = settings
        self.users: list[Callable[[], object]] = []
        """What ends the use of each that uses it."""
        self.tried: dict[str, list[asyncio.Event]] = defaultdict(list)
        """Who waits for a job, by the evaluation that it is for."""
        self._where = where
        self._started: Future[None] = Future()
        # Whoever forgets to close an environment is not kept from ending the program.
        self._thread = threading.Thread(target=self._work, name="troupe-seats", daemon=True)

    def start(self) -> None:
        """Returns once episodes can be played. Raises what keeps them from that."""
        self._thread.start()
        self._started.result()

    def call(self, what: Coroutine[Any, Any, T]) -> "Future[T]":
        """Have something done on the loop."""
        return asyncio.run_coroutine_threadsafe(what, self.loop)

    def close(self) -> None:
        """End: what is under way stays where it is. Returns once all is stored."""
        if self._thread.is_alive():
            self.loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()

    def _work(self) -> None:
        try:
            with kept_busy(_STILL_OPEN), in_sentences(), session(self._where) as (here, store):
                self.store = store
                run_loop(self._main(here), guest=True)
        except BaseException as error:
            if self._started.done():
                raise
            self._started.set_exception(error)

    async def _main(self, settings: Settings) -> None:
        self.loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with worker_node(settings, self.store, None, "seats") as self.node:
            await self.node.work(EPISODES)
            self.node.jobs.on_tried.append(self._job_tried)
            self._started.set_result(None)
            await self._stop.wait()
            await self.node.drain()

    def _job_tried(self, job: Job) -> None:
        for event in self.tried.get(getattr(job, "evaluation", ""), ()):
            event.set()


_lock = threading.Lock()
_shared: list[SeatHost] = []
"""The one of this process, if there is one."""


def shared_host(where: Where, end: Callable[[], object]) -> SeatHost:
    """The host of a place; started where there is none yet. ``end``: what releases it where the
    program ends before. Raises ``GatewayError``."""
    with _lock, in_sentences():
        settings = settings_at(where)
        if not _shared:
            host = SeatHost(settings, where)
            host.start()
            _shared.append(host)
        if (host := _shared[0]).settings.database_url != settings.database_url:
            raise ElsewhereOpen(str(host.settings.data_dir))
        host.users.append(end)
        return host


def release(host: SeatHost, end: Callable[[], object]) -> None:
    """Use it no more; with its last user it ends."""
    with _lock:
        if end in host.users:
            host.users.remove(end)
        if not host.users and host in _shared:
            _shared.remove(host)
            host.close()


def _end() -> None:
    for host in tuple(_shared):
        for end in tuple(host.users):
            end()


# ``atexit`` is too late: the threads of the loop's executor, which store everything, have ended.
threading._register_atexit(_end)  # type: ignore[attr-defined]
os.register_at_fork(after_in_child=_shared.clear)
