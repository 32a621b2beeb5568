"""The curves of a run's chains: which scores belong to which line, and what people got beside."""

from collections.abc import Iterable, Sequence

import msgspec

from actors.lifelong.formats import Baseline
from evaluators.curves import Curve, Point, curves
from evaluators.dimensions import label
from evaluators.seat_scores import Judged, SeatScores
from evaluators.seat_scores import dimensions as all_dimensions
from evaluators.summary import status_of
from store.records import ChainRow, EpisodeRow

PEOPLE = "people"
"""What the curve of a human baseline is called."""


class DimensionCurves(msgspec.Struct, frozen=True, kw_only=True):
    """One figure: a judge, a dimension, and a curve for each mind with each memory."""

    judge: Judged
    dimension: str
    curves: tuple[Curve, ...]

    @property
    def title(self) -> str:
        """What the figure shows."""
        return f"{label(self.dimension)} by index, judged by {self.judge.label}"


def of_run(
    chains: Iterable[ChainRow],
    episodes: Iterable[EpisodeRow],
    seats: Sequence[SeatScores],
    judges: Sequence[Judged],
    baselines: Sequence[Baseline] = (),
    dimensions: Sequence[str] = (),
) -> list[DimensionCurves]:
    """A figure for each judge and dimension in which episodes of chains were scored.

    ``dimensions``: only these, in this order; empty: all, in the order the judge has them.
    ``baselines`` are drawn into every judge's figure of their dimension.
    """
    memories = {chain.id: chain.memory for chain in chains}
    places = {row.id: (row.chain, row.index) for row in episodes if row.chain in memories}
    found = []
    for judge in judges:
        mine = [s for s in seats if s.judge == judge.hash and s.episode in places]
        asked = all_dimensions(mine)
        for name in dimensions or asked:
            if name not in asked:
                continue
            points = [
                Point(
                    label=f"{seat.mind}, {memories[chain]}",
                    chain=chain,
                    index=index,
                    value=seat.values.get(name),
                )
                for seat in mine
                if status_of(seat, name)
                for chain, index in (places[seat.episode],)
            ]
            points += [_person(row) for row in baselines if row.dimension == name]
            lines = tuple(curves(points))
            found.append(DimensionCurves(judge=judge, dimension=name, curves=lines))
    return found


def _person(row: Baseline) -> Point:
    return Point(label=PEOPLE, chain=row.participant, index=row.index, value=row.value)
