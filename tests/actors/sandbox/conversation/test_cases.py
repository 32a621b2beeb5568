"""Cases as tasks of a catalog: chosen by a plan, begun, played, listed."""

import pytest

from actors.episodes.catalogs.entries import MissingItem
from actors.episodes.port.rules import Ask, End
from actors.sandbox.catalog_items import Catalog, FrozenTask
from actors.sandbox.environment import CASE, SANDBOX
from actors.sandbox.setup import Recap, Say, Settings, WhatWasAgreed
from events.base import replace
from events.episode import ActionTaken, EpisodeStarted
from events.minds import MindSpec
from tests.evaluators.sandbox.language.made_up import case

CATALOG = Catalog(
    name="cases",
    cases=(case("public", "one", tags=("own",)), case("help", "two")),
    frozen_tasks=(FrozenTask(id="public_1", kind="public", towns=2),),
)


def test_a_case_is_a_task_of_two_seats_that_plans_choose_by_kind_and_task() -> None:
    found = SANDBOX.tasks(CATALOG)
    assert [(one.id, one.seats) for one in found] == [("case.one", 2), ("case.two", 2)]
    assert found[0].tags == ("case", "public", "public_1", "own")


def test_it_begins_with_the_rounds_of_the_settings_and_a_seed_of_its_own() -> None:
    begun = SANDBOX.begin(CATALOG, "case.one", Settings(rounds=3), 17)
    assert begun.setup == replace(CATALOG.cases[0], rounds=3, seed=17)
    assert begun.characters == ("Ada Bell", "Bo Crane")
    with pytest.raises(MissingItem):
        SANDBOX.begin(CATALOG, "case.three", Settings(), 1)


def test_the_two_take_turns_from_the_performer_on_and_the_target_tells() -> None:
    world = CASE.rules.initial(SANDBOX.begin(CATALOG, "case.one", Settings(rounds=2), 1).setup)
    asked = []
    for turn in range(1, 6):
        step = CASE.rules.next_step(world)
        assert isinstance(step, Ask)
        (one,) = step.asked
        asked.append(one.seat)
        told = isinstance(one.question, WhatWasAgreed)
        action = Recap(text="Nothing.") if told else Say(text="Well?")
        world = CASE.rules.evolve(world, ActionTaken(turn=turn, seat=one.seat, action=action))
    assert asked == [0, 1, 0, 1, 1]
    assert isinstance(CASE.rules.next_step(world), End)


def test_chance_differs_between_plays_of_a_case_and_not_between_its_seats() -> None:
    minds = (MindSpec(name="a", kind="rehearsal"), MindSpec(name="b", kind="rehearsal"))

    def seeds(seed: int) -> set[int]:
        begun = SANDBOX.begin(CATALOG, "case.one", Settings(), seed)
        started = EpisodeStarted(
            run="",
            task="case.one",
            catalog="",
            environment="sandbox",
            setup=begun.setup,
            minds=minds,
        )
        return {CASE.sight.background("e", started, seat, "").seed for seat in (0, 1)}

    assert len(seeds(1)) == 1
    assert seeds(1) != seeds(2)


def test_a_seat_is_told_nothing_of_what_the_other_has_in_mind() -> None:
    two = CATALOG.cases[0]
    secret = replace(two.target, memories=("I shall move away.",), schedule=("at 10 packing",))
    setup = replace(two, target=secret)
    minds = (MindSpec(name="a", kind="rehearsal"), MindSpec(name="b", kind="rehearsal"))
    started = EpisodeStarted(
        run="", task="case.one", catalog="", environment="sandbox", setup=setup, minds=minds
    )
    performer, target = (str(CASE.sight.background("e", started, seat, "")) for seat in (0, 1))
    assert "move away" in target
    assert "packing" in target
    assert "move away" not in performer
    assert "packing" not in performer
    assert setup.task.goal not in target


def test_lists_say_who_talks_with_whom_and_all_there_is_to_know() -> None:
    entries = {one.id: one for one in SANDBOX.authoring.entries(CATALOG)}
    assert entries["one"].title == "Ada Bell talks with Bo Crane"
    assert entries["public_1"].kind == "frozen_task"
    facts = dict(SANDBOX.authoring.facts(CATALOG, entries["one"]))
    assert facts["performer"] == "Ada Bell: reading (Elm:Library:hall)"
    assert not list(SANDBOX.authoring.check(CATALOG))
