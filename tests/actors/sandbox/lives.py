"""Towns played by the rules alone: without actors, stream or models."""

from collections.abc import Callable, Sequence

from actors.episodes.port.rules import Ask, End
from actors.sandbox.environment import TOWN
from actors.sandbox.map.grid import grid_of
from actors.sandbox.setup import Act, CarryOn, Idle, Say, TalkTo, Town, WhatToDo, WhatToSay
from actors.sandbox.town import town_rules
from actors.sandbox.world import World
from events.base import Event
from events.environments import Action
from events.episode import (
    ActionTaken,
    Asked,
    EpisodeEnded,
    EpisodeStarted,
    TurnOpened,
    WorldChanged,
)
from events.ids import derived_number
from events.minds import MindSpec

Answer = Callable[[Asked, int], Action]
"""What is answered to a question, in a turn."""
_TEXTS = ("sleeping", "waiting for a bus", "reading", "having tea", "taking a walk", "baking")


def started(town: Town) -> EpisodeStarted:
    """The event a town begins with."""
    names = tuple(one.id for one in town.inhabitants)
    return EpisodeStarted(
        run="",
        task="a task",
        catalog="a catalog",
        environment="sandbox",
        setup=town,
        characters=names,
        minds=tuple(MindSpec(name=name, kind="rehearsal") for name in names),
    )


def whims(town: Town, *, seed: int = 0) -> Answer:
    """Answers of all kinds, drawn from the seat and the turn: whatever a mind may come upon."""
    places = grid_of(town.map).places

    def answer(asked: Asked, turn: int) -> Action:
        question = asked.question
        lot = derived_number(str(seed), str(asked.seat), str(turn))
        if isinstance(question, WhatToSay):
            if lot % 11 == 0:
                return Idle()
            return Say(text="word " * (1 + lot % 90), ends=lot % 3 == 0, to=question.to)
        assert isinstance(question, WhatToDo)
        there = (*question.met, *question.near)
        if there and lot % 3 == 0:
            return TalkTo(seat=there[lot % len(there)])
        if question.why != "begins" and lot % (2 if question.why == "met" else 5) == 0:
            return CarryOn()
        if lot % 17 == 0:
            return Idle()
        return Act(
            text=_TEXTS[lot // 7 % len(_TEXTS)],
            address="" if lot % 13 == 0 else places[lot // 5 % len(places)],
            minutes=1 + lot // 3 % 120,
        )

    return answer


def lived(
    town: Town, answer: Answer | None = None, most: int = 100_000
) -> tuple[list[Event], list[World]]:
    """A town's history from its start to its end, or so many events of it, and the world after
    each event."""
    answer = answer or whims(town)
    history: list[Event] = [started(town)]
    worlds = [town_rules.RULES.initial(town)]

    def happens(event: TurnOpened | ActionTaken | WorldChanged) -> None:
        history.append(event)
        worlds.append(town_rules.RULES.evolve(worlds[-1], event))

    turn = 0
    while len(history) < most:
        match town_rules.RULES.next_step(worlds[-1]):
            case Ask(asked=asked):
                turn += 1
                happens(TurnOpened(turn=turn, asked=asked))
                for one in answered_in_some_order(asked, turn):
                    action = TOWN.recording.canonical(one.question, answer(one, turn))
                    happens(ActionTaken(turn=turn, seat=one.seat, action=action))
            case End(reason=reason, summary=summary):
                history.append(EpisodeEnded(reason=reason, turn=turn, summary=summary))
                worlds.append(worlds[-1])
                break
            case change:
                happens(WorldChanged(change=change))
    return history, worlds


def answered_in_some_order(asked: Sequence[Asked], turn: int) -> list[Asked]:
    """As they may come in."""
    return sorted(asked, key=lambda one: derived_number("order", str(turn), str(one.seat)))
