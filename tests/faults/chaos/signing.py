"""How requests to the model tell who sent them, and when: in the key they bring."""

import time
from typing import NamedTuple

KEY_VARIABLE = "STUB_KEY"
"""The environment variable that holds the key."""


class Signature(NamedTuple):
    """Who sent a request, and when."""

    member: str
    sent: float
    """Seconds since 1970."""

    @property
    def key(self) -> str:
        """It as a key."""
        return f"{self.member}@{self.sent}"

    @classmethod
    def read(cls, key: str) -> "Signature":
        """The one in a key."""
        member, _, sent = key.partition("@")
        return cls(member, float(sent))


def now() -> float:
    """Seconds since 1970, on the clock that the servers of this machine use, too."""
    return time.time()
