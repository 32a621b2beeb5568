"""Words that the tables share: short names of dimensions, and what is left out."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from actors.text.amounts import many
from evaluators.plugin import OVERALL
from evaluators.registry import abbreviation
from evaluators.social.tables.seat_table import HUMAN
from evaluators.social.tables.table_input import TableInput
from evaluators.statistics.cluster_means import LEAST_CLUSTERS
from evaluators.statistics.populations import FEW
from evaluators.tables.figure_text import NO_INTERVAL
from evaluators.tables.plain_tables import DisplayValue, Figure, StrongFigure

_CUT = 1e-6
"""Where the two halves of an interval differ by more, it was cut at an end of the scale."""
_INTERVALS = "95 % intervals over scenarios: all scores of one scenario count as related."


def short(dimension: str) -> str:
    """A dimension as the paper's tables call it."""
    return "Overall" if dimension == OVERALL else abbreviation(dimension)


def dimension_cell(dimension: str) -> DisplayValue:
    """A dimension: programs read its name, people the paper's short one."""
    return DisplayValue(dimension, short(dimension))


def cell_figure(
    value: float, low: float, high: float, n: int, beside: str = "", *, strong: bool = False
) -> Figure:
    """A mean as a cell, with what is ``beside`` it on a line of its own. NaN: there is none."""
    if np.isnan(value):
        return Figure(text="\n".join(filter(None, ("–", beside))))
    text = f"{value:.2f}"
    if np.isnan(low):
        text += NO_INTERVAL
    else:
        up, down = high - value, value - low
        cut = abs(up - down) > _CUT
        text += f" [{low:.2f}, {high:.2f}]" if cut else f" ±{up:.2f}"
    make = StrongFigure if strong else Figure
    return make(
        value=float(value),
        low=None if np.isnan(low) else float(low),
        high=None if np.isnan(high) else float(high),
        n=int(n),
        text="\n".join(filter(None, (text, beside))),
    )


def missing_words(failed: int) -> str:
    """How many scores a cell lacks; empty: none."""
    return f"{failed} missing" if failed else ""


def intervals(clusters: NDArray[np.intp]) -> str:
    """What the intervals of some cells are. ``clusters``: how many scenarios each rests on."""
    there = clusters[clusters >= LEAST_CLUSTERS]
    least = int(there.min(initial=FEW))
    few = f" Fewer than {FEW} (here {least}) are few for an interval." if least < FEW else ""
    return _INTERVALS + few if there.size else ""


def left_out(given: TableInput) -> list[str]:
    """What tables of models do not count, a sentence each."""
    found = []
    if others := int(np.count_nonzero(~given.everything.pair)):
        found.append(f"Left out: {many(others, 'seat')} of episodes that have not two seats.")
    found += unclean_words(given)
    seats = given.seats
    people = seats.mind.among(HUMAN) | seats.partner.among(HUMAN) | seats.shared
    if people.any():
        count = many(seats.where(people).episode.different, "episode")
        found.append(f"Left out: {count} in which a person sat (Table 3 has them).")
    return found


def unclean_words(given: TableInput, whose: str = "") -> list[str]:
    """How many episodes are left out because an action failed; nothing where none is."""
    seats = given.everything
    count = seats.where(seats.pair & ~seats.clean).episode.different
    if given.unclean or not count:
        return []
    of = f" of {whose}" if whose else ""
    return [f"Left out: {many(count, 'episode')}{of} in which an action failed (--all)."]


def note_of(*sentences: str | Sequence[str]) -> str:
    """Sentences as a note, a line each."""
    lines = [
        line for one in sentences for line in ((one,) if isinstance(one, str) else one) if line
    ]
    return "\n".join(lines)
