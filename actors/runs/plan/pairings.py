"""Pairings: which minds sit in which seats."""

import itertools

from actors.runs.plan.plan_file import PlanFile
from actors.text.amounts import many
from actors.toml_file import BadFile


def pairings(plan: PlanFile, seats: int, path: str) -> tuple[tuple[str, ...], ...]:
    """Which minds play with each other where there are so many seats, one name a seat. Raises
    ``BadFile``."""
    names = tuple(plan.minds)
    match plan.seats.pairings:
        case "all":
            return tuple(itertools.product(names, repeat=seats))
        case "same":
            return tuple((name,) * seats for name in names)
        case "first":
            others = plan.seats.others
            return tuple((name, *(seats - 1) * (others or name,)) for name in _first(plan))
        case given:
            fitting = tuple(row for row in given if len(row) == seats)
            if not fitting:
                what = "a chosen task" if plan.chains is None else "a chain"
                why = f"{what} has {many(seats, 'seat')}, no pairing has"
                raise BadFile(path, "seats.pairings", why)
            return fitting


def pairings_of(plan: PlanFile, seats: int) -> int:
    """The number of pairings; calculated, because there may be too many to list."""
    match plan.seats.pairings:
        case "all":
            # No plan has so many that more would matter.
            return int(len(plan.minds) ** min(seats, 64))
        case "same":
            return len(plan.minds)
        case "first":
            return len(_first(plan))
        case given:
            return sum(len(row) == seats for row in given)


def _first(plan: PlanFile) -> tuple[str, ...]:
    """Who sits in the first seat, each once."""
    return tuple(dict.fromkeys(plan.seats.first or plan.minds))
