"""Old shapes of events, lifted to today's when they are read.

An upcaster takes the fields of one tag at one schema version and returns those of the next.
They are chained, so each is written once and never touched again.
"""

from collections.abc import Callable
from typing import Any

Fields = dict[str, Any]
Upcaster = Callable[[Fields], Fields]

UPCASTERS: dict[tuple[str, int], Upcaster] = {}


def upcaster(tag: str, schema: int) -> Callable[[Upcaster], Upcaster]:
    """Register how ``tag`` gets from ``schema`` to ``schema + 1``."""

    def register(lift: Upcaster) -> Upcaster:
        if (tag, schema) in UPCASTERS:
            raise ValueError(f"{tag} already has an upcaster from schema {schema}")
        UPCASTERS[tag, schema] = lift
        return lift

    return register


def lift(tag: str, schema: int, current: int, fields: Fields) -> Fields:
    """The fields of an event of ``schema``, as they are at ``current``.

    Raises ``LookupError`` where a step is missing.
    """
    for step in range(schema, current):
        try:
            fields = UPCASTERS[tag, step](fields)
        except KeyError:
            raise LookupError(f"{tag}: no upcaster from schema {step} to {step + 1}") from None
    return fields
