"""What an HTTP status and its headers mean for a question to a model."""

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from actors.models.errors import FailureReason, ModelError

_OUT_OF_CREDIT = "insufficient_quota"
"""OpenAI's code for an account without credit; it comes as a 429, but waiting does not help."""


def error_of_status(status: int, detail: str, retry_after: float | None = None) -> ModelError:
    """The error behind an HTTP status that is not a success."""
    reason: FailureReason
    if status == 429 and _OUT_OF_CREDIT not in detail:
        reason, may_pass = "rate_limited", True
    elif status in (408, 504):
        reason, may_pass = "timeout", True
    elif status >= 500:
        reason, may_pass = "server_error", True
    else:
        reason, may_pass = "refused", False
    said = f"the server answered {status}" + (f" ({detail})" if detail else "")
    return ModelError(reason, said, retry_after=retry_after, may_pass=may_pass)


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait by ``Retry-After`` (RFC 9110, section 10.2.3: seconds or a date) or by
    ``retry-after-ms``; None where neither is there or can be read."""
    for name, scale in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        value = headers.get(name) or headers.get(name.title())
        if value is None:
            continue
        try:
            return max(0.0, float(value) * scale)
        except ValueError:
            pass
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
        except ValueError:
            continue
    return None
