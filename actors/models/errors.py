"""What can go wrong between a question and its answer."""

from collections.abc import Sequence
from typing import Literal

FailureReason = Literal["rate_limited", "server_error", "timeout", "connection", "refused", "other"]


class ModelError(Exception):
    """One attempt to get an answer failed."""

    def __init__(
        self,
        reason: FailureReason,
        detail: str,
        *,
        retry_after: float | None = None,
        may_pass: bool,
    ) -> None:
        super().__init__(f"{reason.replace('_', ' ')}: {detail}")
        self.reason: FailureReason = reason
        self.detail = detail
        """The server's words, with keys taken out; one line."""
        self.retry_after = retry_after
        """Seconds the server asks to wait; None where it says nothing."""
        self.may_pass = may_pass
        """Whether the same question may succeed later."""


class CallFailed(ModelError):
    """No answer came after all retries."""

    def __init__(self, model: str, last: ModelError, *, retries: int, latency_s: float) -> None:
        super().__init__(
            last.reason,
            f"{model} gave no answer after {retries} retries; last: {last.detail}",
            retry_after=last.retry_after,
            may_pass=last.may_pass,
        )
        self.model, self.retries, self.latency_s = model, retries, latency_s


class BudgetSpent(Exception):
    """The run has reached a limit of its budget: nothing more may be asked for it."""

    def __init__(
        self, run: str, what: Literal["usd", "tokens"], spent: float, limit: float
    ) -> None:
        unit = "US dollars" if what == "usd" else "tokens"
        super().__init__(f"run {run} has spent {spent:,.6g} of its {limit:,.6g} {unit}")
        self.run, self.what, self.spent, self.limit = run, what, spent, limit


class Unreadable(ValueError):
    """An answer that is not what was asked for."""

    def __init__(self, problems: str | Sequence[str], raw: str) -> None:
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        """What is wrong with it, a sentence each: the decoder's words, for example. They are put
        to the model when it is asked again."""
        self.detail = "; ".join(self.problems)
        super().__init__(f"the model's answer could not be read: {self.detail}")
        self.raw = raw
        """The answer as it came."""
