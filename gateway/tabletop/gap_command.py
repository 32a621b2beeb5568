"""``troupe tabletop gap``: Tables 1 and 2 of AntEval."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from actors.tabletop.catalog_items import NAME
from actors.text.amounts import many
from evaluators.report.data.run_data import gather, histories
from evaluators.tables.plain_tables import PlainTable
from evaluators.tabletop.gap.default_dms import (
    LEXICON,
    THE_LEXICON,
    WITHOUT_LINEAR,
    default_dm,
)
from evaluators.tabletop.gap.procedure import LEAST_SEEDS, DMKind, readings_in_all
from evaluators.tabletop.gap.real_data import RealData, own_transcripts, read_real
from evaluators.tabletop.gap.results import GapReport, Played, gap_report
from evaluators.tabletop.gap.run_sessions import played_of
from evaluators.tabletop.gap.tables import marked, tables_of
from evaluators.tabletop.virtual_dms.dm_file import (
    LanguageModelFile,
    LinearFile,
    make_dm,
    untrained_dm,
)
from events.environments import Settings
from gateway.cli.options import Json, RunIds, TableFormatOption, open_session
from gateway.cli.terminal.output import (
    escape,
    heading,
    note,
    print_next,
    print_plain,
    print_result,
    say,
    while_working,
)
from gateway.errors import BadArgument
from gateway.services.results.no_findings import no_findings
from gateway.services.runs.resolve_ids import runs_meant
from gateway.tabletop.dm_models import answers_kept, caller_here, read_dm_here
from store.log.event_store import EventStore
from store.read_model.records import RunRow

_SHOWN = 20
"""Rows of a long table in the terminal."""


def gap(
    run_ids: RunIds,
    dm: Annotated[
        list[Path] | None,
        typer.Option(
            "--dm",
            metavar="DM.toml",
            help="A virtual game master (docs/reference/dm.md); Table 1 is by the first. "
            "Repeatable. Default: kind linear.",
        ),
    ] = None,
    real: Annotated[
        list[Path] | None,
        typer.Option(
            "--real",
            metavar="FILE",
            help="Real sessions: transcripts in CRD3's format, a folder of them, or samples that "
            "`troupe tabletop calls` wrote. Repeatable. Default: Troupe's own transcripts.",
        ),
    ] = None,
    held_out: Annotated[
        list[Path] | None,
        typer.Option(
            "--held-out",
            metavar="FILE",
            help="Real sessions to score on, none of which is in --real. Repeatable. Default: each "
            "seed holds out a quarter of --real.",
        ),
    ] = None,
    cast: Annotated[
        Path | None,
        typer.Option(
            metavar="CAST.toml", help="Who plays whom in the transcripts of --real and --held-out."
        ),
    ] = None,
    seeds: Annotated[
        int,
        typer.Option("--seeds", metavar="N", min=LEAST_SEEDS, max=1_000, help="How many seeds."),
    ] = LEAST_SEEDS,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Show what models exchanged, and the gap in their intentions.

    Table 1 and Table 2 of AntEval. Virtual game masters are trained on nothing, on sessions that
    each model played, and on real sessions; all are scored on the same held-out real sessions.
    Several runs are evaluated together: a mind of one name is one model.
    """
    with open_session() as (_, store):
        kinds = _kinds(store, dm) if dm else [default_dm()]
        with while_working("training virtual game masters"):
            report = report_of(
                store,
                run_ids,
                kinds,
                read_real(real, cast) if real else own_transcripts(),
                seeds,
                held_out=read_real(held_out, cast) if held_out else None,
            )
    if print_result(report, json=json, form=form, tables=lambda: marked(tables_of(report), report)):
        return
    print_report(report, kinds)
    for text in report.no_findings:
        say(f"\n[yellow]{escape(text)}[/]")
    runs = " ".join(run_ids)
    steps = [(f"troupe tabletop gap {runs} --format csv", "all tables in full, with exact values")]
    if report.low_p:
        steps.insert(0, (f"troupe show {report.low_p[0].episode}", "the session with the lowest p"))
    print_next(steps)


def _kinds(store: EventStore, paths: Sequence[Path]) -> list[DMKind]:
    """The virtual game masters that files name. Raises ``BadFile``, and ``BadArgument`` where two
    have one name, by which tables tell them apart."""
    found: dict[str, tuple[Path, DMKind]] = {}
    for path in paths:
        kind = _kind(store, path)
        if kind.name in found:
            other = found[kind.name][0]
            why = f"is named {kind.name!r}, as {other} is; give each a name of its own (name = …)"
            raise BadArgument("--dm", str(path), why)
        found[kind.name] = (path, kind)
    return [kind for _, kind in found.values()]


