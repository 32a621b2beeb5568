"""How LiteLLM talks to a model's provider. LiteLLM must be loaded.

All results are cached, also negative ones, because a look-up without a result is slow.
"""

import functools
import inspect

from actors.models.litellm.library import load_litellm


@functools.lru_cache(maxsize=256)
def provider_of(model: str, base_url: str = "") -> str:
    """LiteLLM's name for who answers; empty where it knows none."""
    litellm = load_litellm()
    try:
        found = litellm.get_llm_provider(model=model, api_base=base_url or None)
    except litellm.exceptions.BadRequestError:
        return ""
    return str(found[1])


@functools.lru_cache(maxsize=256)
def speaks_openai(model: str, base_url: str = "") -> bool:
    """Whether requests are sent in OpenAI's form, so that more may stand in their bodies."""
    provider = provider_of(model, base_url)
    return provider in ("openai", "azure", *load_litellm().openai_compatible_providers)


@functools.lru_cache(maxsize=256)
def wants_cache_marks(model: str) -> bool:
    """Whether the provider caches what is marked and nothing else: Anthropic's models do, wherever
    they run."""
    if "claude" not in model.casefold():
        return False
    load_litellm()
    from litellm.utils import supports_prompt_caching

    return bool(supports_prompt_caching(model=model))


@functools.cache
def steering_names() -> frozenset[str]:
    """Arguments of a call that steer LiteLLM itself: addresses, keys, hooks."""
    litellm = load_litellm()
    from litellm.types.utils import all_litellm_params

    own = set(inspect.signature(litellm.acompletion).parameters) | set(all_litellm_params)
    return frozenset(own) - {
        *("frequency_penalty", "presence_penalty", "logit_bias", "logprobs", "top_logprobs"),
        *("thinking", "verbosity", "service_tier", "user", "safety_identifier", "modalities"),
        *("prompt_cache_key", "web_search_options"),
    }
