"""Classifies LiteLLM's exceptions.

Where LiteLLM puts a provider's message, status and headers depends on the provider; a request that
never reached a server is reported with status 500.
"""

from collections.abc import Iterator

import aiohttp
import httpx

from actors.models.errors import KeyNotBound, ModelError
from actors.models.http.reply_bytes import UnusableReply
from actors.models.http.status_errors import error_of_status, retry_after_of
from actors.models.keys import scrubbed
from actors.models.litellm.library import load_litellm
from events.minds import ModelSpec

_KEYS = ("_KEY", "_KEY_ID", "_TOKEN", "_SECRET")
"""How names of variables end that hold keys; others hold addresses and projects."""
_NO_PROVIDER = "LLM Provider NOT provided"


def translated(error: Exception, spec: ModelSpec, key: str) -> ModelError:
    """An exception of LiteLLM or of a provider's client as ours."""
    for behind in _chain(error):
        if isinstance(behind, UnusableReply):
            return UnusableReply(behind.detail)
        if isinstance(behind, KeyNotBound):
            return KeyNotBound(behind.detail, behind.remedy)
    kinds = load_litellm().exceptions
    detail = scrubbed(str(error), key)
    status = getattr(error, "status_code", None)
    answered = _answered(error)
    if not answered or status in (401, 403):
        missing = _missing_keys(spec)
        if missing:
            return ModelError(
                "no_key",
                f"none of the environment variables that may hold it is set: {', '.join(missing)}",
                may_pass=False,
            )
    if isinstance(error, kinds.Timeout | TimeoutError):
        return ModelError("timeout", detail, may_pass=True)
    if _never_arrived(error) or (isinstance(error, kinds.APIConnectionError) and not answered):
        return ModelError("connection", detail, may_pass=True)
    if isinstance(error, kinds.ContextWindowExceededError):
        return ModelError("too_long", detail, status=status, may_pass=False)
    if isinstance(error, kinds.ContentPolicyViolationError):
        return ModelError("filtered", detail, status=status, may_pass=False)
    if _NO_PROVIDER in str(error):
        return ModelError(
            "not_found",
            f"LiteLLM knows no provider of {spec.name!r}; names begin with one, as openai/gpt-4o",
            may_pass=False,
        )
    if isinstance(status, int) and status >= 300:
        return error_of_status(status, detail, _retry_after(error), said=_all_said(error))
    return ModelError("other", f"{type(error).__name__}: {detail}", may_pass=False)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and all that is behind it."""
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        yield at
        at = at.__cause__ or at.__context__


def _answered(error: BaseException) -> bool:
    """Whether a server's answer is behind it."""
    # LiteLLM's own exceptions hold responses that it made up.
    return any(
        isinstance(behind, httpx.HTTPStatusError | aiohttp.ClientResponseError)
        for behind in _chain(error)
    )


def _never_arrived(error: BaseException) -> bool:
    """Whether no connection was behind it: LiteLLM calls that an error of the server's."""
    return any(
        isinstance(behind, ConnectionError | httpx.TransportError | aiohttp.ClientConnectionError)
        for behind in _chain(error)
    )


def _all_said(error: BaseException) -> str:
    """All that the server said, its codes included, which LiteLLM's message leaves out."""
    said: list[str] = []
    for behind in _chain(error):
        said += (str(behind), str(getattr(behind, "body", None) or ""))
        if isinstance(behind, httpx.HTTPStatusError):
            said.append(_text(behind.response))
    return "\n".join(said)


def _text(response: httpx.Response) -> str:
    try:
        return response.text
    except httpx.ResponseNotRead:
        return ""


def _missing_keys(spec: ModelSpec) -> list[str]:
    """The variables one of which would hold the provider's key, where neither they nor the
    specification gives one."""
    if spec.api_key_env or spec.base_url:
        return []
    found = load_litellm().validate_environment(spec.name)
    if found["keys_in_environment"]:
        return []
    return [name for name in found["missing_keys"] if name.endswith(_KEYS)]


def _retry_after(error: Exception) -> float | None:
    """The wait a server asked for; LiteLLM keeps the headers in one of two places."""
    for holder in (error, getattr(error, "response", None)):
        for name in ("litellm_response_headers", "headers"):
            headers = getattr(holder, name, None)
            if headers is not None and (seconds := retry_after_of(headers)) is not None:
                return seconds
    return None
