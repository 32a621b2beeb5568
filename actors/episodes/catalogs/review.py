"""Reviews a catalog: the episodes that its tasks would begin, and the remarks of its
environment."""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from actors.episodes.catalogs.entries import Beginning, MissingItem, Remark
from actors.episodes.catalogs.item_kinds import kinds_of
from actors.episodes.port.environment import Environment
from actors.typed_values import suggestion
from events.environments import Catalog

How = Literal["added", "changed", "removed"]


class Casting(NamedTuple):
    """A task with its cast."""

    task: str
    title: str
    """What is played."""
    characters: tuple[str, ...]
    """By name, in the order of the seats."""
    labels: Mapping[str, str]
    """What else its environment says of it, by a short name."""


class Review(NamedTuple):
    """A catalog, looked through."""

    castings: tuple[Casting, ...]
    """Of those tasks that can be played."""
    remarks: tuple[Remark, ...]


def review(environment: Environment, catalog: Catalog) -> Review:
    """Begin an episode of every task, without playing it."""
    remarks = list(environment.authoring.check(catalog))
    refused = {remark.place[:2] for remark in remarks if remark.grade == "error"}
    castings = []
    tasks = getattr(catalog, "tasks", ())
    number_of = {task.id: number for number, task in enumerate(tasks)}
    settings = environment.plans.for_review()
    entries = environment.tasks(catalog)
    for entry in entries:
        place = ("task", number_of[entry.id]) if entry.id in number_of else ()
        if place in refused:
            continue
        try:
            begun = environment.begin(catalog, entry.id, settings, 0)
            game = environment.game_of(begun.setup)
            fault = game.rules.setup_fault(begun.setup, entry.seats)
        except MissingItem as missing:
            fault = _missing(catalog, missing)
        except (LookupError, ValueError) as error:
            fault = f"no episode of it can begin ({type(error).__name__}: {error})"
        if fault is None:
            castings.append(_casting(environment, entry.id, begun))
        else:
            # Where tasks follow from the catalog, the file has no place for them.
            remarks.append(Remark("error", place, fault if place else f"{entry.id}: {fault}"))
    if not entries:
        remarks.append(Remark("warning", (), "there is no task, so that a run plays nothing of it"))
    return Review(tuple(castings), tuple(remarks))


def changes(old: Catalog | None, new: Catalog) -> Iterator[tuple[How, str, str]]:
    """What is different in the newer of two catalogs: how, the kind and the id."""
    for name, kind in kinds_of(type(new)).items():
        before = {item.id: item for item in getattr(old, kind.field, ())}
        after = {item.id: item for item in getattr(new, kind.field)}
        for id_, item in after.items():
            if id_ not in before:
                yield "added", name, id_
            elif before[id_] != item:
                yield "changed", name, id_
        for id_ in (id_ for id_ in before if id_ not in after):
            yield "removed", name, id_


def _casting(environment: Environment, task: str, begun: Beginning) -> Casting:
    found = environment.game_of(begun.setup).presentation.labels(begun.setup)
    labels = {name: text for name, text in found.items() if text}
    return Casting(task, begun.title, begun.characters, labels)


def _missing(catalog: Catalog, missing: MissingItem) -> str:
    kind = kinds_of(type(catalog)).get(missing.kind)
    known = [item.id for item in getattr(catalog, kind.field)] if kind else []
    return f"there is no {missing.kind} {missing.id!r}{suggestion(missing.id, known)}"
