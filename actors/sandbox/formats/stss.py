"""STSS's published files: the map's CSV layers, ``characteristics.json``, and tasks.

Inconsistencies in them are kept and reported, as ``actors.sandbox.catalog.check`` does for any
catalog.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from actors.episodes.formats import PublishedCatalog
from actors.sandbox.catalog_items import Catalog, Goal, Inhabitant, Task, TaskKind
from actors.sandbox.formats.csv_layers import BadLayers, CsvFault, read_layers, text_of
from actors.sandbox.map.town_map import TownMap
from actors.typed_values import faults, suggestion
from events.serialization.struct_types import decodable
from events.untrusted.json_values import NotJson, value_of
from events.untrusted.safe_text import shortened

PEOPLE: Final = "characteristics.json"
TASKS: Final = "tasks.json"
MORE_TASKS: Final = "tasks_dlc.json"
TOWN: Final = "the_ville"
"""The map's id."""
KINDS: Final[Mapping[str, TaskKind]] = {
    "Party": "public",
    "Public Activity": "public",
    "Personal appointment": "appointment",
    "Find partner": "companions",
    "Online meeting": "online",
    "Ask for others": "help",
}
"""The kinds of tasks by how their authors call their types."""
_NONE: Final = ("", "N/A")
_PREFIX: Final = re.compile(r"^base_\d+_")


class _Person(msgspec.Struct, kw_only=True):
    """An entry of ``characteristics.json``."""

    name: str
    first_name: str = ""
    last_name: str = ""
    age: int = 0
    innate: str
    learned: str
    currently: str
    lifestyle: str
    living_area: str
    daily_plan_req: str = ""
    act_event: Any = None


class _Goal(msgspec.Struct, kw_only=True):
    """A sub-task."""

    keyword: str
    alter_kwd: tuple[str, ...] = ()
    start_time: str = ""
    duration_in_minutes: int = 0
    location: str = ""
    required_character: tuple[str, ...] = ()


class Counted(msgspec.Struct, kw_only=True):
    """What is to be done, by whom."""

    target: tuple[str, ...] = ()
    target_num: int
    goal: tuple[_Goal, ...]


class _Task(msgspec.Struct, kw_only=True):
    """An entry of ``tasks.json``."""

    goal: str
    FPG: str
    Description: str
    task_type: str
    task: Counted
    performer: str
    all_chars: tuple[str, ...]
    env_name: str
    n_characters: int = 0
    Note: str = ""
    role_requirement: tuple[str, ...] = ()
    performer_choices: tuple[str, ...] = ()
    time_choices: tuple[str, ...] = ()
    location_choices: tuple[str, ...] = ()
    required_spatial_mem: dict[str, dict[str, tuple[str, ...]]] = {}
    shared_spatial_mem: dict[str, dict[str, tuple[str, ...]]] = {}


def read_stss(folder: Path, name: str) -> PublishedCatalog:
    """The catalog in a folder of published files. Raises ``BadLayers``."""
    reader = StssReader(folder)
    town = reader.town()
    people = reader.people()
    tasks = [*reader.tasks(TASKS, town), *reader.tasks(MORE_TASKS, town)]
    if reader.faults or town is None:
        raise BadLayers(reader.faults)
    catalog = Catalog(name=name, towns=(town,), inhabitants=tuple(people), tasks=tuple(tasks))
    return PublishedCatalog(catalog, tuple(reader.notes))


