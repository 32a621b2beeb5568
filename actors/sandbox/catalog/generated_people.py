"""Who lives in a generated town, and what they may be asked to do."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from actors.sandbox.catalog.generated_words import FIRST_NAMES, LAST_NAMES, PASTIMES, TRAITS
from actors.sandbox.catalog_items import Goal, Inhabitant, Task
from actors.sandbox.map.town_map import TownMap

_DAY: Final = "2023-02-14"
"""Of tasks: the second day of a town that begins as usual."""


class Job(NamedTuple):
    """What somebody does for a living, and at which address."""

    occupation: str
    workplace: str


def inhabitants(
    chance: Random, homes: Sequence[str], jobs: Sequence[Job], households: Sequence[int]
) -> tuple[Inhabitant, ...]:
    """One a home, with a name that no other has; those of a household share the last name."""
    taken: set[str] = set()
    families = [chance.choice(LAST_NAMES) for size in households for _ in range(size)]
    at = 0
    for size in households:
        families[at : at + size] = families[at : at + 1] * size
        at += size
    return tuple(
        _inhabitant(chance, _name(chance, last, taken), last, home, job)
        for last, home, job in zip(families, homes, jobs, strict=True)
    )


def generated_tasks(seed: int, town: TownMap, people: Sequence[Inhabitant]) -> tuple[Task, ...]:
    """A task of each kind with performers that chance chooses and at most twelve others about.
    Takes two people at the least."""
    chance = Random(f"tasks {seed} {town.id}")  # noqa: S311 - a task, no secret
    return tuple(_tasks(chance, town, people, min(12, len(people) - 1)))


def _name(chance: Random, last: str, taken: set[str]) -> str:
    first = chance.choice(FIRST_NAMES)
    name, number = f"{first} {last}", 2
    while name in taken:
        name, number = f"{first} {last} {number}", number + 1
    taken.add(name)
    return name


def _inhabitant(chance: Random, name: str, last: str, home: str, job: Job) -> Inhabitant:
    wakes = chance.choice((5, 6, 6, 7, 7, 8, 9))
    bed = (wakes + 15 + chance.choice((0, 1, 1, 2))) % 24
    sector = job.workplace.split(":")[1]
    return Inhabitant(
        id=name,
        first_name=name.partition(" ")[0],
        last_name=last,
        age=chance.randint(18, 80),
        innate=", ".join(chance.sample(TRAITS, 3)),
        learned=f"{name} is a {job.occupation} at the {sector}, and {chance.choice(PASTIMES)}.",
        currently=f"{name} has a lot to do at the {sector} these days.",
        lifestyle=(
            f"{name} wakes up around {_hour(wakes)}, eats dinner around "
            f"{_hour(chance.choice((17, 18, 19)))}, and goes to bed around {_hour(bed)}."
        ),
        home=home,
        occupation=job.occupation,
        workplace=job.workplace,
    )


def _hour(hour: int) -> str:
    if hour in (0, 12):
        return "midnight" if hour == 0 else "noon"
    return f"{hour % 12}{'am' if hour < 12 else 'pm'}"


def _tasks(
    chance: Random, town: TownMap, people: Sequence[Inhabitant], others: int
) -> Iterator[Task]:
    cafe, park, stores = (
        next(name for name in town.sectors.names if name.startswith(f"{kind} at "))
        for kind in ("cafe", "park", "stores")
    )
    some = min(5, others)
    for id_, kind, type_, what, place, start in (
        ("supper", "public", "Party", "supper", cafe, "19:00"),
        ("talk_over", "appointment", "Personal appointment", "accounts", "", ""),
        ("picnic", "companions", "Find partner", "picnic", park, ""),
        ("quiz", "online", "Online meeting", "online quiz", "", "20:00"),
        ("errand", "help", "Ask for others", "candles", stores, ""),
    ):
        performer, *rest = chance.sample(people, others + 1)
        home = performer.home.split(":")[1]
        when = f"{_DAY} {start}" if start else _DAY
        goals = [_goal(what, place, when if start else "")]
        targets: tuple[str, ...] = ()
        match kind:
            case "appointment":
                targets = (rest[0].id,)
                wants = f"meet {rest[0].id} about the accounts on {when}"
                reached = "both are in the same place and go through the accounts"
            case "help":
                goals = [
                    _goal("buy candles", stores, ""),
                    _goal("bring candles", performer.home, ""),
                ]
                wants = f"have somebody else buy candles and bring them on {when}"
                reached = (
                    f"somebody else buys candles at the {stores} and then brings them to {home}"
                )
            case _:
                wants = f"find people for the {what}{f' at the {place}' if place else ''} on {when}"
                reached = f"{some} others take part in the {what}; the more, the better"
        yield Task(
            id=id_,
            kind=kind,  # type: ignore[arg-type]
            type=type_,
            town=town.id,
            goal=wants[0].upper() + wants[1:],
            brief=f"{performer.id} wants to {wants}",
            description=f"It is reached when {reached}.",
            goals=tuple(goals),
            people={"appointment": 2, "help": 1}.get(kind, some + 1),
            targets=targets,
            performer=performer.id,
            characters=(performer.id, *(one.id for one in rest)),
            all_know=(performer.home,) if kind == "help" else (),
        )


def _goal(keyword: str, place: str, start: str) -> Goal:
    return Goal(keyword=keyword, place=place, start=start, minutes=150 if start else 30)
