"""What is wrong or odd with a task: whom and what it names, and whether its texts and its figures
say the same.

What could not be scored is an error; of a published task it is a warning, for that stays as it was
published.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Final

from actors.episodes.catalogs.entries import Remark
from actors.sandbox.catalog_items import Catalog, Goal, Inhabitant, Task
from actors.sandbox.map.grid import Grid
from actors.text.stems import content_stems
from actors.typed_values import suggestion
from events.untrusted.safe_text import shortened

TIME: Final = "%Y-%m-%d %H:%M"
"""How the start of a window is written."""
_COUNTED: Final = re.compile(
    r"\b(?P<before>another |other )?(?P<count>\d{1,4}) (?P<after>others?\b|other )?"
    r"(?:people|persons|guests|friends|audience|participants)?"
)
_SAID: Final = re.compile(r"people|persons|guests|friends|audience|participants|other")

Finding = tuple[tuple[str | int, ...], str]
"""The field within the task, and what is wrong."""


def task_remarks(
    place: tuple[str | int, ...], task: Task, catalog: Catalog, grid: Grid
) -> Iterator[Remark]:
    """Everything about one task of a catalog, in the town it is played in."""
    people = {one.id: one for one in catalog.inhabitants}
    for field, why in chain(_cast(task, people, grid), _goals(task, grid), _places(task, grid)):
        yield Remark("warning" if task.environment_name else "error", (*place, *field), why)
    others = [other for other in catalog.tasks if other is not task]
    for field, why in chain(_figures(task), _texts(task, others, grid)):
        yield Remark("warning", (*place, *field), why)


def unknown_place(address: str, grid: Grid) -> str:
    """That a town has no such place, and which may be meant."""
    full = f"{grid.town.world}:{address}"
    hint = f"; write {full!r}" if full in grid.index else suggestion(address, grid.places)
    return f"there is no place {shortened(address)!r} in {shortened(grid.town.id)}{hint}"


def _cast(task: Task, people: Mapping[str, Inhabitant], grid: Grid) -> Iterator[Finding]:
    for number, name in enumerate(task.characters):
        who = people.get(name)
        if who is None:
            why = f"there is no inhabitant {shortened(name)!r}{suggestion(name, people)}"
            yield ("characters", number), why
        elif who.home not in grid.index:
            yield ("characters", number), f"{name!r} has no home in {shortened(grid.town.id)}"
        if name in task.characters[:number]:
            yield ("characters", number), f"{shortened(name)!r} is there twice"
    if task.performer not in task.characters[:1]:
        why = f"{shortened(task.performer)!r} performs it and must be the first of its characters"
        yield ("performer",), why
    for number, name in enumerate(task.targets):
        if name not in task.characters or name == task.performer:
            yield ("targets", number), f"{shortened(name)!r} is not one of the other characters"
    if task.kind == "appointment" and not task.targets:
        yield ("targets",), "an appointment needs somebody whom it is to be made with"
    if not 1 <= task.people <= len(task.characters):
        why = f"{task.people:,} are to take part, but there are {len(task.characters)} characters"
        yield ("people",), why


def _goals(task: Task, grid: Grid) -> Iterator[Finding]:
    if not task.goals:
        yield ("goals",), "there is nothing to be done; give at least one goal"
    for number, goal in enumerate(task.goals):
        at = ("goals", number)
        if not goal.keyword.strip():
            yield (*at, "keyword"), "is empty; it is what an action's text must hold to count"
        if goal.place and not any(goal.place in address for address in grid.places):
            parts = {part for address in grid.places for part in address.split(":")}
            hint = suggestion(goal.place, sorted(parts))
            why = (
                f"{shortened(goal.place)!r} is part of no address, so nobody can do it there{hint}"
            )
            yield (*at, "place"), why
        yield from (((*at, field), why) for field, why in _window(task, goal))


def _window(task: Task, goal: Goal) -> Iterator[tuple[str, str]]:
    if goal.start:
        try:
            datetime.strptime(goal.start, TIME)
        except ValueError:
            yield "start", f"{shortened(goal.start)!r} is no date and time like 2023-02-14 19:00"
        if goal.minutes < 1:
            yield "minutes", "its window is no minute long"
    elif task.kind in ("public", "online"):
        yield "start", f"what is done together in a task of kind {task.kind} needs a time"


def _places(task: Task, grid: Grid) -> Iterator[Finding]:
    for field in ("performer_knows", "all_know"):
        for number, address in enumerate(getattr(task, field)):
            if address not in grid.index:
                yield (field, number), unknown_place(address, grid)


def _figures(task: Task) -> Iterator[Finding]:
    if task.kind == "appointment" and task.targets and task.people != 1 + len(task.targets):
        why = (
            f"is {task.people}, but an appointment with {' and '.join(task.targets)} is of "
            f"{1 + len(task.targets)}"
        )
        yield ("people",), why
    for found in _COUNTED.finditer(task.description):
        if not _SAID.search(found[0]):
            continue
        said, others = int(found["count"]), bool(found["before"] or found["after"])
        if task.people not in ({said + 1} if others else {said, said + 1}):
            more = " beside the performer" if others else ""
            why = f"the description says {said}{more}, but {task.people} are to take part in all"
            yield ("people",), why


def _texts(task: Task, others: Sequence[Task], grid: Grid) -> Iterator[Finding]:
    """Texts that speak of something else than the goals do."""
    own = _keywords(task)
    foreign = frozenset(chain.from_iterable(map(_keywords, others))) - own
    sectors = [place.partition(":")[2] for place in grid.places if place.count(":") == 1]
    places = [goal.place for goal in task.goals if goal.place]
    silent: dict[str, str] = {}
    for field in ("goal", "brief", "description"):
        text: str = getattr(task, field)
        for sector in sorted(sectors, key=len, reverse=True):
            if sector not in text:
                continue
            text = text.replace(sector, " ")
            if len(places) == len(task.goals) and not any(sector in place for place in places):
                yield (field,), f"names {sector!r}, but it is to be done at {places[0]!r}"
        if not content_stems(text) & own:
            silent[field] = text
    if len(silent) == 3:
        yield ("goals",), f"none of its texts speaks of what counts: {_listed(task)}"
        return
    for field, text in silent.items():
        words = [word for word in text.split() if content_stems(word) & foreign]
        if words:
            of = shortened(" ".join(words), 60)
            yield (field,), f"speaks of {of!r}, and not of what counts: {_listed(task)}"


def _keywords(task: Task) -> frozenset[str]:
    words = (" ".join((goal.keyword, *goal.other_keywords)) for goal in task.goals)
    return content_stems(" ".join(words))


def _listed(task: Task) -> str:
    words = (word for goal in task.goals for word in (goal.keyword, *goal.other_keywords))
    return ", ".join(dict.fromkeys(shortened(word, 60) for word in words))
