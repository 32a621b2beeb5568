"""Models that are not asked for a while, because they keep failing."""

import msgspec

from actors.models.errors import FailureReason


class HeldModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model whose calls wait."""

    model: str
    base_url: str
    since: float
    """Seconds since the epoch."""
    reason: FailureReason
    """What its last call met."""
    detail: str
    """The same in the server's words, with keys taken out; one line."""
    waiting: int
    """Calls that wait for it."""
