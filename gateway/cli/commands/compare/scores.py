"""``troupe score``: score stored episodes with another judge."""

from typing import Annotated

import typer

from actors.runs.execution.work import Progress
from evaluators.judges.judge_file import judge_named
from evaluators.plugin import OVERALL
from events.serialization.fingerprints import judge_hash
from gateway.cli.options import Json, NoProbe, RunOrEpisode, open_session
from gateway.cli.play_with_progress import leave_unless_done, work_with_progress
from gateway.cli.terminal.errors import NOTHING
from gateway.cli.terminal.output import escape, note, print_next, print_result, say
from gateway.cli.views.run_tables import print_judged, say_no_finding
from gateway.services.results.score_run import scoring_of
from gateway.services.runs.run_details import judged_tables, scores_of
from store.read_model import queries
from store.read_model.score_arrays import FAILED


def score(
    what: RunOrEpisode,
    judge: Annotated[
        str,
        typer.Option(
            "--judge",
            "-j",
            metavar="JUDGE.toml",
            help="A judge file (docs/reference/judge.md), or a built-in name such as belext-rule.",
        ),
    ],
    no_probe: NoProbe = False,
    json: Json = False,
) -> None:
    """Score stored episodes with another judge.

    Nothing is replayed, and older scores are kept. A judge scores an episode once: repeating the
    command adds missing scores, and retries failed ones in a new evaluation beside the old one.
    Exit code 4: every score is missing.
    """
    spec = judge_named(judge)
    with open_session() as (settings, store):
        scoring = scoring_of(store, what, spec)
        work = scoring.work
        if scoring.again:
            note(f"Asked again, because scores failed: {scoring.again} of {len(scoring.episodes)}.")
        asks = spec.model is not None and not no_probe and not scoring.is_done
        models = [spec.model] if asks and spec.model is not None else []
        progress = Progress()
        if not scoring.is_done:
            progress = work_with_progress(
                settings, store, lambda: work, 1, quiet=json, models=models, command="score"
            )
        hash_ = judge_hash(spec)
        columns = scores_of(store, scoring.episodes, work.run)
        mine = columns.of(hash_)
        asked = mine.where(~mine.dimension.among(OVERALL))
        missing = asked.where(asked.status == FAILED)
        every = len(missing) == len(asked)
        # Rows only of what is printed: of a long run there are half a million.
        printed = sorted(scoring.episodes) if json else missing.episode.there()[: int(every)]
        rows = [
            score
            for episode in printed
            for score in queries.scores(store, episode=episode)
            if score.judge_hash == hash_
        ]
    tables = judged_tables(mine)
    by_budget = progress.pause_reason == "budget"
    if not print_result(rows, json=json):
        for table in tables:
            print_judged(table)
        given_up = progress.evaluations_failed
        more = f"; scores that failed: {len(missing)} of {len(asked)}" * bool(len(missing))
        if scoring.is_done:
            ended = len(scoring.episodes)
            which = f"all {ended} episodes that have ended" if ended > 1 else "this episode"
            say(f"Nothing to do: {escape(spec.name)} had scored {which} before, as above.")
        else:
            say(f"Episodes scored: {progress.evaluations_ended}; given up: {given_up}{more}.")
        names = {spec.offline: (spec.name,)}
        say_no_finding(judges=names.get("rehearsal", ()), local_judges=names.get("local", ()))
        there = {judge.name for judge in columns.judges if columns.of(judge.hash).scored.any()}
        others = sorted(there - {spec.name})
        if work.run and others and mine.scored.any():
            command = f"troupe compare {work.run} {spec.name} {others[0]}"
            print_next([(command, "measure the agreement of the two judges")])
    more = f"`troupe resume {work.run} --budget-usd USD` (or -tokens) gives it more; " * by_budget
    leave_unless_done(progress, f"{more}the same command goes on with what is missing.")
    if every:
        reasons = [row.reason for row in rows if row.status == "failed"]
        why = f" ({escape(reasons[0])})" if reasons else ""
        note(f"[red]Every score is missing{why}.[/] The same command asks again.")
        raise typer.Exit(NOTHING)
