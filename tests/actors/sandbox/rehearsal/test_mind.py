"""Rehearsal minds answer from what they were shown, and from nothing else."""

import asyncio
from typing import Any

import pytest

from actors.episodes.mind import Scene
from actors.episodes.port.prompts import UnknownTemper
from actors.sandbox.catalog.starter import town_catalog
from actors.sandbox.environment import TOWN
from actors.sandbox.movement.trajectory_reader import trajectory_of
from actors.sandbox.rehearsal.mind import RehearsalMind
from actors.sandbox.setup import Case, Partner, Recap, Say, WhatToDo, WhatToSay
from actors.sandbox.views import Said
from evaluators.sandbox.scorers.published_scorer import published
from events.base import replace
from events.episode import ActionTaken
from events.thoughts import DayPlanned, MemoryAdded, TaskPlanned
from tests.actors.sandbox.rehearsal.playing import Played, play, play_task
from tests.support.memory_journal import Notebook


@pytest.fixture(scope="module")
def planned() -> Played:
    return play_task("lamp_supper", "ga+tdp")


def test_a_fresh_mind_answers_as_the_one_that_was_there_all_along(planned: Played) -> None:
    for place in range(0, len(planned.asked), 41):
        scene, action = planned.asked[place]
        temper = "ga+tdp" if scene.seat == 0 else "ga"
        assert RehearsalMind(temper).answer(scene) == action


def test_a_seed_of_its_own_leads_elsewhere(planned: Played) -> None:
    answers = [
        (RehearsalMind("ga", seed=7).answer(scene), action)
        for scene, action in planned.asked[:400:9]
        if scene.seat
    ]
    assert any(one != other for one, other in answers)


def test_nobody_comes_who_was_not_told(planned: Played) -> None:
    """The keyword is in what one does only after somebody has said it to one."""
    for scene, action in planned.asked:
        text = getattr(action, "text", "") if isinstance(scene.question, WhatToDo) else ""
        if scene.seat and "supper" in text:
            assert any(isinstance(one, Said) and "supper" in one.text for one in scene.seen)


def test_who_has_a_plan_says_what_when_and_where(planned: Played) -> None:
    invitations = [text for text in planned.said(0) if "holding" in text or "organizing" in text]
    assert len(invitations) >= 5
    assert all("the Lantern" in text and "6:30pm" in text for text in invitations)


def test_who_has_a_plan_asks_more_people(planned: Played) -> None:
    unplanned = play_task("lamp_supper", "ga")
    assert len(_asked(unplanned)) < len(_asked(planned))


@pytest.mark.long
def test_a_plan_makes_the_difference() -> None:
    catalog, means = town_catalog(), []
    for temper in ("ga", "ga+tdp"):
        scores = [
            published(task, trajectory_of(play_task(task.id, temper).history)).value
            for task in catalog.tasks
        ]
        means.append(sum(scores) / len(scores))
    assert means[0] + 0.15 < means[1]


def test_everybody_sleeps_eats_and_works(planned: Played) -> None:
    for seat in range(12):
        done = planned.done(seat)
        assert "sleeping" in done
        assert len(set(done)) >= 12


def test_what_was_concluded_is_written_down_once_and_answered_again(planned: Played) -> None:
    mind, journal = RehearsalMind("ga+tdp"), Notebook()
    for scene, _ in planned.asked:
        if scene.seat == 0:
            asyncio.run(mind.decide(scene, journal))
    thoughts = [thought for one in journal.decided for thought in one.thoughts]
    assert [one.day for one in thoughts if isinstance(one, DayPlanned)] == [0, 1]
    assert sum(isinstance(one, TaskPlanned) for one in thoughts) == 1
    memories = [one for one in thoughts if isinstance(one, MemoryAdded)]
    assert [one.id for one in memories] == list(range(len(memories)))
    assert any("supper" in one.text for one in memories)
    # Whoever takes over in the middle goes on where the journal ends.
    last = journal.decided[-1]
    scene = next(one for one, _ in planned.asked if one.seat == 0 and one.turn == last.turn)
    again = asyncio.run(RehearsalMind("ga+tdp").decide(scene, journal))
    assert again.action == last.action
    assert journal.decided[-1] is last


