"""Parameters that a person wrote and that are passed through to the provider unchanged."""

import re

_OURS = frozenset(
    (
        *("model", "messages", "temperature", "top_p", "seed", "stop", "reasoning_effort", "n"),
        *("max_tokens", "max_completion_tokens", "response_format", "tools", "tool_choice"),
        *("functions", "function_call", "timeout", "drop_params", "client", "metadata", "proxy"),
        "extra_body",
    )
)
"""What has a setting of its own, or would change how replies are to be read."""
_ELSEWHERE = re.compile(
    r"api_|base|url|header|credential|secret|password|authorization|key|endpoint|litellm|mock"
    r"|callback|fallback|retries|llm_provider|region|stream|azure|aws|vertex|ssl",
    re.IGNORECASE,
)
"""What could lead a request, and its key, elsewhere, or holds what must not be recorded."""
_HARMLESS = frozenset({"prompt_cache_key"})


def may_be_extra(name: str) -> bool:
    """Whether a parameter may be passed through as it is."""
    return name in _HARMLESS or (name not in _OURS and not _ELSEWHERE.search(name))
