"""Calls to models, and what each run has spent on them."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Envelope, Event
from events.wire.subjects import split_stream
from store.projections import tables
from store.projections.amounts import count, microseconds, pico_usd
from store.projections.changes import Change
from store.projections.projection import Past, Projection
from store.projections.seat_ids import split_seat


def changes(envelope: Envelope, event: Event, past: Past) -> Iterator[Change]:  # noqa: ARG001
    """What an event means for calls and spending."""
    values = {**_asker(envelope.stream), "run": envelope.correlation}
    match event:
        case ModelAnswered():
            values["fault"] = event.fault
            cost = pico_usd(event.cost_usd)
            tokens_in, tokens_out = count(event.input_tokens), count(event.output_tokens)
            paid, unpriced = (0, 1) if cost is None else (cost, 0)
            add = {
                "answered": 1,
                "input_tokens": tokens_in,
                "output_tokens": tokens_out,
                "latency_us": microseconds(event.latency_s),
                "retries": count(event.retries),
                "cost_pico_usd": paid,
                "unpriced": unpriced,
            }
            if envelope.correlation:
                spent = {
                    "tokens": tokens_in + tokens_out,
                    "cost_pico_usd": paid,
                    "unpriced": unpriced,
                }
                yield Change(tables.spending, (envelope.correlation,), add=spent)
        case ModelAsked():
            values |= {"model": event.model, "purpose": event.purpose, "mends": event.mends}
            add = {"asked": 1, "continued": int("continues" in event.parameters)}
        case ModelFailed():
            values["failure"] = event.reason
            add = {
                "failed": 1,
                "latency_us": microseconds(event.latency_s),
                "retries": count(event.retries),
            }
        case _:
            return
    yield Change(tables.calls, (envelope.stream, event.turn, event.attempt), values, add)


@lru_cache(maxsize=1000)
def _asker(stream: str) -> Mapping[str, Any]:
    """The columns that say who asked: an agent, a memory, a judge, an interview, or a chain."""
    kind, id_ = split_stream(stream)
    nobody: dict[str, Any] = {"episode": "", "seat": None, "evaluation": "", "chain": ""}
    match kind:
        case "agent":
            episode, seat = split_seat(id_)
            return {**nobody, "episode": episode, "seat": seat}
        case "memory":
            chain, seat = split_seat(id_)
            return {**nobody, "chain": chain, "seat": seat}
        case "interview":
            episode, _ = split_seat(id_)
            return {**nobody, "episode": episode}
        case "evaluation":
            return {**nobody, "evaluation": id_}
        case "chain":
            return {**nobody, "chain": id_}
    return nobody


CALLS = Projection.of_runs(
    "calls",
    (tables.calls, tables.spending),
    (ModelAsked, ModelAnswered, ModelFailed),
    changes,
)
