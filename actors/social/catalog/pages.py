"""What a social catalog holds, for its designer's eyes: lists, and all there is to know of each."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from actors.episodes.catalogs.entries import CatalogEntry
from actors.social.catalog_items import (
    BigFive,
    Catalog,
    Character,
    Relationship,
    Scenario,
    Task,
)
from actors.social.markup import Passage, parse, render

Item = Character | Relationship | Scenario | Task
Facts = Iterator[tuple[str, str]]

_GLANCE: Final = 90
"""Characters of a text in a list."""


def entries(catalog: Catalog) -> list[CatalogEntry]:
    """Everything, kind by kind."""
    names = {character.id: character.name for character in catalog.characters}
    titles = {scenario.id: scenario.codename or scenario.id for scenario in catalog.scenarios}

    def people(ids: Sequence[str], between: str) -> str:
        return between.join(names.get(id_, id_) for id_ in ids)

    return [
        *(
            CatalogEntry("character", who.id, who.name, who, _listed((who.age, who.occupation)))
            for who in catalog.characters
        ),
        *(
            CatalogEntry("scenario", one.id, titles[one.id], one, _short(one.context))
            for one in catalog.scenarios
        ),
        *(
            CatalogEntry(
                "relationship",
                relationship.id,
                f"{people(relationship.characters, ' and ')}, {_words(relationship.kind)}",
                relationship,
                _short(relationship.story),
            )
            for relationship in catalog.relationships
        ),
        *(
            CatalogEntry(
                "task",
                task.id,
                f"{titles.get(task.scenario, task.scenario)}: {people(task.characters, ', ')}",
                task,
            )
            for task in catalog.tasks
        ),
    ]


def facts(catalog: Catalog, item: Item) -> Facts:
    """All there is to know of one thing: goals, hints and secrets, too."""
    match item:
        case Character():
            yield from _of_character(item)
        case Relationship():
            yield from _of_relationship(item, catalog)
        case Scenario():
            yield from _of_scenario(item, catalog)
        case Task():
            yield from _of_task(item, catalog)
    if item.tags:
        yield "tags", ", ".join(item.tags)


def _of_character(who: Character) -> Facts:
    yield "who", _listed((who.age, who.gender, who.pronouns, who.occupation))
    for name, text in (
        ("known", who.public_info),
        ("personality", who.personality),
        ("big five", _big_five(who.big_five)),
        ("morals", ", ".join(who.moral_values)),
        ("values", ", ".join(who.schwartz_values)),
        ("decides", who.decision_style),
        ("MBTI", who.mbti),
        ("hides", who.secret),
    ):
        if text:
            yield name, text


def _of_relationship(relationship: Relationship, catalog: Catalog) -> Facts:
    yield "between", _people(relationship.characters, catalog)
    yield "kind", _words(relationship.kind)
    if relationship.kin is not None:
        first, second = relationship.characters
        who = {character.id: character.name for character in catalog.characters}
        yield "kin", f"{who[first]} is the {_words(relationship.kin)} of {who[second]}"
    if relationship.story:
        yield "story", _marked(relationship.story)


def _of_scenario(scenario: Scenario, catalog: Catalog) -> Facts:
    yield "scene", _marked(scenario.context)
    if scenario.kind is not None:
        yield "kind", _words(scenario.kind)
    for seat, goal in enumerate(scenario.goals, 1):
        yield f"{seat} wants", _marked(goal)
    if scenario.relationships:
        yield "for", ", ".join(_words(kind) for kind in scenario.relationships)
    for seat, (low, high) in enumerate(scenario.ages, 1):
        yield f"{seat} age", f"{low} to {high}"
    for seat, word in enumerate(scenario.occupations, 1):
        if word:
            yield f"{seat} is", word
    for fact in scenario.needs:
        seats = ", ".join(str(seat + 1) for seat in fact.seats) or "all"
        source = f" (from {fact.taught_by})" if fact.taught_by else ""
        yield f"needs, {seats}", fact.text + source
    if scenario.source:
        yield "source", scenario.source
    tasks = [task.id for task in catalog.tasks if task.scenario == scenario.id]
    if tasks:
        yield "tasks", "\n".join(tasks)


def _of_task(task: Task, catalog: Catalog) -> Facts:
    relationships = {relationship.id: relationship for relationship in catalog.relationships}
    people = {who.id: who for who in catalog.characters}
    scenario = next(one for one in catalog.scenarios if one.id == task.scenario)
    yield "scenario", task.scenario
    yield "scene", _marked(scenario.context)
    for seat, (id_, goal) in enumerate(zip(task.characters, scenario.goals, strict=False), 1):
        who = people[id_]
        yield f"seat {seat}", f"{_listed((who.name, who.age, who.occupation))} [{id_}]"
        yield "wants", _marked(goal)
        if who.secret:
            yield "hides", who.secret
    for id_ in task.relationships:
        relationship = relationships[id_]
        yield (
            "relationship",
            f"{_people(relationship.characters, catalog)}: {_words(relationship.kind)} [{id_}]",
        )
        if relationship.story:
            yield "", _marked(relationship.story)
    if not task.relationships:
        yield "relationship", "strangers"


def _marked(text: str) -> str:
    """A text with its passages marked for whom they are."""
    return _passage(parse(text)).strip()


def _passage(passage: Passage) -> str:
    inside = "".join(part if isinstance(part, str) else _passage(part) for part in passage.parts)
    if not passage.tag:
        return inside
    if passage.tag != "p":
        return f"({passage.tag.replace('_', ' ')}: {inside.strip()})"
    seat = passage.viewer.removeprefix("agent_")
    whom = f"seat {int(seat) + 1}" if seat.isdigit() else "narrator and judge"
    return f"(for {whom} only: {inside.strip()})"


def _people(ids: Sequence[str], catalog: Catalog) -> str:
    names = {who.id: who.name for who in catalog.characters}
    return " and ".join(f"{names[id_]} [{id_}]" for id_ in ids)


def _big_five(traits: BigFive) -> str:
    named = msgspec.structs.asdict(traits).items()
    return ", ".join(f"{name} {word}" for name, word in named if word)


def _listed(facts_: Sequence[object]) -> str:
    return ", ".join(str(fact) for fact in facts_ if fact)


def _words(kind: str) -> str:
    return str(kind).replace("_", " ")


def _short(text: str) -> str:
    line = " ".join(render(text, "everything").split())
    if len(line) <= _GLANCE:
        return line
    return line[:_GLANCE].rpartition(" ")[0] + " …"
