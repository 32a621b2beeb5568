"""What a plan can choose from."""

import msgspec
import pytest

from actors.episodes.catalogs.entries import MissingItem
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.environment import WORLDTREE
from actors.worldtree.plan_section import PLANS, Section
from actors.worldtree.setup import Settings
from actors.worldtree.task_setup import TASKS
from actors.worldtree.tasks import sample_named, samples_in, samples_of
from actors.worldtree.trees.tree import Entrance, Line
from events.base import replace
from tests.actors.worldtree.example_trees import ANA, CATALOG, LAMP, edge, ending, scene, tree


def test_there_is_a_walk_for_each_tree_and_an_inquiry_for_each_line_that_can_be_asked_about():
    tasks = [task for task in WORLDTREE.tasks(CATALOG) if not task.only_by]
    assert [(task.id, task.tags) for task in tasks[:2]] == [
        ("walk.lamp-en", ("walk", "en", "negotiation", "prosocial")),
        (
            "ask.lamp-en.0.0",
            ("ability", "en", "negotiation", "prosocial", "persuasive-skill"),
        ),
    ]
    assert [task.id for task in tasks if "ability" in task.tags] == [
        "ask.lamp-en.0.0",
        "ask.lamp-en.0.1",
        "ask.lamp-en.0.2",
        "ask.lamp-en.1.0",
        "ask.lamp-en.1.1",
    ]


def test_samples_without_a_tree_are_tasks_of_their_own():
    loose = replace(samples_in(LAMP)[0], id="loose-1", tree="", orientation="")
    catalog = Catalog(name="c", samples=(loose,))
    (task,) = WORLDTREE.tasks(catalog)
    assert (task.id, task.tags) == ("ask.loose-1", ("ability", "en", "persuasive-skill"))
    assert TASKS.begin(catalog, task.id, Settings(), 1).setup.sample == loose


def test_a_sample_holds_all_that_leads_to_its_question():
    sample = sample_named(CATALOG, "lamp-en.1.0")
    assert sample.before == (
        Line(text="Scene 0."),
        Line(role="Mira", text="Please."),
        Entrance(profile=ANA),
        Line(role="Oto", text="Why should I?"),
    )
    assert sample.right == Line(role="Mira", text="I pay.")
    assert sample in samples_of(CATALOG)


def test_where_several_ways_lead_to_a_node_the_shortest_one_is_told():
    both = tree(
        scene(0, edge(1, "long"), edge(2, "short")),
        scene(1, edge(2, "on")),
        scene(2, edge(3, "end")),
        ending(3, 2),
    )
    said = [beat.text for beat in samples_in(both)[-1].before if isinstance(beat, Line)]
    assert said == ["Scene 0.", "short", "Scene 2."]


def test_of_options_that_are_alike_none_is_asked_about():
    question = edge(1, "go").question
    for texts in (("a", "b", "go"), ("a", "a", "b"), ("", "", "b")):
        alike = replace(question, distractors=tuple(Line(text=text) for text in texts))
        assert not samples_in(tree(scene(0, edge(1, "go", question=alike)), ending(1, 2)))
    one_empty = replace(question, distractors=tuple(Line(text=text) for text in ("", "a", "b")))
    assert samples_in(tree(scene(0, edge(1, "go", question=one_empty)), ending(1, 2)))


@pytest.mark.parametrize(
    ("task", "why"),
    [
        ("walk.nowhere", "no tree 'nowhere'"),
        ("ask.lamp-en.9.9", "no sample 'lamp-en.9.9'"),
        ("dance.lamp-en", "no task 'dance.lamp-en'"),
    ],
)
def test_a_task_that_there_is_not_is_missing(task, why):
    with pytest.raises(MissingItem, match=why):
        WORLDTREE.begin(CATALOG, task, Settings(), 1)


@pytest.mark.parametrize("often", [0, 2, 11])
def test_questions_are_asked_an_odd_number_of_times(often: int):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"shuffles": often}, Section)


def test_presets_are_overridden_one_by_one():
    paper, script = PLANS.settings(Section(), 3), PLANS.settings(Section(preset="script"), 3)
    assert (paper.shuffles, paper.prompts, paper.told, paper.seed) == (3, "own", True, 3)
    assert (script.shuffles, script.prompts, script.told) == (1, "zh", False)
    mixed = PLANS.settings(Section(preset="script", told=True, shuffles=5), 3)
    assert (mixed.shuffles, mixed.prompts, mixed.told) == (5, "zh", True)
