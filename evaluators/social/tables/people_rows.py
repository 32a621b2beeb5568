"""Tables 3 and G.4: a model and people, with each other and among themselves."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from actors.text.amounts import many
from evaluators.scores.scales import scale_of
from evaluators.social.tables.best_tests import LEVEL, TTest, student
from evaluators.social.tables.notes import (
    cell_figure,
    intervals,
    missing_words,
    note_of,
    short,
)
from evaluators.social.tables.seat_table import HUMAN, SeatTable, seat_table
from evaluators.social.tables.table_input import NothingToShow, TableInput
from evaluators.statistics.cluster_means import group_means
from evaluators.tables.plain_tables import (
    DisplayValue,
    Figure,
    PlainColumn,
    PlainTable,
    file_name,
    table_of,
)

PAPER_WORDS = "The paper counts 16.8 words a turn for people and 45.5 for GPT-4."


class PeopleCell(msgspec.Struct, frozen=True, kw_only=True):
    """A cell of these tables: one dimension of one row."""

    model: str
    who: str
    partner: str
    seats: int
    words: float | None
    """A turn in which something was said; None: nothing was."""
    dimension: str
    value: float
    low: float
    high: float
    clusters: int
    scored: int
    missing: int
    test: TTest
    """Student's, against the first row of the model; None in all for that row itself."""

    @property
    def row(self) -> str:
        """As the paper calls it: ``human (w H)``."""
        return f"{self.who} (w {'H' if self.partner == HUMAN else self.partner})"

    @property
    def starred(self) -> bool:
        """Whether it differs from the first row."""
        return self.test.p is not None and self.test.p < LEVEL


def table_3(given: TableInput) -> list[PlainTable]:
    """A table a model that talked with people, by the judge."""
    seats, where = _on_hard(given, given.seats)
    return [
        _table(given, cells, "table-3", f"Table 3: {where}", given.judge.label)
        for cells in _models(given, seats, [given.judge.hash])
    ]


def table_g4(given: TableInput) -> list[PlainTable]:
    """The same by each judge and by people, of whose scores of a seat the mean counts."""
    people = [one.hash for one in given.annotators]
    by = [(one.label, [one.hash]) for one in given.columns.judges if one.hash not in people]
    if people:
        by.append((many(len(people), "annotator"), people))
    tables = []
    for label, judges in by:
        seats = given.counting(seat_table(given.columns, judges, given.people))
        seats, where = _on_hard(given, seats)
        tables += [
            _table(given, cells, "table-g4", f"Table G.4: {where}", label)
            for cells in _models(given, seats, judges, quiet=True)
        ]
    if not tables:
        raise NothingToShow(_NO_PEOPLE)
    return tables


_NO_PEOPLE = "no person sat opposite a model in episodes that were scored"


def _on_hard(given: TableInput, seats: SeatTable) -> tuple[SeatTable, str]:
    """The seats on the hard list, where one was given, and what they are."""
    if given.hard is None:
        return seats, "models and people on all tasks"
    return given.listed(seats), f"models and people on {given.hard.name}"


def _models(
    given: TableInput, seats: SeatTable, judges: Sequence[str], *, quiet: bool = False
) -> list[list[PeopleCell]]:
    """The cells of each model that sat opposite a person."""
    met = seats.where(seats.partner.among(HUMAN) & ~seats.mind.among(HUMAN))
    found = [_cells(given, seats, model, judges) for model in met.mind.there()]
    if not found and not quiet:
        raise NothingToShow(_NO_PEOPLE)
    return found


class _Row(NamedTuple):
    who: str
    partner: str
    seats: SeatTable


def _cells(
    given: TableInput, seats: SeatTable, model: str, judges: Sequence[str]
) -> list[PeopleCell]:
    rows = [
        _Row(who, partner, seats.where(seats.mind.among(who) & seats.partner.among(partner)))
        for who, partner in ((model, HUMAN), (HUMAN, model), (HUMAN, HUMAN))
    ]
    first = rows[0].seats
    return [
        cell
        for place, row in enumerate(rows)
        if len(row.seats)
        for cell in _row_cells(given, model, row, first if place else None, judges)
    ]


def _row_cells(
    given: TableInput, model: str, row: _Row, first: SeatTable | None, judges: Sequence[str]
) -> Iterator[PeopleCell]:
    seats = row.seats
    words = _words_a_turn(given, seats)
    mine = given.columns.where(given.columns.judge.among(*judges))
    one = np.zeros(len(seats), dtype=np.intp)
    for place, dimension in enumerate(seats.dimensions):
        values = seats.values[:, place]
        scale = scale_of(mine, dimension)
        means = group_means(values, one, 1, seats.scenario.codes.astype(np.intp), [scale])
        yield PeopleCell(
            model=model,
            who=row.who,
            partner=row.partner,
            seats=len(seats),
            words=words,
            dimension=dimension,
            value=float(means.mean[0]),
            low=float(means.low[0]),
            high=float(means.high[0]),
            clusters=int(means.clusters[0]),
            scored=int(means.scored[0]),
            missing=int(np.count_nonzero(seats.failed[:, place])),
            test=TTest() if first is None else _test(values, first.values[:, place]),
        )


def _test(values: "np.ndarray", first: "np.ndarray") -> TTest:
    return student(values[~np.isnan(values)], first[~np.isnan(first)])


def _words_a_turn(given: TableInput, seats: SeatTable) -> float | None:
    """Of seats that only a person or only a mind acted in: whose words those are is known."""
    own = seats.where(~seats.shared)
    chosen = set(zip(own.episode.words(), own.seat.tolist(), strict=True))
    said = given.words({episode for episode, _ in chosen})
    found = [said[key] for key in chosen if key in said]
    turns = sum(turns for _, turns in found)
    return sum(words for words, _ in found) / turns if turns else None


def _table(
    given: TableInput, cells: Sequence[PeopleCell], name: str, title: str, by: str
) -> PlainTable:
    model = cells[0].model
    shared = int(np.count_nonzero(given.seats.shared))
    return table_of(
        file_name(f"{name} {model} {by}"),
        f"{title}, judged by {by}",
        cells,
        (PlainColumn("row", "id", heading=""), lambda one: one.row),
        (PlainColumn("seats", "number"), lambda one: one.seats),
        (
            PlainColumn("words_per_turn", "number", heading="words\na turn"),
            lambda one: None if one.words is None else DisplayValue(one.words, f"{one.words:.1f}"),
        ),
        (PlainColumn("dimension"), lambda one: DisplayValue(one.dimension, short(one.dimension))),
        PlainColumn("scored", "number", only_csv=True),
        PlainColumn("missing", "number", only_csv=True),
        (PlainColumn("t", "number", only_csv=True), lambda one: one.test.t),
        (PlainColumn("p", "number", only_csv=True), lambda one: one.test.p),
        (PlainColumn("mean", "figure"), _figure),
        across=("dimension",),
        note=note_of(
            f"w H: with a person as partner. *: p < {LEVEL} by Student's t-test against the first "
            "row.",
            "" if given.hard else "No list of hard scenarios was given (--hard): all tasks count.",
            f"{many(shared, 'seat')} that a person and a mind shared count as human."
            if shared
            else "",
            PAPER_WORDS,
            intervals(np.array([one.clusters for one in cells])),
        ),
    )


def _figure(one: PeopleCell) -> Figure:
    star = "*" * one.starred
    told = cell_figure(one.value, one.low, one.high, one.clusters)
    text = "–" if told.value is None else f"{told.value:.2f}{star}"
    beside = missing_words(one.missing)
    return msgspec.structs.replace(told, text="\n".join(filter(None, (text, beside))))
