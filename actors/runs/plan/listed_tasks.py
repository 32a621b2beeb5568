"""``[tasks] list``: the tasks of the scenarios on a list, and the seats that it names."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from actors.episodes.catalogs.entries import TaskEntry
from actors.episodes.catalogs.scenario_lists import ListedScenario, read_scenario_list
from actors.runs.plan.plan_file import TaskChoice
from actors.text.amounts import many
from actors.toml_file import BadFile, nearest
from events.base import replace

FIELD = "tasks.list"
FIRST_SEAT = (0,)
"""Where ``pairings = "first"`` puts who is under test if nothing else is said."""


def with_list_read(choice: TaskChoice, beside: Path | None, path: Path) -> TaskChoice:
    """The choice with the lines of its list in the place of the file's name, which is relative to
    ``beside``. ``beside`` None: no file is read. Raises ``BadFile``."""
    if not isinstance(choice.list, str) or not choice.list:
        return choice
    if beside is None:
        why = (
            "no file is read for a plan that comes as text; write the lines of the list here: "
            'list = [{ scenario = "ID", seat = 1 }]'
        )
        raise BadFile(path, FIELD, why)
    listed = read_scenario_list(beside / Path(choice.list).expanduser())
    return replace(choice, list=listed.entries)


def entries_of(choice: TaskChoice) -> tuple[ListedScenario, ...]:
    """The lines of the list, which has been read (``with_list_read``)."""
    assert not isinstance(choice.list, str) or not choice.list, "it has been read"
    return choice.list or ()


def check_listed(catalog: str, tasks: Sequence[TaskEntry], choice: TaskChoice, path: str) -> None:
    """Raises ``BadFile`` where the list names scenarios that no task of the catalog has, or seats
    that they have not."""
    seats: dict[str, int] = {}
    for task in tasks:
        seats[task.scenario] = min(task.seats, seats.get(task.scenario, task.seats))
    unknown = [one.scenario for one in entries_of(choice) if one.scenario not in seats]
    if unknown:
        names = ", ".join(map(repr, dict.fromkeys(unknown)))
        near = nearest(unknown[0], seats) if len(set(unknown)) == 1 else ""
        why = f"catalog {catalog!r} has no task of the scenario"
        why += f"s {names}" if len(set(unknown)) > 1 else f" {names}{near}"
        raise BadFile(path, FIELD, why)
    for one in entries_of(choice):
        if one.seat is not None and one.seat > seats[one.scenario]:
            has = many(seats[one.scenario], "seat")
            why = f"seat {one.seat} of scenario {one.scenario!r}: a task of it has {has}"
            raise BadFile(path, FIELD, why)


def seats_by_scenario(choice: TaskChoice) -> Mapping[str, tuple[int, ...]]:
    """In which seats, from 0, those under test sit in each scenario on the list: those that are
    named, and the first for a line that names none."""
    found: dict[str, set[int]] = {}
    for one in entries_of(choice):
        found.setdefault(one.scenario, set()).add(one.seat - 1 if one.seat else 0)
    return {scenario: tuple(sorted(seats)) for scenario, seats in found.items()}
