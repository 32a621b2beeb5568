"""Reads the four data files beside this module and holds them to the catalog's own rules."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from actors.social.catalog_items import (
    Catalog,
    Character,
    Relationship,
    RelationshipKind,
    Scenario,
    Task,
)
from actors.social.facts import keys_fault, teaching_fault
from actors.toml_file import BadFile, parse_toml
from events.base import Value

STARTER = "starter"
"""The name the starter catalog is stored under."""

HERE = Path(__file__).parent
Reader = Callable[[str], str]
V = TypeVar("V", bound=Value)


@cache
def starter_catalog() -> Catalog:
    """The catalog that comes with Troupe. Raises ``BadFile`` where a data file is wrong."""
    return read_catalog(lambda name: (HERE / name).read_text(encoding="utf-8"))


def read_catalog(read: Reader) -> Catalog:
    """A catalog from the text of its four files, which ``read`` gives by name.

    A task's relationships are not written down: they are those the catalog has between its cast,
    and a task without an ``id`` is called after its scenario and its cast. Raises ``BadFile``
    naming the file, the entry and the field.
    """
    characters = _entries(read, "characters.toml", "character", Character)
    relationships = _entries(read, "relationships.toml", "relationship", Relationship)
    scenarios = _entries(read, "scenarios.toml", "scenario", Scenario)
    tasks = _entries(read, "tasks.toml", "task", Task)
    people = {character.id: character for character in characters}
    ties = _ties(relationships, people)
    stages = {scenario.id: scenario for scenario in scenarios}
    for scenario in scenarios:
        _check_scenario(scenario, stages)
    cast_tasks = tuple(_cast(task, people, ties, stages) for task in tasks)
    _once("tasks.toml", "task", (task.id for task in cast_tasks))
    return Catalog(
        name=STARTER,
        characters=characters,
        relationships=relationships,
        scenarios=scenarios,
        tasks=cast_tasks,
    )


def _entries(read: Reader, file: str, table: str, kind: type[V]) -> tuple[V, ...]:
    data = parse_toml(read(file), dict[str, list[dict[str, Any]]], file)
    if data.keys() != {table}:
        found = ", ".join(sorted(data)) or "nothing"
        raise BadFile(file, "", f"must hold [[{table}]] tables and nothing else; found {found}")
    entries = tuple(_entry(file, table, n, raw, kind) for n, raw in enumerate(data[table], 1))
    if kind is not Task:
        _once(file, table, (entry.id for entry in entries))  # type: ignore[attr-defined]
    return entries


def _entry(file: str, table: str, number: int, raw: dict[str, Any], kind: type[V]) -> V:
    where = f"{table} {raw.get('id', number)!r}"
    unknown = raw.keys() - set(kind.__struct_fields__)
    if unknown:
        raise BadFile(file, where, f"has no field {min(unknown)!r}")
    if kind is Task:
        raw = {"id": _task_id(raw), **raw}
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise BadFile(file, where, str(error)) from error


def _task_id(raw: dict[str, Any]) -> str:
    cast = [str(name).partition("_")[0] for name in raw.get("characters", ())]
    return "-".join([str(raw.get("scenario", "")), *cast])


def _once(file: str, table: str, ids: Iterable[str]) -> None:
    twice = [id_ for id_, count in Counter(ids).items() if count > 1]
    if twice:
        raise BadFile(file, f"{table} {twice[0]!r}", "is there twice; ids must differ")


def _ties(
    relationships: tuple[Relationship, ...], people: dict[str, Character]
) -> dict[frozenset[str], Relationship]:
    """The relationship of each pair that has one."""
    ties: dict[frozenset[str], Relationship] = {}
    for tie in relationships:
        where = f"relationship {tie.id!r}"
        for id_ in tie.characters:
            if id_ not in people:
                raise BadFile("relationships.toml", where, f"there is no character {id_!r}")
        pair = frozenset(tie.characters)
        if len(pair) < 2:
            raise BadFile("relationships.toml", where, "must join two different characters")
        if pair in ties:
            why = f"joins the same two characters as {ties[pair].id!r}"
            raise BadFile("relationships.toml", where, why)
        ties[pair] = tie
    return ties


def _check_scenario(scenario: Scenario, stages: dict[str, Scenario]) -> None:
    seats = len(scenario.goals)
    where = f"scenario {scenario.id!r}"
    if seats < 2:
        raise BadFile("scenarios.toml", where, "needs a goal for each of at least two seats")
    for field in ("ages", "occupations"):
        given = len(getattr(scenario, field))
        if given not in (0, seats):
            raise BadFile("scenarios.toml", f"{where}, {field}", f"has {given} for {seats} seats")
    fault = keys_fault(scenario) or teaching_fault(scenario, stages)
    if fault is not None:
        raise BadFile("scenarios.toml", f"{where}, needs", fault)


def _cast(
    task: Task,
    people: dict[str, Character],
    ties: dict[frozenset[str], Relationship],
    stages: dict[str, Scenario],
) -> Task:
    """The task with its relationships filled in, once its cast is known to fit."""
    where = f"task {task.id!r}"
    scenario = stages.get(task.scenario)
    if scenario is None:
        raise BadFile("tasks.toml", where, f"there is no scenario {task.scenario!r}")
    seats = len(scenario.goals)
    if len(task.characters) != seats or len(set(task.characters)) != seats:
        raise BadFile("tasks.toml", where, f"must cast {seats} different characters")
    for seat, id_ in enumerate(task.characters):
        if id_ not in people:
            raise BadFile("tasks.toml", where, f"there is no character {id_!r}")
        youngest, oldest = scenario.ages[seat] if scenario.ages else (0, 150)
        if not youngest <= people[id_].age <= oldest:
            why = f"{people[id_].name} is not between {youngest} and {oldest} years old"
            raise BadFile("tasks.toml", where, why)
        word = scenario.occupations[seat] if scenario.occupations else ""
        if word.casefold() not in people[id_].occupation.casefold():
            raise BadFile("tasks.toml", where, f"{people[id_].name}'s occupation lacks {word!r}")
    pairs = [ties.get(frozenset(pair)) for pair in combinations(task.characters, 2)]
    for pair in pairs:
        kind = pair.kind if pair else RelationshipKind.STRANGER
        if scenario.relationships and kind not in scenario.relationships:
            why = f"casts a {kind.value} pair, which {scenario.id!r} does not allow"
            raise BadFile("tasks.toml", where, why)
    named = tuple(pair.id for pair in pairs if pair)
    return msgspec.structs.replace(task, relationships=named)
