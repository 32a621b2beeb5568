"""The plan of one episode: a task, and who sits where."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from actors.episodes.registry import environment_named
from actors.runs.plan.mind_entries import MindEntry
from actors.runs.plan.plan_file import PlanFile, TaskChoice
from actors.runs.plan.plan_run import choose_tasks
from gateway.errors import BadArgument
from gateway.services.episodes.mind_words import KnownMinds, mind_in_words
from gateway.services.runs.plan_run import catalog_of
from store.log.event_store import EventStore

Sitting = str | Mapping[str, object]
"""A mind in words (``rehearsal:TEMPER``, a model's name, …), or its section in a plan."""
_PATH: Final = Path("plan")


def plan_of_episode(
    store: EventStore,
    environment: str,
    task: str,
    minds: Sequence[Sitting],
    *,
    catalog: str = "",
    seed: int = 0,
    settings: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """What a plan file would say that plays one task once.

    ``task``: its id; empty: the catalog's first. ``minds``: one a seat, or one for all seats; none:
    rehearsals of different tempers. ``settings``: the environment's own section. Raises
    ``UnknownEnvironment``, ``BadFile``, ``BadArgument``, ``UnknownId``.
    """
    own = environment_named(environment)
    found = catalog_of(store, PlanFile(environment=environment, catalog=catalog), _PATH)
    chosen = choose_tasks(found, TaskChoice(ids=(task,) if task else ()), str(_PATH))[0]
    tempers = own.tempers or ("",)
    given = list(minds) or [
        f"rehearsal:{tempers[seat % len(tempers)]}" for seat in range(chosen.seats)
    ]
    if len(given) == 1:
        given *= chosen.seats
    if len(given) != chosen.seats:
        why = f"the task {chosen.id} has {chosen.seats} seats; give a mind for each, or one for all"
        raise BadArgument("minds", str(len(given)), why)
    sections: dict[str, Mapping[str, object]] = {}
    seated = [
        _name_among(sections, *section_of(store, environment, mind, "minds")) for mind in given
    ]
    plan: dict[str, object] = {
        "name": f"{environment} {chosen.id}",
        "environment": environment,
        "catalog": found.name,
        "seed": seed,
        "tasks": {"ids": [chosen.id]},
        "minds": sections,
        "seats": {"pairings": [seated]},
    }
    return {**plan, environment: settings} if settings else plan


def section_of(
    store: EventStore, environment: str, mind: object, option: str
) -> tuple[str, Mapping[str, object]]:
    """What a mind (a ``Sitting``) is called, and its section in a plan. ``option`` names it in
    errors. Raises ``UnknownEnvironment``, ``BadArgument``, ``UnknownId``."""
    if not isinstance(mind, str | Mapping):
        why = "is no mind; give one in words, a model, or what a plan's section of it would say"
        raise BadArgument(option, repr(mind), why)
    if not isinstance(mind, str):
        return str(mind.get("model") or mind.get("kind", "mind")), mind
    known = KnownMinds({}, environment_named(environment).tempers)
    name, entry = mind_in_words(store, mind, known, mind, option)
    default = MindEntry(kind=entry.kind)
    pairs = ((field, getattr(entry, field)) for field in MindEntry.__struct_fields__)
    given = {field: value for field, value in pairs if value != getattr(default, field)}
    return name, {"kind": entry.kind, **given}


def _name_among(
    sections: dict[str, Mapping[str, object]], name: str, section: Mapping[str, object]
) -> str:
    """The name of a mind whose section is among ``sections`` then: the same mind has one name."""
    there, number = name, 1
    while sections.setdefault(there, section) != section:
        number += 1
        there = f"{name} {number}"
    return there
