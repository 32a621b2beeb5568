"""Timing spans of a turn for tracing. Without a tracer a span costs one comparison.

A span is reported when it is over, so messages carry no tracing context: the spans of one seat's
turn are joined by the turn's key, whichever process they come from.
"""

from collections.abc import Callable, Mapping
from time import time_ns
from typing import Final, NamedTuple

MOST_SENT: Final = 10_000
"""Messages on their way that are remembered; what gets lost is forgotten with all others."""


class TurnKey(NamedTuple):
    """One seat's turn."""

    episode: str
    turn: int
    seat: int


class Span(NamedTuple):
    """Something that took time."""

    name: str
    key: TurnKey
    began_ns: int
    """Nanoseconds since 1970-01-01 UTC."""
    ended_ns: int
    """The same."""
    attributes: Mapping[str, str | int | float]
    """By OpenTelemetry's names, where it has one. No text that anybody said."""
    whole: bool = False
    """It is the turn itself, in which the others are."""
    failed: str = ""
    """Why it came to nothing, in a word."""


Sink = Callable[[Span], None]


class _Tracing:
    """This process's."""

    def __init__(self) -> None:
        self.sink: Sink | None = None
        """None: nobody traces."""
        self._sent: dict[tuple[str, TurnKey], int] = {}

    def ended(
        self,
        name: str,
        key: TurnKey,
        seconds: float,
        attributes: Mapping[str, str | int | float],
        *,
        whole: bool = False,
        failed: str = "",
    ) -> None:
        """Something that took so many seconds is over just now."""
        if self.sink is not None:
            now = time_ns()
            began = now - int(seconds * 1e9)
            self.sink(Span(name, key, began, now, attributes, whole, failed))

    def sent(self, name: str, key: TurnKey) -> None:
        """A message has left for NATS."""
        if self.sink is not None:
            if len(self._sent) >= MOST_SENT:
                self._sent.clear()
            self._sent.setdefault((name, key), time_ns())

    def received(self, name: str, key: TurnKey) -> None:
        """It is there, if it was sent from this process."""
        if self.sink is None or (began := self._sent.pop((name, key), None)) is None:
            return
        attributes = {"messaging.system": "nats", "messaging.operation.name": "deliver"}
        self.sink(Span(f"deliver {name}", key, began, time_ns(), attributes))


tracing: Final = _Tracing()
