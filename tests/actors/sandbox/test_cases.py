"""A case is one talk, and what its target tells of it."""

import pytest

from actors.episodes.rules import INITIAL, Start, State, decide, evolve
from actors.sandbox.catalog_items import Case, Inhabitant, Partner, Task
from actors.sandbox.environment import SANDBOX
from actors.sandbox.setup import Recap, Say, WhatToSay, WhatWasAgreed
from events.base import Event, replace
from events.environments import Action
from events.episode import ActionFailure, EpisodeStarted
from events.messages import TakeAction
from events.minds import MindSpec

PERFORMER, TARGET = 0, 1
TASK = Task(
    id="party",
    kind="public",
    town="t",
    goal="Hold a party.",
    brief="Ann wants a party",
    description="Four come",
    goals=(),
    people=4,
    performer="Ann",
    characters=("Ann", "Bo"),
)
CASE = Case(
    id="case-1",
    task=TASK,
    at="2023-02-13 09:12:00",
    performer=Partner(inhabitant=Inhabitant(id="Ann"), memories=("Bo likes tea",)),
    target=Partner(inhabitant=Inhabitant(id="Bo", innate="calm"), doing="baking"),
    rounds=3,
)
BEGUN = EpisodeStarted(
    run="",
    task="case.case-1",
    catalog="c",
    environment="sandbox",
    setup=CASE,
    characters=("Ann", "Bo"),
    minds=(MindSpec(name="a", kind="remote"), MindSpec(name="b", kind="remote")),
)


def played(*answers: Action | ActionFailure) -> tuple[State, list[Event]]:
    """The case after these answers."""
    state, history = INITIAL, list[Event]()

    def do(command) -> None:
        nonlocal state
        for event in decide(state, command):
            history.append(event)
            state = evolve(state, event)

    do(Start(started=BEGUN))
    for answer in answers:
        (asked,) = state.open
        failed = isinstance(answer, ActionFailure)
        action = SANDBOX.nothing(asked.question) if failed else answer
        do(
            TakeAction(
                seat=asked.seat,
                turn=state.turn,
                action=action,
                failure=answer if failed else None,
            )
        )
    return state, history


def question(state: State) -> tuple[int, object]:
    (asked,) = state.open
    return asked.seat, asked.question


def test_the_performer_speaks_first_and_they_take_turns():
    state, _ = played()
    assert question(state) == (PERFORMER, WhatToSay(at=0, talk=0, to=TARGET, left=3))
    state, _ = played(Say(text="Come!"))
    assert question(state) == (TARGET, WhatToSay(at=0, talk=0, to=PERFORMER, left=3))
    state, _ = played(Say(text="Come!"), Say(text="Where?"))
    assert question(state) == (PERFORMER, WhatToSay(at=0, talk=0, to=TARGET, left=2))


@pytest.mark.parametrize(
    "answers",
    [
        (Say(text="Bye.", ends=True),),
        (Say(text="Come!"), Say(text="No.", ends=True)),
        (Say(text="and so on"),) * 6,
        (Say(text="Come!"), ActionFailure(reason="timeout")),
    ],
)
def test_when_the_talk_is_over_the_target_tells_what_came_of_it(answers):
    state, _ = played(*answers)
    assert question(state) == (TARGET, WhatWasAgreed())
    state, _ = played(*answers, Recap(text="Nothing."))
    assert state.ended == "talked"


def test_the_performer_is_not_told_what_the_target_tells():
    _, history = played(Say(text="Come!"), Say(text="Yes.", ends=True), Recap(text="«a party»"))
    told = {
        viewer: "«a party»" in str(SANDBOX.account(SANDBOX.view(history, viewer)))
        for viewer in (PERFORMER, TARGET, "judge", "spectator")
    }
    assert told == {PERFORMER: False, TARGET: True, "judge": True, "spectator": True}


def test_each_knows_their_own_side():
    performer, target = (SANDBOX.background("e", BEGUN, seat, "") for seat in (0, 1))
    assert performer.task is not None
    assert performer.memories == ("Bo likes tea",)
    assert performer.partner_doing == "baking"
    assert target.task is None
    assert not target.memories
    prompt = SANDBOX.prompt_writer(target).prompt(WhatToSay(at=0, talk=0, to=0, left=3), (), 1)
    assert "baking" in prompt.system
    assert "party" not in prompt.system + prompt.user


def test_how_often_each_is_asked_is_known_before():
    assert SANDBOX.questions_at_most(CASE, 2) == (3, 4)


@pytest.mark.parametrize(
    ("changes", "seats", "why"),
    [
        ({}, 3, "two talk in a case"),
        ({"rounds": 0}, 2, "at least one round"),
        ({"at": "now"}, 2, "no date and time"),
        ({"target": CASE.performer}, 2, "both are the same"),
    ],
)
def test_a_case_that_cannot_be_played_is_refused(changes: dict, seats: int, why: str):
    fault = SANDBOX.setup_fault(replace(CASE, **changes), seats)
    assert fault
    assert why in fault
