"""The modes of social episodes compared, mind by mind (Zhou et al. 2024, 2403.05020): scores,
tested against the interactive mode by Student's t test, and what else differs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from actors.social.modes import Mode
from evaluators.scores.scales import Scale, scale_of
from evaluators.scores.score_columns import ScoreColumns
from evaluators.scores.seat_scores import Judged
from evaluators.social.modes.measures import PlayedEpisode
from evaluators.statistics.estimates import Estimate, mean
from events.base import Value

Measure = Literal[
    "episodes",
    "given_up",
    "turns",
    "words_per_turn",
    "secrets_told",
    "calls",
    "output_tokens",
    "usd",
]
"""What is compared beside scores."""

AGAINST: Final[Mode] = "interactive"

Floats = NDArray[np.float64]


class StudentTest(Value, frozen=True, kw_only=True):
    """Two-sided, with equal variances: of two groups of scores."""

    t: float
    p: float


class ModeFigure(Value, frozen=True, kw_only=True):
    """One mode of one mind in one respect."""

    mind: str
    mode: Mode
    measure: str
    """A ``Measure``, or a judge's dimension."""
    judge: str = ""
    """Its label; empty: it is no score."""
    found: Estimate
    """The mean, or the count."""
    n: int
    """Values behind it."""
    missing: int = 0
    """Scores that a judge failed to give, or abstained from."""
    test: StudentTest | None = None
    """Against the interactive mode; None: it is that, there is no such, or nothing to test."""


class ModeComparison(Value, frozen=True, kw_only=True):
    """The modes of some runs."""

    rows: tuple[ModeFigure, ...]
    several_minds: int
    """Episodes left out, for not one mind sat in all their seats."""
    unclean: int
    """Episodes in which an action failed: their scores are left out."""
    no_findings: tuple[str, ...] = ()
    """What to think of figures in which rehearsal minds or local models had a part."""


def student(a: Floats, b: Floats) -> StudentTest | None:
    """Student's t test of two groups; None where there are fewer than two of one, or nothing
    varies."""
    if min(len(a), len(b)) < 2 or not (np.ptp(a) or np.ptp(b)):
        return None
    found = stats.ttest_ind(a, b)
    return StudentTest(t=float(found.statistic), p=float(found.pvalue))


def compared(
    played: Sequence[PlayedEpisode],
    given_up: Mapping[tuple[str, Mode], int],
    columns: ScoreColumns,
    judges: Sequence[Judged],
    dimensions: Sequence[str],
) -> Iterator[ModeFigure]:
    """Everything about every mind and mode. ``given_up``: episodes that did not come to an end, by
    mind and mode. ``columns``: the scores of at least these episodes."""
    groups: dict[tuple[str, Mode], list[PlayedEpisode]] = {key: [] for key in given_up}
    for one in played:
        groups.setdefault((one.mind, one.mode), []).append(one)
    modes = get_args(Mode)
    order = sorted(groups, key=lambda key: (key[0], modes.index(key[1])))
    for mind, mode in order:
        yield from _measures(mind, mode, groups[mind, mode], given_up.get((mind, mode), 0))
    clean = columns.where(columns.clean & ~columns.shared)
    of_group = {
        key: clean.where(clean.episode.among(*(one.episode for one in groups[key])))
        for key in order
    }
    for judge in judges:
        for dimension in dimensions:
            scores = {key: rows.of(judge.hash, dimension) for key, rows in of_group.items()}
            for mind, mode in order:
                rows = scores[mind, mode]
                if not len(rows):
                    continue
                values = rows.value[rows.scored]
                other = scores.get((mind, AGAINST))
                test = None
                if mode != AGAINST and other is not None:
                    test = student(values, other.value[other.scored])
                yield ModeFigure(
                    mind=mind,
                    mode=mode,
                    measure=dimension,
                    judge=judge.label,
                    found=mean(
                        values,
                        rows.scenario.codes[rows.scored].astype(np.intp),
                        "scenarios",
                        scale_of(rows, dimension),
                    ),
                    n=len(values),
                    missing=int(np.count_nonzero(~rows.scored)),
                    test=test,
                )


_VALUES: Final[Mapping[Measure, Callable[[PlayedEpisode], Sequence[float]]]] = {
    "turns": lambda one: (one.turns,),
    "words_per_turn": lambda one: one.words_per_turn,
    "secrets_told": lambda one: one.told,
    "calls": lambda one: (one.calls,),
    "output_tokens": lambda one: (one.output_tokens,),
    "usd": lambda one: () if one.usd is None else (one.usd,),
}
"""What an episode adds to each measure."""
_SCALES: Final[Mapping[Measure, Scale]] = dict.fromkeys(_VALUES, Scale(0.0, inf)) | {
    "secrets_told": Scale(0.0, 1.0)
}


def _measures(
    mind: str, mode: Mode, played: Sequence[PlayedEpisode], given_up: int
) -> Iterator[ModeFigure]:
    counts: tuple[tuple[Measure, int], ...] = (("episodes", len(played)), ("given_up", given_up))
    for name, count in counts:
        found = Estimate(value=float(count))
        yield ModeFigure(mind=mind, mode=mode, measure=name, found=found, n=count)
    for measure, values_of in _VALUES.items():
        values, scenarios = list[float](), list[str]()
        for one in played:
            own = values_of(one)
            values += map(float, own)
            scenarios += [one.scenario] * len(own)
        found = mean(values, scenarios, "scenarios", _SCALES[measure])
        missing = sum(one.usd is None for one in played) if measure == "usd" else 0
        yield ModeFigure(
            mind=mind, mode=mode, measure=measure, found=found, n=len(values), missing=missing
        )
