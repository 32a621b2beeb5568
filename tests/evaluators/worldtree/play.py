"""Plays walks and inquiries by the environment's rules on answers that are there already."""

from collections.abc import Callable
from typing import Any

from actors.episodes.port.rules import Ask, End
from actors.models.errors import Unreadable
from actors.worldtree.environment import CHOICES
from actors.worldtree.setup import NAME, Choose, Inquiry, NoChoice, Walk
from events.base import Event
from events.episode import (
    ActionFailure,
    ActionTaken,
    EpisodeEnded,
    EpisodeStarted,
    TurnOpened,
    WorldChanged,
)
from tests.support.builders import mind

Answer = Callable[[Choose, int], str]
"""What a model says to a question; the second is the number of the step, from 0."""


def play(setup: Walk | Inquiry, answer: Answer) -> list[Event]:
    """A whole episode. An answer that cannot be read fails, and is not asked again."""
    started = EpisodeStarted(
        run="", task="t", catalog="c", environment=NAME, setup=setup, minds=(mind("m"),)
    )
    events: list[Event] = [started]
    world = CHOICES.rules.initial(setup)
    background = CHOICES.sight.background("e", started, 0, "")
    turn = 0
    while not isinstance(step := CHOICES.rules.next_step(world), End):
        happened: list[TurnOpened | ActionTaken | WorldChanged] = []
        if isinstance(step, Ask):
            turn += 1
            happened.append(TurnOpened(turn=turn, asked=step.asked))
            happened += [
                _taken(turn, one.id, one.question, answer, background) for one in step.asked
            ]
        else:
            happened.append(WorldChanged(change=step))
        for event in happened:
            world = CHOICES.rules.evolve(world, event)
        events += happened
    return [*events, EpisodeEnded(reason=step.reason, turn=turn, summary=step.summary)]


def summary_of(events: list[Event]) -> dict[str, str | int | float | bool]:
    """What lists say of an episode that was played."""
    end = events[-1]
    assert isinstance(end, EpisodeEnded)
    return end.summary


def _taken(
    turn: int, number: int, question: Choose, answer: Answer, background: Any
) -> ActionTaken:
    text = answer(question, turn - 1)
    try:
        action = CHOICES.prompts.read(question, background, text, "m")
    except Unreadable as error:
        failure = ActionFailure(reason="unreadable", detail=str(error), raw=text)
        return ActionTaken(turn=turn, seat=0, question=number, action=NoChoice(), failure=failure)
    return ActionTaken(turn=turn, seat=0, question=number, action=action)
