"""Old shapes of events, lifted to today's when they are read.

An upcaster takes the fields of one tag at one schema version and returns those of the next.
They are chained, so each is written once and never touched again. Where an older shape held values
of an environment, the environment supplies the upcaster (``events.environments.Vocabulary``).
"""

from collections.abc import Callable

from events.environments import Fields, Upcaster, vocabularies

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
        found = UPCASTERS.get((tag, step)) or _of_environments(tag, step)
        if found is None:
            raise LookupError(f"{tag}: no upcaster from schema {step} to {step + 1}")
        fields = found(fields)
    return fields


def _of_environments(tag: str, step: int) -> Upcaster | None:
    found = (vocabulary.upcasters.get((tag, step)) for vocabulary in vocabularies())
    return next((upcaster for upcaster in found if upcaster is not None), None)


@upcaster("Scored", 1)
@upcaster("ScoreFailed", 1)
@upcaster("ScoreAbstained", 1)
def _seat(fields: Fields) -> Fields:
    """Schema 1 called the seat that was scored the subject."""
    return {"seat" if name == "subject" else name: value for name, value in fields.items()}
