"""What a catalog holds, written for the eye: lists, and a page for each thing."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from gateway.cli.output import console, escape, grid, print_pairs, say

if TYPE_CHECKING:
    from actors.social.markup import Passage
    from events.catalog import BigFive, Catalog, Character, Relationship, Scenario, Task
    from gateway.catalogs import Placed
    from store.searching import Found, Item, ItemKind

GLANCE = 90
"""Characters of a text in a list."""


def print_hits(hits: "Sequence[tuple[Catalog, Found]]") -> None:
    """What a search found: each with its id, which ``show`` takes."""
    for catalog, hit in hits:
        say(f"[bold]{escape(hit.title)}[/]  [dim]{hit.kind} {hit.id}, catalog {catalog.name}[/]")
        if hit.excerpt not in (hit.title, hit.id):
            where = hit.field.replace("_", " ")
            say(f"    [dim]{where}:[/] {escape(' '.join(hit.excerpt.split()))}")


def print_kind(catalog: "Catalog", kind: str) -> None:
    """All characters, relationships, scenarios or tasks, each in two lines."""
    from store.searching import title_of

    titles = title_of(catalog)
    items = getattr(catalog, kind)
    for item in items:
        title = titles[_kind(kind), item.id]
        tags = f"  [dim]{escape(', '.join(item.tags))}[/]" if item.tags else ""
        say(f"[bold]{escape(title)}[/]")
        table = grid(2, indent=4)
        table.add_row("", f"[dim]{item.id}[/]", escape(_glance(item)) + tags)
        console().print(table)
    say(f"{len(items)} {kind} in catalog {catalog.name}")


def print_item(placed: "Placed") -> None:
    """One thing, with everything there is to know about it."""
    from store.searching import title_of

    catalog, kind, item = placed
    title = title_of(catalog)[kind, item.id]
    say(f"[bold]{escape(title)}[/]  [dim]{kind} {item.id}, catalog {catalog.name}[/]")
    print_pairs(_facts(placed), indent=2)


def _kind(plural: str) -> "ItemKind":
    kinds: dict[str, ItemKind] = {
        "characters": "character",
        "relationships": "relationship",
        "scenarios": "scenario",
        "tasks": "task",
    }
    return kinds[plural]


def _glance(item: "Item") -> str:
    from events.catalog import Character, Relationship, Scenario

    match item:
        case Character():
            return ", ".join(str(fact) for fact in (item.age, item.occupation) if fact)
        case Relationship():
            return _short(_plain(item.story))
        case Scenario():
            return _short(_plain(item.context))
        case _:
            return ""


def _facts(placed: "Placed") -> "Iterator[tuple[str, str]]":
    from events.catalog import Character, Relationship, Scenario

    catalog, _, item = placed
    match item:
        case Character():
            yield from _of_character(item)
        case Relationship():
            yield from _of_relationship(item, catalog)
        case Scenario():
            yield from _of_scenario(item, catalog)
        case _:
            yield from _of_task(item, catalog)
    if item.tags:
        yield "tags", escape(", ".join(item.tags))


def _of_character(who: "Character") -> "Iterator[tuple[str, str]]":
    person = (who.age, who.gender, who.pronouns, who.occupation)
    yield "who", escape(", ".join(str(fact) for fact in person if fact))
    for name, text in (
        ("known", who.public_info),
        ("personality", who.personality),
        ("big five", _big_five(who.big_five)),
        ("morals", ", ".join(who.moral_values)),
        ("values", ", ".join(who.schwartz_values)),
        ("decides", who.decision_style),
        ("MBTI", who.mbti),
    ):
        if text:
            yield name, escape(text)
    if who.secret:
        yield "hides", f"[magenta]{escape(who.secret)}[/]"


def _of_relationship(tie: "Relationship", catalog: "Catalog") -> "Iterator[tuple[str, str]]":
    yield "between", _people(tie.characters, catalog)
    yield "kind", tie.kind.replace("_", " ")
    if tie.story:
        yield "story", marked(tie.story)


def _of_scenario(scenario: "Scenario", catalog: "Catalog") -> "Iterator[tuple[str, str]]":
    yield "scene", marked(scenario.context)
    for seat, goal in enumerate(scenario.goals, 1):
        yield f"{seat} wants", marked(goal)
    if scenario.relationships:
        yield "for", ", ".join(kind.replace("_", " ") for kind in scenario.relationships)
    for seat, (low, high) in enumerate(scenario.ages, 1):
        yield f"{seat} age", f"{low} to {high}"
    for seat, word in enumerate(scenario.occupations, 1):
        if word:
            yield f"{seat} is", escape(word)
    for fact in scenario.needs:
        seats = ", ".join(str(seat + 1) for seat in fact.seats) or "all"
        source = f" [dim](from {escape(fact.taught_by)})[/]" if fact.taught_by else ""
        yield f"needs, {seats}", escape(fact.text) + source
    if scenario.source:
        yield "source", escape(scenario.source)
    tasks = [task.id for task in catalog.tasks if task.scenario == scenario.id]
    if tasks:
        yield "tasks", "\n".join(tasks)


def _of_task(task: "Task", catalog: "Catalog") -> "Iterator[tuple[str, str]]":
    scenarios = {scenario.id: scenario for scenario in catalog.scenarios}
    ties = {tie.id: tie for tie in catalog.relationships}
    people = {who.id: who for who in catalog.characters}
    scenario = scenarios[task.scenario]
    yield "scenario", task.scenario
    yield "scene", marked(scenario.context)
    for seat, (id_, goal) in enumerate(zip(task.characters, scenario.goals, strict=False), 1):
        who = people[id_]
        facts = [who.name, str(who.age), who.occupation]
        yield f"seat {seat}", f"[bold]{escape(', '.join(filter(None, facts)))}[/] [dim]{id_}[/]"
        yield "wants", marked(goal)
        if who.secret:
            yield "hides", f"[magenta]{escape(who.secret)}[/]"
    for id_ in task.relationships:
        tie = ties[id_]
        kind = tie.kind.replace("_", " ")
        yield "tie", f"{_people(tie.characters, catalog)}: {kind} [dim]{id_}[/]"
        if tie.story:
            yield "", marked(tie.story)
    if not task.relationships:
        yield "tie", "strangers"


def marked(text: str) -> str:
    """A text of the catalog with its passages marked for whom they are."""
    from actors.social.markup import parse

    return _marked(parse(text)).strip()


def _marked(passage: "Passage") -> str:
    inside = "".join(
        escape(part) if isinstance(part, str) else _marked(part) for part in passage.parts
    )
    if not passage.tag:
        return inside
    if passage.tag != "p":
        return f"[yellow]({passage.tag.replace('_', ' ')}: {inside.strip()})[/]"
    seat = passage.viewer.removeprefix("agent_")
    whom = f"seat {int(seat) + 1}" if seat.isdigit() else "narrator and judge"
    return f"[yellow](for {whom} only: {inside.strip()})[/]"


def _plain(text: str) -> str:
    from actors.social.markup import render

    return render(text, "everything")


def _people(ids: Sequence[str], catalog: "Catalog") -> str:
    names = {who.id: who.name for who in catalog.characters}
    return " and ".join(f"{escape(names[id_])} [dim]{id_}[/]" for id_ in ids)


def _big_five(traits: "BigFive") -> str:
    named = msgspec.structs.asdict(traits).items()
    return ", ".join(f"{name} {word}" for name, word in named if word)


def _short(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= GLANCE:
        return line
    return line[:GLANCE].rpartition(" ")[0] + " …"
