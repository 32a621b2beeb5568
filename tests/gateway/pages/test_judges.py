"""Two judges of a run side by side."""

from collections.abc import Iterator

import numpy as np
import pytest

from evaluators.agreement.judge_agreement import furthest
from evaluators.agreement.limits_of_agreement import limits_of
from evaluators.scores.scales import Scale
from evaluators.scores.score_columns import read_columns
from evaluators.scores.seat_scores import UnknownJudgeOfRun
from gateway.pages.judges.dot_plots import HEIGHT, WIDTH, apart, beside
from gateway.pages.judges.judge_comparison import as_tables, judges_of, runs_with_scores
from store.log.event_store import EventStore
from tests.gateway.annotating.annotators import annotates
from tests.gateway.command import Desk


@pytest.fixture
def store(played: Desk) -> Iterator[EventStore]:
    found = played.open()
    yield found
    found.close()


def test_the_first_two_judges_are_compared_where_none_are_named(
    store: EventStore, run: str
) -> None:
    found = judges_of(store, run)
    assert found.beside is not None
    assert found.people is None
    labels = {found.beside.comparison.judge_a.name, found.beside.comparison.judge_b.name}
    assert labels == {"rehearsal-strict", "rehearsal-lenient"}
    assert {one.dimension for one in found.beside.charts} >= {"goal", "believability"}
    for chart in found.beside.charts:
        assert chart.pairs == 16
        for plot in (chart.beside, chart.apart):
            assert all(0 <= dot.x <= WIDTH and 0 <= dot.y <= HEIGHT for dot in plot.dots)
    assert [one.id for one in runs_with_scores(store)] == [run]


def test_dots_stand_where_both_judges_put_a_seat() -> None:
    pairs = np.array([[0.0, 10.0], [10.0, 10.0], [10.0, 10.0]])
    found = beside("goal", pairs, Scale(0, 10))
    left_top, right_top = found.dots
    assert left_top.y == right_top.y < HEIGHT / 2
    assert left_top.x < right_top.x
    assert right_top.r > left_top.r
    assert "2 seats" in right_top.title
    differences = apart("goal", pairs, Scale(0, 10))
    assert [mark.kind for mark in differences.y_marks][-3:] == ["mean", "limit", "limit"]
    assert [mark.text for mark in found.x_marks][-1] == "10"


def test_the_limits_of_agreement_are_two_deviations_around_the_mean_difference() -> None:
    found = limits_of(np.array([[3.0, 1.0], [4.0, 4.0], [5.0, 6.0]]))
    assert found is not None
    deviation = np.std([2, 0, -1], ddof=1)
    assert found.mean == pytest.approx(1 / 3)
    assert found.high - found.mean == pytest.approx(1.96 * deviation)
    assert found.mean - found.low == pytest.approx(1.96 * deviation)
    assert limits_of(np.array([[1.0, 2.0]])) is None


def test_people_stand_beside_a_judge_where_somebody_annotated(
    played: Desk, store: EventStore, run: str
) -> None:
    asked = ("--run", run, "-k", "2", "-d", "goal", "--json")
    study = played.does("annotate", "new", *asked).json["id"]
    for who in ("p-ann23456", "p-ben23456"):
        for _ in range(4):
            annotates(store, study, who, lambda seat, d: max(d.low, d.high - 3 * seat))
    found = judges_of(store, run)
    assert found.a == "people"
    assert found.people is not None
    assert found.beside is not None
    assert found.kinds[found.b] == "rehearsal"
    names = {table.name for table in as_tables(found)}
    assert {"people-scales", "annotators"} <= names
    first = found.beside.differences[0]
    assert {one.judge for one in first.a} <= {"p-ann23456", "p-ben23456"}
    assert first.a
    assert first.b[0].judge.startswith("rehearsal")
    one = judges_of(store, run, "p-ann23456", "p-ben23456")
    assert one.beside is not None
    assert one.beside.differences == ()


def test_the_furthest_apart_come_first_by_share_of_the_range(store: EventStore, run: str) -> None:
    columns = read_columns(store, run)
    strict, lenient = (
        next(one.hash for one in columns.judges if one.name == f"rehearsal-{name}")
        for name in ("strict", "lenient")
    )
    found = furthest(columns, strict, lenient, 10)
    assert 0 < len(found) <= 10
    shares = [one.share for one in found]
    assert shares == sorted(shares, reverse=True)
    assert all(0 < share <= 1 for share in shares)
    ranges = {"goal": 10, "secret": 10, "relationship": 10}
    for one in found:
        if one.dimension in ranges:
            assert one.share == pytest.approx(abs(one.a - one.b) / ranges[one.dimension])
    assert {one.dimension for one in found}.isdisjoint({"overall"})


def test_a_judge_that_there_is_not_is_named(store: EventStore, run: str) -> None:
    with pytest.raises(UnknownJudgeOfRun, match="rehearsal-strict"):
        judges_of(store, run, "rehersal-strict")
    with pytest.raises(UnknownJudgeOfRun):
        judges_of(store, run, "rehearsal-strict", "rehearsal-strict")
