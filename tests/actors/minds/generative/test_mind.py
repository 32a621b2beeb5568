"""Generative minds in a small town, with a model that answers by rule."""

import asyncio
from collections import Counter
from functools import cache
from typing import Any

import pytest

from actors.episodes.mind import Decision
from actors.minds.generative.mind import GenerativeMind
from actors.minds.generative.retrieval import best
from actors.models.answers.ask import REASKS
from actors.sandbox.environment import TOWN
from actors.sandbox.setup import Act, Idle, Say
from events.agent import ModelAnswered, ModelAsked
from events.episode import ActionTaken
from events.minds import MindSpec
from events.thoughts import (
    DayPlanned,
    Decided,
    FellBack,
    MemoriesRetrieved,
    MemoryAdded,
    StatusRevised,
    TaskPlanned,
)
from tests.support.generative_minds import (
    BACKGROUND,
    EVALUATED,
    InProcess,
    Memory,
    Played,
    Scripted,
    thinker,
)
from tests.support.small_town import case, lives, town


def thoughts(played: Played, kind: type, seat: int | None = None) -> list:
    """What was thought, of one kind, by one seat or by all."""
    journals = played.journals if seat is None else [played.journals[seat]]
    return [
        thought
        for journal in journals
        for decided in journal.decisions()
        for thought in decided.thoughts
        if isinstance(thought, kind)
    ]


def asked(played: Played, seat: int) -> Counter[tuple[str, str]]:
    """How often a seat asked what of which model."""
    journal = played.journals[seat]
    assert isinstance(journal, Memory)
    return Counter((call.prompt_version.partition(":")[0], call.model) for call in journal.calls)


def calls_of(played: Played) -> list[tuple[int, int, int, str]]:
    """Every call: seat, turn, attempt, what was sent."""
    return [
        (seat, call.turn, call.attempt, call.request_hash)
        for seat, journal in enumerate(played.journals)
        if isinstance(journal, Memory)
        for call in journal.calls
    ]


@cache
def lived(**fields: Any) -> tuple[Played, InProcess]:
    """A morning that is over, and the model that was asked. To be read alone."""
    model = InProcess()
    played = lives(model, **fields)
    asyncio.run(played.play())
    return played, model


@pytest.mark.parametrize("profile", ["lean", "published"])
def test_a_town_is_lived_through_without_a_failure(profile: str):
    played, _ = lived(agent="ga+tdp", profile=profile)
    assert played.over
    assert played.failures == []
    taken = [event for event in played.history if isinstance(event, ActionTaken)]
    assert any(isinstance(event.action, Say) for event in taken)
    acts = [event.action for event in taken if isinstance(event.action, Act)]
    assert all(act.address.startswith("Small:") for act in acts)
    assert {memory.kind for memory in thoughts(played, MemoryAdded)} >= {"event", "talk"}
    ids = [memory.id for memory in thoughts(played, MemoryAdded, 0)]
    assert ids == list(range(len(ids)))


@pytest.mark.parametrize("profile", ["lean", "published"])
def test_a_call_is_named_by_turn_and_attempt(profile: str):
    played, _ = lived(agent="ga+tdp", profile=profile)
    for seat in range(3):
        names = [(turn, attempt) for one, turn, attempt, _ in calls_of(played) if one == seat]
        assert len(set(names)) == len(names)


def test_the_model_that_is_evaluated_plans_the_task_the_day_and_talks_for_the_performer():
    played, _ = lived(agent="ga+tdp", profile="lean")
    own = {"task-plan-2", "task-reminder-2", "task-checklist-2", "day-2", "utterance-2"}
    for template, model in asked(played, 0):
        assert model == (EVALUATED if template in own else BACKGROUND)
    for seat in (1, 2):
        assert {model for _, model in asked(played, seat)} == {BACKGROUND}


async def test_with_one_model_alone_that_one_is_asked_everything():
    played = lives(InProcess(), background=None)
    await played.play(3)
    assert {model for seat in range(3) for _, model in asked(played, seat)} == {EVALUATED}


@pytest.mark.parametrize("agent", ["ga", "ga+tdp"])
def test_a_task_is_planned_for_once_before_all_else_and_told_in_every_utterance(agent: str):
    played, model = lived(agent=agent, profile="lean")
    plans = thoughts(played, TaskPlanned)
    said = [
        user for system, user in model.prompts if "Name: Ann Abel" in system and '"ends"' in user
    ]
    days = [
        user for system, user in model.prompts if "Name: Ann Abel" in system and '"wake"' in user
    ]
    assert said
    if agent == "ga":
        assert plans == []
        assert not any("THE TASK" in user for user in said)
        return
    (plan,) = plans
    first = [call.prompt_version.partition(":")[0] for call in played.journals[0].calls[:3]]
    assert first == ["task-plan-2", "task-reminder-2", "task-checklist-2"]
    assert plan.reminder in days[0]
    assert len(plan.checklist) < 5
    for user in said:
        for told in ("«goal~Ann Abel»", "«criteria~Ann Abel»", plan.plan, *plan.checklist):
            assert told in user


