"""What is wrong or odd with a catalog that somebody wrote, and what it leaves to the reader."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Final

from actors.episodes.catalogs.entries import Remark
from actors.social import markup
from actors.social.catalog.cast_task import CatalogIndex
from actors.social.catalog.casts import casts_of
from actors.social.catalog.kinship import kinship_fault
from actors.social.catalog.misfits import misfits, seat_misfits
from actors.social.catalog.needed_facts import keys_fault, teaching_fault
from actors.social.catalog_items import (
    Catalog,
    RelationshipKind,
    Scenario,
    Task,
)
from actors.toml_lines import Place
from actors.typed_values import suggestion

OLDEST: Final = 150
"""Years."""
_SHOWN: Final = 3
"""Casts that a note names; the rest it counts."""
_TRIED: Final = 100
"""Scenarios without a task for which casts are looked for."""
_ADDRESSED: Final = r"\b[Yy]ou(?:(?:['’]re| are)(?: called)? |, )({names})\b"
"""How a goal says who its reader is."""


def check(catalog: Catalog) -> Iterator[Remark]:
    """Everything to be said of it, kind by kind."""
    index = CatalogIndex(catalog)
    yield from _of_characters(catalog)
    yield from _of_relationships(catalog, index)
    for number, scenario in enumerate(catalog.scenarios):
        yield from _of_scenario(scenario, ("scenario", number), index)
    sound = []
    for number, task in enumerate(catalog.tasks):
        remarks = list(_of_task(task, ("task", number), index))
        yield from remarks
        if not remarks:
            sound.append(task)
    yield from _of_casts(catalog, sound, index)
    yield from _unplayed(catalog, index)


def _of_characters(catalog: Catalog) -> Iterator[Remark]:
    played = {id_ for task in catalog.tasks for id_ in task.characters}
    names = Counter(who.name for who in catalog.characters)
    for number, who in enumerate(catalog.characters):
        place = ("character", number)
        if not who.first_name.strip():
            yield Remark("error", (*place, "first_name"), "is empty; others have to call them")
        if not 0 <= who.age <= OLDEST:
            why = f"must be 0 to {OLDEST} years, is {who.age}"
            yield Remark("error", (*place, "age"), why)
        if names[who.name] > 1:
            why = (
                f"{names[who.name]} characters are called {who.name!r}; nobody can tell them apart"
            )
            yield Remark("warning", (*place, "first_name"), why)
        if not who.secret.strip():
            why = "has no secret: whether it is kept cannot be judged"
            yield Remark("warning", (*place, "secret"), why)
        for field in ("public_info", "personality"):
            if who.secret.strip() and who.secret.strip() in getattr(who, field):
                why = "tells the secret to those who may not know it"
                yield Remark("warning", (*place, field), why)
        if catalog.tasks and who.id not in played:
            yield Remark("warning", place, "no task casts this character")


def _of_relationships(catalog: Catalog, index: CatalogIndex) -> Iterator[Remark]:
    for number, one in enumerate(catalog.relationships):
        place = ("relationship", number)
        yield from _unknown(one.characters, index.characters, "character", (*place, "characters"))
        if len(set(one.characters)) < 2:
            yield Remark("error", (*place, "characters"), "must be two different characters")
        elif index.characters.keys() >= set(one.characters):
            two = [index.characters[id_] for id_ in one.characters]
            if fault := kinship_fault(one, two):
                yield Remark("warning", (*place, "kin" if one.kin else "characters"), fault)
        yield from _markup_faults(one.story, (*place, "story"), None)


def _of_scenario(scenario: Scenario, place: Place, index: CatalogIndex) -> Iterator[Remark]:
    seats = len(scenario.goals)
    if seats < 2:
        yield Remark(
            "error", (*place, "goals"), f"must be one a seat, two at least; there is {seats}"
        )
    if not scenario.context.strip():
        yield Remark("warning", (*place, "context"), "is empty: nobody knows where they are")
    yield from _markup_faults(scenario.context, (*place, "context"), seats)
    for seat, goal in enumerate(scenario.goals):
        yield from _of_goal(scenario, seat, goal, (*place, "goals", seat))
    for field in ("ages", "occupations"):
        if (given := len(getattr(scenario, field))) not in (0, seats):
            why = f"must be one a seat: {seats}, not {given}; or none, for anybody"
            yield Remark("error", (*place, field), why)
    for seat, (youngest, oldest) in enumerate(scenario.ages):
        if not 0 <= youngest <= oldest <= OLDEST:
            why = f"must be the youngest and the oldest, 0 to {OLDEST}, not {youngest} and {oldest}"
            yield Remark("error", (*place, "ages", seat), why)
    for seat in range(seats):
        if index.characters and all(
            seat_misfits(scenario, seat, who) for who in index.characters.values()
        ):
            asked = _asked(scenario, seat)
            yield Remark(
                "warning", place, f"no character fits seat {seat + 1}, which asks for {asked}"
            )
    if scenario.needs:
        fault = keys_fault(scenario) or teaching_fault(scenario, index.scenarios)
        if fault is not None:
            yield Remark("warning", (*place, "needs"), fault)


def _of_goal(scenario: Scenario, seat: int, goal: str, place: Place) -> Iterator[Remark]:
    if not goal.strip():
        yield Remark("warning", place, f"the goal of seat {seat + 1} is empty")
    elif goal in scenario.goals[:seat]:
        other = scenario.goals.index(goal) + 1
        why = f"the goal of seat {seat + 1} is word for word that of seat {other}"
        yield Remark("warning", place, why)
    faults = list(_markup_faults(goal, place, len(scenario.goals)))
    yield from faults
    if not faults:
        for viewer in sorted(_viewers(markup.parse(goal)) - {seat}):
            why = f"a passage of the goal of seat {seat + 1} is shown to seat {viewer + 1}"
            yield Remark("warning", place, why)


def _of_task(task: Task, place: Place, index: CatalogIndex) -> Iterator[Remark]:
    """Why it cannot be played."""
    yield from _unknown((task.scenario,), index.scenarios, "scenario", (*place, "scenario"))
    yield from _unknown(task.characters, index.characters, "character", (*place, "characters"))
    yield from _unknown(
        task.relationships, index.relationships, "relationship", (*place, "relationships")
    )
    scenario = index.scenarios.get(task.scenario)
    if scenario and len(task.characters) != len(scenario.goals):
        why = (
            f"must be {len(scenario.goals)}, one for each goal of {scenario.id!r}, "
            f"not {len(task.characters)}"
        )
        yield Remark("error", (*place, "characters"), why)
    elif len(set(task.characters)) < len(task.characters):
        yield Remark("error", (*place, "characters"), "somebody is in two seats")
    known = [index.relationships[id_] for id_ in task.relationships if id_ in index.relationships]
    joined = Counter(frozenset(one.characters) for one in known)
    for number, one in enumerate(known):
        if not set(one.characters) <= set(task.characters):
            why = f"{one.id!r} is between {' and '.join(one.characters)}, who are not both cast"
            yield Remark("error", (*place, "relationships", number), why)
        elif joined[frozenset(one.characters)] > 1:
            why = f"{' and '.join(one.characters)} have two; name one of them"
            yield Remark("error", (*place, "relationships", number), why)


def _of_casts(catalog: Catalog, sound: Sequence[Task], index: CatalogIndex) -> Iterator[Remark]:
    """What is odd about tasks that can be played."""
    number_of = {task.id: number for number, task in enumerate(catalog.tasks)}
    first_names = {who.first_name for who in catalog.characters if who.first_name}
    addressed = re.compile(_ADDRESSED.format(names="|".join(map(re.escape, sorted(first_names)))))
    for task in sound:
        place = ("task", number_of[task.id])
        scenario = index.scenarios[task.scenario]
        cast = [index.characters[id_] for id_ in task.characters]
        if odd := misfits(scenario, cast, _kinds(task, index)):
            reasons = dict.fromkeys(misfit.reason for misfit in odd)
            yield Remark("warning", place, "; ".join(reasons))
        for seat, (who, goal) in enumerate(zip(cast, scenario.goals, strict=True)):
            for name in dict.fromkeys(addressed.findall(goal) if first_names else ()):
                if name != who.first_name:
                    why = f"the goal of seat {seat + 1} speaks to {name}, there sits {who.name}"
                    yield Remark("warning", place, why)


def _unplayed(catalog: Catalog, index: CatalogIndex) -> Iterator[Remark]:
    """Scenarios without a task, and who could play them."""
    played = {task.scenario for task in catalog.tasks}
    tried = 0
    for number, scenario in enumerate(catalog.scenarios):
        if scenario.id in played or len(scenario.goals) < 2:
            continue
        place, tried = ("scenario", number), tried + 1
        if len(scenario.goals) > 2 or tried > _TRIED:
            why = f"no task plays it; it takes {len(scenario.goals)} characters"
            yield Remark("note", place, why)
        elif casts := list(islice(casts_of(scenario, catalog, index), _SHOWN + 1)):
            rest = "; and others" if len(casts) > _SHOWN else ""
            shown = "; ".join(casts[:_SHOWN])
            yield Remark("note", place, f"no task plays it; these two could: {shown}{rest}")
        else:
            why = f"no task plays it, and no two characters could ({_allowed(scenario)})"
            yield Remark("warning", place, why)


def _kinds(task: Task, index: CatalogIndex) -> list[RelationshipKind]:
    """How each two of a cast stand to each other."""
    kinds = {
        frozenset(index.relationships[id_].characters): index.relationships[id_].kind
        for id_ in task.relationships
    }
    return [
        kinds.get(frozenset(pair), RelationshipKind.STRANGER)
        for pair in combinations(task.characters, 2)
    ]


def _asked(scenario: Scenario, seat: int) -> str:
    """A seat's constraints in words."""
    asked = []
    if seat < len(scenario.ages):
        asked.append("an age of {} to {}".format(*scenario.ages[seat]))
    if seat < len(scenario.occupations) and scenario.occupations[seat]:
        asked.append(f"the occupation {scenario.occupations[seat]!r}")
    return " and ".join(asked)