def _kind(store: EventStore, path: Path) -> DMKind:
    """The virtual game master that a file names. A model's answers are kept in the store. Raises
    ``BadFile``."""
    file = read_dm_here(path)
    calls = answers_kept(store, file) if isinstance(file, LanguageModelFile) else None
    return DMKind(
        file.name,
        partial(make_dm, file, caller_here, calls=calls),
        partial(untrained_dm, file, caller_here, calls),
        THE_LEXICON if isinstance(file, LinearFile) else "",
        file.spec().name if isinstance(file, LanguageModelFile) else "",
    )


def report_of(
    store: EventStore,
    run_ids: Sequence[str],
    kinds: Sequence[DMKind],
    real: RealData,
    seeds: int = LEAST_SEEDS,
    *,
    held_out: RealData | None = None,
) -> GapReport:
    """What is told of some runs. Raises ``UnknownId``, ``GapRefused``,
    and ``BadArgument`` for a run of another environment or one without sessions."""
    runs = runs_meant(store, run_ids, NAME)
    gathered = [gather(store, run) for run in runs]
    played = played_of([(one, histories(store, one.episodes)) for one in gathered])
    if not played.sessions:
        raise BadArgument("run", runs[0], "no session of it was begun yet; `troupe resume` plays")
    _say_questions(kinds, played, real, seeds, held_out)
    report = gap_report(played, kinds, real, range(1, seeds + 1), held_out=held_out)
    minds = {mind.spec.name: mind.spec for one in gathered for mind in one.minds if mind.seats}
    marks = no_findings(
        [one.name for one in minds.values() if one.kind == "rehearsal"],
        local_minds=[one.name for one in minds.values() if one.offline == "local"],
    )
    return msgspec.structs.replace(
        report,
        no_findings=tuple(marks),
        cautions=tuple(
            cautions([(one.run, one.planned.plan.settings) for one in gathered], played)
        ),
    )


def _say_questions(
    kinds: Sequence[DMKind], played: Played, real: RealData, seeds: int, held_out: RealData | None
) -> None:
    """Say how many questions models will be asked, before they are."""
    models = {one.model for one in played.sessions if one.sample is not None}
    for kind in kinds:
        if kind.asks and models:
            count = readings_in_all(
                real.samples,
                len(models),
                range(1, seeds + 1),
                held_out.samples if held_out else (),
            )
            note(
                f"{escape(kind.name)} asks {escape(kind.asks)} up to {many(count, 'question')}. "
                "Answers are kept: no question is paid for twice."
            )


def print_report(report: GapReport, kinds: Sequence[DMKind], names: Sequence[str] = ()) -> None:
    """The tables for people, the first rows of long ones. ``names``: those to print; none: all."""
    for table in tables_of(report):
        if names and table.name not in names:
            continue
        heading(table.title)
        print_plain(_cut(table))
        for line in table.note.splitlines():
            say(f"[dim]{escape(line)}[/]")
        if len(table.rows) > _SHOWN:
            say(f"[dim]{len(table.rows) - _SHOWN} more rows: --format csv[/]")
    if kinds == [LEXICON]:
        note(escape(WITHOUT_LINEAR))


def _cut(table: PlainTable) -> PlainTable:
    return msgspec.structs.replace(table, rows=table.rows[:_SHOWN])


_ALIKE: Final = frozenset({"reuse"})
"""Settings by which sessions are chosen, not played."""
_NAMED: Final = 3
"""Tasks that are named; of more it is said how many."""


def cautions(runs: Sequence[tuple[RunRow, Settings]], played: Played) -> Iterator[str]:
    """A sentence each: runs that are not over, settings that differ, and tasks that count twice.
    ``runs``: with the settings of their plans."""
    for row, _ in runs:
        if stands := _unfinished(row):
            counts = f"{row.episodes_ended:,} of {row.episodes_planned:,} sessions ended"
            yield f"run {row.id} {stands}: {counts}"
    if len(runs) < 2:
        return
    given = [msgspec.structs.asdict(settings) for _, settings in runs]
    differ = {
        name: values
        for name in given[0]
        if name not in _ALIKE
        and len(values := dict.fromkeys(str(one.get(name)) for one in given)) > 1
    }
    if differ:
        told = "; ".join(f"{name} ({', '.join(values)})" for name, values in differ.items())
        yield f"the runs were played with different settings: {told}"
    count = Counter((one.task, one.model) for one in played.sessions if one.ended)
    twice = sorted(pair for pair, times in count.items() if times > 1)
    if twice:
        named = ", ".join(f"{task} of {model}" for task, model in twice[:_NAMED])
        more = f" and {len(twice) - _NAMED:,} more" if len(twice) > _NAMED else ""
        yield f"the runs have tasks more than once for one model, which all count: {named}{more}"


def _unfinished(row: RunRow) -> str:
    """How a run stands of which sessions are missing; empty: none is."""
    if row.imported or (row.status == "ended" and not row.stopped):
        return ""
    if row.stopped:
        return "was ended early"
    if row.status == "paused":
        return "is stopped" if row.pause_reason == "stopped" else "is paused"
    return "is not over"