@pytest.mark.parametrize("profile", ["lean", "published"])
def test_a_coached_mind_is_asked_by_the_templates_it_was_recorded_with(profile: str):
    played, model = lived(agent="ga+tdp", profile=profile, words="coached")
    assert {name for name, _ in asked(played, 0)} & {"utterance-2", "task-plan-2"} == set()
    assert {"utterance-1", "task-plan-1"} <= {name for name, _ in asked(played, 0)}
    assert any("name day, time and place" in user for _, user in model.prompts)
    _, neutral = lived(agent="ga+tdp", profile=profile)
    assert not any("name day, time and place" in user for _, user in neutral.prompts)


async def test_who_talked_before_is_reminded_of_it_as_long_as_the_first_talk_is_not_past():
    played, model = lived(agent="ga", profile="lean")
    del played
    said = [user for _, user in model.prompts if '"ends"' in user]
    seen = [user for _, user in model.prompts if '"talk_to"' in user]
    again = [user for user in said if "An earlier talk, " in user]
    assert len(again) < len(said)
    assert any("the last talk: " in user for user in seen)


async def test_a_new_day_begins_with_what_one_is_about():
    played = lives(InProcess(), town(start="2023-02-13 23:30:00", steps=60))
    await played.play()
    for seat in range(3):
        first, second = (plan for plan in thoughts(played, DayPlanned, seat) if not plan.why)
        assert (first.day, second.day) == (0, 1)
        (decided,) = (one for one in played.journals[seat].decisions() if second in one.thoughts)
        kinds = [type(thought) for thought in decided.thoughts]
        assert kinds.index(StatusRevised) < kinds.index(DayPlanned)
        (revised,) = thoughts(played, StatusRevised, seat)
        told = played.minds[seat]
        assert told._state.currently == revised.currently  # type: ignore[attr-defined]


async def test_a_mind_that_is_replaced_at_every_turn_goes_on_as_if_nothing_had_happened():
    setup, given = town(steps=120), {"agent": "ga+tdp"}
    whole, broken = lives(InProcess(), setup, **given), lives(InProcess(), setup, **given)
    await whole.play()
    while not broken.over:
        spec, caller = thinker(agent="ga+tdp"), InProcess().caller()
        broken.minds = [GenerativeMind(spec, TOWN, caller) for _ in broken.minds]
        await broken.turn()
    assert broken.history[1:] == whole.history[1:]
    assert calls_of(broken) == calls_of(whole)
    assert [one.decisions() for one in broken.journals] == [
        one.decisions() for one in whole.journals
    ]


class Killed(Exception):
    """The process ends here."""


