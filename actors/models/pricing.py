"""What an answer cost."""

import functools

from actors.models.litellm_library import load_litellm
from events.minds import ModelSpec


def cost_usd(spec: ModelSpec, input_tokens: int, output_tokens: int) -> float | None:
    """US dollars for an answer; None where the price is not known.

    The specification's prices hold. Where it lacks one and LiteLLM was asked, LiteLLM's list
    fills it in.
    """
    asked, answered = spec.input_usd_per_million, spec.output_usd_per_million
    input_cost = None if asked is None else asked * input_tokens / 1e6
    output_cost = None if answered is None else answered * output_tokens / 1e6
    if (input_cost is None or output_cost is None) and spec.adapter == "litellm":
        # Asked for this very number of tokens: some prices rise with the length of the prompt.
        listed = _listed(spec.name, input_tokens, output_tokens)
        if listed is not None:
            input_cost = listed[0] if input_cost is None else input_cost
            output_cost = listed[1] if output_cost is None else output_cost
    if input_cost is None or output_cost is None:
        return None
    return input_cost + output_cost


def _listed(model: str, input_tokens: int, output_tokens: int) -> tuple[float, float] | None:
    """US dollars for prompt and answer by LiteLLM's list, or None."""
    if not _is_listed(model):
        return None
    costs: tuple[float, float] = load_litellm().cost_per_token(
        model=model, prompt_tokens=input_tokens, completion_tokens=output_tokens
    )
    return costs


@functools.lru_cache(maxsize=256)
def _is_listed(model: str) -> bool:
    """Whether LiteLLM's list has the model; kept, because a fruitless look-up is slow."""
    litellm = load_litellm()
    try:
        litellm.cost_per_token(model=model, prompt_tokens=1, completion_tokens=1)
    except (litellm.exceptions.ModelNotMappedError, litellm.exceptions.BadRequestError):
        return False
    return True
