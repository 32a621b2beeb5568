"""Who plays what in one of SOTOPIA's episode logs.

The ids of a log's environment and agents must be in a catalog; which of the pair's relationships
was played is not in a log, and is found as ``catalog_in`` finds a task's.

A log names no minds but models. A name that begins with ``rehearsal/`` is a rehearsal's, and stays
one; ``human`` is somebody who sat elsewhere.
"""

from collections.abc import Collection, Sequence
from typing import Final

from actors.episodes.formats import episode_key
from actors.social.catalog.cast_task import CatalogIndex, relationships_between
from actors.social.catalog.misfits import kind_fits
from actors.social.catalog_items import Task
from actors.social.formats.episode_log_rows import LogRow
from actors.social.formats.episode_log_writer import REHEARSAL, told
from actors.social.formats.rows import RowPlace
from actors.social.rehearsal.tempers import TEMPERS
from actors.social.setup import EpisodeRules, SocialSetup, begin
from actors.social.sight import view
from actors.toml_file import nearest
from events.base import replace
from events.episode import EpisodeStarted, Origin
from events.minds import MindSpec, ModelSpec

HUMAN: Final = "human"
"""How logs call a person in a seat."""


def started_of(row: LogRow, index: CatalogIndex, place: RowPlace) -> EpisodeStarted | None:
    known = _in_catalog("environment", row.environment, index.scenarios, "scenario", index, place)
    for id_ in row.agents:
        known &= _in_catalog("agents", id_, index.characters, "character", index, place)
    minds = _minds(row, place)
    if not known or minds is None:
        return None
    scenario = index.scenarios[row.environment]
    if len(row.agents) != len(scenario.goals):
        seats = len(scenario.goals)
        place.fault("agents", f"must be {seats}, as many as scenario {scenario.id!r} has seats")
        return None
    task = _task(row, index)
    setup = SocialSetup(
        scenario=scenario,
        cast=tuple(index.characters[id_] for id_ in row.agents),
        relationships=relationships_between(
            task.characters, [index.relationships[id_] for id_ in task.relationships]
        ),
    )
    return begin(
        setup,
        run="",
        task=task.id,
        catalog=index.name,
        minds=minds,
        tags=tuple(dict.fromkeys((*task.tags, *filter(None, (row.tag,))))),
        origin=Origin(id=episode_key(row.pk or ""), tag=row.tag or ""),
    )


def _in_catalog(
    field: str, id_: str, known: Collection[str], what: str, index: CatalogIndex, place: RowPlace
) -> bool:
    if id_ in known:
        return True
    hint = nearest(id_, known, 60)
    place.fault(field, f"catalog {index.name!r} has no {what} {id_!r}{hint}")
    return False


def _minds(row: LogRow, place: RowPlace) -> tuple[MindSpec, ...] | None:
    """Models are named as [judge, seat, seat, …], by some without the judge."""
    names, seats = row.models or [None] * len(row.agents), len(row.agents)
    if len(names) not in (seats, seats + 1):
        place.fault("models", f"must name the judge and {seats} seats, not {len(names)} models")
        return None
    return tuple(_mind(name or "unknown") for name in names[-seats:])


def _mind(name: str) -> MindSpec:
    if name.startswith(REHEARSAL):
        name = name.removeprefix(REHEARSAL)
        return MindSpec(name=name, kind="rehearsal", temper=name if name in TEMPERS else "")
    if name == HUMAN:
        return MindSpec(name=name, kind="remote")
    return MindSpec(name=name, kind="model", model=ModelSpec(name=name))


def judge_name(row: LogRow) -> str:
    models = row.models or []
    return (models[0] or "") if len(models) == len(row.agents) + 1 else ""


def _task(row: LogRow, index: CatalogIndex) -> Task:
    """The catalog's task with this cast, or one that casts it as ``catalog_in`` would."""
    cast = tuple(row.agents)
    for task in index.tasks.values():
        if task.scenario == row.environment and task.characters == cast:
            return task
    scenario = index.scenarios[row.environment]
    chosen: dict[frozenset[str], str] = {}
    for relationship in index.relationships.values():
        pair = frozenset(relationship.characters)
        if pair <= set(cast) and kind_fits(scenario, relationship.kind):
            chosen.setdefault(pair, relationship.id)
    return Task(id="", scenario=scenario.id, characters=cast, relationships=tuple(chosen.values()))


def told_stories(started: EpisodeStarted, first: Sequence[tuple[str, str, str]]) -> bool:
    """Whether the seats were told the stories of their relationships, by the first messages: our
    own logs may have it, SOTOPIA tells none."""
    for seat in range(len(started.minds)):
        without, having = (_told(started, seat, stories=stories) for stories in (False, True))
        if having != without and any(having in text for _, _, text in first):
            return True
    return False


def _told(started: EpisodeStarted, seat: int, *, stories: bool) -> str:
    setup = replace(started.setup, rules=EpisodeRules(stories=stories))
    return told(view([replace(started, setup=setup)], seat), seat)
