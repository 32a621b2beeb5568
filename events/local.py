"""What only the store knows that it happened in: never exported, and refused in files."""

from events.base import Event
from events.evaluation import JudgeSpec


class JudgeAdded(Event, frozen=True, kw_only=True):
    """Somebody here has episodes scored by a judge. Stream ``judge-<fingerprint>``, where workers
    that are told the fingerprint find the judge."""

    judge: JudgeSpec
    """The whole specification."""
