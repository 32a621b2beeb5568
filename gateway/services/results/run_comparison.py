"""Compares two or more runs: their differences, and the settings of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from actors.episodes.registry import environment_named
from actors.runs.state import load_run
from evaluators.report.charts.svg_charts import Chart
from evaluators.report.data.combined_runs import gather_all
from evaluators.report.data.downloads import Download
from evaluators.report.data.headlines import headlines
from evaluators.report.data.run_data import RunData
from evaluators.report.sections import score_tables
from evaluators.report.sections.run_differences import between
from gateway.errors import BadArgument
from gateway.services.results.findings import all_of
from gateway.services.results.result_cache import CachedResult, ResultCache
from store.log.event_store import EventStore
from store.read_model import queries

MOST = 6
"""Runs side by side; of more a screen has no room."""


@dataclass
class Compared:
    """Some runs, and what differs."""

    runs: tuple[str, ...]
    """Ids in full, the earlier first."""
    gathered: RunData
    values: dict[str, object]

    @cached_property
    def charts(self) -> dict[str, Chart]:
        """By name."""
        return {one.name: one for one in all_of(self.values, Chart)}

    @cached_property
    def tables(self) -> dict[str, Download]:
        """By name."""
        return {one.name: one for one in all_of(self.values, Download)}


def meant(store: EventStore, given: Sequence[str]) -> tuple[str, ...]:
    """The runs that are to be compared, each once, the earlier first. Raises ``UnknownId``,
    ``BadArgument``."""
    ids = {queries.find_run(store, one) for one in given if one}
    if len(ids) > MOST:
        raise BadArgument("run", f"{len(ids)} runs", f"compare at most {MOST} at once")
    rows = [queries.run(store, id_) for id_ in ids]
    return tuple(row.id for row in sorted(rows, key=lambda row: (row.started_at or 0, row.id)))


def compared(
    store: EventStore, resting: ResultCache, runs: Sequence[str]
) -> CachedResult[Compared]:
    """What differs between runs (ids in full, the earlier first), worked out once. Raises
    ``OtherEnvironments``. Blocking."""

    def work() -> Compared:
        gathered = gather_all(store, runs)
        shown = headlines(gathered)
        values = between(store, runs, shown)
        values |= {
            "headlines": shown,
            "scores": score_tables.scores(gathered),
            "settings": _settings(store, runs),
        }
        return Compared(tuple(runs), gathered, values)

    return resting.get(" ".join(runs), "compared", work)


def _settings(store: EventStore, runs: Sequence[str]) -> list[tuple[str, tuple[str, ...], bool]]:
    """What each run was: a row a setting, a value a run, and whether they differ."""
    rows: dict[str, dict[str, str]] = {}
    for run in runs:
        state, row = load_run(store, run), queries.run(store, run)
        assert state is not None, "the caller looked the run up"
        plan = state.plan
        known = {
            "Name": row.name,
            "Environment": plan.environment,
            "Catalog": plan.catalog,
            "Episodes ended": f"{row.episodes_ended:,} of {row.episodes_planned:,}",
            "Given up": f"{row.episodes_failed:,}",
            "With failed actions": f"{row.episodes_marked:,}",
            "Minds": "; ".join(
                f"{mind.name} ({mind.model.name if mind.model else mind.temper or mind.kind})"
                for mind in plan.minds
            ),
            "Judges": "; ".join(judge.name for judge in plan.judges) or "none in the plan",
        }

        known |= dict(environment_named(plan.environment).plans.describe(plan.settings))
        for what, value in known.items():
            rows.setdefault(what, {})[run] = str(value)
    return [
        (
            what,
            tuple(values.get(run, "—") for run in runs),
            len({values.get(run, "—") for run in runs}) > 1,
        )
        for what, values in rows.items()
    ]
