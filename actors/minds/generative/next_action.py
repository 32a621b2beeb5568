"""The next action: the current block of the schedule, split into actions, each with a place and an
emoji."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import Final

from actors.minds.generative import questions
from actors.minds.generative.answers import PlacedSteps, Short, Steps, Where
from actors.minds.generative.day_plan import day_now, doing_fault, minute_now, plan_day
from actors.minds.generative.decision import (
    CALLS_OF_A_STEP,
    DecisionProcess,
    Unconcluded,
    asked_together,
    together,
)
from actors.minds.generative.places import KnownPlaces
from actors.minds.generative.schedule import (
    LONGEST,
    SHORTEST,
    ScheduleBlock,
    asleep,
    clock,
    due,
    fitted,
    overlaid,
    to_be_split,
)
from actors.models.errors import Unreadable
from actors.models.response_formats.schemas import Schema, choice_schema
from events.base import replace
from events.thoughts import Block, DayPlanned, MemoryAdded

ASLEEP: Final = "💤"
MOST_HELD: Final = 8_000
"""Characters of the places that a model is held to."""
AROUND: Final = 8
"""Blocks of the schedule that a prompt shows before and after the one it is about."""
SPLIT: Final = "a block was split into actions"
"""``DayPlanned.why``."""


async def next_action(thinking: DecisionProcess) -> Block:
    """What is to be done from now on, with its place. Raises ``Unconcluded``."""
    plan = await today(thinking)
    assert thinking.situation.now is not None
    minute = minute_now(thinking.situation.now)
    block = due(plan.schedule, minute)
    if to_be_split(block):
        plan = await _split(thinking, plan, block)
        block = due(plan.schedule, minute)
    return await _placed(thinking, block)


async def today(thinking: DecisionProcess) -> DayPlanned:
    """Today's plan, made if there is none. Raises ``Unconcluded``."""
    return thinking.state.days.get(day_now(thinking)) or await plan_day(thinking)


async def _split(thinking: DecisionProcess, plan: DayPlanned, block: Block) -> DayPlanned:
    """The plan with a block's actions in its place; as it was where there are none, which is
    said."""
    words = around(plan.schedule, block)
    try:
        if thinking.lean:
            rooms = _rooms(thinking, block.text)
            parts = _placed_parts(
                await thinking.ask(
                    questions.PLACED_STEPS,
                    {**words, "rooms": rooms},
                    _placed_fault(thinking.places),
                    _held(rooms),
                ),
                thinking.places,
            )
        else:
            parts = parts_of(await thinking.ask(questions.STEPS, words, steps_fault))
    except Unconcluded as why:
        thinking.fell_back("actions", why, f"{block.text} is done as one")
        return plan
    schedule = overlaid(plan.schedule, fitted(parts, block))
    split = replace(plan, schedule=schedule, why=SPLIT)
    thinking.conclude(split)
    return split


def around(schedule: Sequence[Block], block: Block) -> dict[str, object]:
    """A block as prompts show it: with what is before and after it."""
    end = block.start + block.minutes
    before = [one for one in schedule if one.start < block.start][-AROUND:]
    after = [one for one in schedule if one.start + one.minutes > end][:AROUND]

    def line(one: Block) -> tuple[str, str]:
        return clock(one.start), one.text

    return {
        "before": [line(one) for one in before],
        "after": [(clock(max(one.start, end)), one.text) for one in after],
        "text": block.text,
        "start": clock(block.start),
        "end": clock(end),
        "minutes": block.minutes,
        "shortest": SHORTEST,
        "longest": LONGEST,
    }


def parts_of(answer: Steps) -> list[ScheduleBlock]:
    """Actions that say nothing of where."""
    return [ScheduleBlock(step.text, step.minutes) for step in answer.actions]


def _placed_parts(answer: PlacedSteps, places: KnownPlaces) -> list[ScheduleBlock]:
    return [
        ScheduleBlock(step.text, step.minutes, places.match(step.address), step.emoji)
        for step in answer.actions
    ]


def steps_fault(answer: Steps | PlacedSteps) -> list[str]:
    """What is wrong with actions."""
    return doing_fault(*(one.text for one in answer.actions))


def _placed_fault(places: KnownPlaces) -> Callable[[PlacedSteps], list[str]]:
    def fault(answer: PlacedSteps) -> list[str]:
        problems = list(steps_fault(answer))
        for address in dict.fromkeys(step.address for step in answer.actions):
            try:
                places.match(address)
            except Unreadable as error:
                problems += error.problems
        return problems[:4]

    return fault


