"""The curves of a run's chains: which scores belong to which line, and what people got beside."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from actors.lifelong.formats import Baseline
from evaluators.scores.dimensions import label
from evaluators.scores.questions import By
from evaluators.scores.scales import ENDLESS, Scale, scale_of
from evaluators.scores.score_columns import ScoreColumns
from evaluators.scores.seat_scores import Judged
from evaluators.statistics.curves import Curve, Point, Points, curves, points_of
from evaluators.statistics.summary import none_needed
from events.memory import NOTE_PARTS, MemorySpec

PEOPLE = "people"
"""What the curve of a human baseline is called."""


class DimensionCurves(msgspec.Struct, frozen=True, kw_only=True):
    """One figure: a judge, a dimension, and a curve for each mind with each memory."""

    judge: Judged
    dimension: str
    curves: tuple[Curve, ...]
    scale: Scale | None = None
    """The dimension's; None: it has no ends."""
    by: By = "memory"
    unclean: int = 0
    """Episodes whose scores are left out because an action failed in them; they are among those
    asked for."""

    @property
    def title(self) -> str:
        """What the figure shows."""
        by = {"memory": "", "length": ", by length of note", "parts": ", by part left out"}[self.by]
        return f"{label(self.dimension)} by index{by}, judged by {self.judge.label}"

    @property
    def hard_from(self) -> int | None:
        """The index at which the hard part begins; None where there is none."""
        return min((at.index for one in self.curves for at in one.places if at.hard), default=None)


def of_columns(
    columns: ScoreColumns,
    *,
    judges: Sequence[Judged] = (),
    dimensions: Sequence[str] = (),
    baselines: Sequence[Baseline] = (),
    memories: Sequence[MemorySpec] = (),
    by: By = "memory",
    unclean: bool = False,
) -> list[DimensionCurves]:
    """A figure for each judge and dimension in which episodes of chains were scored. Scores of
    episodes in which an action failed are left out, but with ``unclean``.

    ``judges``, ``dimensions``: only these, in this order; none: all, dimensions in the order the
    judge has them. ``baselines`` are drawn into every judge's figure of their dimension. ``by``
    something else than the memory's name: only memories that keep notes, which ``memories``
    describe.
    """
    names = memory_names(memories, by) if by != "memory" else {}
    chained = columns.where(~columns.chain.among(""))
    if by != "memory":
        chained = chained.where(chained.memory.among(*names))
    found = []
    for judge in judges or columns.judges:
        of_judge = chained.of(judge.hash)
        asked = of_judge.dimension.there()
        for name in dimensions or of_judge.dimensions():
            if name in asked:
                rows = of_judge.where(of_judge.dimension.among(name))
                left_out = 0 if unclean else rows.episode[~rows.clean].different
                scale = scale_of(rows, name)
                people = points_of(_person(row) for row in baselines if row.dimension == name)
                lines = curves(_points(rows, names, unclean=unclean), scale)
                lines += curves(people, scale)
                one = DimensionCurves(
                    judge=judge,
                    dimension=name,
                    scale=None if scale == ENDLESS else scale,
                    curves=tuple(lines),
                    by=by,
                    unclean=left_out,
                )
                found.append(one)
    return found


def memory_names(memories: Iterable[MemorySpec], by: By) -> dict[str, str]:
    """How a figure calls each memory that keeps notes, by its name, in the figure's order: by the
    longest note, or whole notes first."""
    kept = [spec for spec in memories if spec.module in ("summary", "retrieval")]
    if by == "length":
        kept.sort(key=lambda spec: (spec.words_high, spec.name))
        called = {spec.name: f"up to {spec.words_high:,} words" for spec in kept}
    else:
        kept.sort(key=lambda spec: (len(_left_out(spec)), _left_out(spec), spec.name))
        called = {
            spec.name: f"without {' and '.join(out)}" if (out := _left_out(spec)) else "whole notes"
            for spec in kept
        }
    # Two memories that do not differ in what is asked for keep their names.
    taken = list(called.values())
    return {
        name: f"{text} ({name})" if taken.count(text) > 1 else text for name, text in called.items()
    }


def ablations(memories: Sequence[MemorySpec]) -> list[By]:
    """By what the memories of a run can be compared, beside their names."""
    kept = [spec for spec in memories if spec.module in ("summary", "retrieval")]
    found: list[By] = []
    if len({spec.words_high for spec in kept}) > 1:
        found.append("length")
    if len({_left_out(spec) for spec in kept}) > 1:
        found.append("parts")
    return found


def _left_out(spec: MemorySpec) -> tuple[str, ...]:
    return tuple(part for part in NOTE_PARTS if part not in spec.parts)


def _points(rows: ScoreColumns, names: Mapping[str, str], *, unclean: bool) -> Points:
    """The scores as points; ``names``: how memories are called, in order; empty: by name."""
    rows = rows.where(~none_needed(rows))
    order = [name for name in names if name in rows.memory.names] or list(rows.memory.names)
    place = np.array(
        [order.index(n) if n in order else 0 for n in rows.memory.names], dtype=np.intp
    )
    return Points(
        labels=[
            f"{mind}, {names.get(memory, memory)}" for mind in rows.mind.names for memory in order
        ],
        label=rows.mind.codes.astype(np.intp) * len(order) + place[rows.memory.codes],
        chain=rows.chain.codes,
        index=rows.index,
        value=rows.value if unclean else np.where(rows.clean, rows.value, np.nan),
        hard=rows.hard,
    )


def _person(row: Baseline) -> Point:
    return Point(label=PEOPLE, chain=row.participant, index=row.index, value=row.value)
