"""The offline mind of world trees chooses by its temper, in whatever order it is asked."""

import asyncio
from typing import Any

import pytest

from actors.episodes.mind import Scene
from actors.episodes.port.prompts import UnknownTemper
from actors.worldtree.environment import CHOICES, WORLDTREE
from actors.worldtree.plan_section import PLANS, Section
from actors.worldtree.rehearsal import TEMPERS
from actors.worldtree.setup import Choose
from actors.worldtree.trees.tree import Line
from actors.worldtree.views import ChoiceBackground
from tests.actors.worldtree.example_trees import MIRA

OPTIONS = (
    "Give it to me or I shall hit you, you fool.",
    "Please help me; we can share it together.",
    "It is late.",
    "The ferry leaves at six from the long pier, as it does every day.",
)
ZH = (
    "（怒道）凭什么！再不给我就动手打人了。",
    "谢谢你，我们一起商量，好吗？",
    "天黑了。",
    "渡船六点从长码头开，天天如此，从不误点。",
)


def chosen(
    temper: str, options: tuple[str, ...] = OPTIONS, seed: int | None = None, **at: Any
) -> str:
    """The text that a temper goes to."""
    scene = Scene(
        background=ChoiceBackground(
            episode="e1", seat=0, language="en", prompts="en", protagonist=MIRA, seed=7
        ),
        seen=[],
        turn=at.get("turn", 1),
        question=Choose(options=tuple(Line(text=text) for text in options)),
        question_id=at.get("question", 0),
        seat=0,
        seats=1,
    )
    calls: Any = None
    decision = asyncio.run(CHOICES.rehearsal(temper, seed).decide(scene, calls))
    return options[decision.action.option]


@pytest.mark.parametrize(
    ("temper", "place"),
    [("first", 0), ("last", 3), ("selfish", 0), ("prosocial", 1), ("shortest", 2), ("longest", 3)],
)
def test_a_temper_goes_by_place_words_or_length(temper: str, place: int):
    for options in (OPTIONS, ZH):
        assert chosen(temper, options) == options[place]


@pytest.mark.parametrize("temper", ["steady", "prosocial", "selfish", "longest", "shortest"])
def test_who_goes_by_words_votes_alike_in_every_order(temper: str):
    for turn in range(1, 6):
        assert len({chosen(temper, OPTIONS[n:] + OPTIONS[:n], turn=turn) for n in range(4)}) == 1


def test_chance_follows_the_seed_and_the_turn_and_wavers_where_it_is_said_to():
    steady = [chosen("steady", turn=turn) for turn in range(1, 41)]
    assert steady == [chosen("", turn=turn) for turn in range(1, 41)]
    assert set(steady) == set(OPTIONS)
    assert steady != [chosen("steady", turn=turn, seed=1) for turn in range(1, 41)]
    assert len({chosen("wavering", question=number) for number in range(20)}) > 1
    assert chosen("wavering", question=3) == chosen("wavering", question=3)


def test_preset_script_shows_options_as_filed_once_and_asks_nothing_again():
    paper, script = (PLANS.settings(Section(preset=name), 3) for name in ("paper", "script"))
    assert (paper.shuffles, paper.prompts, paper.told, paper.reasks) == (3, "own", True, 2)
    assert (script.shuffles, script.prompts, script.told, script.reasks) == (1, "zh", False, 0)


def test_there_are_no_other_tempers():
    assert WORLDTREE.tempers == TEMPERS
    with pytest.raises(UnknownTemper, match="wavering"):
        CHOICES.rehearsal("wily")
