"""Which weights are important, to the digit."""

import numpy as np
import pytest

from evaluators.worldtree.internals.importance import (
    block_means,
    differences,
    row_sums,
    scores,
    top,
)

W = np.array([[1.0, -2.0, 3.0], [-4.0, 5.0, -6.0]])
H = np.array([1.0, -2.0, 0.5])


def test_a_weight_counts_as_much_as_it_and_its_input_are_large() -> None:
    assert scores(W, H).tolist() == [[1, 4, 1.5], [4, 10, 3]]


@pytest.mark.parametrize(
    ("outputs", "inputs", "block"), [(6, 8, 2), (5, 7, 3), (2, 9, 4), (1, 1, 256)]
)
def test_block_means_are_those_of_the_whole_matrix_and_smaller_at_the_edges(
    outputs: int, inputs: int, block: int
) -> None:
    random = np.random.default_rng(outputs)
    weight, samples = random.normal(size=(outputs, inputs)), random.normal(size=(4, inputs))
    whole = np.mean([scores(weight, sample) for sample in samples], axis=0)
    expected = [
        [
            whole[row : row + block, column : column + block].mean()
            for column in range(0, inputs, block)
        ]
        for row in range(0, outputs, block)
    ]
    parts = (weight[row : row + block] for row in range(0, outputs, block))
    means = block_means(row_sums(parts), np.abs(samples).mean(axis=0), outputs, block)
    np.testing.assert_allclose(means, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("share", "found"),
    [
        (0.05, {(1, 2)}),
        (1 / 3, {(1, 2), (0, 0)}),
        (0.34, {(1, 2), (0, 0), (0, 1)}),
        (1.0, {(row, column) for row in range(2) for column in range(3)}),
    ],
)
def test_the_share_is_rounded_up_and_ties_go_to_what_stands_first(
    share: float, found: set[tuple[int, int]]
) -> None:
    assert top(np.array([[3.0, 3.0, 1.0], [3.0, 2.0, 4.0]]), share) == found


def test_each_pair_of_aspects_differs_by_what_is_important_for_one_of_them() -> None:
    important = {name: frozenset({(0, 0), (at, 1)}) for at, name in enumerate("abcde")}
    found = list(differences(important))
    assert " ".join(one.a + one.b for one in found) == "ab ac ad ae bc bd be cd ce de"
    last = found[-1]
    assert (last.only_a, last.only_b, last.both) == ({(3, 1)}, {(4, 1)}, {(0, 0)})
