"""Several kinds of episodes as one environment."""

import pytest

from actors.episodes.catalogs.entries import MissingItem
from actors.episodes.environment import Environment
from actors.worldtree.environment import WORLDTREE
from actors.worldtree.parts import Composed
from actors.worldtree.setup import Settings
from tests.actors.worldtree.example_trees import CATALOG

ALIKE = {
    "answers_are_told",
    "begin_meeting",
    "chains",
    "days",
    "ending",
    "ending_for",
    "fill_in",
    "filled_in",
    "full_names",
    "living",
    "narration",
    "noticed_by",
    "older_sections",
    "shared",
    "shared_news",
    "told",
    "turns_are_public",
}
"""What is the same for all parts: there are no chains of world trees, what an author leaves out is
not found, nobody narrates in them, nobody else is to know who is asked; there is one seat, no clock
to live by, and nobody listed by a full name."""


def test_whatever_an_environment_says_a_part_is_asked() -> None:
    port = {name for name in dir(Environment) if not name.startswith("_")}
    said = {name for kind in (Composed, type(WORLDTREE)) for name in vars(kind)}
    assert port - said - vars(WORLDTREE).keys() == ALIKE


def test_tasks_of_all_parts_begin_and_others_are_missing() -> None:
    tasks = WORLDTREE.tasks(CATALOG)
    assert {task.id.partition(".")[0] for task in tasks} == {"walk", "ask", "line", "translation"}
    for task in tasks:
        begun = WORLDTREE.begin(CATALOG, task.id, Settings(), 1)
        assert WORLDTREE.setup_fault(begun.setup, task.seats) is None
        assert WORLDTREE.labels(begun.setup)["language"] == "en"
        assert WORLDTREE.questions_at_most(begun.setup, 1)
    for unknown in ("line.lamp-en.2", "line.lamp-en.x", "translation.gone", "dance.lamp-en", ""):
        with pytest.raises(MissingItem):
            WORLDTREE.begin(CATALOG, unknown, Settings(), 1)
