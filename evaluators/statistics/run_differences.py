"""What differs between runs: which dimension, which mind, which task got better or worse."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, Literal, get_args

import msgspec

from evaluators.plugin import OVERALL
from evaluators.registry import judgings
from evaluators.scores.score_columns import ScoreColumns
from evaluators.scores.seat_scores import Judged
from evaluators.statistics.paired_differences import (
    PAIR_ON,
    Key,
    PairedDifference,
    Within,
    paired_differences,
)
from evaluators.statistics.populations import Population

Aspect = Literal["dimension", "mind", "task"]
ASPECTS: Final[tuple[Aspect, ...]] = get_args(Aspect)
"""What may have got better or worse."""


class BetweenRuns(msgspec.Struct, frozen=True, kw_only=True):
    """The differences between runs by one judge in one respect: a family of tests."""

    by: Aspect
    judge: Judged
    differences: tuple[PairedDifference, ...]
    """The later run less the earlier; of tasks, the largest losses first."""
    unclean: int = 0
    """Episodes that are left out because an action failed in them."""
    other_minds: bool = False
    """The runs have not the same minds: what is compared is all of one with all of the other."""

    @property
    def title(self) -> str:
        """What a table of them shows."""
        return f"Between runs, by {self.by}, judged by {self.judge.label}"


def between_runs(
    columns: ScoreColumns,
    by: Sequence[Aspect] = ASPECTS,
    *,
    judges: Sequence[Judged] = (),
    dimensions: Sequence[str] = (),
    population: Population | None = None,
    unclean: bool = False,
) -> list[BetweenRuns]:
    """Compare each two runs, paired on task and seed, and on the mind where they have the same.

    ``dimension``: the runs as wholes, in each dimension; ``mind``: each mind that is in both, in
    the dimensions that its environment shows first; ``task``: each task in one dimension, the
    overall score if there is one, over its seeds (a test says whether this very task would go so
    again). ``dimensions``: only these. ``judges``: only these; none: all.
    """
    found = []
    for judge in judges or columns.judges:
        mine = columns.of(judge.hash)
        left_out = 0 if unclean else mine.episode[~mine.clean].different
        names = [name for name in mine.dimensions() if not dimensions or name in dimensions]
        first = list(dimensions) or _first(mine, names)
        same = _same_minds(mine)
        pair_on: tuple[Key, ...] = (*PAIR_ON, "mind") if same else PAIR_ON
        asked: dict[Aspect, tuple[Sequence[str], tuple[Within, ...], Population | None]] = {
            "dimension": (names, (), population),
            "mind": (first, ("mind", "memory"), population),
            "task": (_one_of(first), ("task",), population or "episodes"),
        }
        for aspect in by:
            of, within, units = asked[aspect]
            if not of:
                continue
            differences = paired_differences(
                mine,
                "run",
                PAIR_ON if aspect == "mind" else pair_on,
                judge=judge.hash,
                dimensions=of,
                within=within,
                population=units,
                unclean=unclean,
            )
            if aspect == "task":
                # Of chains, which play no task, there is nothing to name.
                there = [one for one in differences if one.of and one.pairs]
                differences = tuple(
                    sorted(there, key=lambda one: one.contrast.difference.value or 0)
                )
            if differences:
                found.append(
                    BetweenRuns(
                        by=aspect,
                        judge=judge,
                        differences=differences,
                        unclean=left_out,
                        other_minds=not same,
                    )
                )
    return found


def _same_minds(columns: ScoreColumns) -> bool:
    minds = [columns.mind[columns.run.among(run)].there() for run in columns.run.there()]
    return all(one == other for one, other in combinations(minds, 2))


def _first(columns: ScoreColumns, names: Sequence[str]) -> list[str]:
    """The dimensions that the environments behind some scores show first."""
    known = judgings()
    first = {
        name
        for environment in columns.environment.there()
        if environment in known
        for name in known[environment].first
    }
    return [name for name in names if name in first] or list(names)


def _one_of(names: Sequence[str]) -> Sequence[str]:
    return (OVERALL,) if OVERALL in names else names[:1]
