"""Tables 1, E.1 and G.3, Figures 2, G.1, G.2 and G.3: judges beside the people who annotated."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import msgspec
import numpy as np

from actors.text.amounts import many
from evaluators.agreement.people_agreement import NoPeople, among_people
from evaluators.report.charts.svg_charts import Chart
from evaluators.scores.scales import ENDLESS, scale_of
from evaluators.social.human_scores.pair_scores import pairs_of, people_seats
from evaluators.social.human_scores.score_pairs import (
    BINS,
    LEAST_GROUP,
    Correlation,
    JudgeDifference,
    RangeGroup,
    ScorePairs,
    correlation,
    difference,
    range_groups,
)
from evaluators.social.tables.human_charts import SpanMark, draw_spans
from evaluators.social.tables.notes import dimension_cell, note_of, short, unclean_words
from evaluators.social.tables.seat_table import DIMENSIONS
from evaluators.social.tables.table_input import NothingToShow, TableInput
from evaluators.statistics.clusters import usual
from evaluators.tables.figure_text import p_text, share_cell
from evaluators.tables.people_tables import among_tables
from evaluators.tables.plain_tables import (
    DisplayValue,
    PlainColumn,
    PlainTable,
    file_name,
    table_of,
)

_WHO: Mapping[str, Callable[[ScorePairs], ScorePairs]] = {
    "models": lambda pairs: pairs.where(~pairs.person),
    "people": lambda pairs: pairs.where(pairs.person),
    "all": lambda pairs: pairs,
}
_HUMAN = "The human score is the plain mean over annotators, of each seat and dimension."


class _Correlated(NamedTuple):
    who: str
    dimension: str
    found: Correlation


class _Different(NamedTuple):
    dimension: str
    found: JudgeDifference


class _Ranged(NamedTuple):
    judge: str
    who: str
    dimension: str
    found: RangeGroup


class _RangeFigure(NamedTuple):
    figure: str
    title: str
    rows: list[_Ranged]


class _Mean(NamedTuple):
    who: str
    dimension: str
    scored: int
    mean: float | None


def table_1(given: TableInput) -> list[PlainTable]:
    """Pearson's correlation of the judge with people, by who sat there."""
    rows = [
        _Correlated(who, name, correlation(some(pairs)))
        for who, some in _WHO.items()
        for name, pairs in pairs_of(given).items()
        if who == "all" or len(some(pairs))
    ]
    return [
        table_of(
            file_name(f"table-1 {given.judge.label}"),
            f"Table 1: {given.judge.label} with people, Pearson's correlation",
            rows,
            (PlainColumn("dimension"), lambda one: dimension_cell(one.dimension)),
            (PlainColumn("seats_of", "id", heading="seats of"), lambda one: one.who),
            (PlainColumn("n", "number", only_csv=True), lambda one: one.found.n),
            (PlainColumn("p", "number", only_csv=True), lambda one: one.found.p),
            (PlainColumn("r", "number"), lambda one: _correlation(one.found)),
            across=("seats_of",),
            note=note_of(
                _HUMAN,
                "undefined: fewer than three pairs, or all values of one of the two are the same. "
                "p is of a two-sided test that takes seats as independent.",
                unclean_words(given),
            ),
        )
    ]


def table_e1(given: TableInput) -> list[PlainTable]:
    """How far people agree with each other; as ``troupe agreement`` has it."""
    columns = given.columns.where(given.columns.dimension.among(*DIMENSIONS))
    population = usual(columns)
    try:
        found = among_tables(among_people(columns, population), population)
    except NoPeople as error:
        raise NothingToShow(str(error)) from None
    return [
        msgspec.structs.replace(one, name="table-e1", title=f"Table E.1: {one.title}")
        for one in found
    ]


