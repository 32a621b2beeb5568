"""Tests of one question by one judge as a plain table."""

from typing import TYPE_CHECKING

import msgspec

from evaluators.tables.figure_text import (
    difference_text,
    dimension_cell,
    figure_cell,
    figure_of,
    p_cell,
)
from evaluators.tables.plain_tables import (
    Cell,
    DisplayValue,
    PlainColumn,
    PlainTable,
    numbers,
    safe_name,
)

if TYPE_CHECKING:
    from evaluators.statistics.significance_tests import Family, Tested


def contrasts_table(family: "Family") -> PlainTable:
    """All tests of one question by one judge, a row each."""
    digits = 3 if family.between == "slopes" else 2
    return PlainTable(
        name=safe_name(f"contrast-{family.between}-{family.judge.label}"),
        title=family.title,
        columns=(
            PlainColumn("judge", only_csv=True),
            PlainColumn("between", only_csv=True),
            PlainColumn("part", only_csv=True),
            PlainColumn("dimension", heading=" "),
            PlainColumn("of"),
            PlainColumn("a", heading="A"),
            PlainColumn("mean_a", "figure", heading="mean A ±SD"),
            PlainColumn("sd_a", "number", only_csv=True),
            PlainColumn("b", heading="B"),
            PlainColumn("mean_b", "figure", heading="mean B ±SD"),
            PlainColumn("sd_b", "number", only_csv=True),
            PlainColumn("difference", "figure", heading="A−B [95 %]"),
            PlainColumn("p", "number"),
            PlainColumn("p_holm", "number", heading="Holm"),
            PlainColumn("d", "number"),
            PlainColumn("n", "number"),
            PlainColumn("test", only_csv=True),
            *numbers("statistic", "degrees", only_csv=True),
        ),
        rows=tuple(_contrast(family, test, digits) for test in family.tests),
        note=contrast_note(family),
    )


def contrast_note(family: "Family") -> str:
    """What has to be known to read the tests of a family."""
    of = "the chains' means" if family.population == "chains" else "scores"
    what = "" if family.between == "slopes" else f" of {of}"
    return (
        f"mean ± standard deviation{what}; t tests over {family.population}; n: pairs, or with w "
        "both sides, which are not paired (Welch's test)"
    )


def _contrast(family: "Family", test: "Tested", digits: int) -> tuple[Cell, ...]:
    found = test.contrast
    change = found.difference
    sides = []
    for side in (found.a, found.b):
        sd = side.unit_sd if family.population == "chains" else side.mean.sd
        figure = figure_of(side.mean)
        text = "–" if side.mean.value is None else f"{side.mean.value:.{digits}f}"
        told = text if sd is None else f"{text} ±{sd:.{digits}f}"
        sides.append((side.label, msgspec.structs.replace(figure, text=told), sd))
    return (
        family.judge.label,
        family.between,
        family.part,
        dimension_cell(test.dimension),
        test.of,
        *sides[0],
        *sides[1],
        figure_cell(change, difference_text(change, digits).replace("\n", " "), found.n),
        p_cell(found.p),
        p_cell(found.p_holm),
        found.effect,
        DisplayValue(found.n, f"{found.n}{'' if found.test == 'paired t' else ' w'}"),
        found.test,
        found.statistic,
        found.degrees,
    )
