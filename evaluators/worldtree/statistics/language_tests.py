"""Whether models do as well in one language as in the other, and how their figures are spread.

Wilcoxon's signed-rank test takes a model's two overall figures as a pair; the tests of normality
ask whether models' figures of one language follow a normal distribution.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from actors.worldtree.setup import LANGUAGES
from actors.worldtree.trees.tree import Language
from evaluators.statistics.cluster_means import Floats
from evaluators.worldtree.values.ability_values import AbilityTable
from evaluators.worldtree.values.goal_values import OVERALL, GoalTable
from evaluators.worldtree.values.language_values import LanguageTest, Measure, Normality, Signed

LEAST_MODELS: Final = 4
"""Fewer have no test: of four that all differ the same way, p is 0.125 at best, and Lilliefors'
table begins there."""
_EXACT_UP_TO: Final = 50
"""Pairs up to which all signs are counted; beyond, the normal approximation is as good."""


def language_tests(goals: GoalTable, abilities: AbilityTable) -> tuple[LanguageTest, ...]:
    """Of both measures, those that some model has a figure of."""
    by_goals = {
        row.who: {cell.language: cell.ratio.value for cell in row.cells if cell.scope == OVERALL}
        for row in goals.rows
        if row.kind == "mind"
    }
    by_abilities = {
        row.who: {cell.language: cell.ratio for cell in row.cells if cell.scope == OVERALL}
        for row in abilities.rows
        if row.kind == "mind"
    }
    rehearsal = {row.who for table in (goals, abilities) for row in table.rows if row.rehearsal}
    measured: tuple[tuple[Measure, dict[str, dict[Language, float | None]]], ...] = (
        ("goals", by_goals),
        ("abilities", by_abilities),
    )
    found = []
    for measure, figures in measured:
        there = {
            who: {language: value for language, value in mine.items() if value is not None}
            for who, mine in figures.items()
        }
        both = {who: mine for who, mine in there.items() if len(mine) == len(LANGUAGES)}
        if any(there.values()):
            found.append(
                language_test(
                    measure,
                    [(who, mine["zh"], mine["en"]) for who, mine in both.items()],
                    left_out=[who for who, mine in there.items() if len(mine) == 1],
                    rehearsal=[who for who in both if who in rehearsal],
                )
            )
    return tuple(found)


def language_test(
    measure: Measure,
    pairs: Sequence[tuple[str, float, float]],
    left_out: Sequence[str] = (),
    rehearsal: Sequence[str] = (),
) -> LanguageTest:
    """All tests of some models' figures: name, zh, en."""
    zh, en = (np.array([pair[place] for pair in pairs], dtype=float) for place in (1, 2))
    return LanguageTest(
        measure=measure,
        pairs=tuple(pairs),
        signed=signed_ranks(zh, en),
        normality=(normality("zh", zh), normality("en", en)),
        left_out=tuple(left_out),
        rehearsal=tuple(rehearsal),
    )


def signed_ranks(a: Floats, b: Floats) -> Signed:
    """Wilcoxon 1945, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 80-83:
    two-sided, pairs without a difference left out."""
    # Figures are ratios: rounding must not tell equal differences apart.
    differences = np.round(a - b, 9)
    off = differences[differences != 0]
    models, ties = len(a), len(a) - len(off)
    if models - ties < LEAST_MODELS:
        why = f"{models - ties} models differ between the languages; a test needs {LEAST_MODELS}"
        return Signed(models=models, ties=ties, why=why)
    from scipy import stats  # a second to import; the command line's help does not need it

    exact = len(off) <= _EXACT_UP_TO and len(np.unique(np.abs(off))) == len(off)
    result = stats.wilcoxon(off, method="exact" if exact else "approx")
    return Signed(
        models=models,
        ties=ties,
        statistic=float(result.statistic),
        p=float(result.pvalue),
        exact=exact,
    )


def normality(language: Language, values: Floats) -> Normality:
    """Kolmogorov and Smirnov's test against the normal fitted to the values (their mean, and their
    standard deviation with divisor n - 1) and against N(0, 1); and Lilliefors' (1967, "On the
    Kolmogorov-Smirnov test for normality with mean and variance unknown", Journal of the American
    Statistical Association 62, 399-402)."""
    models = len(values)
    if models < LEAST_MODELS:
        why = f"{models} models have figures in both languages; a test needs {LEAST_MODELS}"
        return Normality(language=language, models=models, why=why)
    if not np.ptp(values):
        return Normality(language=language, models=models, why="all models' figures are the same")
    from scipy import stats
    from statsmodels.stats.diagnostic import lilliefors

    fitted = stats.kstest(values, "norm", args=(float(values.mean()), float(values.std(ddof=1))))
    standard = stats.kstest(values, "norm")
    return Normality(
        language=language,
        models=models,
        fitted=float(fitted.statistic),
        fitted_p=float(fitted.pvalue),
        standard=float(standard.statistic),
        standard_p=float(standard.pvalue),
        lilliefors_p=float(lilliefors(values, dist="norm", pvalmethod="table")[1]),
    )
