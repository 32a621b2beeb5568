"""From what is stored of a town to what everybody did step by step."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from actors.sandbox.map.geometry import path
from actors.sandbox.movement.trajectory import Talk, Trajectory, TrajectorySpan
from actors.sandbox.setup import (
    ActionStarted,
    Departed,
    Happened,
    Say,
    TalkClosed,
    TalkOpened,
    Town,
    WhatToSay,
)
from events.base import Event
from events.episode import ActionTaken, EpisodeStarted, TurnOpened, WorldChanged


class NoTown(ValueError):
    """A history that is not a town's: why, as a sentence."""


def trajectory_of(history: Sequence[Event]) -> Trajectory:
    """What everybody did: of a town's history, its first event first. Raises ``NoTown``.

    Who does nothing yet has an empty text and address. An address is as declared, from departure
    on. Everybody's first walk says where they begin; what happens at or after the last step is left
    out.
    """
    started = next((event for event in history if isinstance(event, EpisodeStarted)), None)
    if started is None or not isinstance(started.setup, Town):
        raise NoTown("the episode is no town's")
    return _Tracer(started.setup).trace(history)


class _Tracer:
    def __init__(self, town: Town) -> None:
        self.settings = town.settings
        self.names = tuple(one.id for one in town.inhabitants)
        self.steps = town.settings.steps
        self.spans: list[list[TrajectorySpan]] = [[] for _ in self.names]
        self.walks: list[list[tuple[int, Departed | None]]] = [[] for _ in self.names]
        """Each with the step at which it begins."""
        self.talks: dict[int, Talk] = {}

    def trace(self, history: Sequence[Event]) -> Trajectory:
        asked: dict[tuple[int, int], WhatToSay] = {}
        for number, event in enumerate(history):
            match event:
                case WorldChanged(change=Happened(at=at, facts=facts)) if at < self.steps:
                    for fact in facts:
                        self.take(number, at, fact)
                case TurnOpened(asked=questions):
                    asked = {
                        (one.seat, one.id): one.question
                        for one in questions
                        if isinstance(one.question, WhatToSay)
                    }
                case ActionTaken(seat=seat, question=id_, action=Say(text=text)):
                    question = asked.get((seat, id_))
                    if question is not None and text and question.talk in self.talks:
                        self.said(question.talk, seat, text)
        settings = self.settings
        return Trajectory(
            start=datetime.fromisoformat(settings.start),
            step_s=settings.step_s,
            steps=self.steps,
            names=self.names,
            spans=tuple(tuple(self.whole(own)) for own in self.spans),
            tiles=self.tiles(),
            talks=tuple(self.talks.values()),
        )

    def take(self, number: int, at: int, fact: object) -> None:
        match fact:
            case ActionStarted(seat=seat, text=text, address=address, emoji=emoji):
                self.begin(seat, TrajectorySpan(at, self.steps, text, address, emoji, number))
            case Departed(seat=seat):
                self.walks[seat].append((at, fact))
            case TalkOpened(talk=talk, seats=seats):
                self.talks[talk] = Talk(at, at, seats, (), number)
            case TalkClosed(talk=talk, until=until) if talk in self.talks:
                self.talks[talk] = replace(self.talks[talk], end=min(until, self.steps))

    def begin(self, seat: int, span: TrajectorySpan) -> None:
        """From now on somebody does something: the last that begins in a step is what they do."""
        own = self.spans[seat]
        if own and own[-1].start == span.start:
            own.pop()
        own.append(span)

    def said(self, talk: int, seat: int, text: str) -> None:
        one = self.talks[talk]
        self.talks[talk] = replace(one, lines=(*one.lines, (seat, text)))

    def whole(self, own: Iterable[TrajectorySpan]) -> Iterable[TrajectorySpan]:
        """Spans that follow each other without holes, each other than the one before."""
        last = TrajectorySpan(0, self.steps, "", "")
        for span in own:
            if (span.text, span.address) == (last.text, last.address):
                continue
            if span.start > last.start:
                yield replace(last, end=span.start)
            last = span
        yield replace(last, end=self.steps)

    def tiles(self) -> NDArray[np.int16]:
        tiles = np.zeros((self.steps, len(self.names), 2), dtype=np.int16)
        for seat, walks in enumerate(self.walks):
            for (begin, walk), (end, _) in pairwise((*walks, (self.steps, None))):
                assert walk is not None
                gone = path(walk.tile, walk.way)[: end - begin]
                tiles[begin : begin + len(gone), seat] = gone
                tiles[begin + len(gone) : end, seat] = gone[-1:]
        return tiles
