"""STSS's templates of tasks (``meta_tasks``): tasks without a cast, some without a time, which the
published program fills in by chance.

The draws are its own and come in its order, so that a seed gives what it gives there: 1234 is the
one that the further published tasks were made with.
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from actors.sandbox.formats.csv_layers import BadLayers, CsvFault
from actors.sandbox.formats.stss import KINDS, PEOPLE, Counted, StssReader
from actors.typed_values import suggestion
from events.untrusted.safe_text import shortened

OPEN: Final = "#TBD"
"""What stands for a time or a place that is to be drawn."""
ANYBODY: Final = ("", "#Any", OPEN)
"""What stands for a performer who is to be drawn from everybody."""
HOURS: Final = tuple(f"2023-02-14 {hour}:00" for hour in (10, 15, 17, 19))
"""The times that are drawn from where a template names none, as published."""
_TEXTS: Final = ("goal", "FPG", "Description")
_MARK: Final = re.compile(r"#(?:performer|target_num|target_0|(?:time|location)_\d+)")
_SHARE: Final = {"Public Activity": 2, "Find partner": 3}
"""By how much the number of others is divided for how many are to take part."""


class _Template(msgspec.Struct, kw_only=True):
    """An entry of a file of templates."""

    goal: str
    FPG: str
    Description: str
    task_type: str
    task: Counted
    performer: str = ""
    performer_choices: tuple[str, ...] = ()
    time_choices: tuple[str, ...] = ()
    location_choices: tuple[str, ...] = ()
    required_spatial_mem: dict[str, dict[str, tuple[str, ...]]] = {}
    shared_spatial_mem: dict[str, dict[str, tuple[str, ...]]] = {}


class Instantiated(NamedTuple):
    """Tasks that chance made of templates."""

    tasks: tuple[dict[str, Any], ...]
    """As entries of ``tasks.json``."""
    notes: tuple[str, ...]
    """What is odd, a sentence each."""


def instantiated(
    files: Iterable[Path], people: Path, seed: int, least: int = 10, most: int = 12
) -> Instantiated:
    """A task of each template, in a town of the performer and ``least`` to ``most`` others who are
    drawn from the folder ``people``. The same seed, the same tasks. Raises ``BadLayers``."""
    folder = StssReader(people)
    names = [one.id for one in folder.people()]
    found, notes, wrong = list[tuple[str, _Template]](), [], list(folder.faults)
    for file in files:
        reader = StssReader(file.parent)
        for number, value in enumerate(reader.values(file.name, list), 1):
            template = reader.shaped(file.name, f"no. {number}", value, _Template)
            if template is not None:
                found.append((f"{shortened(file.name)}, no. {number}", template))
        notes += reader.notes
        wrong += reader.faults
    wrong += [fault for where, one in found for fault in _faults(where, one, names, most)]
    if wrong:
        raise BadLayers(wrong)
    chance = random.Random(seed)  # noqa: S311
    for _, template in found:
        _draw(template, names, chance)
    tasks = []
    for number, (where, template) in enumerate(found):
        made, absent = _with_cast(template, names, chance.randint(least, most), chance)
        type_ = template.task_type.lower().replace(" ", "_")
        tasks.append(made | {"env_name": f"base_{seed}_{type_}_{number}"})
        if absent:
            notes.append(
                f"{where}: {absent} was not drawn, and takes the place of the last who was"
            )
    return Instantiated(tuple(tasks), tuple(notes))


def _faults(where: str, template: _Template, names: Sequence[str], most: int) -> Iterator[CsvFault]:
    if template.task_type not in KINDS:
        hint = suggestion(template.task_type, KINDS)
        yield CsvFault("", where, f"there is no task_type {shortened(template.task_type)!r}{hint}")
    goals = template.task.goal
    if not goals:
        yield CsvFault("", where, "task.goal is empty; give at least one")
    needed = [*template.task.target, *(one for goal in goals for one in goal.required_character)]
    choices = [one for one in template.performer_choices if one not in ANYBODY]
    own = [] if template.performer in ANYBODY else [template.performer]
    for name in dict.fromkeys([*own, *needed, *choices]):
        if name not in names:
            hint = suggestion(name, names)
            yield CsvFault("", where, f"{shortened(name)!r} is not in {PEOPLE}{hint}")
    if most + 1 > len(names):
        why = f"needs {most + 1} people, but {PEOPLE} has {len(names)}"
        yield CsvFault("", where, why)
    if any(goal.location == OPEN for goal in goals) and not template.location_choices:
        yield CsvFault("", where, f"a location is {OPEN}, and there are no location_choices")


def _draw(template: _Template, names: Sequence[str], chance: random.Random) -> None:
    """Fill in times, as published; and places and a performer, where they are open."""
    for goal in template.task.goal:
        if goal.start_time == OPEN:
            goal.start_time = chance.choices(template.time_choices or HOURS, k=1)[0]
            template.goal += f" on {goal.start_time}"
        if goal.location == OPEN:
            goal.location = chance.choice(template.location_choices)
    if template.performer in ANYBODY:
        choices = [one for one in template.performer_choices if one not in ANYBODY]
        others = [one for one in choices or names if one not in template.task.target]
        template.performer = chance.choice(others or names)


def _with_cast(
    template: _Template, names: Sequence[str], others: int, chance: random.Random
) -> tuple[dict[str, Any], str]:
    """The task with so many others, and the target who would not have been among them."""
    counted = template.task
    required = [one for goal in counted.goal for one in goal.required_character]
    cast = list(dict.fromkeys([template.performer, *required]))
    rest = [one for one in names if one not in cast]
    cast += chance.sample(rest, k=max(0, others + 1 - len(cast)))
    absent = [one for one in counted.target if one not in cast]
    for place, name in enumerate(absent, 1):
        cast[-place] = name
    if template.task_type in _SHARE:
        counted.target_num = ceil(others / _SHARE[template.task_type]) + 1
    texts = {name: _filled(getattr(template, name), template) for name in _TEXTS}
    given = msgspec.to_builtins(template)
    for name in ("performer_choices", "time_choices", "location_choices"):
        del given[name]
    return given | texts | {"n_characters": len(cast), "all_chars": cast}, " and ".join(absent)


def _filled(text: str, template: _Template) -> str:
    """A text with what its marks stand for; marks of what there is not stay, as published."""
    counted = template.task
    words = {"#performer": template.performer, "#target_num": str(counted.target_num)}
    if counted.target:
        words["#target_0"] = counted.target[0]
    for number, goal in enumerate(counted.goal):
        for mark, value in (("time", goal.start_time), ("location", goal.location)):
            if value not in ("", "N/A"):
                words[f"#{mark}_{number}"] = value
    return _MARK.sub(lambda mark: words.get(mark[0], mark[0]), text)