def table_g3(given: TableInput) -> list[PlainTable]:
    """What people gave each model, and people in seats."""
    seats = people_seats(given)
    rows = [
        _Mean(who, name, len(values), float(values.mean()) if len(values) else None)
        for who in seats.mind.there()
        for name in seats.dimensions
        for values in [seats.of(name)[seats.mind.among(who) & ~np.isnan(seats.of(name))]]
    ]
    return [
        table_of(
            "table-g3",
            f"Table G.3: scores by people ({many(len(given.annotators), 'annotator')})",
            rows,
            (PlainColumn("dimension"), lambda one: dimension_cell(one.dimension)),
            (PlainColumn("who", "id"), lambda one: one.who),
            (PlainColumn("scored", "number", only_csv=True), lambda one: one.scored),
            (
                PlainColumn("mean", "number"),
                lambda one: (
                    None
                    if one.mean is None
                    else DisplayValue(one.mean, f"{one.mean:.2f} ({one.scored})")
                ),
            ),
            across=("who",),
            note=note_of(_HUMAN, "In brackets: seats.", unclean_words(given)),
        )
    ]


def figure_2(given: TableInput) -> list[PlainTable]:
    """How far the judge is from people."""
    rows = _differences(given)
    return [
        table_of(
            file_name(f"figure-2 {given.judge.label}"),
            f"Figure 2: {given.judge.label} less people",
            rows,
            (PlainColumn("dimension", "id"), lambda one: dimension_cell(one.dimension)),
            (PlainColumn("n", "number"), lambda one: one.found.n),
            (PlainColumn("mean", "number"), lambda one: one.found.mean),
            (PlainColumn("least", "number"), lambda one: one.found.least),
            (PlainColumn("greatest", "number"), lambda one: one.found.greatest),
            (
                PlainColumn("human_sd", "number", heading="sd of\npeople"),
                lambda one: one.found.deviation,
            ),
            (
                PlainColumn("within", "number", heading="within\none sd"),
                lambda one: share_cell(one.found.within),
            ),
            note=note_of(
                _HUMAN,
                "within: the share of seats in which judge and people differ by at most one sample "
                "standard deviation of the human scores of that dimension.",
                unclean_words(given),
            ),
        )
    ]


def draw_figure_2(given: TableInput) -> list[Chart]:
    """Figure 2 as a mark for each dimension: the mean, on a line from the least to the greatest
    difference, over the standard deviation of people to both sides of 0."""
    rows = [
        SpanMark(
            label=short(one.dimension),
            low=one.found.least,
            high=one.found.greatest,
            mark=one.found.mean,
            band=one.found.deviation,
            told=f"{short(one.dimension)}: {one.found.mean:.2f}, from {one.found.least:.2f} to "
            f"{one.found.greatest:.2f}",
        )
        for one in _differences(given)
        if one.found.mean is not None
        and one.found.least is not None
        and one.found.greatest is not None
    ]
    name = file_name(f"figure-2 {given.judge.label}")
    title = f"{given.judge.label} less people"
    return [Chart(name, title, draw_spans, "judge less people", rows, True)]


def figure_g1(given: TableInput) -> list[PlainTable]:
    """Ranges of people with the scores of all judges, side by side."""
    return _ranges(given, _g1(given))


def figure_g2(given: TableInput) -> list[PlainTable]:
    """The same of one judge, such as one with a fine-grained rubric."""
    return _ranges(given, _g2(given))


def figure_g3(given: TableInput) -> list[PlainTable]:
    """The same by who sat there."""
    return _ranges(given, _g3(given))


def draw_figure_g1(given: TableInput) -> list[Chart]:
    """Figure G.1 as people's ranges with a mark of each judge."""
    return _drawn_ranges(given, _g1(given))


def draw_figure_g2(given: TableInput) -> list[Chart]:
    """Figure G.2 as people's ranges with a mark of the judge."""
    return _drawn_ranges(given, _g2(given))


def draw_figure_g3(given: TableInput) -> list[Chart]:
    """Figure G.3 as people's ranges with a mark of the judge."""
    return _drawn_ranges(given, _g3(given))


def _differences(given: TableInput) -> list[_Different]:
    return [_Different(name, difference(pairs)) for name, pairs in pairs_of(given).items()]


def _g1(given: TableInput) -> _RangeFigure:
    people = {one.hash for one in given.annotators}
    rows = []
    for judge in given.columns.judges:
        # Of judges that scored something else nothing is to be shown.
        with suppress(NothingToShow):
            if judge.hash not in people:
                rows += _ranged(replace(given, judge=judge), "all")
    return _RangeFigure("G.1", "judges beside people", rows)


