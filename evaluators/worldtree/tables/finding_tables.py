"""What trees hold, tests between languages and polarity as plain tables."""

from collections import Counter
from collections.abc import Iterable, Sequence

from actors.worldtree.setup import LANGUAGES
from evaluators.tables.figure_text import p_cell
from evaluators.tables.plain_tables import (
    Cell,
    DisplayValue,
    PlainColumn,
    PlainTable,
    numbers,
    table_of,
)
from evaluators.worldtree.tables.labels import LANGUAGE_NAMES, POLARITIES
from evaluators.worldtree.values.language_values import LanguageTest, Measure
from evaluators.worldtree.values.polarity_values import (
    Differing,
    PolarityFindings,
    PolarityRow,
)
from evaluators.worldtree.values.tree_values import AbilityCount, TreeFigures

_MEASURES: dict[Measure, str] = {"goals": "goal ratios", "abilities": "ability ratios"}


def tree_table(rows: Sequence[TreeFigures]) -> PlainTable:
    """Table 1."""
    names = ("characters", "plot_lines", "episodes", "candidates", "successes", "interactions")
    return table_of(
        "trees",
        "What the trees hold",
        rows,
        PlainColumn("language"),
        PlainColumn("scope"),
        PlainColumn("trees", "number"),
        *(PlainColumn(name, "number", heading=name.replace("_", "\n")) for name in names),
        PlainColumn("samples", "number"),
        note="means over trees; samples: of all of them together",
    )


def label_table(rows: Sequence[AbilityCount]) -> PlainTable:
    """Figure 2."""
    return table_of(
        "labels",
        "Which abilities are asked about",
        rows,
        PlainColumn("language"),
        PlainColumn("aspect"),
        PlainColumn("ability"),
        PlainColumn("labels", "number"),
        note="a sample has a label for each of its abilities",
    )


def language_tables(tests: Iterable[LanguageTest]) -> list[PlainTable]:
    """Of each measure its tests, and the pairs that they rest on."""
    return [table for test in tests for table in (_tests(test), _pairs(test))]


def _tests(test: LanguageTest) -> PlainTable:
    signed = test.signed
    how = ", exact" if signed.exact else ", approximated" if signed.p is not None else ""
    rows: list[tuple[Cell, ...]] = [
        (
            f"zh and en differ: Wilcoxon's signed ranks{how}",
            "W",
            signed.statistic,
            p_cell(signed.p),
        ),
    ]
    whys = [signed.why]
    for one in test.normality:
        name = LANGUAGE_NAMES[one.language]
        rows += [
            (f"{name}: not the fitted normal", "D", one.fitted, p_cell(one.fitted_p)),
            (f"{name}: the same, Lilliefors", "D", one.fitted, p_cell(one.lilliefors_p)),
            (f"{name}: not N(0, 1)", "D", one.standard, p_cell(one.standard_p)),
        ]
        whys.append(one.why)
    left = f"\nIn one language alone: {', '.join(test.left_out)}." if test.left_out else ""
    mark = f"\nNo language models: {', '.join(test.rehearsal)}." if test.rehearsal else ""
    why = f"\nNo test: {'; '.join(dict.fromkeys(filter(None, whys)))}." if any(whys) else ""
    return PlainTable(
        name=f"languages-tests-{test.measure}",
        title=f"Between the languages: overall {_MEASURES[test.measure]} of {signed.models} models",
        columns=(
            PlainColumn("test"),
            PlainColumn("measure", heading=" "),
            PlainColumn("statistic", "number", heading="value"),
            PlainColumn("p", "number"),
        ),
        rows=tuple(row for row in rows if row[2] is not None),
        note="p of the fitted normal is too large, for it takes the fit as given; Lilliefors' is "
        "not. No percentages follow N(0, 1): that test says nothing of their shape."
        + left
        + mark
        + why,
    )


