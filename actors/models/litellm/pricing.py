"""The price of an answer."""

import functools

from actors.models.litellm.library import load_litellm
from events.minds import ModelSpec


def cost_usd(
    spec: ModelSpec,
    input_tokens: int,
    output_tokens: int,
    cached_tokens: int = 0,
    cache_written_tokens: int = 0,
) -> float | None:
    """US dollars for an answer; None where the price is not known.

    The specification's prices hold. Where it lacks one and LiteLLM was asked, LiteLLM's list fills
    it in; what runs on this machine costs nothing. ``cached_tokens`` and ``cache_written_tokens``
    are of ``input_tokens``; those that no price is known for cost what others do.
    """
    free = 0.0 if spec.is_local else None
    asked = free if spec.input_usd_per_million is None else spec.input_usd_per_million
    answered = free if spec.output_usd_per_million is None else spec.output_usd_per_million
    cached = asked if spec.cached_usd_per_million is None else spec.cached_usd_per_million
    input_cost = output_cost = None
    if asked is not None and cached is not None:
        input_cost = (asked * (input_tokens - cached_tokens) + cached * cached_tokens) / 1e6
    if answered is not None:
        output_cost = answered * output_tokens / 1e6
    if (input_cost is None or output_cost is None) and spec.adapter == "litellm":
        # Asked for this very number of tokens: some prices rise with the length of the prompt.
        listed = _listed(
            spec.name, input_tokens, output_tokens, cached_tokens, cache_written_tokens
        )
        if listed is not None:
            input_cost = listed[0] if input_cost is None else input_cost
            output_cost = listed[1] if output_cost is None else output_cost
    if input_cost is None or output_cost is None:
        return None
    return input_cost + output_cost


def _listed(
    model: str, input_tokens: int, output_tokens: int, cached: int, written: int
) -> tuple[float, float] | None:
    """US dollars for prompt and answer by LiteLLM's list, or None."""
    if not _is_listed(model):
        return None
    costs: tuple[float, float] = load_litellm().cost_per_token(
        model=model,
        prompt_tokens=input_tokens,
        completion_tokens=output_tokens,
        cache_read_input_tokens=cached,
        cache_creation_input_tokens=written,
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
