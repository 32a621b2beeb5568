"""Tasks that actors carry out, and who waits for what becomes of them."""

import asyncio
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Outcomes(Generic[T]):
    """By id: a task handed to an actor, and the future of its outcome.

    A job is carried out by telling its task to an actor and awaiting ``of``; whoever learns how it
    went calls ``succeed`` or ``fail``. An actor that has to begin again finds its task here.
    """

    def __init__(self) -> None:
        self._tasks: dict[str, tuple[T, asyncio.Future[None]]] = {}

    def __len__(self) -> int:
        """How many tasks have no outcome yet."""
        return len(self._tasks)

    def __contains__(self, id_: str) -> bool:
        """Whether a task has no outcome yet."""
        return id_ in self._tasks

    def __iter__(self) -> Iterator[str]:
        """The ids of those without an outcome, as they are now."""
        return iter(tuple(self._tasks))

    def expect(self, id_: str, task: T) -> bool:
        """From now on the outcome of a task is waited for; False where that of one with this id is
        already, which stays."""
        if id_ in self._tasks:
            return False
        self._tasks[id_] = task, asyncio.get_running_loop().create_future()
        return True

    def task(self, id_: str) -> T | None:
        """The task of this id that has no outcome yet."""
        found = self._tasks.get(id_)
        return None if found is None else found[0]

    async def of(self, id_: str) -> None:
        """Returns when a task has succeeded; raises what it failed with. Several may wait, and one
        that is cancelled does not take the others along. Raises ``KeyError`` where nobody expects
        the task."""
        await asyncio.shield(self._tasks[id_][1])

    def succeed(self, id_: str) -> None:
        """The task is done with; harmless where nobody expects it."""
        future = self.forget(id_)
        if future is not None:
            future.set_result(None)

    def fail(self, id_: str, error: Exception) -> None:
        """The task is not done, and why; harmless where nobody expects it."""
        future = self.forget(id_)
        if future is not None:
            future.set_exception(error)
            future.exception()  # whoever waited may be gone by now

    def forget(self, id_: str) -> asyncio.Future[None] | None:
        """Expect a task no longer; the future of those who still wait, now the caller's to set."""
        found = self._tasks.pop(id_, None)
        return None if found is None or found[1].done() else found[1]
