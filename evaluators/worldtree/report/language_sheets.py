"""Whether the two languages differ, as a page shows it."""

from collections.abc import Sequence
from typing import Final

from evaluators.report.formats import figure, p_value
from evaluators.tables.plain_tables import PlainTable
from evaluators.worldtree.report.sheets import Block, Entry, Head, Row, Sheet
from evaluators.worldtree.tables.labels import LANGUAGE_NAMES, REHEARSAL
from evaluators.worldtree.values.language_values import LanguageTest, Normality

_MEASURES: Final = {"goals": "Goal ratio, overall", "abilities": "Abilities, overall"}


def language_sheets(tests: Sequence[LanguageTest], plain: Sequence[PlainTable] = ()) -> list[Sheet]:
    """One for each measure."""
    return [
        _sheet(test, [one for one in plain if one.name.endswith(test.measure)]) for test in tests
    ]


def _sheet(test: LanguageTest, plain: Sequence[PlainTable]) -> Sheet:
    rows = tuple(
        Row(
            label=who,
            chip=REHEARSAL if who in test.rehearsal else "",
            cells=(
                Entry(figure(zh, 2)),
                Entry(figure(en, 2)),
                Entry(figure(zh - en, 2), overall=True),
            ),
        )
        for who, zh, en in test.pairs
    )
    return Sheet(
        name=f"languages-{test.measure}",
        title=f"Chinese and English: {_MEASURES[test.measure]}",
        caption=" ".join(filter(None, (_signed(test), *map(_normal, test.normality), _left(test)))),
        heads=((Head("Who"), Head("Chinese"), Head("English"), Head("Difference")),),
        blocks=(Block(rows),) if rows else (),
        missing="" if rows else "No model has figures in both languages.",
        csv=tuple(plain),
    )


def _signed(test: LanguageTest) -> str:
    one = test.signed
    if one.p is None:
        return f"No Wilcoxon signed-rank test: {one.why}." if one.why else ""
    how = "exact" if one.exact else "normal approximation"
    ties = f", {one.ties} without a difference left out" if one.ties else ""
    return (
        f"Wilcoxon's signed-rank test over {one.models} models{ties}: W = {one.statistic:g}, "
        f"p = {_p(one.p)} ({how}, two-sided)."
    )


def _normal(one: Normality) -> str:
    name = LANGUAGE_NAMES[one.language]
    if one.fitted is None:
        return f"{name}: no test of normality ({one.why})." if one.why else ""
    return (
        f"{name}, Kolmogorov and Smirnov over {one.models} models: against the fitted normal "
        f"D = {one.fitted:.3f}, p = {_p(one.fitted_p)} (Lilliefors' p = {_p(one.lilliefors_p)}); "
        f"against N(0, 1), which no percentages follow, D = "
        f"{figure(one.standard, 3)}, p = {_p(one.standard_p)}."
    )


def _left(test: LanguageTest) -> str:
    return f"In one language only: {', '.join(test.left_out)}." if test.left_out else ""


def _p(value: float | None) -> str:
    if value is not None and value < 0.001:
        return f"{value:.1e}" if value > 1e-12 else "under 1e-12"
    return p_value(value)