def _g2(given: TableInput) -> _RangeFigure:
    return _RangeFigure("G.2", f"{given.judge.label} beside people", _ranged(given, "all"))


def _g3(given: TableInput) -> _RangeFigure:
    rows = [row for who in ("models", "people") for row in _ranged(given, who)]
    return _RangeFigure("G.3", f"{given.judge.label} beside people, by who sat there", rows)


def _ranged(given: TableInput, who: str) -> list[_Ranged]:
    found = []
    for name, pairs in pairs_of(given).items():
        scale = scale_of(given.columns, name)
        if scale != ENDLESS:
            groups = range_groups(_WHO[who](pairs), scale)
            found += [_Ranged(given.judge.label, who, name, one) for one in groups]
    return found


def _drawn_ranges(given: TableInput, shown: _RangeFigure) -> list[Chart]:
    name = _checked_name(given, shown)
    judges = list(dict.fromkeys(row.judge for row in shown.rows))
    by_who = len({row.who for row in shown.rows}) > 1
    rows = [
        SpanMark(
            label=", ".join(
                (
                    short(row.dimension),
                    *([row.who] if by_who else []),
                    *([row.judge] if len(judges) > 1 else []),
                    f"n {row.found.n}",
                )
            ),
            low=row.found.low,
            high=row.found.high,
            mark=row.found.judge,
            judge=judges.index(row.judge),
            told=f"{short(row.dimension)}, {row.judge}, seats of {row.who}: "
            f"{row.found.judge:.2f}, people from {row.found.low:.2f} to {row.found.high:.2f}",
        )
        for row in sorted(shown.rows, key=lambda row: DIMENSIONS.index(row.dimension))
    ]
    return [Chart(name, f"Ranges, {shown.title}", draw_spans, "score", rows, False)]


def _checked_name(given: TableInput, shown: _RangeFigure) -> str:
    """Of its file. Raises ``NothingToShow``."""
    people_seats(given)
    if not shown.rows:
        raise NothingToShow(f"there are no {LEAST_GROUP} seats with similar ranges of people")
    by = given.judge.label if shown.figure != "G.1" else ""
    return file_name(f"figure-{shown.figure.lower().replace('.', '')} {by}".strip())


def _ranges(given: TableInput, shown: _RangeFigure) -> list[PlainTable]:
    name = _checked_name(given, shown)
    figure, title, rows = shown
    one_judge = len({row.judge for row in rows}) == 1
    return [
        table_of(
            name,
            f"Figure {figure}: ranges, {title}",
            rows,
            (PlainColumn("judge", "text", only_csv=one_judge), lambda one: one.judge),
            (
                PlainColumn("seats_of", "id", heading="seats of", only_csv=figure != "G.3"),
                lambda one: one.who,
            ),
            (PlainColumn("dimension", "id"), lambda one: dimension_cell(one.dimension)),
            (PlainColumn("n", "number"), lambda one: one.found.n),
            (PlainColumn("low", "number", heading="lowest"), lambda one: one.found.low),
            (PlainColumn("high", "number", heading="highest"), lambda one: one.found.high),
            (PlainColumn("mean", "number"), lambda one: one.found.judge),
            (PlainColumn("inside", "number"), lambda one: share_cell(one.found.inside)),
            note=note_of(
                "A range is the least and the greatest that annotators gave a seat. Ranges whose "
                f"ends lie in the same of {BINS} equal parts of the scale are a group, of "
                f"{LEAST_GROUP} seats or more. lowest, highest, mean: means over the group, of "
                "both ends and of the judge's scores; inside: the share of its seats in which the "
                "judge is within the range.",
                unclean_words(given),
            ),
        )
    ]


def _correlation(found: Correlation) -> DisplayValue:
    if found.r is None:
        return DisplayValue(None, f"undefined\nn {found.n}")
    p = "" if found.p is None else f"{p_text(found.p)}, "
    return DisplayValue(found.r, f"{found.r:.2f}\n{p}n {found.n}")
