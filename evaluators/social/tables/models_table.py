"""Table 2: each model in each dimension, over its partners."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from evaluators.social.tables.best_tests import LEVEL, BestTest, TTest, best_tests
from evaluators.social.tables.notes import (
    cell_figure,
    dimension_cell,
    intervals,
    left_out,
    missing_words,
    note_of,
    short,
)
from evaluators.social.tables.pair_cells import ModelMeans, model_means, without_own
from evaluators.social.tables.table_input import NothingToShow, TableInput
from evaluators.tables.figure_text import p_cell
from evaluators.tables.plain_tables import (
    Cell,
    Figure,
    PlainColumn,
    PlainTable,
    file_name,
    numbers,
    table_of,
)

_Column: TypeAlias = tuple[PlainColumn, Callable[[BestTest], Cell]]


class _ModelPlace(NamedTuple):
    """A cell among ``ModelMeans``."""

    dimension: int
    model: int


def table_2(given: TableInput) -> list[PlainTable]:
    """The means, and the tests of the best against the second best."""
    seats = without_own(given.models) if given.no_self else given.models
    if not len(seats):
        raise NothingToShow("no two models talked with each other in episodes that count")
    means = model_means(seats, given.scales)
    tests = best_tests(seats, means)
    return [_means(given, means, tests), _tests(given, tests)]


def _means(given: TableInput, means: ModelMeans, tests: list[BestTest]) -> PlainTable:
    bold = {one.dimension: one.best for one in tests if one.bold}
    strong = {(means.dimensions.index(d), means.models.index(m)) for d, m in bold.items()}

    def of(at: _ModelPlace) -> Figure:
        where = (at.model, at.dimension)
        return cell_figure(
            means.value[where],
            means.low[where],
            means.high[where],
            means.clusters[where],
            missing_words(int(means.failed[where])),
            strong=(at.dimension, at.model) in strong,
        )

    named = ", ".join(f"{short(d)} ({m})" for d, m in bold.items())
    own = "own partner left out" if given.no_self else "own partner included"
    return table_of(
        file_name(f"table-2 {given.judge.label}"),
        f"Table 2: models over their partners, judged by {given.judge.label}",
        list(_places(means)),
        (PlainColumn("dimension"), lambda at: dimension_cell(means.dimensions[at.dimension])),
        (PlainColumn("model"), lambda at: means.models[at.model]),
        *(
            (
                numbers(name, only_csv=True)[0],
                lambda at, array=array: int(array[at.model, at.dimension]),
            )
            for name, array in (
                ("partners", means.cells),
                ("scored", means.scored),
                ("missing", means.failed),
            )
        ),
        (
            PlainColumn("bold", "number", only_csv=True),
            lambda at: int((at.dimension, at.model) in strong),
        ),
        (PlainColumn("mean", "figure"), of),
        across=("model",),
        note=note_of(
            f"The plain mean of the model's cells in Figure 3 and G.4, {own}.",
            f"Bold: p < {LEVEL} by Student's t-test against the second best: {named or 'none'}.",
            intervals(means.clusters),
            left_out(given),
        ),
    )


def _places(means: ModelMeans) -> Iterator[_ModelPlace]:
    for dimension in range(len(means.dimensions)):
        for model in range(len(means.models)):
            yield _ModelPlace(dimension, model)


def _tests(given: TableInput, tests: list[BestTest]) -> PlainTable:
    def p_of(name: str, heading: str) -> PlainColumn:
        return PlainColumn(name, "number", heading=heading)

    def only(name: str) -> PlainColumn:
        return PlainColumn(name, "number", only_csv=True)

    def test(name: str, heading: str) -> Iterable[_Column]:
        return (
            (p_of(f"p_{name}", heading), lambda one: p_cell(_test(one, name).p)),
            (only(f"t_{name}"), lambda one: _test(one, name).t),
            (only(f"degrees_{name}"), lambda one: _test(one, name).degrees),
        )

    return table_of(
        file_name(f"table-2-tests {given.judge.label}"),
        f"Table 2, the best against the second best, judged by {given.judge.label}",
        tests,
        (PlainColumn("dimension"), lambda one: dimension_cell(one.dimension)),
        PlainColumn("best", "id"),
        PlainColumn("second", "id"),
        (PlainColumn("difference", "number"), lambda one: one.difference),
        *test("student", "p"),
        (p_of("p_holm", "p, Holm"), lambda one: p_cell(one.p_holm)),
        *test("welch", "p, Welch"),
        *test("paired", "p, paired"),
        PlainColumn("pairs", "number"),
        note=note_of(
            "Column p: Student's t-test of two groups of seats, as in the paper. Holm: the same, "
            "corrected for all dimensions. Welch: variances may differ. Paired: the same task, "
            "seat and partner.",
            "Seats of one scenario count as independent here. `troupe contrast --between minds` "
            "tests over scenarios.",
        ),
    )


def _test(one: BestTest, name: str) -> TTest:
    found: TTest = getattr(one, name)
    return found
