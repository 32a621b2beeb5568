"""The orders of options: seeded, the same everywhere, each as likely as any other."""

from collections import Counter
from math import factorial

import pytest

from actors.worldtree.options.order import MOST_OPTIONS, orders_of


def orders(count: int, shuffles: int, seed: int = 0, key: str = "k"):
    return orders_of(seed, shuffles, key, count)


def test_orders_are_the_same_on_every_machine():
    assert orders(3, 3, seed=7) == PINNED


PINNED = ((2, 1, 0), (0, 1, 2), (0, 2, 1))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, MOST_OPTIONS])
def test_an_order_holds_every_option_once_and_no_two_are_alike_while_there_are_others(count: int):
    for seed in range(20):
        found = orders(count, 9, seed)
        assert all(sorted(one) == list(range(count)) for one in found)
        assert len(set(found)) == min(9, factorial(count))


def test_every_order_is_as_likely_as_any_other():
    drawn = 6000
    for of_one_question in zip(*[orders(3, 3, seed) for seed in range(drawn)], strict=True):
        found = Counter(of_one_question)
        assert len(found) == 6
        # Five standard deviations of a sixth of the draws.
        assert max(abs(count - drawn / 6) for count in found.values()) < 5 * 29


@pytest.mark.parametrize(("count", "shuffles"), [(3, 10**9), (3, -1), (10**9, 3)])
def test_what_cannot_be_asked_is_not_worked_out(count, shuffles):
    with pytest.raises(ValueError, match="questions about"):
        orders(count, shuffles)


def test_orders_differ_between_questions_and_seeds():
    assert len({tuple(orders(4, 3, seed=1, key=str(node))) for node in range(20)}) > 15
    assert len({tuple(orders(4, 3, seed=seed)) for seed in range(20)}) > 15
