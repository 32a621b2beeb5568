"""Imports trajectories of towns that other programs played."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

from actors.episodes.catalogs.entries import MissingItem
from actors.episodes.formats import ImportedEpisode
from actors.episodes.registry import environment_named
from actors.sandbox.catalog_items import Catalog
from actors.sandbox.formats.movement_events import history_of, settings_of
from actors.sandbox.formats.movement_reader import is_movement, read_movement
from actors.sandbox.formats.movement_trajectory import trajectory_in
from actors.sandbox.formats.movement_types import Decider, Meta
from actors.sandbox.map.grid import grid_of
from actors.sandbox.setup import NAME
from events.base import Value, replace
from events.episode import EpisodeStarted, Origin
from events.minds import AgentName, MindSpec, ModelSpec, agent_named
from events.untrusted.safe_text import shortened
from gateway.errors import BadArgument
from gateway.services.catalogs.read_catalog import load
from gateway.services.files.imported_runs import imported_run
from store.log.event_store import EventStore

CAME_IN = "STSS movement files"
"""What lists say that such episodes came in."""


class TrajectoriesBrought(Value, frozen=True, kw_only=True):
    run: str
    """The run that they are."""
    episodes: tuple[str, ...]
    events: int
    stored: int
    """Of them, those that were not here already."""


def import_trajectories(
    store: EventStore,
    folder: Path,
    task: str = "",
    catalog: str = "",
    decider: Decider | None = None,
) -> TrajectoriesBrought:
    """Import a folder of published files, or a folder of such. The same again changes nothing;
    where one is refused, none is kept.

    ``task``, ``catalog``: whose task it was; empty: as the files say, or the folder's name.
    ``decider``: who decided, where the files do not say.

    Raises ``BadArgument``, ``UnknownId``, ``MovementRefused``, ``OSError``.
    """
    folders = list(_folders(folder))
    if not folders:
        why = "holds neither movement/ nor master_movement.json, nor does any folder in it"
        raise BadArgument("DIR", str(folder), why)
    if task and len(folders) > 1:
        why = f"names one task, and {folder} holds {len(folders)} trajectories"
        raise BadArgument("--task", task, why)
    catalogs: dict[str, Catalog] = {}
    unknown = decider or Decider(name="unknown")
    found = [_read(store, one, task, catalog, unknown, catalogs) for one in folders]
    names = ", ".join(catalogs)
    made = imported_run(found, name=folder.absolute().name, catalog=names, came_in=CAME_IN)
    stored = store.import_envelopes(made.envelopes)
    return TrajectoriesBrought(
        run=made.id, episodes=made.episodes, events=len(made.envelopes), stored=stored
    )


def _folders(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        raise BadArgument("DIR", str(folder), "there is no such folder")
    if is_movement(folder):
        yield folder
        return
    yield from sorted(one for one in folder.iterdir() if one.is_dir() and is_movement(one))


def _read(
    store: EventStore,
    folder: Path,
    task: str,
    catalog: str,
    unknown: Decider,
    catalogs: dict[str, Catalog],
) -> ImportedEpisode:
    movement = read_movement(folder)
    meta = movement.meta
    name = catalog or meta.catalog
    if not name:
        raise BadArgument("--catalog", "", f"{folder} does not say of which catalog its task is")
    if name not in catalogs:
        catalogs[name] = _catalog(store, name)
    known = catalogs[name]
    wanted = task or meta.task or _named(folder, known)
    environment = environment_named(NAME)
    plain: Any = environment.plans.settings(environment.plans.section(), 0)
    try:
        beginning = environment.begin(known, wanted, plain, 0)
    except MissingItem as error:
        raise BadArgument("--task", wanted, str(error)) from error
    town: Any = beginning.setup
    lived = trajectory_in(movement, beginning.characters, grid_of(town.map), folder)
    started = EpisodeStarted(
        run="",
        task=wanted,
        catalog=known.name,
        environment=NAME,
        setup=replace(town, settings=settings_of(lived)),
        scenario=beginning.scenario,
        title=beginning.title,
        characters=beginning.characters,
        minds=_minds(meta, beginning.characters, unknown),
        tags=beginning.tags,
        origin=Origin(id=meta.episode or folder.name, tag=meta.run or meta.fork_sim_code),
    )
    return ImportedEpisode(str(folder), folder.name, history_of(started, lived), None, ())


def _catalog(store: EventStore, name: str) -> Catalog:
    found = load(store, name)
    if not isinstance(found, Catalog):
        raise BadArgument("--catalog", name, "holds no towns")
    return found


def _named(folder: Path, catalog: Catalog) -> str:
    """The task that a folder's name holds, as the published scorer finds it: ``sim`` instead of
    ``base``; the longest of several. Raises ``BadArgument``."""
    fitting = [
        (len(name), task.id)
        for task in catalog.tasks
        for name in (task.environment_name.replace("base", "sim"), task.environment_name, task.id)
        if name and name in folder.name
    ]
    if not fitting:
        why = f"neither the files nor the folder's name {folder.name!r} say which task it is"
        raise BadArgument("--task", "", why)
    return max(fitting)[1]


def _minds(meta: Meta, people: Sequence[str], unknown: Decider) -> tuple[MindSpec, ...]:
    """Who decided: nothing of it can reach a model's server."""
    given = dict(zip(meta.persona_names, meta.minds, strict=False))
    return tuple(_mind(given.get(name, unknown)) for name in people)


def _mind(decider: Decider) -> MindSpec:
    name = shortened(decider.name, 100) or "unknown"
    match decider.kind:
        case "generative" | "model":
            generative = None
            if decider.kind == "generative":
                known = decider.agent in get_args(AgentName)
                generative = agent_named(decider.agent if known else "ga")  # type: ignore[arg-type]
            model = ModelSpec(name=shortened(decider.model, 200) or name)
            return MindSpec(name=name, kind=decider.kind, model=model, generative=generative)
        case "rehearsal":
            return MindSpec(name=name, kind="rehearsal", temper=shortened(decider.agent, 100))
        case _:
            return MindSpec(name=name, kind="remote")
