"""Pairings: which minds sit in which seats."""

import itertools
from collections.abc import Sequence

from actors.runs.plan.plan_file import PlanFile
from actors.text.amounts import many
from actors.toml_file import BadFile


def pairings(
    plan: PlanFile, seats: int, path: str, tested: Sequence[int] = (0,)
) -> tuple[tuple[str, ...], ...]:
    """Which minds play with each other where there are so many seats, one name a seat. ``tested``:
    the seats, from 0, in which ``pairings = "first"`` puts each of ``first``, one after the other;
    in all other pairings every mind sits there anyway, or the plan says itself who does. Raises
    ``BadFile``."""
    names = tuple(plan.minds)
    match plan.seats.pairings:
        case "all":
            return tuple(itertools.product(names, repeat=seats))
        case "same":
            return tuple((name,) * seats for name in names)
        case "first":
            rows = [
                (*seat * (others,), name, *(seats - 1 - seat) * (others,))
                for name in _first(plan)
                for others in [plan.seats.others or name]
                for seat in tested
            ]
            # A mind that plays with itself does so once.
            return tuple(dict.fromkeys(rows))
        case given:
            fitting = tuple(row for row in given if len(row) == seats)
            if not fitting:
                what = "a chosen task" if plan.chains is None else "a chain"
                why = f"{what} has {many(seats, 'seat')}, no pairing has; add one of {seats} minds"
                why += ", or choose others by [tasks] tags or ids" if plan.chains is None else ""
                raise BadFile(path, "seats.pairings", why)
            return fitting


def pairings_of(plan: PlanFile, seats: int, tested: Sequence[int] = (0,)) -> int:
    """The number of pairings; calculated, because there may be too many to list."""
    match plan.seats.pairings:
        case "all":
            # No plan has so many that more would matter.
            return int(len(plan.minds) ** min(seats, 64))
        case "same":
            return len(plan.minds)
        case "first":
            others = plan.seats.others
            return sum(
                len(tested) if others not in ("", name) else min(1, len(tested))
                for name in _first(plan)
            )
        case given:
            return sum(len(row) == seats for row in given)


def _first(plan: PlanFile) -> tuple[str, ...]:
    """Who sits in the first seat, each once."""
    return tuple(dict.fromkeys(plan.seats.first or plan.minds))
