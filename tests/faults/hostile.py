"""A model server in a thread of its own, for commands that run in this one: it can change its mind
after some requests, and be mended."""

import asyncio
import threading
from types import TracebackType
from typing import Self

from tests.support.servers.stub_llm import StubServer, StubSettings


class HostileServer(StubServer):
    """Answers well, and badly from some request on. Used as ``with HostileServer(…) as server``."""

    def __init__(self, then: StubSettings, after: int = 0) -> None:
        super().__init__(StubSettings() if after else then)
        self._then, self._after = then, after
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def mend(self) -> None:
        """Answer well from now on."""
        self._after, self.settings = 0, StubSettings()

    def _fault(self, name: str, before: int) -> str:
        if self._after and self.stats.requests >= self._after:
            self.settings = self._then
        return super()._fault(name, before)

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.__aenter__(), self._loop).result(10)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self.__aexit__(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
