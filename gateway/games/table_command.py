"""``troupe games table``: who won in which role, how they played, what they got."""

from collections.abc import Sequence

from actors.games.ruleset import NAME
from actors.text.amounts import many
from evaluators.games.played_games import PlayedGames, games_of
from evaluators.games.report_values import GamesReport, report_of
from evaluators.games.tables import marked, tables_of
from evaluators.report.data.run_data import RunData, gather, histories
from gateway.cli.options import Json, RunIds, TableFormatOption, open_session
from gateway.cli.terminal.output import (
    escape,
    print_next,
    print_result,
    print_several,
    say,
    while_working,
)
from gateway.errors import BadArgument
from gateway.services.results.no_findings import no_findings
from gateway.services.runs.resolve_ids import runs_meant
from store.log.event_store import EventStore


def table(run_ids: RunIds, form: TableFormatOption = "text", json: Json = False) -> None:
    """Show win rates, conduct, payoffs and ratings of runs.

    Several runs are evaluated together: a mind of one name is one model, and a deal (a set, its
    number and the seed of the deals) is the same in all of them. No judge is needed: all follows
    from what was played.
    """
    with open_session() as (_, store), while_working("reading the games"):
        report = read_report(store, run_ids)
    if print_result(report, json=json, form=form, tables=lambda: marked(tables_of(report), report)):
        return
    print_report(report)
    runs = " ".join(run_ids)
    print_next(
        [
            (f"troupe games table {runs} --format csv", "all tables in full, with exact values"),
            (f"troupe report {run_ids[0]}", "the same as a page, with each game's transcript"),
        ]
    )


def read_report(store: EventStore, run_ids: Sequence[str]) -> GamesReport:
    """The figures of some runs. Raises ``UnknownId``, and ``BadArgument`` for a run of another
    environment or where no game has come to its end."""
    runs = runs_meant(store, run_ids, NAME)
    gathered = [gather(store, run) for run in runs]
    played = games_of([(one, histories(store, one.episodes)) for one in gathered])
    if not played.games:
        raise BadArgument("run", " ".join(runs), _nothing(played))
    return report_of(played, _marks(gathered, played))


def _nothing(played: PlayedGames) -> str:
    begun = f", {many(played.unfinished, 'game')} of it began" if played.unfinished else ""
    return f"no game of it has come to its end yet{begun}; `troupe resume` plays on"


def _marks(gathered: Sequence[RunData], played: PlayedGames) -> list[str]:
    """Sentences on minds whose figures are no findings."""
    sat = {name for game in played.games for name in game.minds}
    minds = {mind.spec.name: mind.spec for one in gathered for mind in one.minds}
    there = [spec for name, spec in sorted(minds.items()) if name in sat]
    return list(
        no_findings(
            [one.name for one in there if one.kind == "rehearsal"],
            local_minds=[one.name for one in there if one.offline == "local"],
        )
    )


def print_report(report: GamesReport) -> None:
    """The tables for people."""
    print_several(tables_of(report))
    for text in (*report.notes, *report.no_findings):
        say(f"\n[yellow]{escape(text)}[/]")
