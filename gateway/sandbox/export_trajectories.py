"""Writing towns as published files."""

from pathlib import Path
from typing import Final

from actors.sandbox.catalog_items import Task
from actors.sandbox.formats.movement_types import Decider, Meta
from actors.sandbox.formats.movement_writer import write_movement
from actors.sandbox.movement.trajectory_reader import trajectory_of
from actors.sandbox.setup import NAME, Town
from evaluators.tables.plain_tables import safe_name
from events.base import Value
from events.episode import EpisodeStarted
from events.minds import MindSpec
from gateway.errors import BadArgument
from gateway.services.runs.resolve_ids import run_or_episode
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history

_TASK: Final = "base"
"""How published tasks begin, and what the published scorer looks for in a folder's name instead."""
_RUN: Final = "sim"


class TrajectoriesWritten(Value, frozen=True, kw_only=True):
    folders: tuple[str, ...]
    """One an episode."""
    left_out: int
    """Episodes that have not ended, or are no town's."""


def export_trajectories(store: EventStore, what: str, out: Path) -> TrajectoriesWritten:
    """Write the towns of a run, or one, each into a folder of its own. Raises ``UnknownId``,
    ``BadArgument`` where there is none and where a folder is there already, ``OSError``."""
    meant = run_or_episode(store, what)
    if meant.kind == "run":
        rows = queries.episodes(store, run=meant.id)
    else:
        rows = [queries.episode(store, meant.id)]
    ended = [row for row in rows if row.status == "ended" and row.environment == NAME]
    folders = []
    for row in ended:
        history = [numbered.event for numbered in read_history(store, row.id)]
        started = next(event for event in history if isinstance(event, EpisodeStarted))
        if not isinstance(started.setup, Town):
            continue
        folder = out / f"{name_of(started.setup.task, row.task)}-{row.id}"
        if folder.exists():
            raise BadArgument("DIR", str(folder), "is there already: name another folder")
        meta = Meta(
            sec_per_step=started.setup.settings.step_s,
            maze_name=started.setup.map.id,
            task=row.task,
            catalog=row.catalog,
            episode=row.id,
            run=queries.run(store, row.run).name if row.run else "",
            minds=[decider_of(mind) for mind in started.minds],
        )
        write_movement(trajectory_of(history), folder, meta)
        folders.append(str(folder))
    if not folders:
        why = "holds no town that has ended, so there is nothing to be written"
        raise BadArgument(meant.kind, meant.id, why)
    return TrajectoriesWritten(folders=tuple(folders), left_out=len(rows) - len(folders))


def name_of(task: Task | None, id_: str) -> str:
    """How the folder of a task's run begins, so that the published scorer finds it."""
    published = task.environment_name if task is not None else ""
    return safe_name(published.replace(_TASK, _RUN, 1) or id_)


def decider_of(mind: MindSpec) -> Decider:
    """Who decided, without what could reach a model."""
    agent = mind.generative.named if mind.generative is not None else mind.temper
    model = mind.model.name if mind.model is not None else ""
    return Decider(name=mind.name, kind=mind.kind, model=model, agent=agent)
