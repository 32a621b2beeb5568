"""Errors between actors and NATS."""

from events.untrusted.redacted_urls import without_secrets
from events.untrusted.safe_text import shortened


class BusError(Exception):
    """The root of the bus's errors."""


class BusDown(BusError):
    """NATS cannot be reached and no more can be held back for it."""

    def __init__(self, url: str, reason: str) -> None:
        url = without_secrets(url)
        super().__init__(f"NATS at {shortened(url)} is not there: {shortened(reason, 1_000)}")
        self.url, self.reason = url, reason


class BusRefused(BusError):
    """The server does not let us in."""

    def __init__(self, url: str, reason: str) -> None:
        url = without_secrets(url)
        super().__init__(
            f"NATS at {shortened(url)} refuses us ({shortened(reason, 1_000)}): its token must be "
            "in TROUPE_NATS_TOKEN, or a user and a password in TROUPE_NATS_URL"
        )
        self.url, self.reason = url, reason


class MessageTooLarge(BusError):
    """A message above the server's limit; the server would close the connection over it."""

    def __init__(self, subject: str, size: int, limit: int) -> None:
        super().__init__(
            f"a message to {shortened(subject)} has {size} bytes; the server takes {limit}"
        )
        self.subject, self.size, self.limit = subject, size, limit


class UnsendableSubject(BusError, ValueError):
    """A subject that would break the protocol: empty, or with blanks or control characters."""

    def __init__(self, subject: str) -> None:
        super().__init__(
            f"{shortened(subject)!r} is no subject: it must be printable, without blanks"
        )
        self.subject = subject
