"""Plays a town with rehearsal minds and the rules alone: no store, no messages."""

from dataclasses import dataclass, field
from typing import Any

from actors.episodes.mind import Scene
from actors.episodes.port.rules import Ask, End
from actors.episodes.registry import game_of
from actors.sandbox.catalog.starter import town_catalog
from actors.sandbox.rehearsal.mind import RehearsalMind
from actors.sandbox.setup import Act, Case, Say, Settings, Town
from actors.sandbox.town.task_setup import TASKS
from events.base import Event
from events.environments import Action
from events.episode import ActionTaken, EpisodeStarted, TurnOpened, WorldChanged
from events.minds import MindSpec


@dataclass
class Played:
    """What came of it."""

    history: list[Event]
    minds: list[RehearsalMind]
    asked: list[tuple[Scene, Action]] = field(default_factory=list)
    """Every question, with what had been noticed by then, and the answer."""

    def said(self, seat: int) -> list[str]:
        """What a seat said."""
        return [
            one.action.text
            for one in self.history
            if isinstance(one, ActionTaken) and one.seat == seat and isinstance(one.action, Say)
        ]

    def done(self, seat: int) -> list[str]:
        """What a seat decided to do."""
        return [
            one.action.text
            for one in self.history
            if isinstance(one, ActionTaken) and one.seat == seat and isinstance(one.action, Act)
        ]


def play_task(task: str, temper: str, *, steps: int = 2800, seed: int = 0) -> Played:
    """A task of the own town."""
    settings = Settings(steps=steps)
    return play(TASKS.begin(town_catalog(), task, settings, seed).setup, temper)


def play(setup: Town | Case | Any, temper: str) -> Played:
    """An episode in which seat 0 has the temper and all others are as described."""
    seats = len(setup.inhabitants) if isinstance(setup, Town) else 2
    started = EpisodeStarted(
        run="",
        task="",
        catalog="",
        environment="sandbox",
        setup=setup,
        minds=tuple(MindSpec(name="rehearsal", kind="rehearsal") for _ in range(seats)),
    )
    game = game_of(started)
    world = game.rules.initial(setup)
    eyes = [game.sight.reducer(started, one) for one in range(seats)]
    backgrounds = [game.sight.background("e", started, seat, "") for seat in range(seats)]
    minds = [RehearsalMind(temper if seat == 0 else "ga") for seat in range(seats)]
    seen: list[list[Any]] = [[] for _ in range(seats)]
    played, turn = Played([started], minds), 0
    while not isinstance(step := game.rules.next_step(world), End):
        events: list[Event] = []
        if isinstance(step, Ask):
            turn += 1
            events.append(TurnOpened(turn=turn, asked=step.asked))
            for one in step.asked:
                scene = Scene(
                    background=backgrounds[one.seat],
                    seen=list(seen[one.seat]),
                    turn=turn,
                    question=one.question,
                    seat=one.seat,
                    seats=seats,
                )
                action = minds[one.seat].answer(scene)
                assert game.rules.action_fault(one.question, action, one.seat, seats) is None
                played.asked.append((scene, action))
                taken = game.recording.canonical(one.question, action)
                events.append(ActionTaken(turn=turn, seat=one.seat, question=one.id, action=taken))
        else:
            events.append(WorldChanged(change=step))
        for event in events:
            number = len(played.history)
            played.history.append(event)
            world = game.rules.evolve(world, event)
            for seat in range(seats):
                seen[seat].extend(eyes[seat].apply(number, event))
    return played
