"""The tasks that actors spawn."""

import asyncio
from typing import Protocol, TypeVar

T = TypeVar("T")


class Lasting(Protocol):
    """Work inside a task that may have to come to its end when the task's actor is gone."""

    def leave(self, task: asyncio.Task[T]) -> bool:
        """The actor stopped. True: the work goes on, and ends the task when it has ended; False: it
        may be cancelled."""
        ...


class SpawnedTask(asyncio.Task[T]):
    """A task of an actor, which is cancelled when the actor stops, unless it is at lasting work."""

    lasting: Lasting | None = None
    """What it is at."""

    def leave(self) -> bool:
        """The actor stopped: cancel the task, or have it go on without the actor, which is then
        told nothing of it. Says whether it goes on."""
        if self.lasting is not None and self.lasting.leave(self):
            return True
        self.cancel()
        return False
