"""The runs of a benchmark: a model with a partner over a set of tasks, planned and found again."""

import random
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from actors.episodes.catalogs.scenario_lists import ScenarioList
from actors.runs.state import RunState, load_run
from actors.social.catalog_items import Catalog
from actors.toml_file import BadFile
from evaluators.social.tables.task_sets import BOTH, Seats, TaskSet, seats_by_scenario
from events.evaluation import JudgeSpec
from events.ids import RUN, derived_id, digest_of
from events.serialization.codec import to_json
from events.serialization.fingerprints import judge_hash
from gateway.errors import BadArgument
from gateway.services.catalogs.read_catalog import load
from gateway.services.runs.models_by_name import PlayerSettings, mind_section, plan_toml
from gateway.services.runs.plan_run import Prepared, prepare_words
from store.log.event_store import EventStore

SEED: Final = 1
"""Of the tasks that are drawn, and of the runs."""


class Benchmark(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played."""

    models: tuple[str, ...]
    """As LiteLLM spells them, or ``rehearsal/TEMPER``."""
    partner: str
    task: TaskSet
    judge: JudgeSpec
    catalog: str
    hard: ScenarioList | None = None
    limit: int = 0
    """At most so many tasks, whatever seats are to be played, drawn at random; 0: all."""
    asking: PlayerSettings = PlayerSettings()
    usd: float = 0.0
    """Of each run; 0: no limit."""


class BenchmarkRun(msgspec.Struct, frozen=True, kw_only=True):
    """One of its runs: a model in the same seats of some tasks."""

    model: str
    seats: Seats
    prepared: Prepared
    state: RunState | None
    """As it is stored; None: it has not begun."""

    @property
    def done(self) -> bool:
        """Whether nothing is left to play."""
        return self.state is not None and self.state.status == "ended"


def benchmark_runs(store: EventStore, asked: Benchmark) -> list[BenchmarkRun]:
    """All runs of a benchmark, those that are stored already among them: the id of each follows
    from what it plays and how, its budget aside. Stores nothing.

    Raises ``BadArgument`` where there is nothing to play, ``UnknownId`` without the catalog.
    """
    catalog = load(store, asked.catalog, Catalog)
    chosen = seats_by_scenario(catalog.scenarios, asked.task, asked.hard)
    tasks = [
        task
        for task in catalog.tasks
        if task.scenario in chosen and len(task.characters) == len(BOTH)
    ]
    if not tasks:
        raise BadArgument("--task", asked.task, _nothing(asked, catalog))
    if asked.limit and asked.limit < len(tasks):
        drawn = set(random.Random(SEED).sample(range(len(tasks)), asked.limit))  # noqa: S311
        tasks = [task for number, task in enumerate(tasks) if number in drawn]
    by_seats: dict[Seats, list[str]] = {}
    for task in tasks:
        by_seats.setdefault(chosen[task.scenario], []).append(task.id)
    return [
        _run(store, asked, catalog, model, seats, ids)
        for model in asked.models
        for seats, ids in sorted(by_seats.items())
    ]


def mind_name(model: str) -> str:
    """What tables call a model: its name without its provider."""
    return model.rsplit("/", 1)[-1]


def mind_names(model: str, partner: str) -> tuple[str, str]:
    """What a run calls the two: one name where they are the same model."""
    names = mind_name(model), mind_name(partner)
    return names if model == partner or names[0] != names[1] else (model, partner)


def _run(
    store: EventStore,
    asked: Benchmark,
    catalog: Catalog,
    model: str,
    seats: Seats,
    ids: Sequence[str],
) -> BenchmarkRun:
    settings = _plan(asked, model, seats, ids)
    text = plan_toml(settings)
    run = derived_id(
        RUN,
        "sotopia-benchmark",
        text,
        digest_of(to_json(catalog).encode()),
        judge_hash(asked.judge),
    )
    budget = {"budget": {"usd": asked.usd}} if asked.usd else {}
    try:
        prepared = prepare_words(store, plan_toml(settings | budget), lambda _: asked.judge, run)
    except BadFile as error:
        raise BadArgument("model", model, f"{error.where}: {error.why}") from error
    return BenchmarkRun(model=model, seats=seats, prepared=prepared, state=load_run(store, run))


def _plan(asked: Benchmark, model: str, seats: Seats, ids: Sequence[str]) -> dict[str, object]:
    name, partner = mind_names(model, asked.partner)
    pairings = [[name, partner] if seat == 0 else [partner, name] for seat in seats]
    if name == partner:
        pairings = pairings[:1]
    return {
        "name": f"benchmark {asked.task}: {name} with {partner}",
        "catalog": asked.catalog,
        "seed": SEED,
        "concurrency": 32,
        "tasks": {"ids": list(ids)},
        "minds": {
            name: mind_section(model, asked.asking),
            partner: mind_section(asked.partner, asked.asking),
        },
        "seats": {"pairings": pairings},
        "social": {"order": "round_robin", "turn_cap": 20, "prompt": "act-paper"},
        "judges": {"use": [asked.judge.name]},
    }


def _nothing(asked: Benchmark, catalog: Catalog) -> str:
    if asked.task == "hard" and asked.hard is not None:
        return f"catalog {catalog.name!r} has none of the scenarios on the list {asked.hard.name}"
    return f"catalog {catalog.name!r} has no task of two seats of this kind"


def missing_scenarios(hard: ScenarioList, catalog: Catalog) -> Iterator[str]:
    """The scenarios on a list that a catalog has not."""
    there = {one.id for one in catalog.scenarios}
    yield from dict.fromkeys(one.scenario for one in hard.entries if one.scenario not in there)
