"""Whether samples of a kind lie together."""

from importlib.util import find_spec

import numpy as np
import pytest

from evaluators.worldtree.internals.clusters import plane, together

pytestmark = pytest.mark.skipif(
    find_spec("sklearn") is None, reason="scikit-learn is not installed: make inside"
)


def groups(each: int, distance: float) -> tuple[np.ndarray, list[str]]:
    """Two groups of points around two places."""
    random = np.random.default_rng(0)
    points = random.normal(size=(2 * each, 7)).astype(np.float32)
    points[each:] += distance
    return points, ["a"] * each + ["b"] * each


def test_groups_that_are_apart_are_pure() -> None:
    points, kinds = groups(12, 100.0)
    found = together(points, kinds)
    assert (found.purity, found.neighbours, found.points, found.kinds) == (1.0, 10, 24, 2)
    assert found.silhouette == pytest.approx(1, abs=0.03)
    assert found.by_chance == pytest.approx(11 / 23)


def test_figures_of_four_points_on_a_line() -> None:
    line = np.array([[0.0], [1.0], [3.0], [4.0]], dtype=np.float32)
    found = together(line, ["a", "a", "b", "b"])
    # Within a kind 1; to the other 3.5 from the ends, 2.5 from the middle.
    assert found.silhouette == pytest.approx(((2.5 / 3.5) + (1.5 / 2.5)) / 2)
    assert (found.purity, found.by_chance, found.neighbours) == (
        pytest.approx(1 / 3),
        pytest.approx(1 / 3),
        3,
    )


def test_points_that_are_the_same_are_neighbours_of_each_other() -> None:
    same = np.zeros((4, 3), dtype=np.float32)
    assert together(same, list("abcd")).purity == 0.0
    assert together(same, list("aaaa")).purity == 1.0


@pytest.mark.parametrize("kinds", ["a", "aaa", "abc"])
def test_what_has_no_figure_is_missing(kinds: str) -> None:
    points = np.arange(len(kinds), dtype=np.float32)[:, None]
    found = together(points, list(kinds))
    assert found.silhouette is None
    assert (found.purity is None) == (len(kinds) == 1)


def test_the_same_seed_gives_the_same_plane() -> None:
    points, kinds = groups(8, 50.0)
    first, second, other = plane(points), plane(points), plane(points, 2)
    assert first is not None
    assert first.shape == (16, 2)
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(other, plane(points, 2))
    assert not np.array_equal(first, other)
    assert plane(points[:4]) is None
    assert plane(np.ones((9, 3), dtype=np.float32)) is None
    assert together(first, kinds).purity == pytest.approx(0.7), "7 of 10 nearest can be"
