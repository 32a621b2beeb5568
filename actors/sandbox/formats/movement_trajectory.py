"""Published steps as what everybody of a task's town did, once it is known to fit it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from actors.sandbox.conversation.partner_address import is_persona, is_place, partner_at
from actors.sandbox.formats.movement_reader import MovementFault, MovementFiles, MovementRefused
from actors.sandbox.formats.movement_types import BETWEEN, Moved
from actors.sandbox.map.grid import Grid
from actors.sandbox.movement.trajectory import Talk, Trajectory, TrajectorySpan
from events.untrusted.safe_text import shortened

MOST_CHARACTERS: Final = 2_000
"""Of what is said at once: more is no utterance."""


def trajectory_in(
    movement: MovementFiles, names: Sequence[str], grid: Grid, folder: Path
) -> Trajectory:
    """The trajectory of a town's people, by seat. Raises ``MovementRefused`` where somebody is
    missing or unknown, a place is, or somebody goes further than one tile in a step. What stays
    wrong from step to step is named once."""
    faults = list(_strangers(movement, names))
    steps = len(movement.steps)
    tiles = np.zeros((steps, len(names), 2), dtype=np.int16)
    for seat, name in enumerate(names):
        before: Moved | None = None
        for step, people in enumerate(movement.steps):
            moved = people.get(name)
            if moved is None:
                if before is not None or step == 0:
                    faults.append(MovementFault(movement.files[step], step, f"{name} is missing"))
                before = None
                continue
            why, last = [], None if before is None else before.movement
            if moved.movement != last:
                why.append(_tile_fault(moved.movement, last, grid))
            if before is None or moved.description != before.description:
                why.append(_place_fault(moved.description, grid, names))
            faults += [
                MovementFault(movement.files[step], step, f"{name} {one}") for one in why if one
            ]
            before = moved
            if not faults:
                tiles[step, seat] = moved.movement
    if faults:
        raise MovementRefused(folder, sorted(faults, key=lambda one: one.step))
    return Trajectory(
        start=movement.start,
        step_s=movement.meta.sec_per_step,
        steps=steps,
        names=tuple(names),
        spans=tuple(tuple(_spans(movement.steps, name)) for name in names),
        tiles=tiles,
        talks=tuple(_talks(movement, names, folder)),
    )


def _strangers(movement: MovementFiles, names: Sequence[str]) -> Iterator[MovementFault]:
    known = set(names)
    for step, people in enumerate(movement.steps):
        for name in people:
            if name in known:
                continue
            known.add(name)
            why = f"{shortened(name)!r} is nobody of the task: {', '.join(names)}"
            yield MovementFault(movement.files[step], step, why)


def _tile_fault(tile: tuple[int, int], last: tuple[int, int] | None, grid: Grid) -> str:
    x, y = tile
    if not (0 <= x < grid.width and 0 <= y < grid.height):
        return f"is at {tile}, and the map has {grid.width} × {grid.height} tiles"
    if not grid.free[y, x]:
        return f"stands on {tile}, which is solid"
    if last is not None and abs(x - last[0]) + abs(y - last[1]) > 1:
        return f"jumps from {last} to {tile}: one tile a step, to a side"
    return ""


def _place_fault(description: str, grid: Grid, names: Sequence[str]) -> str:
    """What is wrong with where somebody says they are; empty: nothing. ``<persona> NAME`` and the
    like are no places, and known."""
    text, between, address = description.partition(BETWEEN)
    if not between:
        return f"does {shortened(description)!r}, which is no 'ACTION{BETWEEN}ADDRESS'"
    partner = partner_at(address)
    if is_persona(address) and partner not in names:
        return f"is with {shortened(partner)!r}, who is nobody of the task"
    if BETWEEN in address or not is_place(address) or address in grid.index:
        # Twice " @ " is kept as it is: its scores fail, saying why.
        return ""
    if not address and not text:
        return ""
    return f"is at {shortened(address)!r}, which is no place of the map"


def _spans(steps: Sequence[dict[str, Moved]], name: str) -> Iterator[TrajectorySpan]:
    start = 0
    for step in range(1, len(steps) + 1):
        now = steps[start][name]
        if step < len(steps) and steps[step][name].description == now.description:
            continue
        text, _, address = now.description.partition(BETWEEN)
        yield TrajectorySpan(start, step, text, address, now.pronunciatio)
        start = step


def _talks(movement: MovementFiles, names: Sequence[str], folder: Path) -> list[Talk]:
    """Talks by their beginning: two who have the same chat in the same steps."""
    seats = {name: seat for seat, name in enumerate(names)}
    found: dict[tuple[int, int, tuple[int, int]], Talk] = {}
    faults = []
    for name in names:
        for start, end, chat, description in _chats(movement.steps, name):
            partner = _partner(movement.steps[start], name, chat, description)
            others = dict.fromkeys((partner, *(who for who, _ in chat if who != name)))
            if len(others) > 1 or partner not in seats:
                who = ", ".join(map(shortened, filter(None, others))) or "nobody"
                why = f"{name} talks with {who}, not with one of the task"
                faults.append(MovementFault(movement.files[start], start, why))
                continue
            if any(len(text) > MOST_CHARACTERS for _, text in chat):
                why = f"{name}'s talk has more than {MOST_CHARACTERS:,} characters in a line"
                faults.append(MovementFault(movement.files[start], start, why))
                continue
            pair = (seats[name], seats[partner])
            first = seats[chat[0][0]] if chat else min(pair)
            people = (first, pair[0] if pair[1] == first else pair[1])
            lines = tuple((seats[who], text) for who, text in chat)
            found.setdefault((start, end, people), Talk(start, end, people, lines))
    if faults:
        raise MovementRefused(folder, faults)
    return [found[key] for key in sorted(found)]


def _chats(
    steps: Sequence[dict[str, Moved]], name: str
) -> Iterator[tuple[int, int, list[tuple[str, str]], str]]:
    """One's talks: the first step, the one behind the last, what was said, and what one does."""
    start: int | None = None
    for step in range(len(steps) + 1):
        chat = steps[step][name].chat if step < len(steps) else None
        if start is not None:
            before = steps[start][name]
            if chat == before.chat:
                continue
            assert before.chat is not None
            yield start, step, before.chat, before.description
            start = None
        if chat is not None:
            start = step


def _partner(
    people: dict[str, Moved], name: str, chat: list[tuple[str, str]], description: str
) -> str:
    """With whom one talks: who else says something, else whom what one does names, else who else
    has the same chat; empty: nobody."""
    said = next((who for who, _ in chat if who != name), "")
    if said:
        return said
    if named := partner_at(description.rpartition(BETWEEN)[2]):
        return named
    return next((one for one, moved in people.items() if one != name and moved.chat == chat), "")
