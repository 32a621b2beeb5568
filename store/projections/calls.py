"""Calls to models, and what each run has spent on them."""

import math
from collections.abc import Iterator
from typing import Any

from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Envelope, Event
from events.subjects import split_stream
from store.projections import tables
from store.projections.changes import Change
from store.projections.projection import Past, Projection

PICO = 10**12
"""Trillionths in one: a token may cost well below a millionth of a dollar."""
_DEAREST_CALL_USD = 10_000.0
"""A price beyond this is not believed and counts as unknown."""
_MOST = 2**40
"""Counts of one call are cut to this, so that sums stay inside 64 bits whatever is in the log."""


def changes(envelope: Envelope, event: Event, past: Past) -> Iterator[Change]:  # noqa: ARG001
    """What an event means for calls and spending."""
    add: dict[str, int]
    values: dict[str, Any] = {}
    match event:
        case ModelAsked():
            values = {"model": event.model, "purpose": event.purpose}
            add = {"asked": 1}
        case ModelAnswered():
            pico_usd = _pico_usd(event.cost_usd)
            tokens_in, tokens_out = _count(event.input_tokens), _count(event.output_tokens)
            paid = {"cost_pico_usd": pico_usd or 0, "unpriced": int(pico_usd is None)}
            add = {
                "answered": 1,
                "input_tokens": tokens_in,
                "output_tokens": tokens_out,
                "latency_us": _microseconds(event.latency_s),
                "retries": _count(event.retries),
                **paid,
            }
            if envelope.correlation:
                spent = {"tokens": tokens_in + tokens_out, **paid}
                yield Change(tables.spending, (envelope.correlation,), add=spent)
        case ModelFailed():
            values = {"failure": event.reason}
            add = {
                "failed": 1,
                "latency_us": _microseconds(event.latency_s),
                "retries": _count(event.retries),
            }
        case _:
            return
    values |= {"run": envelope.correlation, **_asker(envelope.stream)}
    yield Change(tables.calls, (envelope.stream, event.turn, event.attempt), values, add)


def _asker(stream: str) -> dict[str, Any]:
    kind, id_ = split_stream(stream)
    if kind == "evaluation":
        return {"episode": "", "seat": None, "evaluation": id_}
    episode, _, seat = id_.rpartition(".")
    return {"episode": episode, "seat": int(seat) if seat.isdecimal() else None, "evaluation": ""}


def _pico_usd(usd: float | None) -> int | None:
    if usd is None or not 0 <= usd <= _DEAREST_CALL_USD:
        return None
    return round(usd * PICO)


def _microseconds(seconds: float) -> int:
    return _count(round(seconds * 1e6)) if math.isfinite(seconds) else 0


def _count(number: int) -> int:
    return max(0, min(_MOST, number))


CALLS = Projection(
    "calls",
    (tables.calls, tables.spending),
    tuple(kind.__name__ for kind in (ModelAsked, ModelAnswered, ModelFailed)),
    changes,
)
