"""What everybody did, as published files."""

from pathlib import Path

import msgspec

from actors.sandbox.formats.movement_types import (
    BETWEEN,
    MASTER,
    META,
    STEPS,
    Master,
    Meta,
    Moved,
    MovementStep,
    StepMeta,
    clock_text,
)
from actors.sandbox.movement.trajectory import Trajectory

Steps = list[dict[str, Moved]]


def write_movement(trajectory: Trajectory, folder: Path, told: Meta) -> None:
    """Write a folder of published files, which must not be there. ``told``: what else ``meta.json``
    says. Raises ``OSError``."""
    steps = steps_of(trajectory)
    (folder / STEPS).mkdir(parents=True)
    for number, people in enumerate(steps):
        now = StepMeta(clock_text(trajectory.moment(number)))
        _write(folder / STEPS / f"{number}.json", MovementStep(people, now))
    _write(folder / MASTER, changes(steps))
    begin = clock_text(trajectory.start)
    meta = msgspec.structs.replace(
        told,
        sec_per_step=trajectory.step_s,
        start_date=begin.rpartition(", ")[0],
        start_time=begin,
        curr_time=clock_text(trajectory.moment(trajectory.steps)),
        persona_names=list(trajectory.names),
        step=trajectory.steps,
    )
    (folder / META).parent.mkdir()
    _write(folder / META, meta)


def _write(path: Path, value: object) -> None:
    path.write_bytes(msgspec.json.encode(value))


def steps_of(trajectory: Trajectory) -> Steps:
    """Everybody in every step."""
    names, chats = trajectory.names, _chats(trajectory)
    steps: Steps = [{} for _ in range(trajectory.steps)]
    for seat, spans in enumerate(trajectory.spans):
        tiles = trajectory.tiles[:, seat].tolist()
        for span in spans:
            description = f"{span.text}{BETWEEN}{span.address}"
            for step in range(span.start, span.end):
                x, y = tiles[step]
                chat = chats.get((seat, step))
                steps[step][names[seat]] = Moved((x, y), span.emoji, description, chat)
    return steps


def _chats(trajectory: Trajectory) -> dict[tuple[int, int], list[tuple[str, str]]]:
    """Who is in which talk in which step."""
    found = {}
    for talk in trajectory.talks:
        chat = [(trajectory.names[seat], text) for seat, text in talk.lines]
        for step in range(talk.start, min(max(talk.end, talk.start + 1), trajectory.steps)):
            for seat in talk.people:
                found[seat, step] = chat
    return found


def changes(steps: Steps) -> Master:
    """Of each step those who changed in it, where some did."""
    found: Master = {}
    last: dict[str, Moved] = {}
    for number, people in enumerate(steps):
        new = {name: moved for name, moved in people.items() if last.get(name) != moved}
        if new:
            found[str(number)] = new
        last = people
    return found
