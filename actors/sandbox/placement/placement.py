"""Where people of a town do what they have planned: in one of the rooms they know, at one of the
things in it, with an emoji for it."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, Final

from actors.minds.generative.answers import Short
from actors.minds.generative.day_plan import doing_fault
from actors.minds.generative.decision import (
    CALLS_OF_A_STEP,
    DecisionProcess,
    asked_together,
    together,
)
from actors.minds.generative.placement import Placement
from actors.minds.generative.questions import TRIPLE, MindForm
from actors.minds.generative.schedule import ScheduleBlock, asleep, clock
from actors.models.errors import Unreadable
from actors.models.response_formats.schemas import Schema, choice_schema
from actors.sandbox.placement import forms
from actors.sandbox.placement.forms import PlacedSteps, Where
from actors.sandbox.placement.known_places import KnownPlaces
from events.base import replace
from events.thoughts import Block, MemoryAdded

ASLEEP: Final = "💤"
MOST_HELD: Final = 8_000
"""Characters of the places that a model is held to."""
MOST_NAMED: Final = 40
"""Rooms that a day's prompt names."""


class TownPlacement(Placement):
    """With few calls an action and its place are one answer; as published a place is chosen step by
    step."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._places = KnownPlaces(known)

    def learn(self, addresses: Iterable[str]) -> None:
        """Know more places."""
        self._places.learn(addresses)

    def rooms(self) -> Sequence[str]:
        """The first of those that are known."""
        return [one for one in self._places.known if one.count(":") == 2][:MOST_NAMED]

    async def steps(
        self, thinking: DecisionProcess, block: Block, words: dict[str, Any]
    ) -> list[ScheduleBlock]:
        """A block as actions, with their places where few calls are made. Raises
        ``Unconcluded``."""
        if not thinking.lean:
            return await super().steps(thinking, block, words)
        rooms = self._rooms(thinking, block.text)
        answer = await thinking.ask(
            forms.PLACED_STEPS, {**words, "rooms": rooms}, self._fault, _held(rooms)
        )
        return [
            ScheduleBlock(step.text, step.minutes, self._places.match(step.address), step.emoji)
            for step in answer.actions
        ]

    def _fault(self, answer: PlacedSteps) -> list[str]:
        problems = doing_fault(*(one.text for one in answer.actions))
        for address in dict.fromkeys(step.address for step in answer.actions):
            try:
                self._places.match(address)
            except Unreadable as error:
                problems += error.problems
        return problems[:4]

    async def placed(self, thinking: DecisionProcess, block: Block) -> Block:
        """The block with a place and a sign. Raises ``Unconcluded``."""
        if not thinking.lean:
            return await self._as_published(thinking, block)
        if block.address:
            return block
        if asleep(block.text) and thinking.persona.home:
            home = bed(thinking.persona.home, self._places)
            return replace(block, address=home, emoji=ASLEEP)

        def fault(answer: Where) -> list[str]:
            self._places.match(answer.address)
            return []

        words = {**_action(thinking, block), "rooms": self._rooms(thinking, block.text)}
        held = _held(words["rooms"])
        where = await thinking.ask(forms.WHERE, words, fault, held)
        address = self._places.match(where.address)
        return replace(block, address=address, emoji=where.emoji)

    async def _as_published(self, thinking: DecisionProcess, block: Block) -> Block:
        """Eight calls: sector, arena, object; meanwhile a sign and the sentence in three parts;
        then the same of the object, which is remembered."""
        text = f"{thinking.persona.name} is {block.text}"
        works = (partial(self._where_as_published, block=block), partial(_sign, text=text))
        address, emoji = await together(thinking, works, CALLS_OF_A_STEP)
        placed: Block = replace(block, address=address, emoji=emoji)
        return placed

    async def _where_as_published(self, thinking: DecisionProcess, block: Block) -> str:
        words, places = _action(thinking, block), self._places
        place = await _choose(thinking, forms.SECTOR, words, places.sectors())
        place = await _choose(thinking, forms.ARENA, words, places.inside(place)) or place
        thing = await _choose(thinking, forms.OBJECT, words, places.inside(place))
        if thing:
            name = thing.rpartition(":")[2]
            state = (await thinking.ask(forms.CONDITION, {**words, "object": name})).text
            about = f"{name}: {state}"
            await _sign(thinking, about)
            await thinking.remember(
                [MemoryAdded(id=0, kind="event", text=about, at=thinking.at, subject=name)]
            )
        return thing or place

    def _rooms(self, thinking: DecisionProcess, text: str) -> list[tuple[str, list[str]]]:
        near = [one for one in (thinking.persona.home, thinking.situation.place) if one]
        return self._places.rooms(near, f"{text} {thinking.currently}")


async def _sign(thinking: DecisionProcess, text: str) -> str:
    """The sign of something, which is put in three parts too."""
    words = {"text": text}
    sign, _ = await asked_together(thinking, ((forms.EMOJI, words), (TRIPLE, words)))
    emoji: str = sign.emoji
    return emoji


async def _choose(
    thinking: DecisionProcess,
    form: MindForm[Short],
    words: dict[str, Any],
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


def _action(thinking: DecisionProcess, block: Block) -> dict[str, Any]:
    return {
        "text": block.text,
        "start": clock(block.start),
        "minutes": block.minutes,
        "place": thinking.situation.place,
    }
