"""Runs and scores as tables in the terminal."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from actors.runs.model_notes import note_words
from evaluators.tables.run_tables import calls_table, chains_table, mended_table, outcome_of
from gateway.cli.terminal.output import (
    capitalized,
    escape,
    heading,
    is_wide,
    print_pairs,
    print_plain,
    print_table,
    print_titled,
    say,
)
from gateway.cli.terminal.table_layout import Column, SpanningRow, Styled
from gateway.cli.views.plain_lists import runs_table
from gateway.services.results.no_findings import no_findings
from gateway.services.runs.run_tables import judged_table

if TYPE_CHECKING:
    from gateway.services.runs.run_details import Counts, JudgedTable, RunDetails
    from gateway.services.runs.run_status import Listed
    from store.read_model.records import ChainRow, EpisodeRow, RunRow

MOST_EPISODES = 32
"""Episodes listed in the terminal; `--json` and the report have all."""
_MOST_CAST: Final = 6
"""Seats of an episode that are listed each; of more the first, and how many there are."""
MOST_CHAINS = 32
"""Chains of one run listed beside its tables."""
MOST_WAITING = 4
"""Runs below the list of which it is told what to do."""
MOST_FAILED = 8
"""Failed episodes whose reason is told in the terminal."""


def print_runs(runs: "Sequence[Listed]") -> None:
    """Runs, in their order, and what to do about those that wait for somebody; of which catalog,
    where the terminal is wide."""
    print_plain(runs_table(runs, wide=is_wide()))
    waiting = [run for run in runs if run.standing.wants_somebody]
    for run in waiting[:MOST_WAITING]:
        say(f"[yellow]{escape(run.id)}: {escape(run.standing.sentence)}.[/]")


def print_chains(rows: "Sequence[ChainRow]") -> None:
    """Chains, one a line; minds that all have, once above."""
    alike = len({row.minds for row in rows}) == 1 < len(rows)
    if alike:
        say(f"[dim]minds: {escape(', '.join(rows[0].minds))}[/]")
    print_plain(chains_table(rows, minds=not alike))


def print_run(shown: "RunDetails") -> None:
    """A run: its episodes, a table a judge, what it cost, what went wrong."""
    from gateway.run_progress_bars import held_words

    run = shown.run
    stands = shown.standing.words if shown.standing is not None else _status(run)
    say(f"[bold]Run {escape(run.id)}[/]  {escape(run.name)}")
    when = f"began {moment(run.started_at)}, {_how_long(run)}"
    if shown.imported:
        when = f"simulated elsewhere, came in as {shown.imported}s {moment(run.started_at)}"
    played = f"; played as {escape(shown.mark)}" * bool(shown.mark)
    say(f"{escape(stands)}; catalog {escape(run.catalog)}{played}; {escape(when)}")
    if shown.standing is not None and (sentence := shown.standing.sentence) != stands:
        say(f"[yellow]{escape(capitalized(sentence))}.[/]")
    for hold in shown.holds:
        say(f"[yellow]{escape(held_words(hold.held))}; since {moment(hold.since)}[/]")
    for one in shown.notes:
        say(f"[yellow]{escape(note_words(one.note))}; since {moment(one.since)}[/]")
    if run.episodes_marked:
        say(
            f"[yellow]In {run.episodes_marked} of {run.episodes_ended} episodes that ended "
            "a seat gave no answer.[/]"
            + f" `troupe resume {run.id} --retry-failed` plays them again."
            * (not shown.imported)
        )
    if shown.superseded:
        say(f"[dim]{shown.superseded} older episodes were played again, and stay in the log[/]")
    if shown.chains:
        heading("Chains", "`troupe show CHAIN` lists the episodes of one")
        print_chains(shown.chains[:MOST_CHAINS])
        if more := len(shown.chains[MOST_CHAINS:]):
            say(f"  [dim]… and {more} more; `troupe chains {escape(run.id)}` lists all[/]")
    alone = [row for row in shown.episodes if not row.chain]
    if alone:
        heading("Episodes")
        _print_episodes(alone, unlisted=0 if shown.chains else shown.unlisted)
    _print_failed(shown)
    told = set[str]()
    for table in shown.tables:
        print_judged(table, told)
    if shown.calls:
        print_titled(calls_table(shown.calls))
    if shown.mended:
        print_titled(mended_table(shown.mended))
    heading("What went wrong")
    print_pairs(_went_wrong(shown.counts), indent=2)
    if declined := shown.counts.scores_abstained:
        what = f"{declined} of {shown.counts.scores_asked} scores were declined"
        say(f"[dim]{what}: the judge found nothing to score there; nothing went wrong.[/]")
    say_no_finding(
        shown.rehearsal_minds,
        shown.rehearsal_judges,
        local_minds=shown.local_minds,
        local_judges=shown.local_judges,
    )


def _status(run: "RunRow") -> str:
    """What a run's stream says, where nobody asked who carries it out."""
    if run.stopped:
        return "ended early"
    if run.pause_reason == "stopped":
        return run.pause_detail or "stopped"
    paused = f" ({run.pause_detail or run.pause_reason})" if run.status == "paused" else ""
    return run.status + paused


