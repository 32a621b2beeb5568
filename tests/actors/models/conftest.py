"""A caller over both adapters, with waits short enough for tests."""

from collections.abc import AsyncIterator, Callable

import pytest

from actors.models.caller import Backoff, ModelCaller
from actors.models.port import ModelRequest, Msg, request_of
from actors.models.registry import Models
from events.minds import ModelSpec

QUICK = Backoff(first_s=0.01, longest_s=0.02, longest_asked_s=5.0)

SpecOf = Callable[..., ModelSpec]


@pytest.fixture(params=["direct", pytest.param("litellm", marks=pytest.mark.long)])
def spec_of(request: pytest.FixtureRequest) -> SpecOf:
    """Makes specifications of the stub's model for either adapter."""

    def make(url: str, **fields: object) -> ModelSpec:
        defaults: dict[str, object] = {"timeout_s": 10.0, "retries": 3}
        return ModelSpec(
            name="openai/stub", adapter=request.param, base_url=url, **(defaults | fields)
        )

    return make


@pytest.fixture
async def caller() -> AsyncIterator[ModelCaller]:
    caller = ModelCaller(Models(), QUICK)
    yield caller
    await caller.close()


def question(spec: ModelSpec, text: str = 'answer with "kind"') -> ModelRequest:
    """A question to the stub."""
    return request_of(spec, (Msg("user", text),))
