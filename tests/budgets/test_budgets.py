"""What a unit of work takes stays within its budget (`make budgets`)."""

from functools import cache

import pytest

from tests.budgets.counting import Figure
from tests.budgets.table import PYTHON, Budgets, parts_of, too_cheap, too_dear
from tests.budgets.workloads import GROUPS, NAMES, measured

pytestmark = pytest.mark.timeout(600)
BUDGETS = Budgets.read()
on_its_python = pytest.mark.skipif(
    BUDGETS.python != PYTHON,
    reason=f"the budgets are those of Python {BUDGETS.python}, which makes other calls",
)


@cache
def _group(group: str) -> dict[str, Figure]:
    return dict(measured(GROUPS[group]))


def figure_of(name: str) -> Figure:
    """Measured once, along with its group."""
    return _group(next(group for group, names in GROUPS.items() if name in names))[name]


@on_its_python
@pytest.mark.parametrize("name", NAMES)
def test_figure_is_within_its_budget(name: str) -> None:
    assert not (why := too_dear(name, figure_of(name), BUDGETS.figures[name])), why


@on_its_python
@pytest.mark.parametrize("name", NAMES)
def test_budget_is_not_left_far_above_its_figure(name: str) -> None:
    assert not (why := too_cheap(name, figure_of(name), BUDGETS.figures[name])), why


def test_each_figure_has_a_budget_and_what_it_is_made_of() -> None:
    assert list(BUDGETS.figures) == list(NAMES)
    assert all(map(parts_of, NAMES))


def test_message_names_what_grew_and_what_is_new() -> None:
    name = NAMES[0]
    budget, before = BUDGETS.figures[name], parts_of(name)
    grown = next(iter(before))
    found = Figure(1.1 * budget, {**before, grown: before[grown] + budget, "new.py:f": budget})
    why = too_dear(name, found, budget)
    assert "+10.0%" in why
    assert f"  {grown}\n" in why
    assert "new → " in why
    assert "new.py:f" in why
    assert f"make budgets-update ONLY={name}" in why


def test_figure_is_good_within_its_bounds() -> None:
    name = NAMES[0]
    budget = BUDGETS.figures[name]
    for share, dear, cheap in ((1.04, False, False), (1.06, True, False), (0.84, False, True)):
        found = Figure(share * budget, {})
        assert (bool(too_dear(name, found, budget)), bool(too_cheap(name, found, budget))) == (
            dear,
            cheap,
        )