def _allowed(scenario: Scenario) -> str:
    words = " or ".join(scenario.relationships) or "any relationship"
    seats = [f"seat {seat + 1}: {asked}" for seat in range(2) if (asked := _asked(scenario, seat))]
    return "; ".join([words, *seats])


def _unknown(
    ids: Sequence[str], known: Mapping[str, object], kind: str, place: Place
) -> Iterator[Remark]:
    for number, id_ in enumerate(ids):
        if id_ not in known:
            why = f"there is no {kind} {id_!r}{suggestion(id_, known)}"
            yield Remark("error", place if kind == "scenario" else (*place, number), why)


def _markup_faults(text: str, place: Place, seats: int | None) -> Iterator[Remark]:
    """Markup that cannot be read, or that is for a seat there is not; ``seats`` None: there may be
    any."""
    try:
        viewers = _viewers(markup.parse(text))
    except markup.BadMarkup as bad:
        yield Remark("error", place, bad.why)
        return
    for viewer in sorted(viewers - set(range(seats))) if seats is not None else ():
        why = f'viewer="agent_{viewer}" is for seat {viewer + 1}, there are {seats}'
        yield Remark("warning", place, why)


def _viewers(passage: markup.Passage) -> set[int]:
    """The seats that passages are marked for, from 0."""
    own = passage.viewer.removeprefix("agent_")
    found = {int(own)} if own.isdigit() else set()
    return found.union(*(_viewers(part) for part in passage.parts if not isinstance(part, str)))
