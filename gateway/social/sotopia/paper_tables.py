"""The tables and figures of SOTOPIA of some runs: use case of ``troupe sotopia tables``."""

from collections.abc import Iterable, Sequence

from actors.social.setup import NAME
from evaluators.report.charts.svg_charts import Chart
from evaluators.social.tables.entries import ENTRIES, EntryKind, PaperEntry
from evaluators.social.tables.read_tables import (
    MadeEntry,
    TableOptions,
    charts_of,
    made,
    read_inputs,
)
from evaluators.social.tables.table_input import TableInput
from evaluators.tables.plain_tables import PlainTable
from events.base import Value
from gateway.errors import BadArgument, did_you_mean
from gateway.services.results.no_findings import no_findings
from gateway.services.runs.resolve_ids import runs_meant
from store.log.event_store import EventStore
from store.read_model import queries


class PaperTables(Value, frozen=True, kw_only=True):
    """The tables and figures of some runs."""

    runs: tuple[str, ...]
    judges: tuple[str, ...]
    entries: tuple[MadeEntry, ...]
    no_findings: tuple[str, ...] = ()
    """Sentences that say of rehearsal minds and judges that they are such."""

    @property
    def tables(self) -> list[PlainTable]:
        """All of them, in order."""
        return [table for one in self.entries for table in one.tables]


def paper_tables(
    store: EventStore,
    run_ids: Sequence[str],
    entries: Sequence[PaperEntry],
    options: TableOptions,
) -> tuple[PaperTables, list[TableInput]]:
    """Some entries of runs, and what they are made of. An entry that the scores do not allow says
    why. Blocking. Raises ``UnknownId``, ``UnknownJudgeOfRun``, and ``BadArgument`` where none of
    them can be shown."""
    runs = runs_meant(store, run_ids, NAME)
    inputs = read_inputs(store, runs, options)
    found = PaperTables(
        runs=tuple(runs),
        judges=tuple(one.judge.label for one in inputs),
        entries=tuple(made(entries, inputs)),
        no_findings=tuple(marks_of(store, runs, inputs)),
    )
    if not found.tables:
        first = found.entries[0]
        why = f"{first.entry}: {first.missing}"
        raise BadArgument("runs", " ".join(runs), why)
    return found, inputs


def charts_in(entries: Iterable[PaperEntry], inputs: Sequence[TableInput]) -> list[Chart]:
    """Those of some entries that are drawn."""
    return [
        chart
        for entry in entries
        for given in (inputs if entry.by_judge else inputs[:1])
        for chart in charts_of(entry, given)
    ]


def chosen_entries(tables: Sequence[str], figures: Sequence[str]) -> list[PaperEntry]:
    """The entries that are named; all where none is. Raises ``BadArgument``."""
    found = [_entry("table", name) for name in tables]
    found += [_entry("figure", name) for name in figures]
    return found or list(ENTRIES)


def _entry(kind: EntryKind, given: str) -> PaperEntry:
    known = {one.name: one for one in ENTRIES if one.kind == kind}
    for name, one in known.items():
        if given.casefold() == name.casefold():
            return one
    why = f"there is none; {kind}s are {', '.join(known)}{did_you_mean(given, list(known))}"
    raise BadArgument(f"--{kind}", given, why)


def marks_of(store: EventStore, runs: Sequence[str], inputs: Sequence[TableInput]) -> list[str]:
    """Sentences on minds and judges whose scores are no findings."""
    played = {name for one in inputs for name in one.columns.mind.there()}
    minds = {
        mind.name: mind
        for run in runs
        for mind in queries.plan(store, run).plan.minds
        if mind.name in played
    }
    kinds = {one.judge.label: one.columns.kinds[one.judge.hash] for one in inputs}
    return list(
        no_findings(
            [one.name for one in minds.values() if one.kind == "rehearsal"],
            [label for label, kind in kinds.items() if kind == "rehearsal"],
            local_minds=[one.name for one in minds.values() if one.offline == "local"],
            local_judges=[label for label, kind in kinds.items() if kind == "local"],
        )
    )
