"""Translates the HTTP status and headers of a model server's reply into errors."""

import math
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from actors.models.errors import FailureReason, ModelError

LONGEST_WAIT_S = 30 * 86_400.0
"""No longer wait is told apart from this one."""

_NO_CREDIT = re.compile(
    r"insufficient[_ ](?:quota|balance|credits?|funds)|billing_(?:hard_limit_reached|not_active)"
    r"|credit balance is too low",
    re.IGNORECASE,
)
"""How providers say that an account has no credit, whatever the status: OpenAI with a 429 though
waiting does not help, Anthropic with a 400, DeepSeek with a 402."""
_TOO_LONG = re.compile(
    r"context_length_exceeded|context_window_exceeded|maximum context length|context window"
    r"|prompt is too long|exceeds? the (?:available )?context|input token count",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content_filter|content[_ ]policy|content management policy|data_inspection_failed"
    r"|ResponsibleAIPolicyViolation|prohibited_content",
    re.IGNORECASE,
)

_BY_STATUS: dict[int, tuple[FailureReason, bool]] = {
    401: ("unauthorized", False),
    402: ("quota", False),
    403: ("forbidden", False),
    404: ("not_found", False),
    # A way that is not there, or is there no more, is a wrong address as well.
    405: ("not_found", False),
    407: ("forbidden", False),
    408: ("timeout", True),
    409: ("server_error", True),
    410: ("not_found", False),
    413: ("too_long", False),
    425: ("server_error", True),
    429: ("rate_limited", True),
    504: ("timeout", True),
    524: ("timeout", True),
}


def error_of_status(
    status: int, detail: str, retry_after: float | None = None, *, said: str = ""
) -> ModelError:
    """The error behind an HTTP status that is not a success.

    ``detail`` is the server's answer as it may be shown, ``said`` all of it.
    """
    reason, may_pass = _meaning(status, said or detail)
    shown = f"the server answered {status}" + (f" ({detail})" if detail else "")
    return ModelError(reason, shown, status=status, retry_after=retry_after, may_pass=may_pass)


def error_of_reply(detail: str, *, said: str) -> ModelError:
    """The error behind a success (200) that is not a chat completion; as ``error_of_status``."""
    if _NO_CREDIT.search(said):
        return ModelError("quota", detail, status=200, may_pass=False)
    why = f"the server's reply is not a chat completion: {detail}"
    return ModelError("server_error", why, may_pass=True)


def _meaning(status: int, said: str) -> tuple[FailureReason, bool]:
    """What it is, and whether it may pass."""
    if status in (400, 402, 403, 429) and _NO_CREDIT.search(said):
        return "quota", False
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return "server_error", True
    if status < 400:
        # Redirects are not followed: the key and the prompt are for the named server only.
        return "not_found", False
    if _TOO_LONG.search(said):
        return "too_long", False
    if _FILTERED.search(said):
        return "filtered", False
    return "refused", False


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait by ``Retry-After`` (RFC 9110, section 10.2.3: seconds or a date) or by
    ``retry-after-ms``, ``LONGEST_WAIT_S`` at most; None where neither is there or can be read."""
    for name, scale in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        value = headers.get(name) or headers.get(name.title())
        if value is None:
            continue
        try:
            return _bounded(float(value) * scale)
        except ValueError:
            pass
        try:
            return _bounded(parsedate_to_datetime(value).timestamp() - time.time())
        except (ValueError, OverflowError):
            continue
    return None


def _bounded(seconds: float) -> float:
    """Raises ``ValueError`` where it is no number."""
    if math.isnan(seconds):
        raise ValueError(seconds)
    return min(max(0.0, seconds), LONGEST_WAIT_S)