class Dying(InProcess):
    """A model whose process is killed at some of its calls, before they are answered."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self.every, self.count = every, 0

    async def complete(self, request):
        self.count += 1
        if self.count % self.every == 0:
            raise Killed
        return await super().complete(request)


@pytest.mark.parametrize(("profile", "steps"), [("lean", 150), ("published", 60)])
async def test_a_mind_killed_in_the_midst_of_a_decision_asks_nothing_twice_that_was_answered(
    profile: str, steps: int
):
    spec = thinker(agent="ga+tdp", profile=profile, reflect_at=60)
    setup = town(steps=steps)
    whole = lives(InProcess(), setup, spec)
    await whole.play()
    dying = lives(Dying(5), setup, spec)
    caller = dying.minds[0]._means.caller  # type: ignore[attr-defined]
    killed = 0

    async def stubborn(seat: int, scene) -> Decision:
        nonlocal killed
        while True:
            try:
                return await GenerativeMind(spec, TOWN, caller).decide(scene, dying.journals[seat])
            except Killed:
                killed += 1

    class Stubborn:
        def __init__(self, seat: int) -> None:
            self.seat = seat

        async def decide(self, scene, calls) -> Decision:
            return await stubborn(self.seat, scene)

    dying.minds = [Stubborn(seat) for seat in range(3)]
    await dying.play()
    assert killed >= 10
    assert dying.history[1:] == whole.history[1:]
    for one, other in zip(dying.journals, whole.journals, strict=True):
        assert one.decisions() == other.decisions()
        answered = [event for event in one.events if isinstance(event, ModelAnswered)]
        names = [(event.turn, event.attempt) for event in answered]
        assert len(set(names)) == len(names)
        assert len(names) == len(other.calls)


async def test_what_was_decided_is_answered_again_and_nothing_is_asked():
    played = lives(InProcess())
    await played.play(5)
    journal = played.journals[0]
    decided = journal.decisions()[-1]
    model = InProcess()
    mind = GenerativeMind(thinker(), TOWN, model.caller())
    scene = played.scene(0, object())
    scene.turn, scene.question_id = decided.turn, decided.question
    assert await mind.decide(scene, journal) == Decision(
        action=decided.action, failure=decided.failure
    )
    assert model.prompts == []


async def test_an_answer_that_stays_unusable_is_a_failure_of_the_question():
    model = InProcess()
    model.unreadable = lambda user: '"wake"' in user
    played = lives(model)
    await played.turn()
    assert len(played.failures) == 3
    for journal in played.journals:
        (decided,) = journal.decisions()
        assert isinstance(decided.action, Idle)
        assert decided.failure is not None
        assert decided.failure.reason == "unreadable"
        assert [call.attempt for call in journal.calls] == list(range(REASKS + 1))


@pytest.mark.parametrize("activity", ["lunch @ the inn", " "])
async def test_words_that_nobody_could_act_by_are_asked_for_again(activity: str):
    day = {"wake": "7:00", "plan": ["live"], "hours": [{"start": "7:00", "activity": activity}]}
    played = lives(Scripted(day))
    await played.play(2)
    assert played.failures == []
    assert activity not in {b.text for one in thoughts(played, DayPlanned) for b in one.schedule}


async def test_who_says_nothing_but_blanks_is_asked_again():
    model = Scripted({"text": " ", "ends": False, "about": ""})
    played = lives(model, case())
    model.unreadable = lambda user: '"ratings"' in user
    await played.turn()
    assert played.failures == []


@pytest.mark.parametrize(
    ("shape", "what"),
    [
        ('"ratings"', "importance"),
        ('"questions"', "reflection"),
        ('"insights"', "reflection"),
        ('"actions"', "actions"),
        ('"memo"', "note after a talk"),
        ("3 to 5 sentences", "task plan"),
        ('"items"', "task plan"),
    ],
)
async def test_what_cannot_be_concluded_is_said_and_done_without(shape: str, what: str):
    model = InProcess()
    model.unreadable = lambda user: shape in user
    played = lives(model, town(steps=150), agent="ga+tdp", reflect_at=20)
    await played.play()
    assert played.over
    assert played.failures == []
    found = [one for one in thoughts(played, FellBack) if one.what == what]
    assert found
    assert all(one.instead and one.failure.reason == "unreadable" for one in found)


async def test_an_answer_waits_for_no_reflection_that_a_rating_beside_it_led_to():
    played = lives(InProcess(), town(steps=150), profile="lean", reflect_at=20)
    await played.play()
    reflected = 0
    for journal in played.journals:
        assert isinstance(journal, Memory)
        asked_in: dict[int, set[str]] = {}
        for call in journal.calls:
            asked_in.setdefault(call.turn, set()).add(call.prompt_version.partition("-")[0])
        busy = [one for one in asked_in.values() if one & {"reaction", "where"}]
        assert all("questions" not in one or "rating" not in one for one in busy)
        reflected += sum("questions" in one for one in busy)
    assert reflected


async def test_a_new_day_that_cannot_be_revised_goes_on_from_what_one_was_about():
    model = InProcess()
    model.unreadable = lambda user: "A new day begins" in user
    played = lives(model, town(start="2023-02-13 23:30:00", steps=60))
    await played.play()
    assert played.failures == []
    assert {one.what for one in thoughts(played, FellBack)} == {"currently"}
    assert len([one for one in thoughts(played, DayPlanned, 1) if not one.why]) == 2


DAY = {"wake": "06:00", "plan": ["a day"], "hours": [{"start": "06:00", "activity": "a rest"}]}


async def test_an_unknown_place_is_asked_for_again_with_what_would_be_right():
    step = {"text": "resting", "minutes": 15, "emoji": "🙂"}
    model = Scripted(
        DAY,
        {"actions": [step | {"address": "Small:inn:cellar"}]},
        {"actions": [step | {"address": "inn:hall"}]},
    )
    played = lives(model, town(know="all"))
    scene = played.scene(1, played.opened.asked[1].question)
    decision = await played.minds[1].decide(scene, played.journals[1])
    assert decision.action == Act(text="resting", address="Small:inn:hall", emoji="🙂", minutes=15)
    assert len(model.prompts) == 3
    calls = played.journals[1].calls
    assert [call.attempt for call in calls] == [0, REASKS + 1, REASKS + 2]


def test_what_is_rated_once_is_not_rated_again_with_few_calls():
    _, model = lived(agent="ga+tdp", profile="lean")
    for name in ("Ann Abel", "Bo Berg", "Cy Cole"):
        rated = [
            line.partition(". ")[2]
            for system, user in model.prompts
            if f"Name: {name}" in system and '"ratings"' in user
            for line in user.splitlines()
            if line[:1].isdigit()
        ]
        assert rated
        assert len(set(rated)) == len(rated)


def test_memories_that_come_to_mind_count_as_thought_of():
    played, _ = lived(agent="ga+tdp", profile="lean")
    last = thoughts(played, MemoriesRetrieved, 0)[-1]
    state = played.minds[0]._state  # type: ignore[attr-defined]
    assert last.ids
    assert {state.memories.used[id] for id in last.ids} == {last.at}


@pytest.mark.parametrize(
    ("profile", "most"),
    [("lean", {1: [7], 2: [5, 5]}), ("published", {3: [15, 7, 7], 4: [15, 5, 5, 5]})],
)
async def test_a_published_talk_looks_up_15_memories_then_7_or_5_of_each_thing(
    profile: str, most: dict[int, list[int]], monkeypatch: pytest.MonkeyPatch
):
    played = lives(InProcess(), profile=profile, retrieval="published", after_talk=False)
    wanted = []

    def spied(memories, query, at, way, top):
        wanted.append(top)
        return best(memories, query, at, way, top)

    monkeypatch.setattr("actors.minds.generative.decision.best", spied)
    await played.play()
    said = [
        [len(one.ids) for one in decided.thoughts if isinstance(one, MemoriesRetrieved)]
        for journal in played.journals
        for decided in journal.decisions()
        if isinstance(decided.action, Say)
    ]
    # Before anything was said there is one thing less to look up.
    assert {len(found) for found in said} == set(most)
    for found in said:
        assert all(count <= top for count, top in zip(found, most[len(found)], strict=True))
    assert {top for tops in most.values() for top in tops} <= set(wanted)


async def test_a_published_talk_is_no_memory_to_be_ranked_but_the_event_that_one_talked_is():
    played = lives(InProcess(), retrieval="published", after_talk=False)
    await played.play()
    for seat in range(3):
        kept = {one.id: one for one in thoughts(played, MemoryAdded, seat)}
        talks = [one for one in kept.values() if one.kind == "talk"]
        events = {(one.text, one.at) for one in kept.values() if one.kind == "event"}
        assert all((one.text, one.at) in events for one in talks)
        ranked = {id for one in thoughts(played, MemoriesRetrieved, seat) for id in one.ids}
        assert ranked.isdisjoint(one.id for one in talks)
    assert any(one.kind == "talk" for one in thoughts(played, MemoryAdded))


@pytest.mark.parametrize("after_talk", [True, False])
async def test_after_a_talk_the_schedule_has_it_and_a_note_and_a_memo_are_kept_if_wanted(
    after_talk: bool,
):
    played = lives(InProcess(), after_talk=after_talk)
    await played.play()
    bent = [one for one in thoughts(played, DayPlanned) if one.why == "a talk was had"]
    assert bent
    assert all(any(block.text.startswith("conversing") for block in one.schedule) for one in bent)
    notes = [
        one
        for one in thoughts(played, MemoryAdded)
        if one.kind == "thought" and one.evidence and one.subject
    ]
    assert bool(notes) == after_talk
    assert len(notes) == (2 * len(bent) if after_talk else 0)


async def test_a_case_is_talked_and_told_from_what_came_to_mind_when_it_was_cut():
    model = InProcess(seed=1)
    played = lives(model, case(), agent="ga+tdp")
    await played.play()
    assert played.over
    assert played.failures == []
    remembered = [one.text for one in thoughts(played, MemoryAdded, 1)]
    assert remembered[:2] == ["Ann lent Bo a ladder", "Ann likes plums"]
    assert "12:00 lunch" in remembered[2]
    assert len(thoughts(played, TaskPlanned, 0)) == 1
    assert set(asked(played, 1)) == {
        ("rating-1", BACKGROUND),
        ("utterance-2", BACKGROUND),
        ("recap-2", BACKGROUND),
    }


async def test_a_mind_without_a_model_is_refused():
    with pytest.raises(ValueError, match="has no model"):
        GenerativeMind(MindSpec(name="x", kind="generative"), TOWN, InProcess().caller())


async def test_prompts_stay_short_however_much_is_remembered():
    model = InProcess()
    played = lives(model)
    mind = played.minds[0]
    journal = played.journals[0]
    assert isinstance(journal, Memory)
    many = tuple(
        MemoryAdded(id=id, kind="event", text=f"memory {id} " + "of a long day " * 40, at=float(id))
        for id in range(3_000)
    )
    journal.decided.append(Decided(turn=0, thoughts=many, action=Idle()))
    await asyncio.wait_for(played.play(12), 60)
    assert mind.spec.kind == "generative"
    longest = max(len(system) + len(user) for system, user in model.prompts)
    assert longest < 32_000
    assert any(isinstance(event, ModelAsked) for event in journal.events)
