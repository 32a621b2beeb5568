"""Errors of calls to models."""

from collections.abc import Sequence
from typing import Literal

from events.untrusted.safe_text import shortened

FailureReason = Literal[
    "no_key",
    "unauthorized",
    "forbidden",
    "not_found",
    "quota",
    "rate_limited",
    "server_error",
    "timeout",
    "connection",
    "too_long",
    "filtered",
    "refused",
    "other",
]
"""One value a thing that a person must tell apart: no key is set; 401; 403; 404 (no such model or
address); no credit; 429; 5xx; no answer in time; no connection; the request is longer than the
model takes; its content is against the provider's rules; 400 or 422 for another reason; what none
of these says."""

RequestFault = Literal["too_long", "filtered", "refused"]
REQUEST_FAULTS: frozenset[FailureReason] = frozenset(("too_long", "filtered", "refused"))
"""Faults of one request: the model answers others."""
LASTING: frozenset[FailureReason] = frozenset(
    ("no_key", "unauthorized", "forbidden", "not_found", "quota")
)
"""What no retry mends."""


class ModelError(Exception):
    """One attempt to get an answer failed."""

    def __init__(
        self,
        reason: FailureReason,
        detail: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        may_pass: bool,
    ) -> None:
        super().__init__(f"{reason.replace('_', ' ')}: {shortened(detail, 1_000)}")
        self.reason: FailureReason = reason
        self.detail = detail
        """The server's words, with keys taken out; one line."""
        self.status = status
        """The HTTP status; None where no server answered."""
        self.retry_after = retry_after
        """Seconds the server asks to wait; None where it says nothing."""
        self.may_pass = may_pass
        """Whether the same question may succeed later."""
        self.what = ""
        """What this means for the model, as the rest of a sentence; empty: what its reason says."""
        self.remedy = ""
        """What a person can do, as the rest of a sentence; empty: what its reason says."""


class KeyNotBound(ModelError):
    """A key that is not for the server it would have been sent to; nothing was sent."""

    def __init__(self, why: str, remedy: str) -> None:
        super().__init__("no_key", why, may_pass=False)
        self.remedy = remedy


class HeldTooLong(ModelError):
    """A model's breaker stayed open for longer than calls wait."""

    def __init__(self, last: ModelError, patience_s: float) -> None:
        super().__init__(
            last.reason,
            f"no answer for {patience_s:,.0f} s; last: {last.detail}",
            status=last.status,
            may_pass=False,
        )
        self.patience_s = patience_s


class LetGo(ModelError):
    """A call waited for a model that is held, and the process that would have made it ends."""

    def __init__(self, last: ModelError) -> None:
        super().__init__(
            last.reason,
            f"not asked again, for this process ends; last: {last.detail}",
            status=last.status,
            may_pass=False,
        )


class CallFailed(ModelError):
    """No answer came after all retries."""

    def __init__(
        self, model: str, last: ModelError, *, lasting: bool, retries: int, latency_s: float
    ) -> None:
        after = f" after {retries} retries" if retries else ""
        super().__init__(
            last.reason,
            f"{shortened(model)} gave no answer{after}: {last.detail}",
            status=last.status,
            retry_after=last.retry_after,
            may_pass=last.may_pass,
        )
        self.model, self.retries, self.latency_s = model, retries, latency_s
        self.lasting = lasting
        """Whether no retry mends it."""
        self.last = last


class ModelUnavailable(Exception):
    """A model cannot be had: not for this request, nor for any other.

    ``str()`` is one sentence: the model, what its server said, and what to do.
    """

    def __init__(
        self,
        model: str,
        reason: FailureReason,
        detail: str,
        *,
        status: int | None = None,
        lasting: bool,
        remedy: str,
        what: str = "",
    ) -> None:
        said = f" ({shortened(detail, 1_000)})" if detail else ""
        answered = f", status {status}" if status else ""
        means = what or _WHAT[reason]
        super().__init__(f"{shortened(model)} {means}{answered}{said}: {shortened(remedy, 1_000)}")
        self.model = model
        self.reason: FailureReason = reason
        self.status = status
        """The HTTP status; None where no server answered."""
        self.lasting = lasting
        """Whether no retry mends it: a person has to."""
        self.detail = detail
        """The server's words, with keys taken out; one line."""
        self.remedy = remedy
        """What a person can do, as the rest of a sentence."""


_WHAT: dict[FailureReason, str] = {
    "no_key": "has no key",
    "unauthorized": "does not take the key",
    "forbidden": "may not be used with this key",
    "not_found": "was not found",
    "quota": "has no credit left",
    "rate_limited": "turns requests away",
    "server_error": "is failing",
    "timeout": "does not answer in time",
    "connection": "cannot be reached",
    "too_long": "refuses the length of a short request",
    "filtered": "refuses the content of a harmless request",
    "refused": "refuses every request",
    "other": "gives no answer",
}


class BudgetSpent(Exception):
    """The run has reached a limit of its budget: nothing more may be asked for it."""

    def __init__(
        self, run: str, what: Literal["usd", "tokens"], spent: float, limit: float
    ) -> None:
        unit = "US dollars" if what == "usd" else "tokens"
        super().__init__(f"run {shortened(run)} has spent {spent:,.6g} of its {limit:,.6g} {unit}")
        self.run, self.what, self.spent, self.limit = run, what, spent, limit


class Unreadable(ValueError):
    """An answer that is not what was asked for."""

    def __init__(
        self, problems: str | Sequence[str], raw: str, detail: str = "", kind: str = ""
    ) -> None:
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        """What is wrong with it, a sentence each: the decoder's words, for example. They are put
        to the model when it is asked again."""
        self.detail = detail or "; ".join(self.problems)
        """The same for the person, in English."""
        super().__init__(f"the model's answer could not be read: {shortened(self.detail, 1_000)}")
        self.raw = raw
        """The answer as it came."""
        self.kind = kind
        """What it is counted under, such as ``wrong_recipient``; empty: ``unreadable``."""
