"""What everybody did as the events of an episode, so that it can be shown, replayed and scored."""

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest

import msgspec

from actors.sandbox.conversation.partner_address import CONVERSING
from actors.sandbox.map.geometry import DIRECTIONS
from actors.sandbox.movement.trajectory import Talk, Trajectory
from actors.sandbox.setup import (
    ActionStarted,
    AnyFact,
    Departed,
    Happened,
    Say,
    Settings,
    TalkClosed,
    TalkOpened,
    Town,
    WhatToSay,
)
from events.base import Event
from events.episode import (
    ActionTaken,
    Asked,
    EpisodeEnded,
    EpisodeStarted,
    TurnOpened,
    WorldChanged,
)

ENDED = "lived"
"""How a town ends that lived as long as it was to."""
_ABOUT = f"{CONVERSING} "
_LETTERS = {step: letter for letter, step in DIRECTIONS.items()}


def settings_of(trajectory: Trajectory) -> Settings:
    """The settings under which a town lives as this one did."""
    longest = max((len(talk.lines) for talk in trajectory.talks), default=0)
    plain = Settings()
    return msgspec.structs.replace(
        plain,
        start=f"{trajectory.start:%Y-%m-%d %H:%M:%S}",
        steps=trajectory.steps,
        step_s=trajectory.step_s,
        rounds=min(50, max(plain.rounds, -(-longest // 2))),
    )


def history_of(started: EpisodeStarted, trajectory: Trajectory) -> tuple[Event, ...]:
    """The history of a town in which all this happened; nobody is asked but what they say."""
    town: Town = started.setup
    turn = 0
    events: list[Event] = [started]
    facts = _facts(trajectory)
    talks: dict[int, list[tuple[int, Talk]]] = {}
    for number, talk in enumerate(trajectory.talks):
        talks.setdefault(talk.start, []).append((number, talk))
    for step in sorted({*facts, *talks}):
        own = talks.get(step, [])
        opened = [TalkOpened(talk=number, seats=talk.people) for number, talk in own]
        events.append(_happened(step, turn, (*facts.get(step, ()), *opened)))
        for said in zip_longest(*(_said(number, talk, step, town) for number, talk in own)):
            turn += 1
            now = [one for one in said if one is not None]
            events.append(TurnOpened(turn=turn, asked=tuple(asked for asked, _ in now)))
            events += [
                ActionTaken(turn=turn, seat=asked.seat, action=action) for asked, action in now
            ]
        closed = [
            TalkClosed(
                talk=number,
                seats=talk.people,
                about=_about(trajectory, talk),
                until=max(talk.end, step + 1),
            )
            for number, talk in own
        ]
        if closed:
            events.append(_happened(step, turn, closed))
    task = {"task": town.task.id, "kind": town.task.kind} if town.task else {}
    summary: dict[str, str | int | float | bool] = {
        **task,
        "people": len(trajectory.names),
        "steps": trajectory.steps,
        "talks": len(trajectory.talks),
    }
    return (*events, EpisodeEnded(reason=ENDED, turn=turn, summary=summary))


def _happened(step: int, turn: int, facts: Sequence[AnyFact]) -> WorldChanged:
    return WorldChanged(change=Happened(at=step, facts=tuple(facts), turn=turn))


def _facts(trajectory: Trajectory) -> dict[int, list[AnyFact]]:
    """What begins in which step, by seat."""
    found: dict[int, list[AnyFact]] = {}
    for seat, spans in enumerate(trajectory.spans):
        begun = dict(_walks(trajectory, seat))
        started = {span.start: span for span in spans}
        for step in {*begun, *started}:
            own = found.setdefault(step, [])
            if (span := started.get(step)) is not None:
                own.append(
                    ActionStarted(
                        seat=seat,
                        text=span.text,
                        address=span.address,
                        emoji=span.emoji,
                        until=span.end,
                    )
                )
            if (walk := begun.get(step)) is not None:
                own.append(walk)
    return found


def _walks(trajectory: Trajectory, seat: int) -> Iterator[tuple[int, Departed]]:
    """Where somebody begins, and each way that they go without a stop."""
    tiles = [(int(x), int(y)) for x, y in trajectory.tiles[:, seat].tolist()]
    letters = [
        _LETTERS.get((following[0] - tile[0], following[1] - tile[1]), "")
        for tile, following in zip(tiles, [*tiles[1:], tiles[-1]], strict=True)
    ]
    if not letters[0]:
        yield 0, Departed(seat=seat, tile=tiles[0], way="")
    step = 0
    for goes, same in groupby(letters, key=bool):
        stretch = list(same)
        if goes:
            yield step, Departed(seat=seat, tile=tiles[step], way="".join(stretch))
        step += len(stretch)


def _said(number: int, talk: Talk, step: int, town: Town) -> Iterator[tuple[Asked[WhatToSay], Say]]:
    """What was said, each with what was asked before."""
    for place, (seat, text) in enumerate(talk.lines):
        other = talk.people[1] if seat == talk.people[0] else talk.people[0]
        left = max(1, town.settings.rounds - place // 2)
        question = WhatToSay(at=step, talk=number, to=other, left=left)
        ends = place == len(talk.lines) - 1
        yield Asked(seat=seat, question=question), Say(text=text, ends=ends, to=other)


def _about(trajectory: Trajectory, talk: Talk) -> str:
    """What a talk was about: as those say who talk."""
    said = (
        span.text.removeprefix(_ABOUT)
        for seat in talk.people
        for span in trajectory.spans[seat]
        if span.start <= talk.start < span.end and span.text.startswith(_ABOUT)
    )
    return next(said, "")
