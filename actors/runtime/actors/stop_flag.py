"""Whether an actor has stopped."""

import threading


class StopFlag(threading.Event):
    """Pykka's ``actor_stopped`` without the lock and condition of an event (half a KiB each)."""

    _flag: bool

    def __init__(self) -> None:
        self._flag = False

    def set(self) -> None:
        """From now on ``is_set``."""
        self._flag = True

    def clear(self) -> None:
        """Refused: an actor does not come back."""
        raise NotImplementedError("a stopped actor stays stopped")

    def wait(self, timeout: float | None = None) -> bool:
        """Refused: nothing to wait with."""
        raise NotImplementedError("await `ref.stop(block=False)` to see an actor stop")
