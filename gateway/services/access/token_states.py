"""How each token stands: issued, bound to a device, revoked. From its stream, looked at again
every few seconds, so that every gateway knows soon what one was told."""

import asyncio
import time
from typing import Final

from cachetools import LRUCache

from events.base import Value
from gateway.services.access.signed_tokens import BadToken
from gateway.services.access.token_repository import Tokens, TokenState

FRESH_S: Final = 2.0
"""For how long what was read of a token is gone by, in seconds."""
PATIENCE_S: Final = 1.0
"""How long a request waits for a database that is slow or away when something older is known."""
LONGER_S: Final = 10.0
"""How long it waits where nothing is known."""
MOST_HELD: Final = 20_000
"""Tokens that are kept in mind."""


class TokensUnknown(BadToken):
    """The database does not answer, and nothing is known of the token."""

    def __init__(self) -> None:
        super().__init__("whether the token stands is not known: the database does not answer")


class _Held(Value, frozen=True, kw_only=True):
    at: float
    state: TokenState | None


class TokenStates:
    """What one process knows of tokens."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._held: LRUCache[str, _Held] = LRUCache(MOST_HELD)
        self._reading: dict[str, asyncio.Task[TokenState | None]] = {}

    async def of(self, token: str) -> TokenState:
        """How a token stands, as of ``FRESH_S`` seconds ago at most; older where the database is
        away. Raises ``BadToken``."""
        held = self._held.get(token)
        if held is None or time.monotonic() - held.at > FRESH_S:
            try:
                async with asyncio.timeout(LONGER_S if held is None else PATIENCE_S):
                    state = await self._read(token)
            except Exception as error:
                if held is None:
                    raise TokensUnknown from error
                state = held.state
        else:
            state = held.state
        if state is None:
            raise BadToken("the token was not issued here")
        if state.revoked:
            raise BadToken("the token was revoked")
        return state

    def forget(self, token: str) -> None:
        """Look again at the next request."""
        self._held.pop(token, None)

    async def _read(self, token: str) -> TokenState | None:
        """Read it once for all who wait for it."""
        task = self._reading.get(token)
        if task is None:
            reading = asyncio.to_thread(self._read_state, token)
            task = self._reading[token] = asyncio.get_running_loop().create_task(reading)
            task.add_done_callback(lambda done: self._keep(token, done))
        return await asyncio.shield(task)

    def _read_state(self, token: str) -> TokenState | None:
        found = self._tokens.get(token)
        return None if found is None else found.state

    def _keep(self, token: str, done: "asyncio.Task[TokenState | None]") -> None:
        self._reading.pop(token, None)
        if done.cancelled() or done.exception() is not None:
            return
        self._held[token] = _Held(at=time.monotonic(), state=done.result())