def say_no_finding(
    minds: Sequence[str] = (),
    judges: Sequence[str] = (),
    *,
    local_minds: Sequence[str] = (),
    local_judges: Sequence[str] = (),
) -> None:
    """What to think of scores in which rehearsal minds or judges (the first two), or local models,
    had a part. Says nothing where none had."""
    for text in no_findings(minds, judges, local_minds=local_minds, local_judges=local_judges):
        say(f"\n[yellow]{escape(text)}[/]")


def print_judged(table: "JudgedTable", told: set[str] | None = None) -> None:
    """One judge's means by mind, with 95 % intervals and what is missing. What intervals are is
    said once: ``told`` has what was."""
    plain = judged_table(table, spans=is_wide())
    told = set() if told is None else told
    how, *about = plain.note.splitlines()
    notes = about if how in told else [how, *about]
    told.add(how)
    heading(plain.title, "\n".join(notes))
    print_plain(plain)


def moment(microseconds: int | None) -> str:
    """A stored time, in this machine's time zone."""
    from datetime import datetime

    if microseconds is None:
        return "–"
    return datetime.fromtimestamp(microseconds / 1e6).astimezone().strftime("%Y-%m-%d %H:%M")


def _how_long(run: "RunRow") -> str:
    if run.started_at is None or run.ended_at is None:
        return "not ended"
    seconds = (run.ended_at - run.started_at) / 1e6
    return f"took {seconds:.1f} s" if seconds < 120 else f"took {seconds / 60:.0f} min"


def _cast_in_short(names: Sequence[str]) -> str:
    """Who was in it; of many the first, and how many others."""
    if len(names) <= _MOST_CAST:
        return ", ".join(names)
    return f"{names[0]} and {len(names) - 1} others"


def _minds_in_short(minds: Sequence[str]) -> str:
    """Minds by seat; of many seats those in a row that one mind has as a number of them."""
    if len(minds) <= _MOST_CAST:
        return ", ".join(minds)
    rows = ((name, len(list(found))) for name, found in groupby(minds))
    return ", ".join(name if count == 1 else f"{count} × {name}" for name, count in rows)


def _print_episodes(episodes: "Sequence[EpisodeRow]", unlisted: int) -> None:
    """Episodes under the task they play."""
    listed = episodes[:MOST_EPISODES]
    rows: list[SpanningRow | Sequence[object]] = []
    for (scenario, cast), found in groupby(listed, key=lambda r: (_scenario(r), r.characters)):
        rows.append(SpanningRow(f"{scenario}: {_cast_in_short(cast)}" if cast else scenario))
        rows += [("", row.id, _minds_in_short(row.minds), _turns(row), _end(row)) for row in found]
    columns = (Column("", "id"), Column("", "id"), "", Column("", "id"), "")
    print_table(columns, rows, head=False)
    if more := len(episodes) - len(listed) + unlisted:
        say(f"  [dim]… and {more} more; --table episodes -f csv lists all[/]")


def _print_failed(shown: "RunDetails") -> None:
    failed = [row for row in shown.episodes if row.status == "failed"]
    for row in failed[:MOST_FAILED]:
        say(f"  [red]{escape(row.id)} failed:[/] {escape(row.end_reason)}")
    if (more := max(len(failed), shown.counts.episodes_failed) - MOST_FAILED) > 0:
        say(f"  [dim]… and {more} more that failed[/]")


def _scenario(row: "EpisodeRow") -> str:
    return row.scenario or f"task {row.task}"


def _turns(row: "EpisodeRow") -> str:
    return f"{row.turns:>3} turn{'s' * (row.turns != 1)}" if row.status != "planned" else ""


def _end(row: "EpisodeRow") -> Styled:
    words = outcome_of(row) if row.status == "ended" else row.status
    fork = f", fork of {row.parent}" if row.parent else ""
    failed = f", {row.failed_actions} gave no answer" if row.failed_actions else ""
    return Styled(words + fork + failed, "yellow" if failed else "")


def _went_wrong(counts: "Counts") -> Iterator[tuple[str, str]]:
    left = counts.episodes - counts.episodes_ended - counts.episodes_failed
    open_ = f"; {left} not done yet" if left else ""
    yield "episodes failed", f"{counts.episodes_failed} of {counts.episodes}{open_}"
    asked = "each of one question or more"
    yield "actions failed", f"{counts.actions_failed} in {counts.turns} turns, {asked}"
    later = f"; {counts.evaluations_open} not done yet" if counts.evaluations_open else ""
    yield "evaluations missing", f"{counts.evaluations_missing} of {counts.evaluations}{later}"
    yield "scores failed", f"{counts.scores_failed} of {counts.scores_asked}"
    if counts.notes:
        remedy = ""
        if counts.notes_failed:
            remedy = "; give the memory a larger max_tokens, or a model of its own that keeps to it"
        yield "notes failed", f"{counts.notes_failed} of {counts.notes}{remedy}"
    if counts.answers:
        remedy = ""
        if counts.answers_unreadable * 5 > counts.answers:
            remedy = "; `troupe doctor` says whether the server holds answers to a JSON Schema"
        yield "answers unreadable", f"{counts.answers_unreadable} of {counts.answers}{remedy}"
    if counts.calls_unanswered:
        what = "asked, and neither an answer nor a failure recorded"
        yield "calls without an answer", f"{counts.calls_unanswered}: {what}"