def _pairs(test: LanguageTest) -> PlainTable:
    return PlainTable(
        name=f"languages-{test.measure}",
        title=f"Overall {_MEASURES[test.measure]}, by model and language",
        columns=(
            PlainColumn("who", heading=" "),
            PlainColumn("zh", "number"),
            PlainColumn("en", "number"),
            PlainColumn("difference", "number", heading="zh − en"),
        ),
        rows=tuple((who, zh, en, zh - en) for who, zh, en in test.pairs),
        note="percent",
    )


def polarity_tables(findings: PolarityFindings) -> list[PlainTable]:
    """Figures 8, 3, and 4 with 7; without the latter two where nothing could be compared."""
    found = [_all_trees(findings)]
    if findings.differing:
        found += [_differing(findings), _combinations(findings)]
    return found


def _all_trees(findings: PolarityFindings) -> PlainTable:
    rehearsal = any(row.rehearsal for row in findings.all_trees)
    missing = f"\n{findings.missing}" if findings.missing else ""
    return table_of(
        "polarity-all",
        "Polarity of all choices",
        sorted(findings.all_trees, key=lambda one: LANGUAGES.index(one.language)),
        PlainColumn("language"),
        (PlainColumn("who", heading=" "), _who),
        (PlainColumn("rehearsal", only_csv=True), _is_rehearsal),
        (PlainColumn("positive", "number"), lambda row: row.choices.positive),
        (PlainColumn("neutral", "number"), lambda row: row.choices.neutral),
        (PlainColumn("negative", "number"), lambda row: row.choices.negative),
        (PlainColumn("known", "number", heading="of"), lambda row: row.choices.known),
        (PlainColumn("unknown", "number"), lambda row: row.choices.unknown),
        note="choices; unknown: the tree does not say"
        + "\n* a rehearsal mind: fixed rules, no language model, no finding." * rehearsal
        + missing,
    )


def _differing(findings: PolarityFindings) -> PlainTable:
    return PlainTable(
        name="polarity-differing",
        title="Where people succeed and the model fails: choices that differ in polarity",
        columns=(
            PlainColumn("language"),
            PlainColumn("model"),
            PlainColumn("rehearsal", only_csv=True),
            PlainColumn("whose"),
            *numbers("positive", "neutral", "negative"),
            PlainColumn("known", "number", heading="of"),
            *numbers("trees", "walks", "alike", "unknown"),
        ),
        rows=tuple(
            (
                row.language,
                _who(row),
                _is_rehearsal(row),
                whose,
                choices.positive,
                choices.neutral,
                choices.negative,
                choices.known,
                row.trees,
                row.walks,
                row.alike,
                row.unknown,
            )
            for row in findings.differing
            for whose, choices in (("people", row.people), ("model", row.model))
        ),
        note="at nodes that both visited, in trees with one success; trees and walks: those of the "
        "model that are compared; alike, unknown: nodes besides where another line was chosen, of "
        "the same polarity, or of one that the tree does not say",
    )


def _combinations(findings: PolarityFindings) -> PlainTable:
    totals: Counter[tuple[str, str]] = Counter()
    for one in findings.combinations:
        totals[one.who, one.language] += one.count
    return table_of(
        "polarity-combinations",
        "People's polarity, and the model's instead",
        [one for one in findings.combinations if one.people != one.model],
        PlainColumn("language"),
        (PlainColumn("model"), lambda one: one.who),
        (
            PlainColumn("people_polarity", heading="people"),
            lambda one: DisplayValue(one.people, POLARITIES[one.people]),
        ),
        (
            PlainColumn("model_polarity", heading="the model"),
            lambda one: DisplayValue(one.model, POLARITIES[one.model]),
        ),
        PlainColumn("count", "number"),
        (PlainColumn("of", "number"), lambda one: totals[one.who, one.language]),
        note="nodes, as in the table above",
    )


def _who(row: PolarityRow | Differing) -> DisplayValue:
    """A rehearsal mind's name ends with ``*``."""
    return DisplayValue(row.who, f"{row.who}{'*' * row.rehearsal}")


def _is_rehearsal(row: PolarityRow | Differing) -> str:
    return "yes" if row.rehearsal else "no"