class StssReader:
    """Reads the files of a folder, and keeps what is wrong with them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.faults: list[CsvFault] = []
        self.notes: list[str] = []

    def town(self) -> TownMap | None:
        """The map."""
        try:
            town, notes = read_layers(self.folder, TOWN)
        except BadLayers as error:
            self.faults += error.faults
            return None
        self.notes += notes
        return town

    def people(self) -> list[Inhabitant]:
        """Who lives there. An entry with none of a character's fields is none, and told."""
        given, found = self.values(PEOPLE, dict), []
        for key, value in given.items():
            if isinstance(value, dict) and not value.keys() & msgspec.structs.asdict(_BLANK).keys():
                self.notes.append(_shared(key, value))
                continue
            person = self.shaped(PEOPLE, shortened(key), value, _Person)
            if person is not None:
                found.append(_inhabitant(person))
                if person.name != key:
                    why = f"calls itself {shortened(person.name)!r}"
                    self.notes.append(f"{PEOPLE}, {shortened(key)}: {why}")
        return found

    def tasks(self, file: str, town: TownMap | None) -> Iterator[Task]:
        """The tasks of a file; the further ones need not be there."""
        if file == MORE_TASKS and not (self.folder / file).exists():
            return
        for number, value in enumerate(self.values(file, list), 1):
            named = value.get("env_name") if isinstance(value, dict) else None
            where = shortened(named) if isinstance(named, str) and named else f"no. {number}"
            task = self.shaped(file, where, value, _Task)
            if task is None:
                continue
            if task.task_type not in KINDS:
                hint = suggestion(task.task_type, KINDS)
                why = f"there is no task_type {shortened(task.task_type)!r}{hint}"
                self.faults.append(CsvFault(file, where, why))
                continue
            if task.n_characters not in (0, len(task.all_chars)):
                why = f"n_characters is {task.n_characters}, but there are {len(task.all_chars)}"
                self.notes.append(f"{file}, {where}: {why}")
            if task.performer not in task.all_chars[:1]:
                why = f"{task.performer} is not the first of all_chars, but takes the first seat"
                self.notes.append(f"{file}, {where}: {why}")
            yield _made(task, town.world if town else "", more=file == MORE_TASKS)

    def values(self, file: str, kind: type[Any]) -> Any:
        """What a file holds, a list or an object; an empty one where that cannot be read, which is
        kept as a fault."""
        text, why = text_of(self.folder / file)
        if text is not None:
            try:
                found = value_of(text)
                if isinstance(found, kind):
                    return found
                why = f"must be {'a list' if kind is list else 'an object'}"
            except NotJson as error:
                why = error.why
        self.faults.append(CsvFault(file, "", why))
        return kind()

    def shaped(self, file: str, where: str, value: Any, kind: type[Any]) -> Any:
        """An entry as a struct; what is wrong with it is kept. Null is as if it was left out."""
        wrong = False
        given = _without_nulls(value)
        for place, why in faults(given, kind):
            path = ".".join(map(str, place))
            if why.startswith("there is no field"):
                self.notes.append(f"{file}, {where}, {path}: is not read")
                continue
            wrong = True
            self.faults.append(CsvFault(file, ", ".join(filter(None, (where, path))), why))
        return None if wrong else msgspec.convert(given, decodable(kind))


_BLANK: Final = _Person(name="", innate="", learned="", currently="", lifestyle="", living_area="")


def _shared(key: str, value: Mapping[str, Any]) -> str:
    numbers = [f"{k} {v}" for k, v in value.items() if type(v) in (int, float) and v]
    listed = shortened(", ".join(numbers), 200)
    return (
        f"{PEOPLE}, {shortened(key)}: is no character but what all begin with"
        + (f" ({listed})" if listed else "")
        + "; it is left out"
    )


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value


def _inhabitant(person: _Person) -> Inhabitant:
    return Inhabitant(
        id=person.name,
        first_name=person.first_name,
        last_name=person.last_name,
        age=person.age,
        innate=person.innate,
        learned=person.learned,
        currently=person.currently,
        lifestyle=person.lifestyle,
        home=person.living_area,
        daily=person.daily_plan_req,
    )


def _made(task: _Task, world: str, *, more: bool) -> Task:
    """``more``: it is of the second file, some of whose names are those of the first."""
    id_ = _PREFIX.sub("", task.env_name)
    return Task(
        id=f"dlc_{id_}" if more else id_,
        kind=KINDS[task.task_type],
        type=task.task_type,
        town=TOWN,
        goal=task.goal,
        brief=task.FPG,
        description=task.Description,
        goals=tuple(
            Goal(
                keyword=goal.keyword,
                other_keywords=goal.alter_kwd,
                start="" if goal.start_time in _NONE else goal.start_time,
                minutes=goal.duration_in_minutes,
                place="" if goal.location in _NONE else goal.location,
                required=goal.required_character,
            )
            for goal in task.task.goal
        ),
        people=task.task.target_num,
        targets=task.task.target,
        performer=task.performer,
        characters=(task.performer, *(one for one in task.all_chars if one != task.performer)),
        performer_knows=tuple(_addresses(world, task.required_spatial_mem)),
        all_know=tuple(_addresses(world, task.shared_spatial_mem)),
        note=task.Note,
        environment_name=task.env_name,
        tags=("dlc",) if more else (),
    )


def _addresses(world: str, known: Mapping[str, Mapping[str, Sequence[str]]]) -> Iterator[str]:
    """Each place of a tree of places, before what is in it."""
    for sector, arenas in known.items():
        yield f"{world}:{sector}"
        for arena, objects in arenas.items():
            yield f"{world}:{sector}:{arena}"
            yield from (f"{world}:{sector}:{arena}:{object_}" for object_ in objects)
