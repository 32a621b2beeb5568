"""Published files as steps. Whatever is wrong is named by file, step and reason."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec

from actors.sandbox.clock import in_calendar
from actors.sandbox.formats.movement_types import (
    MASTER,
    META,
    STEPS,
    Master,
    Meta,
    Moved,
    MovementStep,
    clock_of,
)
from actors.text.amounts import many
from events.serialization.struct_types import decodable
from events.untrusted.json_values import NotJson, value_of
from events.untrusted.safe_text import shortened
from store.files.regular_files import read_regular

MOST_STEPS: Final = 100_000
NO_CALENDAR: Final = "its time goes beyond the years 1 to 9999"
MOST_BYTES: Final = 256 * 2**20
"""Of one file: all steps of a town of two days are in one."""
_SHOWN: Final = 20
"""Faults that an error lists; the rest it counts."""
_T = TypeVar("_T")


class MovementFault(NamedTuple):
    """What is wrong with one file of movements."""

    file: str
    step: int
    """-1: the whole file."""
    reason: str

    def __str__(self) -> str:
        where = f"{self.file}, step {self.step}" if self.step >= 0 else self.file
        return f"{where}: {self.reason}"


class MovementRefused(ValueError):
    """Files that are no trajectory of a task's town. Nothing of them was kept."""

    def __init__(self, folder: Path, faults: Sequence[MovementFault]) -> None:
        listed = "; ".join(map(str, faults[:_SHOWN]))
        more = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        count = many(len(faults), "fault")
        super().__init__(
            f"{folder} was not imported, it has {count}: {shortened(listed, 3_000)}{more}"
        )
        self.folder, self.faults = folder, tuple(faults)


class MovementFiles(NamedTuple):
    """What a folder holds, before it is known whose town it is."""

    meta: Meta
    start: datetime
    steps: list[dict[str, Moved]]
    files: list[str]
    """The file of each step."""


def is_movement(folder: Path) -> bool:
    """Whether a folder holds such files."""
    return (folder / STEPS).is_dir() or (folder / MASTER).is_file()


def read_movement(folder: Path) -> MovementFiles:
    """All steps of a folder. Raises ``MovementRefused``, ``OSError``."""
    faults: list[MovementFault] = []
    meta = _decoded(folder, META, Meta, faults)
    if meta is None:
        raise MovementRefused(folder, faults)
    if not 1 <= meta.sec_per_step <= 3_600:
        faults.append(
            MovementFault(META, -1, f"sec_per_step is {meta.sec_per_step}, not 1 to 3600")
        )
        raise MovementRefused(folder, faults)
    if (folder / STEPS).is_dir():
        found = _all_steps(folder, meta, faults)
    else:
        found = _master_steps(folder, meta, faults)
    if faults or found is None:
        raise MovementRefused(folder, faults)
    if not in_calendar(found.start, len(found.steps) * meta.sec_per_step):
        raise MovementRefused(folder, [MovementFault(META, -1, NO_CALENDAR)])
    return found


def _decoded(folder: Path, name: str, kind: type[_T], faults: list[MovementFault]) -> _T | None:
    path = folder / name
    try:
        return msgspec.convert(value_of(read_regular(path, MOST_BYTES).decode()), decodable(kind))
    except FileNotFoundError:
        faults.append(MovementFault(name, -1, "there is no such file"))
        return None
    except OSError as error:
        faults.append(MovementFault(name, -1, error.strerror or str(error)))
        return None
    except (msgspec.ValidationError, UnicodeDecodeError, NotJson) as error:
        faults.append(MovementFault(name, -1, f"is not what it should be: {error}"))
        return None


def _all_steps(folder: Path, meta: Meta, faults: list[MovementFault]) -> MovementFiles | None:
    numbers = sorted(
        int(path.stem) for path in (folder / STEPS).glob("*.json") if _is_number(path.stem)
    )
    if not numbers:
        faults.append(MovementFault(STEPS, -1, "holds no step: 0.json, 1.json, …"))
        return None
    if numbers[-1] >= MOST_STEPS:
        faults.append(MovementFault(STEPS, -1, f"has more than {MOST_STEPS:,} steps"))
        return None
    there, steps, files = set(numbers), [], []
    start: datetime | None = None
    for number in range(numbers[-1] + 1):
        name = f"{STEPS}/{number}.json"
        if number not in there:
            faults.append(MovementFault(name, number, "the step is missing"))
            continue
        step = _decoded(folder, name, MovementStep, faults)
        if step is None:
            continue
        try:
            now = clock_of(step.meta.curr_time)
        except ValueError as error:
            faults.append(MovementFault(name, number, f"curr_time: {error}"))
            continue
        gone = timedelta(seconds=number * meta.sec_per_step)
        try:
            start = now - gone if start is None else start
            due = start + gone
        except OverflowError:
            faults.append(MovementFault(name, number, NO_CALENDAR))
            continue
        if now != due:
            why = f"curr_time is {now:%Y-%m-%d %H:%M:%S}, and this step is at {due}"
            faults.append(MovementFault(name, number, why))
        steps.append(step.persona)
        files.append(name)
    return None if start is None else MovementFiles(meta, start, steps, files)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _master_steps(folder: Path, meta: Meta, faults: list[MovementFault]) -> MovementFiles | None:
    master = _decoded(folder, MASTER, Master, faults)
    if master is None:
        return None
    try:
        start = clock_of(meta.start_time or f"{meta.start_date}, 00:00:00")
    except ValueError as error:
        faults.append(MovementFault(META, -1, f"start_date: {error}"))
        return None
    for given in master:
        if not _is_number(given) or int(given) >= MOST_STEPS:
            why = f"{shortened(given)!r} is no step: 0 to {MOST_STEPS - 1}"
            faults.append(MovementFault(MASTER, -1, why))
    if faults:
        return None
    changes = {int(given): people for given, people in master.items()}
    if len(changes) < len(master):
        twice = next(given for given in master if given != str(int(given)))
        why = f"{shortened(twice)!r} is a step that is there already, as {int(twice)}"
        faults.append(MovementFault(MASTER, int(twice), why))
        return None
    count = max(meta.step, max(changes, default=-1) + 1)
    if not changes or count > MOST_STEPS:
        faults.append(
            MovementFault(MASTER, -1, f"has {count} steps: 1 to {MOST_STEPS} there can be")
        )
        return None
    steps: list[dict[str, Moved]] = []
    for number in range(count):
        before = steps[-1] if steps else {}
        new = changes.get(number)
        steps.append({**before, **new} if new else before)
    return MovementFiles(meta, start, steps, [MASTER] * count)
