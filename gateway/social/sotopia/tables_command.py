"""``troupe sotopia tables``: the tables and figures of SOTOPIA."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from actors.episodes.catalogs.scenario_lists import read_scenario_list
from evaluators.social.tables.entries import ENTRIES, EntryKind, PaperEntry
from evaluators.social.tables.read_tables import (
    MadeEntry,
    TableOptions,
    charts_of,
    made,
    named,
    read_inputs,
)
from evaluators.social.tables.table_input import TableInput
from evaluators.social.tables.task_sets import SEATS
from evaluators.tables.plain_tables import PlainTable
from events.base import Value
from gateway.cli.options import Json, Judges, RunIds, TableFormatOption, Unclean, open_session
from gateway.cli.terminal.output import (
    escape,
    heading,
    note,
    print_plain,
    print_result,
    say,
)
from gateway.cli.views.run_tables import no_findings
from gateway.errors import BadArgument, did_you_mean
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


def tables(
    run_ids: RunIds,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", "-t", metavar="NAME", help="Only this table. Repeatable."),
    ] = None,
    figure: Annotated[
        list[str] | None,
        typer.Option("--figure", "-g", metavar="NAME", help="Only this figure. Repeatable."),
    ] = None,
    judge: Judges = None,
    hard: Annotated[
        Path | None,
        typer.Option("--hard", metavar="FILE", help="The list of hard scenarios and seats."),
    ] = None,
    no_self: Annotated[
        bool,
        typer.Option("--no-self", help="Leave out what a model scored with itself (Table 2)."),
    ] = False,
    unclean: Unclean = False,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="DIR", help="Write the figures as SVG into this folder."),
    ] = None,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Show the tables and figures of SOTOPIA's paper for some runs.

    Without --table and --figure all that the scores allow. Several runs are evaluated together: a
    mind of one name is one model. Tables are of one judge; of several judges there is one each.
    """
    chosen = chosen_entries(table or (), figure or ())
    options = TableOptions(
        judges=tuple(judge or ()),
        hard=read_scenario_list(hard, SEATS) if hard else None,
        no_self=no_self,
        unclean=unclean,
    )
    with open_session() as (_, store):
        runs = social_runs(store, run_ids)
        inputs = read_inputs(store, runs, options)
        found = PaperTables(
            runs=tuple(runs),
            judges=tuple(one.judge.label for one in inputs),
            entries=tuple(made(chosen, inputs)),
            no_findings=tuple(marks_of(store, runs, inputs)),
        )
        written = write_figures(svg, chosen, inputs) if svg else []
    asked = bool(table or figure)
    check_any(found, asked=asked)
    whole = lambda: named(found.tables, found.no_findings)  # noqa: E731
    if not print_result(found, json=json, form=form, tables=whole):
        _print(found)
    for path in written:
        note(f"[dim]figure: {escape(str(path))}[/]")


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


def social_runs(store: EventStore, given: Sequence[str]) -> list[str]:
    """The runs meant. Raises ``UnknownId``, and ``BadArgument`` for one of another environment."""
    runs = runs_meant(store, given)
    for run in runs:
        plays = queries.plan(store, run).plan.environment
        if plays != "social":
            raise BadArgument("run", run, f"plays {plays}, not social")
    return runs


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


def check_any(found: PaperTables, *, asked: bool) -> None:
    """Raises ``BadArgument`` where there is nothing to show, or not one that was asked for."""
    for one in found.entries:
        if one.missing and (asked or not found.tables):
            raise BadArgument("runs", " ".join(found.runs), f"{one.entry}: {one.missing}")


def write_figures(
    folder: Path, chosen: Sequence[PaperEntry], inputs: Sequence[TableInput]
) -> list[Path]:
    """The figures as SVG files. Raises ``OSError``."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for entry in chosen:
        for given in inputs if entry.by_judge else inputs[:1]:
            for chart in charts_of(entry, given):
                path = folder / f"{chart.name}.svg"
                path.write_text(chart.alone, encoding="utf-8")
                written.append(path)
    return written


def _print(found: PaperTables) -> None:
    told: set[str] = set()
    for one in found.tables:
        heading(one.title)
        print_plain(one)
        for line in one.note.splitlines():
            if line not in told:
                say(f"[dim]{escape(line)}[/]")
                told.add(line)
    for text in found.no_findings:
        say(f"\n[yellow]{escape(text)}[/]")
    for entry in found.entries:
        if entry.missing:
            note(f"[dim]{escape(entry.entry)}: {escape(entry.missing)}[/]")
