"""The limits of one model: concurrent requests, and requests and tokens a minute."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import NamedTuple

from aiolimiter import AsyncLimiter

from actors.models.port import ModelRequest
from events.minds import ModelSpec

BURST_S = 1.0
"""A bucket holds what its limit allows in this time (and one request at least), so that any
minute exceeds the limit by a sixtieth at most."""
CHARACTERS_PER_TOKEN = 4


class Quota(NamedTuple):
    """What requests share limits by: specifications that differ in, say, the temperature only
    ask the same model under the same account."""

    adapter: str
    base_url: str
    name: str
    api_key_env: str
    requests_per_minute: int
    tokens_per_minute: int
    max_concurrency: int


def quota_of(spec: ModelSpec) -> Quota:
    """The quota that a specification's requests count against."""
    return Quota(
        spec.adapter,
        spec.base_url,
        spec.name,
        spec.api_key_env,
        spec.requests_per_minute,
        spec.tokens_per_minute,
        spec.max_concurrency,
    )


def tokens_of(request: ModelRequest) -> int:
    """Tokens a request may use at most, roughly: the prompt's and the longest answer's.

    Providers count a request against the limit in the same way before they answer it.
    """
    characters = sum(len(message.content) for message in request.messages)
    return characters // CHARACTERS_PER_TOKEN + 1 + request.longest


class ModelLimits:
    """One model's gate."""

    def __init__(self, quota: Quota) -> None:
        self._places = asyncio.Semaphore(quota.max_concurrency)
        self._requests = _bucket(quota.requests_per_minute)
        self._tokens = _bucket(quota.tokens_per_minute)
        self._turn = asyncio.Lock()

    @property
    def free(self) -> bool:
        """Whether a request has its place without waiting."""
        return self._requests is None and self._tokens is None and not self._places.locked()

    def place(self, request: ModelRequest) -> AbstractAsyncContextManager[None]:
        """Wait until the request may be sent, and hold its place while it is under way."""
        if self._requests is None and self._tokens is None:
            return self._places
        return self._measured_place(request)

    @asynccontextmanager
    async def _measured_place(self, request: ModelRequest) -> AsyncIterator[None]:
        async with self._places:
            if self._requests is not None:
                await self._requests.acquire()
            if self._tokens is not None:
                await self._take(self._tokens, tokens_of(request))
            yield

    async def _take(self, bucket: AsyncLimiter, amount: float) -> None:
        """Take an amount that may be more than the bucket holds at once."""
        # One request at a time: if many drew parts in turns, all would be sent together at the end.
        async with self._turn:
            while amount > 0:
                part = min(amount, bucket.max_rate)
                await bucket.acquire(part)
                amount -= part


def _bucket(per_minute: int) -> AsyncLimiter | None:
    if per_minute <= 0:
        return None
    per_burst = per_minute / 60 * BURST_S
    return AsyncLimiter(per_burst, BURST_S) if per_burst >= 1 else AsyncLimiter(1, 60 / per_minute)