async def _placed(thinking: DecisionProcess, block: Block) -> Block:
    """The block with a place and a sign."""
    if not thinking.lean:
        return await _as_published(thinking, block)
    if block.address:
        return block
    if asleep(block.text) and thinking.persona.home:
        return replace(block, address=bed(thinking.persona.home, thinking.places), emoji=ASLEEP)

    def fault(answer: Where) -> list[str]:
        thinking.places.match(answer.address)
        return []

    rooms = _rooms(thinking, block.text)
    words = {**_action(thinking, block), "rooms": rooms}
    where = await thinking.ask(questions.WHERE, words, fault, _held(rooms))
    return replace(block, address=thinking.places.match(where.address), emoji=where.emoji)


async def _as_published(thinking: DecisionProcess, block: Block) -> Block:
    """Eight calls: sector, arena, object; meanwhile a sign and the sentence in three parts; then
    the same of the object, which is remembered."""
    text = f"{thinking.persona.name} is {block.text}"
    works = (partial(_where_as_published, block=block), partial(_sign, text=text))
    address, emoji = await together(thinking, works, CALLS_OF_A_STEP)
    return replace(block, address=address, emoji=emoji)


async def _where_as_published(thinking: DecisionProcess, block: Block) -> str:
    words, places = _action(thinking, block), thinking.places
    place = await _choose(thinking, questions.SECTOR, words, places.sectors())
    place = await _choose(thinking, questions.ARENA, words, places.inside(place)) or place
    thing = await _choose(thinking, questions.OBJECT, words, places.inside(place))
    if thing:
        name = thing.rpartition(":")[2]
        state = (await thinking.ask(questions.CONDITION, {**words, "object": name})).text
        about = f"{name}: {state}"
        await _sign(thinking, about)
        await thinking.remember(
            [MemoryAdded(id=0, kind="event", text=about, at=thinking.at, subject=name)]
        )
    return thing or place


async def _sign(thinking: DecisionProcess, text: str) -> str:
    """The sign of something, which is put in three parts too."""
    words = {"text": text}
    sign, _ = await asked_together(thinking, ((questions.EMOJI, words), (questions.TRIPLE, words)))
    emoji: str = sign.emoji
    return emoji


async def _choose(
    thinking: DecisionProcess,
    form: questions.MindForm[Short],
    words: dict[str, object],
    among: Sequence[str],
) -> str:
    """One of some places; empty where there are none."""
    if not among:
        return ""
    inside = KnownPlaces(among)

    def named(answer: Short) -> str:
        return _own_name(answer.text, among) or inside.match(answer.text)

    def fault(answer: Short) -> list[str]:
        place = named(answer)
        return [] if place in among else [f"{answer.text!r} is none of the places listed"]

    held = {"text": choice_schema(among)}
    answer = await thinking.ask(form, {**words, "places": list(among)}, fault, held)
    return named(answer)


def _own_name(text: str, among: Sequence[str]) -> str:
    """The place whose last name this is: a room may be called as the house is."""
    simple = text.strip().casefold()
    named = [one for one in among if one.rpartition(":")[2].casefold() == simple]
    return named[0] if len(named) == 1 else ""


def bed(home: str, places: KnownPlaces) -> str:
    """Where one sleeps: the first bed of one's home, else one's home."""
    beds = [
        address
        for address in places.known
        if address.startswith(f"{home}:") and "bed" in address.rpartition(":")[2].casefold()
    ]
    return beds[0] if beds else home


def _held(rooms: Sequence[tuple[str, list[str]]]) -> dict[str, Schema]:
    """The field for one of the places that a prompt lists: rooms, and what is in them as long as
    that is not too much."""
    listed = [room for room, _ in rooms]
    listed += [f"{room}:{name}" for room, objects in rooms for name in objects]
    sizes = accumulate(len(one) for one in listed)
    known = [one for one, size in zip(listed, sizes, strict=True) if size <= MOST_HELD]
    return {"address": choice_schema(known)} if known else {}


def _rooms(thinking: DecisionProcess, text: str) -> list[tuple[str, list[str]]]:
    near = [one for one in (thinking.persona.home, thinking.situation.place) if one]
    return thinking.places.rooms(near, f"{text} {thinking.currently}")


def _action(thinking: DecisionProcess, block: Block) -> dict[str, object]:
    return {
        "text": block.text,
        "start": clock(block.start),
        "minutes": block.minutes,
        "place": thinking.situation.place,
    }
