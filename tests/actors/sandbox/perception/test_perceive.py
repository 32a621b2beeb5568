"""Nobody perceives across arenas, beyond the square, or more than there is attention for; and
nobody is told what another wants, plans or knows."""

from functools import cache

import msgspec
import pytest

from actors.episodes.delivery.notices import Noticing
from actors.sandbox.environment import TOWN
from actors.sandbox.map.grid import grid_of
from actors.sandbox.setup import Departed, Happened, Noticed, Town, WhatToDo
from actors.sandbox.views import Did, Perceived
from actors.sandbox.world import World
from events.base import Event, replace
from events.episode import TurnOpened, WorldChanged
from tests.actors.sandbox.lives import lived, whims
from tests.actors.sandbox.random_towns import random_town
from tests.actors.sandbox.step_loop import in_sight, standing

TOWNS = pytest.mark.parametrize("seed", [7, 13, 24])


@cache
def life(seed: int) -> tuple[Town, list[Event], list[World]]:
    """A town whose people have secrets, and what became of it."""
    plain = random_town(seed)
    people = tuple(
        replace(
            one,
            innate=f"«innate {seat}»",
            learned=f"«learned {seat}»",
            currently=f"«currently {seat}»",
            lifestyle=f"«lifestyle {seat}»",
            daily=f"«daily {seat}»",
        )
        for seat, one in enumerate(plain.inhabitants)
    )
    town = replace(plain, inhabitants=people)
    return town, *lived(town, whims(town, seed=seed), 500)


def noticings(history: list[Event]) -> list[tuple[int, int, Noticed]]:
    """The number of the event, the step, and what was noticed."""
    return [
        (number, event.change.at, fact)
        for number, event in enumerate(history)
        if isinstance(event, WorldChanged) and isinstance(event.change, Happened)
        for fact in event.change.facts
        if isinstance(fact, Noticed)
    ]


@TOWNS
def test_only_the_nearest_in_ones_own_arena_are_perceived(seed: int):
    town, history, worlds = life(seed)
    seen = 0
    for number, step, notice in noticings(history):
        world, attention = worlds[number], town.settings.attention
        assert {one.seat for one in notice.seen} <= set(
            in_sight(world, notice.seat, step)[:attention]
        )
        seen += len(notice.seen)
    assert seen > 10, "there is something to see in this town"


@TOWNS
def test_who_came_into_view_was_not_in_it_a_step_before(seed: int):
    _, history, worlds = life(seed)
    for number, step, notice in noticings(history):
        came = {one.seat for one in notice.seen if one.came}
        assert came <= set(in_sight(worlds[number], notice.seat, step))
        assert not came & set(in_sight(worlds[number], notice.seat, step - 1))


@TOWNS
def test_who_is_asked_about_somebody_has_them_in_view(seed: int):
    _, history, worlds = life(seed)
    for number, event in enumerate(history):
        for asked in event.asked if isinstance(event, TurnOpened) else ():
            question = asked.question
            if isinstance(question, WhatToDo):
                viewed = in_sight(worlds[number], asked.seat, question.at)
                assert {*question.met, *question.near} <= set(viewed)


@TOWNS
def test_places_are_learned_where_one_has_walked(seed: int):
    town, history, worlds = life(seed)
    grid, radius = grid_of(town.map), town.settings.radius
    for number, step, notice in noticings(history):
        walk = worlds[number - 1].walks[notice.seat]
        seen = 0
        for earlier in range(walk.left, step + 1):
            seen |= grid.seen_from(standing(walk, earlier), radius)
        known = worlds[number - 1].knowings[notice.seat].known
        for address in notice.learned:
            assert seen >> grid.index[address] & 1
            assert not known >> grid.index[address] & 1


@TOWNS
def test_who_sleeps_perceives_nobody(seed: int):
    _, history, worlds = life(seed)
    for number, _, notice in noticings(history):
        assert not (notice.seen and worlds[number].doings[notice.seat].asleep)


@TOWNS
def test_a_seat_is_told_of_itself_and_of_whom_it_perceives_alone(seed: int):
    town, history, _ = life(seed)
    start = history[0]
    grid = grid_of(town.map)
    for seat in range(len(town.inhabitants)):
        background = TOWN.sight.background("e1", start, seat, "")
        writer = TOWN.prompts.writer(background)
        eyes, noticed = TOWN.sight.reducer(start, seat), []
        known = set(background.known)
        for number, event in enumerate(history):
            if isinstance(event, TurnOpened):
                for asked in event.asked:
                    if asked.seat == seat:
                        prompt = writer.prompt(asked.question, tuple(noticed), event.turn)
                        check_prompt(prompt.system + prompt.user, town, seat)
                        listed = set(prompt.user.split("\n"))
                        hidden = set(grid.places) - known
                        own = {f"- {one.partition(':')[2]}" for one in hidden}
                        assert not own & listed
            noticed += eyes.apply(number, event)
            known.update(*(one.learned for one in noticed if isinstance(one, Perceived)))
        assert {one.seat for one in noticed if isinstance(one, Did | Perceived)} <= {seat}
        check_prompt(msgspec.json.encode(noticed).decode(), town, seat)
        check_prompt(msgspec.json.encode(TOWN.sight.view(history, seat)).decode(), town, seat)


def check_prompt(words: str, town: Town, seat: int) -> None:
    """Nothing of anybody else's inside is in the words."""
    for other in range(len(town.inhabitants)):
        for field in ("innate", "learned", "currently", "lifestyle", "daily"):
            assert other == seat or f"«{field} {other}»" not in words


@TOWNS
def test_a_seat_notices_the_same_where_it_is_told_of_its_own_events_alone(seed: int):
    town, history, _ = life(seed)
    noticing = Noticing()
    for number, event in enumerate(history):
        noticing.look(number, event)
    for seat in range(len(town.inhabitants)):
        eyes = TOWN.sight.reducer(history[0], seat)
        noticed = [one for pair in enumerate(history) for one in eyes.apply(*pair)]
        assert noticing.everything(history[0], seat) == noticed


def test_everybody_stands_somewhere_before_anything_happens():
    town, history, _ = life(7)
    first = history[1]
    assert isinstance(first, WorldChanged)
    assert [fact.seat for fact in first.change.facts] == list(range(len(town.inhabitants)))
    assert all(isinstance(fact, Departed) and not fact.way for fact in first.change.facts)
