"""The capabilities of models according to LiteLLM's list."""

import functools
from typing import Any

from actors.models.litellm.adapter import ready_litellm
from actors.models.litellm.library import load_litellm
from actors.models.local.settings import CONTEXT
from events.minds import ModelSpec


async def listed_context(spec: ModelSpec) -> int | None:
    """Tokens that fit into a prompt; None where LiteLLM does not know the model or is not what
    asks it."""
    if spec.is_local:
        return CONTEXT
    if spec.adapter != "litellm":
        return None
    await ready_litellm()
    return _context(spec.name)


# All are kept, because a fruitless look-up is slow.


@functools.lru_cache(maxsize=256)
def _context(model: str) -> int | None:
    tokens = _listed(model, "max_input_tokens")
    return int(tokens) if tokens else None


@functools.lru_cache(maxsize=256)
def listed_prefix(model: str) -> bool:
    """Whether the model goes on from the beginning of an answer; LiteLLM must be loaded."""
    return bool(_listed(model, "supports_assistant_prefill"))


def _listed(model: str, what: str) -> Any:
    litellm = load_litellm()
    try:
        return litellm.get_model_info(model).get(what)
    except (litellm.exceptions.ModelNotMappedError, litellm.exceptions.BadRequestError):
        return None


@functools.lru_cache(maxsize=256)
def listed_structured_output(model: str) -> bool:
    """Whether the model can be held to a JSON Schema; LiteLLM must be loaded."""
    return bool(load_litellm().supports_response_schema(model=model))
