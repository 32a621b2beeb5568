"""How each token stands: issued, bound to a device, revoked. From its stream, looked at again
every few seconds, so that every gateway knows soon what one was told."""

import asyncio
import time
from collections.abc import Iterable
from typing import Final

from cachetools import LRUCache

from events.access import TokenIssued, TokenRevoked, TokenUsed
from events.base import Event, Value, replace
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from gateway.services.access.roles import Principal
from gateway.services.access.signed_tokens import BadToken
from store.log.event_store import NEW, EventStore

KIND: Final = "token"
"""Of the streams."""
FRESH_S: Final = 2.0
"""For how long what was read of a token is gone by, in seconds."""
PATIENCE_S: Final = 1.0
"""How long a request waits for a database that is slow or away when something older is known."""
LONGER_S: Final = 10.0
"""How long it waits where nothing is known."""
MOST_HELD: Final = 20_000
"""Tokens that are kept in mind."""


class TokenState(Value, frozen=True, kw_only=True):
    """How one token stands."""

    principal: Principal
    """Whom it makes its holder."""
    bound: bool = False
    """Its link belongs to the first device that uses it."""
    device: str = ""
    """The digest of that device's secret; empty: not used yet."""
    revoked: bool = False
    """It is worth nothing any more."""
    issued_by: str = ""
    """Who issued it; empty: somebody at a terminal."""
    version: int = NEW
    """Of the last event of its stream."""

    def standing(self, now: float | None = None) -> str:
        """``revoked``, ``expired``, ``used`` (a bound one, by its device) or ``open``."""
        now = time.time() if now is None else now
        if self.revoked:
            return "revoked"
        if self.principal.expires <= now * 1_000_000:
            return "expired"
        return "used" if self.device else "open"


class TokensUnknown(BadToken):
    """The database does not answer, and nothing is known of the token."""

    def __init__(self) -> None:
        super().__init__("whether the token stands is not known: the database does not answer")


def state_after(token: str, events: Iterable[Event]) -> TokenState | None:
    """How a token stands after the events of its stream; None: it was never issued."""
    state: TokenState | None = None
    for version, event in enumerate(events):
        match event:
            case TokenIssued():
                state = TokenState(
                    principal=Principal(
                        token=token,
                        role=event.role,
                        name=event.name,
                        expires=event.expires,
                        episode=event.episode,
                        seat=event.seat,
                        study=event.study,
                    ),
                    bound=event.bound,
                    issued_by=event.by,
                )
            case TokenUsed() if state is not None and not state.device:
                state = replace(state, device=event.device)
            case TokenRevoked() if state is not None:
                state = replace(state, revoked=True)
        if state is not None:
            state = replace(state, version=version)
    return state


def read_state(store: EventStore, token: str) -> TokenState | None:
    """How a token stands in the store. Blocking."""
    return state_after(token, map(event_of, store.read(stream_name(KIND, token))))


class _Held(Value, frozen=True, kw_only=True):
    at: float
    state: TokenState | None


class TokenStates:
    """What one process knows of tokens."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
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
            reading = asyncio.to_thread(read_state, self._store, token)
            task = self._reading[token] = asyncio.get_running_loop().create_task(reading)
            task.add_done_callback(lambda done: self._keep(token, done))
        return await asyncio.shield(task)

    def _keep(self, token: str, done: "asyncio.Task[TokenState | None]") -> None:
        self._reading.pop(token, None)
        if done.cancelled() or done.exception() is not None:
            return
        self._held[token] = _Held(at=time.monotonic(), state=done.result())
