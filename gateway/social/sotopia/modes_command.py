"""``troupe sotopia modes``: the ways to play beside each other."""

from collections import Counter
from collections.abc import Sequence

from actors.social.modes import Mode
from actors.social.setup import NAME
from evaluators.report.data.run_data import RunData, gather, histories
from evaluators.scores.score_columns import read_columns
from evaluators.scores.seat_scores import find_judge
from evaluators.social.modes.comparison import ModeComparison, compared
from evaluators.social.modes.measures import PlayedEpisode, measured, mode_of
from evaluators.social.modes.table import modes_table
from gateway.cli.options import Json, Judges, RunIds, TableFormatOption, open_session
from gateway.cli.terminal.output import escape, print_next, print_result, print_titled, say
from gateway.errors import BadArgument
from gateway.services.results.no_findings import no_findings
from gateway.services.runs.resolve_ids import runs_meant
from store.log.event_store import EventStore


def modes(
    run_ids: RunIds, judge: Judges = None, form: TableFormatOption = "text", json: Json = False
) -> None:
    """Compare the modes in which episodes were played.

    Scores, turns, words per turn, secrets told and cost of each mode, with Student's t test of the
    scores against the interactive mode. Runs are told apart by their mode alone: a mind of one name
    is one mind. Only episodes count in which one mind sat in all seats.
    """
    with open_session() as (_, store):
        found = comparison_of(store, run_ids, judge or ())
    if print_result(found, json=json, form=form, tables=lambda: [modes_table(found)]):
        return
    print_titled(modes_table(found))
    for text in found.no_findings:
        say(f"\n[yellow]{escape(text)}[/]")
    runs = " ".join(run_ids)
    print_next(
        [
            (
                f"troupe sotopia modes {runs} --format csv",
                "exact values, with t, p and what is missing",
            )
        ]
    )


def comparison_of(
    store: EventStore, run_ids: Sequence[str], judges: Sequence[str] = ()
) -> ModeComparison:
    """The modes of some runs. ``judges``: by these alone; none: all. Raises ``UnknownId``,
    ``UnknownJudgeOfRun``, and ``BadArgument`` for a run of another environment, or where no episode
    has ended."""
    runs = runs_meant(store, run_ids, NAME)
    gathered = [gather(store, run) for run in runs]
    columns = read_columns(store, *runs)
    chosen = [find_judge(columns.judges, one) for one in judges] or list(columns.judges)
    played, given_up, several = _played(store, gathered)
    if not played and not given_up:
        raise BadArgument(
            "run", runs[0], "has no episode that ended with one mind in all its seats"
        )
    counted = {one.episode for one in played}
    hashes = {one.hash for one in chosen}
    specs = {mind.spec.name: mind.spec for one in gathered for mind in one.minds if mind.seats}
    used = [judge for one in gathered for judge in one.judges if judge.judged.hash in hashes]
    marks = no_findings(
        [one.name for one in specs.values() if one.kind == "rehearsal"],
        list(dict.fromkeys(one.spec.name for one in used if one.spec.kind == "rehearsal")),
        local_minds=[one.name for one in specs.values() if one.offline == "local"],
        local_judges=list(
            dict.fromkeys(one.spec.name for one in used if one.spec.offline == "local")
        ),
    )
    return ModeComparison(
        rows=tuple(compared(played, given_up, columns, chosen, columns.dimensions())),
        several_minds=several,
        unclean=sum(
            bool(row.failed_actions)
            for one in gathered
            for row in one.episodes
            if row.id in counted
        ),
        no_findings=tuple(marks),
    )


def _played(
    store: EventStore, gathered: Sequence[RunData]
) -> tuple[list[PlayedEpisode], Counter[tuple[str, Mode]], int]:
    """The episodes that ended, how many did not come to an end, and in how many of both several
    minds sat. Forks are none of them: they share what they begin with."""
    played, several = list[PlayedEpisode](), 0
    given_up = Counter[tuple[str, Mode]]()
    for one in gathered:
        own = [row for row in one.episodes if row.parent is None and not row.superseded_by]
        for row, history in histories(store, own):
            mode = mode_of(history)
            if mode is None or row.status not in ("ended", "failed"):
                continue
            if len(set(row.minds)) > 1:
                several += 1
            elif row.status == "failed":
                given_up[row.minds[0], mode] += 1
            else:
                played.append(measured(row.id, row.minds[0], history, one.calls_of(row.id)))
    return played, given_up, several
