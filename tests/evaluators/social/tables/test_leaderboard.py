"""The leaderboard's means and margins."""

import numpy as np
import pytest

from evaluators.social.tables.leaderboard import (
    average,
    leaderboard_file,
    leaderboard_line,
    leaderboard_row,
)
from tests.evaluators.social.tables.scores import Said, given


def test_the_margin_is_the_one_worked_out_by_hand() -> None:
    found = average([6, 8, 7, 7, 10], np.array([0, 0, 1, 1, 1]))
    assert found is not None
    assert found.value == pytest.approx(7.60)
    assert found.margin == pytest.approx(1.96, abs=5e-3)
    assert (found.scored, found.settings) == (5, 2)


def test_a_setting_with_one_score_has_no_variance() -> None:
    found = average([6, 8, 3], np.array([0, 0, 1]))
    assert found is not None
    assert found.margin == pytest.approx(4.302653 * np.sqrt((2 + 0) / 2 / 3))


def test_one_score_has_no_margin() -> None:
    found = average([6], np.array([0]))
    assert found is not None
    assert found.margin is None
    assert average([], np.array([], dtype=np.int64)) is None


def test_settings_are_scenarios_and_seats() -> None:
    said = [
        Said(("amber", "birch"), ({"goal": 6.0}, {"goal": 1.0}), task="t1"),
        Said(("amber", "birch"), ({"goal": 8.0}, {"goal": 1.0}), task="t2"),
        Said(("birch", "amber"), ({"goal": 1.0}, {"goal": None}), task="t1"),
        Said(("birch", "amber"), ({"goal": 1.0}, {"goal": 7.0}), task="t2"),
        Said(("amber", "cedar"), ({"goal": 0.0}, {"goal": 1.0}), task="t1"),
    ]
    row = leaderboard_row(given(said).seats, "amber", "birch")
    assert (row.seats, row.averages["goal"].scored, row.averages["goal"].settings) == (4, 3, 2)
    assert row.averages["goal"].value == pytest.approx(7.0)
    assert row.failed["goal"] == 1


def test_a_line_has_the_published_keys_in_their_order() -> None:
    row = leaderboard_row(given([Said(("amber", "birch"), (0.0, 0.0))]).seats, "amber", "birch")
    assert list(leaderboard_line(row)) == [
        "model_name",
        "SOC [-10, 0]",
        "SEC [-10, 0]",
        "FIN [-5, 5]",
        "REL [-5, 5]",
        "KNO [0, 10]",
        "GOAL [0, 10]",
        "BEL [0, 10]",
    ]
    assert leaderboard_file("together_ai/meta-llama/Llama-3-70b") == "models_vs_Llama-3-70b.jsonl"
