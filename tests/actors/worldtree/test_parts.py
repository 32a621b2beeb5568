"""Several kinds of episodes in one environment."""

import pytest

from actors.episodes.catalogs.entries import MissingItem
from actors.worldtree.environment import WORLDTREE
from actors.worldtree.setup import Settings
from tests.actors.worldtree.example_trees import CATALOG


def test_tasks_of_all_games_begin_and_others_are_missing() -> None:
    tasks = WORLDTREE.tasks(CATALOG)
    assert {task.id.partition(".")[0] for task in tasks} == {"walk", "ask", "line", "translation"}
    for task in tasks:
        begun = WORLDTREE.begin(CATALOG, task.id, Settings(), 1)
        game = WORLDTREE.game_of(begun.setup)
        assert game.rules.setup_fault(begun.setup, task.seats) is None
        assert game.presentation.labels(begun.setup)["language"] == "en"
        assert game.limits.questions(begun.setup, 1)
    for unknown in ("line.lamp-en.2", "line.lamp-en.x", "translation.gone", "dance.lamp-en", ""):
        with pytest.raises(MissingItem):
            WORLDTREE.begin(CATALOG, unknown, Settings(), 1)
