"""What one model may be asked at once and in a minute."""

import asyncio
from contextlib import AsyncExitStack

from actors.models.limits.rates import ModelLimits, quota_of, tokens_of
from actors.models.port import ModelRequest, Msg
from events.minds import ModelSpec


def limits(**fields: int) -> ModelLimits:
    return ModelLimits(quota_of(ModelSpec(name="m", **fields)))


def request_of_tokens(tokens: int) -> ModelRequest:
    return ModelRequest(messages=(Msg("user", ""),), temperature=0.0, max_tokens=tokens - 1)


async def enters(gate: ModelLimits, request: ModelRequest, stack: AsyncExitStack) -> bool:
    """Whether the request may be sent without waiting for the clock."""
    entering = asyncio.create_task(stack.enter_async_context(gate.place(request)))
    for _ in range(10):
        await asyncio.sleep(0)
    if not entering.done():
        entering.cancel()
        return False
    return True


async def test_a_second_request_waits_where_one_a_minute_is_allowed():
    gate, request = limits(requests_per_minute=1), request_of_tokens(10)
    async with AsyncExitStack() as stack:
        assert [await enters(gate, request, stack) for _ in range(2)] == [True, False]


async def test_the_limit_of_a_minute_is_not_used_up_in_its_first_moment():
    gate, request = limits(requests_per_minute=300), request_of_tokens(10)
    async with AsyncExitStack() as stack:
        entered = [await enters(gate, request, stack) for _ in range(10)]
    # A second's share, five, may go at once.
    assert entered == [True] * 5 + [False] * 5


async def test_tokens_are_counted_before_a_request_is_sent():
    gate = limits(tokens_per_minute=6000)
    async with AsyncExitStack() as stack:
        assert await enters(gate, request_of_tokens(60), stack)
        assert not await enters(gate, request_of_tokens(60), stack)


async def test_a_request_of_more_tokens_than_a_second_allows_waits_but_passes():
    gate = limits(tokens_per_minute=6000)
    async with asyncio.timeout(60), gate.place(request_of_tokens(120)):
        pass


async def test_without_limits_only_the_places_count():
    gate, request = limits(max_concurrency=2), request_of_tokens(1_000_000)
    async with AsyncExitStack() as stack:
        assert [await enters(gate, request, stack) for _ in range(3)] == [True, True, False]


async def test_a_place_is_given_back_when_a_request_fails():
    gate, request = limits(max_concurrency=1), request_of_tokens(1)
    try:
        async with gate.place(request):
            raise RuntimeError
    except RuntimeError:
        pass
    async with AsyncExitStack() as stack:
        assert await enters(gate, request, stack)


def test_a_request_counts_with_its_prompt_and_its_longest_answer():
    request = ModelRequest(
        messages=(Msg("system", "x" * 400), Msg("user", "y" * 400)), temperature=0.0, max_tokens=50
    )
    assert tokens_of(request) == 251