def test_a_schedule_has_no_holes(planned: Played) -> None:
    for seat, mind in enumerate(planned.minds):
        scene = next(one for one, _ in reversed(planned.asked) if one.seat == seat)
        for day in mind.lived(scene).planned.values():
            ends = 0
            for block in day.blocks:
                assert block.start == ends
                ends += block.minutes
            assert ends == 1440


@pytest.mark.parametrize("temper", ["ga", "ga+tdp"])
@pytest.mark.parametrize("task", [one.id for one in town_catalog().tasks])
def test_a_talk_alone_ends_with_what_came_of_it(task: str, temper: str) -> None:
    played = play(_case(task), temper)
    recap = played.history[-1]
    assert isinstance(recap, ActionTaken)
    assert isinstance(recap.action, Recap)
    assert 2 <= sum(isinstance(_action(one), Say) for one in played.history) <= 16
    if temper == "ga+tdp":
        assert "14 February" in recap.action.text or "tomorrow" in recap.action.text


@pytest.mark.parametrize(
    "words",
    [
        "",
        "@" * 50,
        "A " * 900,
        "I'm holding a " + "very " * 300 + "long party @ the Lantern tomorrow at 6:30pm. Come!",
        "Could you please " + "carry it and then " * 60 + "bring it back?",
        "join me to 99:99 on 31 February at 25pm, 0000-00-00",
        "Would you join me to {what} {you} at \n\t [x](y) tomorrow at noon?",
    ],
)
def test_whatever_is_said_has_an_answer(planned: Played, words: str) -> None:
    """What others say is theirs: a model may sit there, or a person who means no good."""
    scene = next(
        one
        for one, _ in planned.asked
        if isinstance(one.question, WhatToSay) and one.seat and isinstance(one.seen[-1], Said)
    )
    mind, seat = RehearsalMind("ga"), scene.seat
    seen = [*scene.seen[:-1], replace(scene.seen[-1], text=words)]
    said = mind.answer(_at(scene, seen, scene.question))
    assert isinstance(said, Say)
    assert TOWN.rules.action_fault(scene.question, said, seat, 12) is None
    yes = replace(scene.seen[-1], seat=seat, to=scene.question.to, text="Of course. I'll be there.")
    for step in range(1440 + 300, 2700, 60):
        asked = WhatToDo(at=step, why="done")
        act = mind.answer(_at(scene, [*seen, yes], asked))
        assert TOWN.rules.action_fault(asked, act, seat, 12) is None


def test_there_are_no_other_tempers() -> None:
    with pytest.raises(UnknownTemper):
        RehearsalMind("cheerful")


def _at(scene: Scene, seen: list[Any], question: Any) -> Scene:
    return Scene(
        background=scene.background,
        seen=seen,
        turn=scene.turn,
        question=question,
        seat=scene.seat,
        seats=scene.seats,
    )


def _asked(played: Played) -> list[str]:
    return [one for one in played.said(0) if "holding" in one or "organizing" in one]


def _case(task_id: str) -> Case:
    catalog = town_catalog()
    task = next(one for one in catalog.tasks if one.id == task_id)
    people = {one.id: one for one in catalog.inhabitants}
    target = task.targets[0] if task.targets else task.characters[1]
    return Case(
        id="c",
        task=task,
        at="2023-02-13 09:12:00",
        performer=Partner(inhabitant=people[task.performer], address="Ternby:the Quay:jetty"),
        target=Partner(inhabitant=people[target], address="Ternby:the Quay:jetty"),
    )


def _action(event: object) -> object:
    return event.action if isinstance(event, ActionTaken) else None
