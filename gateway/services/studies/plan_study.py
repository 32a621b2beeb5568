"""From a study file to a study in the store."""

from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import msgspec

from actors.episodes.catalogs.entries import MissingItem
from actors.episodes.registry import environment_named
from actors.runs.plan.episode_setup import beginning
from actors.runs.state import run_stream
from actors.toml_file import BadFile, nearest, read_source
from events.environments import Catalog
from events.ids import RUN, STUDY, derived_number, new_id
from events.run import PlannedEpisode
from events.study import StudyPlanned
from gateway.services.catalogs.read_catalog import load, starter_name
from gateway.services.studies.plan_file import (
    ReadStudy,
    StudyFile,
    parse_study,
    read_study_file,
    resolve,
)
from gateway.services.studies.study_repository import Studies
from store.errors import Conflict
from store.log.event_store import NEW, EventStore
from store.participants.shared_key_store import require_keys


def prepare_study(store: EventStore, path: Path) -> ReadStudy:
    """Everything that the study file at ``path`` means, checked against the store: each task can be
    played, and what people write in it can be sealed. Plans nothing yet. Raises ``BadFile``: the
    field, and what would be right; ``KeysNotShared``, ``KeysUnavailable``."""
    return _prepared(store, read_study_file(path), read_source(path), path)


def prepare_text(store: EventStore, text: str) -> ReadStudy:
    """The same for a study file that came as text. Raises the same."""
    path = Path("plan")
    return _prepared(store, parse_study(text, path), text, path)


def _prepared(store: EventStore, file: StudyFile, source: str, path: Path) -> ReadStudy:
    _check_tempers(file, path)
    catalog = _catalog(store, file, path)
    read = resolve(file, catalog, path, version("troupe-server"), source)
    for condition in read.study.conditions:
        for task in condition.tasks:
            seed = derived_number(str(read.study.seed), task)
            planned = PlannedEpisode(id="e", task=task, minds=(), seed=seed)
            try:
                beginning("", read.planned.plan, catalog, planned)
            except MissingItem as error:
                raise BadFile(path, "conditions", str(error)) from error
    require_keys(store)
    return read


def plan_study(
    store: EventStore, read: ReadStudy, by: str = "", *, study: str = "", run: str = ""
) -> str:
    """Store a prepared study; its id. Nobody comes in before it is opened.

    ``study``, ``run``: the ids it will have; what an earlier try with these has stored stays.
    """
    study, run = study or new_id(STUDY), run or new_id(RUN)
    # Left to a server, which looks after the study.
    run_planned = msgspec.structs.replace(read.planned, detached=True, study=study)
    planned = StudyPlanned(
        study=read.study,
        run=run,
        source=read.planned.plan.source,
        software=read.planned.software,
        by=by,
    )
    with suppress(Conflict):
        store.append(run_stream(run), NEW, [run_planned], correlation=run)
    Studies(store).add(study, [planned])
    return study


def _check_tempers(file: StudyFile, path: Path) -> None:
    tempers = environment_named(file.environment).tempers
    for name, mind in file.minds.items():
        if mind.kind == "rehearsal" and mind.temper not in tempers:
            why = f"there is no temper {mind.temper!r}{nearest(mind.temper, tempers)}"
            raise BadFile(path, f"minds.{name}.temper", f"{why}; choose of {', '.join(tempers)}")


def _catalog(store: EventStore, file: StudyFile, path: Path) -> Catalog:
    name = file.catalog or starter_name(file.environment)
    if not name:
        why = f"name one; the environment {file.environment!r} comes with none"
        raise BadFile(path, "catalog", why)
    try:
        return load(store, name)
    except LookupError as error:
        raise BadFile(path, "catalog", str(error)) from error
