"""How much a model reads at once."""

import functools

from actors.models.litellm_adapter import ready_litellm
from actors.models.litellm_library import load_litellm
from events.minds import ModelSpec


async def listed_context(spec: ModelSpec) -> int | None:
    """Tokens that fit into a prompt by LiteLLM's list; None where it does not know the model or
    is not what asks it."""
    if spec.adapter != "litellm":
        return None
    await ready_litellm()
    return _listed(spec.name)


@functools.lru_cache(maxsize=256)
def _listed(model: str) -> int | None:
    """From the list; kept, because a fruitless look-up is slow."""
    litellm = load_litellm()
    try:
        tokens = litellm.get_model_info(model).get("max_input_tokens")
    except (litellm.exceptions.ModelNotMappedError, litellm.exceptions.BadRequestError):
        return None
    return int(tokens) if tokens else None
