"""Information exchange precision, by hand."""

import pytest

from actors.tabletop.catalog_items import KeyPoint
from actors.tabletop.key_points import points_in
from evaluators.tabletop.information import (
    Losses,
    losses,
    matched_points,
    precision,
)

POINTS = (
    KeyPoint(text="It burns moth wings.", terms=("moth",)),
    KeyPoint(text="Nine days.", terms=("nine|9", "footprint|track")),
    KeyPoint(text="It weighs more after a lie.", terms=("heav|weigh", "lie|lying")),
)


def test_a_pair_counts_once_for_either_side():
    s = matched_points([(1, 1), (2, 3), (4, 4), (4, 5)], 5)
    assert (s, precision(s, 5)) == (3, 0.6)


def test_pairs_beyond_the_key_points_are_none():
    assert matched_points([(0, 1), (6, 2), (1, 6), (2, 2)], 5) == 1


@pytest.mark.parametrize(("s", "k"), [(6, 5), (-1, 5), (0, 0)])
def test_shares_that_cannot_be_are_refused(s: int, k: int):
    with pytest.raises(ValueError, match="s is 0 to k"):
        precision(s, k)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It feeds on moths.", (0,)),
        ("Tracks of nine days are seen.", (1,)),
        ("Tracks of 9 days.", (1,)),
        ("Tracks of 19 days; of 9,000; of 90.", ()),
        ("It grows heavier with each LIE.", (2,)),
        ("It is about belief and a mammoth.", ()),
        ("", ()),
    ],
)
def test_a_point_is_there_when_all_its_terms_are(text: str, found: tuple[int, ...]):
    assert points_in(text, POINTS) == found


def test_what_is_lost_adds_up():
    assert losses(5, {0, 1}, {1, 2}, questions=3) == Losses(2, 1, 1, 1)
    assert losses(5, {0}, {0}, questions=9) == Losses(1, 0, 4, 0)
    assert losses(5, (), (), questions=0) == Losses(0, 0, 0, 5)
    for kept in ({0}, {0, 3}, set()):
        for questions in range(7):
            assert sum(losses(5, kept, {0, 2}, questions)) == 5
