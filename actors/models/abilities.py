"""What a model can do by LiteLLM's list."""

import functools

from actors.models.litellm_adapter import ready_litellm
from actors.models.litellm_library import load_litellm
from events.minds import ModelSpec


async def listed_context(spec: ModelSpec) -> int | None:
    """Tokens that fit into a prompt; None where LiteLLM does not know the model or is not what
    asks it."""
    if spec.adapter != "litellm":
        return None
    await ready_litellm()
    return _context(spec.name)


# Both are kept, because a fruitless look-up is slow.


@functools.lru_cache(maxsize=256)
def _context(model: str) -> int | None:
    litellm = load_litellm()
    try:
        tokens = litellm.get_model_info(model).get("max_input_tokens")
    except (litellm.exceptions.ModelNotMappedError, litellm.exceptions.BadRequestError):
        return None
    return int(tokens) if tokens else None


@functools.lru_cache(maxsize=256)
def listed_structured_output(model: str) -> bool:
    """Whether the model can be held to a JSON Schema; LiteLLM must be loaded."""
    return bool(load_litellm().supports_response_schema(model=model))
