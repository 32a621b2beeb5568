"""Events that concern only the store they happened in: never exported, and refused in imported
files."""

from events.base import Event
from events.evaluation import JudgeSpec


class EventsImported(Event, frozen=True, kw_only=True):
    """Events came in from outside. Stream ``imports-here``, in the transaction that stored them: so
    what somebody here did is told apart from what a file says."""

    first: int
    """The position of the first of them."""
    last: int
    """That of the last; all between are of the same import."""


class JudgeAdded(Event, frozen=True, kw_only=True):
    """Somebody here has episodes scored by a judge. Stream ``judge-<fingerprint>``, where workers
    that are told the fingerprint find the judge."""

    judge: JudgeSpec
    """The whole specification."""
