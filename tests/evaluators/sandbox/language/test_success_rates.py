"""SR, GCSR, micro and macro by hand: three tasks, of unequal sizes, one of them empty."""

import pytest

from evaluators.sandbox.language.success_rates import means, share, success

MET = {
    "public_1": [(1, 1, 1), (1, 0, 1), (0, 0, 1)],
    "help_1": [(1, 1, 0, 1)],
    "online_1": [],
}
"""By task the conditions of its cases."""


def test_a_case_succeeds_where_all_its_conditions_are_met_and_else_has_their_share() -> None:
    assert [success(met) for met in MET["public_1"]] == [1, 0, 0]
    assert [share(met) for met in MET["public_1"]] == pytest.approx([1, 2 / 3, 1 / 3])
    assert (success(MET["help_1"][0]), share(MET["help_1"][0])) == (0, 0.75)
    for rate in (success, share):
        with pytest.raises(ValueError, match="no conditions"):
            rate(())


def test_micro_is_the_mean_over_cases_and_macro_that_over_tasks_that_have_any() -> None:
    sr = means({task: map(success, cases) for task, cases in MET.items()})
    assert sr.micro == pytest.approx(1 / 4)
    assert sr.macro == pytest.approx((1 / 3 + 0) / 2)
    gcsr = means({task: map(share, cases) for task, cases in MET.items()})
    assert gcsr.micro == pytest.approx((1 + 2 / 3 + 1 / 3 + 3 / 4) / 4)
    assert gcsr.macro == pytest.approx(((1 + 2 / 3 + 1 / 3) / 3 + 3 / 4) / 2)
    assert (gcsr.cases, gcsr.tasks, gcsr.empty) == (4, 2, 1)


def test_of_no_case_there_is_no_mean() -> None:
    assert means({"online_1": []}) == (None, None, 0, 0, 1)
    assert means({}) == (None, None, 0, 0, 0)
