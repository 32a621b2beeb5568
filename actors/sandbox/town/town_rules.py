"""The rules of a town: how it begins, and what follows from what. Everything here is pure."""

from array import array
from typing import Final

from actors.episodes.port.rules import Ask, End, Happening
from actors.sandbox import setup_faults
from actors.sandbox.map.geometry import end_of
from actors.sandbox.map.grid import grid_of
from actors.sandbox.perception.perceive import remembered
from actors.sandbox.rules import SandboxRules
from actors.sandbox.setup import (
    Act,
    ActionStarted,
    Departed,
    Happened,
    Noticed,
    Say,
    TalkClosed,
    TalkOpened,
    Town,
    WhatToDo,
)
from actors.sandbox.town.next_instant import next_instant
from actors.sandbox.town.outcomes import doing_of, outcomes
from actors.sandbox.town.questions import questions
from actors.sandbox.town.task_setup import known_at_first, spawns
from actors.sandbox.world import Doing, Knowing, Talking, WalkUnderWay, World
from events.base import replace
from events.environments import Action
from events.episode import ActionTaken, TurnOpened


def summary(world: World) -> dict[str, str | int | float | bool]:
    """What lists say of a town that has lived."""
    task = world.town.task
    told = {"task": task.id, "kind": task.kind} if task else {}
    return {
        **told,
        "people": len(world.walks),
        "steps": world.town.settings.steps,
        "talks": world.opened,
    }


def _answered(world: World, seat: int, action: Action) -> World:
    for place, talk in enumerate(world.talks):
        if talk.speaker == seat and not talk.over:
            talks = (*world.talks[:place], _said(world, talk, action), *world.talks[place + 1 :])
            return replace(world, talks=talks)
    return replace(world, answers=(*world.answers, (seat, action)))


def _said(world: World, talk: Talking, action: Action) -> Talking:
    """The talk after an answer; none ends it."""
    if not isinstance(action, Say):
        return replace(talk, over=True)
    said = talk.said + bool(action.text)
    return Talking(
        id=talk.id,
        seats=talk.seats,
        said=said,
        characters=talk.characters + len(action.text),
        about=action.about or talk.about,
        over=action.ends or not action.text or said >= 2 * world.town.settings.rounds,
    )


def _asked(world: World, opened: TurnOpened) -> World:
    """A turn begins at a step; what was answered before is done with."""
    at = opened.asked[0].question.at
    knowings, gap = world.knowings, world.town.settings.meet_gap
    met = [
        (asked.seat, asked.question.met)
        for asked in opened.asked
        if type(asked.question) is WhatToDo and asked.question.met
    ]
    if met:
        known = list(knowings)
        for seat, seats in met:
            passed = _lately(known[seat].passed, seats, at, gap)
            known[seat] = replace(known[seat], passed=passed)
        knowings = tuple(known)
    return replace(
        world,
        at=at,
        asked_at=at,
        turn=opened.turn,
        unasked=0,
        answers=(),
        knowings=knowings,
    )


def _happened(world: World, change: Happened) -> World:
    at, settings, grid = change.at, world.town.settings, grid_of(world.town.map)
    walks, doings, knowings = list(world.walks), list(world.doings), list(world.knowings)
    untils, departed = world.untils[:], False
    talks, opened = world.talks, world.opened
    answers = dict(world.answers)
    for fact in change.facts:
        match fact:
            case ActionStarted(seat=seat):
                doings[seat] = doing_of(fact)
                untils[seat] = fact.until
                if knowings[seat].broken_off is not None and not doings[seat].conversing:
                    knowings[seat] = replace(knowings[seat], broken_off=None, broken_until=0)
            case Departed(seat=seat, tile=tile, way=way):
                end, departed = end_of(tile, way), True
                walks[seat] = WalkUnderWay(
                    tile=tile, way=way, left=at, end=end, arrives=at + len(way)
                )
            case Noticed(seat=seat):
                knowing, known = knowings[seat], knowings[seat].known
                for address in fact.learned:
                    known |= 1 << grid.index[address]
                recent = remembered(knowing, fact, settings.retention)
                knowings[seat] = replace(knowing, known=known, recent=recent)
            case TalkOpened(talk=talk, seats=seats):
                talks = (*talks, Talking(id=talk, seats=seats))
                opened += 1
                for one, other in (seats, seats[::-1]):
                    knowing = _breaking_off(knowings[one], doings[one], answers.get(one), at)
                    talked = _lately(knowing.talked, (other,), at, settings.talk_gap)
                    knowings[one] = replace(knowing, talked=talked)
            case TalkClosed(talk=talk):
                talks = tuple(one for one in talks if one.id != talk)
    return World(
        town=world.town,
        at=at,
        turn=world.turn,
        asked_at=world.asked_at,
        unasked=world.unasked + 1,
        walks=tuple(walks) if departed else world.walks,
        doings=tuple(doings),
        untils=untils,
        knowings=tuple(knowings),
        talks=talks,
        opened=opened,
    )


def _breaking_off(knowing: Knowing, doing: Doing, answer: Action | None, at: int) -> Knowing:
    """What a talk comes in between of: what they were about to do, or what they do."""
    if isinstance(answer, Act):
        return replace(knowing, broken_off=answer, broken_until=0)
    if doing.conversing:
        return knowing
    act = Act(text=doing.text, address=doing.address, emoji=doing.emoji)
    return replace(knowing, broken_off=act, broken_until=max(doing.until, at))


def _lately(
    met: tuple[tuple[int, int], ...], seats: tuple[int, ...], at: int, gap: int
) -> tuple[tuple[int, int], ...]:
    """Whom one met within the gap, these among them."""
    kept = (one for one in met if at - one[1] < gap and one[0] not in seats)
    return (*kept, *((seat, at) for seat in seats))


class TownRules(SandboxRules[Town, World]):
    """Everybody acts at instants of the town's time."""

    setup_fault = staticmethod(setup_faults.town_fault)

    def initial(self, town: Town) -> World:
        """Everybody at home, before the first step."""
        walks = tuple(WalkUnderWay(tile=tile, end=tile) for tile in spawns(town))
        known = known_at_first(town)
        return World(
            town=town,
            walks=walks,
            doings=(Doing(),) * len(walks),
            untils=array("l", (0,)) * len(walks),
            knowings=tuple(Knowing(known=mask) for mask in known),
        )

    def evolve(self, world: World, event: Happening) -> World:
        if isinstance(event, ActionTaken):
            return _answered(world, event.seat, event.action)
        if isinstance(event, TurnOpened):
            return _asked(world, event)
        if isinstance(event.change, Happened):
            return _happened(world, event.change)
        return world

    def next_step(self, world: World) -> Ask | End | Happened:
        """What follows at this step, or at the next one at which something does."""
        if world.at < 0:
            stand = [
                Departed(seat=seat, tile=one.tile, way="") for seat, one in enumerate(world.walks)
            ]
            return Happened(at=0, facts=tuple(stand))
        if world.answers or any(talk.over for talk in world.talks):
            if facts := outcomes(world):
                return Happened(at=world.at, facts=facts, turn=world.turn)
            world = replace(world, answers=())
        if asked := questions(world):
            return Ask(asked=asked)
        step, noticed = next_instant(world)
        if step >= world.town.settings.steps:
            return End(reason="lived", summary=summary(world))
        if noticed:
            return Happened(at=step, facts=noticed, turn=world.turn)
        return Ask(asked=questions(replace(world, at=step)))


RULES: Final = TownRules()
