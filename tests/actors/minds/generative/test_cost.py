"""How many calls a generative mind makes: as the published code does, and with few."""

import asyncio
from collections import Counter
from datetime import datetime
from typing import Any

import pytest

from actors.episodes.planning_support import Experience, Met, Persona, Situation
from actors.minds.generative import (
    conversation,
    day_plan,
    next_action,
    perception,
    questions,
    reflection,
)
from actors.minds.generative.decision import DecisionProcess, Means
from actors.minds.generative.embedding import embedder_of
from actors.minds.generative.placement import Placement
from actors.minds.generative.state import MindState
from actors.sandbox.catalog_items import Inhabitant
from actors.sandbox.placement.placement import TownPlacement
from actors.sandbox.planning_support import TownLife
from actors.sandbox.views import Resident
from events.base import replace
from events.minds import GenerativeSpec, ModelSpec
from events.thoughts import Block, DayPlanned, MemoryAdded, StatusRevised
from tests.support.generative_minds import InProcess, Memory, thinker
from tests.support.small_town import lives, town

MORNING = datetime(2023, 2, 13, 9, 0)
KNOWN = ("Small:inn:hall:table", "Small:inn:kitchen:stove")
PLACEMENT = TownPlacement(KNOWN)


def thinking(
    model: InProcess, profile: str, *, after_talk: bool = True, **situation: Any
) -> DecisionProcess:
    """A decision of somebody who knows two places, at nine in the morning."""
    spec = thinker(profile=profile, after_talk=after_talk)
    assert spec.model is not None
    assert spec.generative is not None
    told: dict[str, Any] = {"asked": "act", "why": "done", "at": 9 * 3600.0, "now": MORNING}
    return DecisionProcess(
        means=Means(
            spec.model,
            spec.generative,
            model.caller(),
            None,
            embedder_of(spec),
        ),
        persona=Persona(name="Ann Abel", home="Small:inn:hall"),
        aim=None,
        situation=Situation(**(told | situation)),
        state=MindState(),
        rooms=PLACEMENT.rooms,
        calls=Memory(),
        turn=1,
    )


def asked(one: DecisionProcess) -> Counter[str]:
    """How often what was asked."""
    assert isinstance(one.calls, Memory)
    return Counter(call.prompt_version.partition(":")[0][:-2] for call in one.calls.calls)


async def remembering(one: DecisionProcess, count: int) -> None:
    """Have it remember something."""
    for number in range(count):
        text = f"Bo Berg is reading page {number}"
        await one.remember([MemoryAdded(id=0, kind="event", text=text, at=60.0 * number)])


def day(text: str = "cooking", minutes: int = 60) -> DayPlanned:
    """A day with one thing to do at nine."""
    schedule = (
        Block(start=0, minutes=540, text="sleeping"),
        Block(start=540, minutes=minutes, text=text),
        Block(start=540 + minutes, minutes=900 - minutes, text="sleeping"),
    )
    return DayPlanned(day=0, wake=540, schedule=schedule)


async def test_a_published_reflection_takes_34_calls_and_a_lean_one_2():
    published = thinking(InProcess(), "published")
    await remembering(published, 40)
    await reflection.reflect(published)
    assert asked(published) == {"questions": 1, "insights": 3, "triple": 15, "rating": 15}
    lean = thinking(InProcess(), "lean")
    await remembering(lean, 40)
    await reflection.reflect(lean)
    assert asked(lean) == {"questions": 1, "rated-insights": 1}


async def test_reflections_name_what_they_follow_from():
    for profile in ("lean", "published"):
        one = thinking(InProcess(), profile)
        await remembering(one, 40)
        await reflection.reflect(one)
        thoughts = [memory for memory in one.state.memories if memory.kind == "thought"]
        assert thoughts
        assert all(memory.evidence and max(memory.evidence) < memory.id for memory in thoughts)
        assert all(1 <= memory.importance <= 10 for memory in thoughts)
        assert one.state.fresh == 0


async def test_a_published_action_takes_8_calls_and_a_lean_one_1():
    published = thinking(InProcess(), "published")
    published.conclude(day(minutes=45))
    block = await next_action.next_action(published, PLACEMENT)
    assert block.address in KNOWN
    assert asked(published) == {
        "sector": 1,
        "arena": 1,
        "object": 1,
        "emoji": 2,
        "triple": 2,
        "condition": 1,
    }
    lean = thinking(InProcess(), "lean")
    lean.conclude(day(minutes=45))
    await next_action.next_action(lean, PLACEMENT)
    assert asked(lean) == {"where": 1}


@pytest.mark.parametrize("profile", ["lean", "published"])
async def test_where_there_are_no_places_an_action_takes_no_call(profile: str):
    one = thinking(InProcess(), profile)
    one.conclude(day(minutes=45))
    block = await next_action.next_action(one, Placement())
    assert (block.text, block.address) == ("cooking", "")
    assert asked(one) == {}
    another = thinking(InProcess(), profile)
    another.conclude(day(minutes=60))
    assert 5 <= (await next_action.next_action(another, Placement())).minutes <= 15
    assert asked(another) == {"steps": 1}


@pytest.mark.parametrize(("profile", "split"), [("lean", "placed-steps"), ("published", "steps")])
async def test_a_block_of_an_hour_is_split_in_one_call_when_it_is_due(profile: str, split: str):
    one = thinking(InProcess(), profile)
    one.conclude(day(minutes=60))
    block = await next_action.next_action(one, PLACEMENT)
    assert asked(one)[split] == 1
    assert 5 <= block.minutes <= 15
    if profile == "lean":
        assert asked(one).total() == 1


