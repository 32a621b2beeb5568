"""Tests between the two languages."""

from statistics import NormalDist

import pytest

from evaluators.worldtree.statistics.fleiss import fleiss_kappa
from evaluators.worldtree.statistics.goal_scores import goal_table
from evaluators.worldtree.statistics.language_tests import language_test, language_tests
from evaluators.worldtree.values.ability_values import AbilityTable
from evaluators.worldtree.values.results import Results
from tests.evaluators.worldtree.made_up import by_id, tree, walks

NINETEEN = [(f"m{n}", 30 + n + n**2 / 100, 28 + n / 2) for n in range(19)]
"""Models that are all better in Chinese, each by another difference."""


def test_nineteen_models_that_all_do_better_in_one_language() -> None:
    found = language_test("goals", NINETEEN).signed
    assert (found.models, found.statistic, found.exact) == (19, 0, True)
    assert found.p == pytest.approx(2 / 2**19), "3.8e-6"


def test_figures_in_percent_are_never_standard_normal_but_may_be_normal() -> None:
    for found in language_test("goals", NINETEEN).normality:
        assert found.standard_p is not None
        assert found.standard_p < 0.05
        assert found.fitted_p is not None
        assert found.fitted_p > 0.5
        assert found.lilliefors_p is not None
        assert found.lilliefors_p <= found.fitted_p


def test_distances_are_those_from_the_fitted_normal_and_from_the_standard_one() -> None:
    values = [0.5, 1.0, 1.25, 2.0, 3.5]
    pairs = [(f"m{n}", value, 1.0 * n) for n, value in enumerate(values)]
    found = language_test("goals", pairs).normality[0]
    assert found.fitted == pytest.approx(distance(values, NormalDist.from_samples(values)))
    assert found.standard == pytest.approx(distance(values, NormalDist()))


def distance(values: list[float], normal: NormalDist) -> float:
    """Kolmogorov and Smirnov's D of sorted values: how far their steps are from a normal's curve
    at most, before each step and behind it."""
    n = len(values)
    return max(
        max((at + 1) / n - normal.cdf(value), normal.cdf(value) - at / n)
        for at, value in enumerate(values)
    )


def test_tied_differences_are_tested_by_approximation_and_pairs_without_one_are_left_out() -> None:
    pairs = [("a", 1.0, 0.0), ("b", 2.0, 1.0), ("c", 3.0, 2.0), ("d", 5.0, 3.0), ("e", 1.0, 1.0)]
    found = language_test("goals", pairs).signed
    assert (found.exact, found.ties, found.models) == (False, 1, 5)
    assert found.p is not None


def test_differences_that_rounding_alone_tells_apart_are_tied() -> None:
    pairs = [("a", 0.3, 0.2), ("b", 0.4, 0.3), ("c", 3.0, 2.0), ("d", 5.0, 3.0), ("e", 0.1, 0.1)]
    assert 0.3 - 0.2 != 0.4 - 0.3
    assert not language_test("goals", pairs).signed.exact


@pytest.mark.parametrize("pairs", [[], NINETEEN[:3], [(f"m{n}", 1.0, 1.0) for n in range(9)]])
def test_what_cannot_be_tested_says_why(pairs: list[tuple[str, float, float]]) -> None:
    found = language_test("goals", pairs)
    assert found.signed.why
    assert found.signed.p is None
    assert all(one.why and one.fitted_p is None for one in found.normality)


def test_models_with_one_language_are_named_and_rehearsals_marked() -> None:
    trees = by_id(tree("z", "zh"), tree("e", "en"))
    played = (*walks("both", "z", ["not"]), *walks("both", "e", ["not"]))
    results = Results(
        trees=trees,
        samples={},
        walks=(*played, *walks("one", "z", ["achieved"])),
        minds=("both", "one", "none"),
        rehearsal=frozenset({"both"}),
    )
    (found,) = language_tests(goal_table(results), AbilityTable(languages=(), rows=()))
    assert (found.pairs, found.left_out, found.rehearsal) == (
        (("both", 0, 0),),
        ("one",),
        ("both",),
    )


def test_fleiss_kappa_of_three_raters() -> None:
    assert fleiss_kappa([[3, 0], [2, 1], [0, 3], [3, 0]]).value == pytest.approx(0.625)


def test_raters_who_cannot_disagree_have_no_kappa() -> None:
    assert "all raters said the same" in fleiss_kappa([[3, 0], [3, 0]]).why
    assert "one rater" in fleiss_kappa([[1, 0], [0, 1]]).why
    assert fleiss_kappa([]).value is None
    with pytest.raises(ValueError, match="2 to 3 ratings"):
        fleiss_kappa([[3, 0], [1, 1]])
