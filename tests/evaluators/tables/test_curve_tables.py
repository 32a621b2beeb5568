"""Curves in the terminal: drawn on the scale of what was scored, so that height means something."""

import pytest

from evaluators.scores.scales import Scale
from evaluators.scores.seat_scores import Judged
from evaluators.statistics.chain_curves import DimensionCurves
from evaluators.statistics.curves import Point, curves, points_of
from evaluators.tables.curve_tables import (
    axis,
    blocks,
    flat_at,
    flat_words,
    points_table,
    slopes_table,
)
from evaluators.tables.plain_tables import as_csv, for_people

TEN = Scale(0, 10)
JUDGE = Judged(name="strict", hash="h", label="strict")


def figure(
    *values: float,
    name: str = "goal",
    scale: Scale | None = TEN,
    hard: float | None = None,
) -> DimensionCurves:
    points = [
        Point(label="calm, none", chain="c", index=index, value=value)
        for index, value in enumerate(values)
    ]
    if hard is not None:
        last = Point(label="calm, none", chain="c", index=len(values), value=hard, hard=True)
        points.append(last)
    return DimensionCurves(
        judge=JUDGE, dimension=name, curves=tuple(curves(points_of(points))), scale=scale
    )


def drawn(found: DimensionCurves, most: int = 40) -> str:
    return blocks(found.curves[0], axis(found), most)


@pytest.mark.parametrize(
    ("values", "scale", "drawing"),
    [
        ((10, 10, 10), Scale(0, 10), "███"),
        ((0, 0, 0), Scale(-10, 0), "███"),
        ((0, 5, 10), Scale(0, 10), "▁▅█"),
        ((8.0, 8.2, 8.1), Scale(0, 10), "▇▇▇"),
        ((3, 3), None, "▄▄"),
        ((3, 4), None, "▁█"),
    ],
)
def test_a_block_s_height_is_its_place_on_the_scale_and_flat_is_flat(
    values: tuple[float, ...], scale: Scale | None, drawing: str
) -> None:
    assert drawn(figure(*values, scale=scale)) == drawing


def test_the_hard_part_stands_behind_a_line_on_the_same_scale() -> None:
    assert drawn(figure(10, 10, hard=0)) == "██│▁"


def test_a_long_curve_has_the_means_of_neighbours() -> None:
    assert drawn(figure(*[0, 10] * 20), most=20) == "▅" * 20


def test_dimensions_in_which_nothing_changes_are_told_in_a_line() -> None:
    flat = [figure(0, 0, name=name) for name in ("secret", "social_rules")]
    flat.append(figure(9, 9, name="knowledge"))
    assert [flat_at(one) for one in flat] == [0, 0, 9]
    assert flat_words(flat) == "Secret, Social rules at 0.00; Knowledge at 9.00"
    assert flat_at(figure(0, 0.5)) is None


def test_slopes_and_points_have_what_they_rest_on() -> None:
    found = figure(2, 4, 6, hard=1)
    head, row = as_csv([slopes_table(found)]).splitlines()
    told = dict(zip(head.split(","), row.replace('"calm, none"', "calm").split(","), strict=True))
    assert (told["first"], told["last"], told["hard"], told["chains"]) == ("2.0", "6.0", "1.0", "1")
    assert (told["slope"], told["slope_low"], told["p"]) == ("2.0", "", "")
    assert [row[3] for row in points_table(found).rows] == [0, 1, 2, 3]
    assert "hard" not in [c.name for c in for_people(slopes_table(figure(2, 4, 6))).columns]