async def test_the_hours_of_a_published_day_take_a_call_each_and_a_lean_day_takes_one():
    published = thinking(InProcess(), "published")
    plan = await day_plan.plan_day(published)
    awake = 24 - plan.wake // 60
    assert asked(published) == {"wake": 1, "broad": 1, "hour": awake}
    lean = thinking(InProcess(), "lean")
    await day_plan.plan_day(lean)
    assert asked(lean) == {"day": 1}


async def test_hours_that_are_too_much_alike_are_asked_for_three_times_at_most():
    class Dull(InProcess):
        async def complete(self, request: Any) -> Any:
            reply = await super().complete(request)
            same = "in the hour from" in request.messages[1].content
            return type(reply)(text='{"text": "resting"}') if same else reply

    one = thinking(Dull(), "published")
    plan = await day_plan.plan_day(one)
    assert asked(one)["hour"] == 3 * (24 - plan.wake // 60)


async def test_a_later_day_takes_5_calls_before_its_hours_as_published_and_2_with_few():
    for profile, expected in (
        ("published", {"wake": 1, "news": 1, "mood": 1, "revised": 1, "duties": 1}),
        ("lean", {"revised": 1, "day": 1}),
    ):
        one = thinking(InProcess(), profile, at=33 * 3600.0, now=datetime(2023, 2, 14, 9, 0))
        one.conclude(day())
        await remembering(one, 5)
        plan = await day_plan.plan_day(one)
        counted = asked(one)
        counted.pop("hour", None)
        assert counted == expected
        assert plan.day == 1
        assert any(isinstance(thought, StatusRevised) for thought in one.thoughts)


async def test_an_event_is_rated_alone_as_published_and_in_a_batch_with_few_calls():
    lived = [Experience(n, 60.0 * n, "event", f"Bo Berg is at {n % 5}") for n in range(15)]
    for profile, calls in (("published", 15), ("lean", 1)):
        one = thinking(InProcess(), profile)
        await perception.take_in(one, lived)
        assert asked(one) == {"rating": calls}
        assert len(one.state.memories) == 15
        assert one.state.fresh == sum(memory.importance for memory in one.state.memories)


def life() -> TownLife:
    """A life in a town."""
    return TownLife(
        Resident(
            episode="e",
            seat=0,
            me=Inhabitant(id="Ann Abel"),
            names=("Ann Abel", "Bo Berg"),
            world="Small",
            start="2023-02-13 00:00:00",
            step_s=60,
            steps=2800,
            rounds=8,
            known=KNOWN,
            place=KNOWN[0],
        )
    )


async def test_a_sighting_takes_a_call_or_two_as_published_and_one_with_few():
    partner = Met(1, "Bo Berg", "reading", "Small:inn:hall")
    for profile, most in (("published", 2), ("lean", 1)):
        counts = set()
        for seed in range(8):
            place = "Small:inn:hall"
            one = thinking(InProcess(seed), profile, why="met", met=(partner,), place=place)
            await conversation.react(one, life())
            counts.add(asked(one).total())
        assert counts == set(range(1, most + 1))


async def test_an_utterance_takes_two_calls_as_published_and_one_with_few():
    partner = Met(1, "Bo Berg", "reading")
    said = (("Bo Berg", "Hello, Ann."),)
    for profile, expected in (("published", 2), ("lean", 1)):
        for seed in range(4):
            one = thinking(
                InProcess(seed), profile, asked="say", met=(partner,), said=said, rounds_left=3
            )
            await conversation.say(one, life())
            counted = asked(one)
            # The subject of a talk that ends is one of the three calls of a talk.
            assert counted.total() - counted["about"] == expected


async def test_a_talk_takes_three_calls_more_as_published_where_nothing_is_noted_afterwards():
    """The subject, how much it matters, and what is left of the hour."""
    partner = Met(1, "Bo Berg", "reading")
    said = (("Bo Berg", "Hello, Ann."),)
    one = thinking(
        InProcess(),
        "published",
        why="parted",
        met=(partner,),
        said=said,
        doing="conversing about plums",
        since=8.9 * 3600,
        after_talk=False,
    )
    one.conclude(day())
    await conversation.note(one)
    await conversation.bend(one)
    assert asked(one) == {"rest": 1}


def test_the_calls_of_a_day_with_few_are_a_quarter_of_the_published_ones_at_most():
    totals = {}
    for profile in ("lean", "published"):
        played = lives(InProcess(), town(steps=180), profile=profile)
        asyncio.run(played.play())
        totals[profile] = sum(len(journal.calls) for journal in played.journals)  # type: ignore
    assert totals["lean"] <= 0.25 * totals["published"]


@pytest.mark.parametrize("profile", ["lean", "published"])
async def test_no_call_has_room_for_more_than_the_plan_gives_its_purpose(profile: str):
    short = ModelSpec(name="openai/some", max_tokens=150)
    limits = {"background": replace(short), "plan_tokens": 900, "reflect_tokens": 700}
    model = InProcess()
    played = lives(model, profile=profile, agent="ga+tdp", **limits)
    await played.play()
    found: dict[str, set[int]] = {}
    for journal in played.journals:
        assert isinstance(journal, Memory)
        for call in journal.calls:
            found.setdefault(call.purpose, set()).add(call.max_tokens)
    assert found.pop("plan") <= {150, 500, 900}
    assert found.pop("reflect", {700}) <= {150, 500, 700}
    assert found.pop("talk") <= {150, 500, 700}
    assert set().union(*found.values()) <= {150, 500}, "what is said, done and seen"


def test_a_mind_recorded_before_there_were_settings_asks_as_it_did():
    before, small = GenerativeSpec(), ModelSpec(name="m", max_tokens=150)
    assert questions.UTTERANCE.longest(small, before) == 500
    assert questions.DAY.longest(small, before) == 1_500
    assert questions.DAY.longest(replace(small, max_tokens=4_000), before) == 4_000
