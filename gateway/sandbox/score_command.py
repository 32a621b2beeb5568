"""``troupe town score``: scores of tasks by both scorers, with evidence."""

from typing import Annotated, Literal

import typer

from evaluators.report.data.run_data import gather
from evaluators.sandbox.results import KINDS, Scorer, TaskResults, results_of
from evaluators.sandbox.table4 import tables_of
from evaluators.sandbox.task_tables import task_table
from evaluators.tables.plain_tables import PlainTable
from gateway.cli.options import Json, RunId, TableFormatOption, open_session
from gateway.cli.play_with_progress import leave_unless_done, work_with_progress
from gateway.cli.terminal.output import (
    escape,
    heading,
    print_next,
    print_result,
    print_several,
    say,
)
from gateway.cli.views.run_tables import say_no_finding
from gateway.sandbox.missing_scores import missing_scores

ScorerChoice = Literal["paper", "published", "both"]


def score(
    run: RunId,
    scorer: Annotated[
        ScorerChoice,
        typer.Option(
            "--scorer", "-s", help="The rules of the paper, of the published code, or both."
        ),
    ] = "both",
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Score the tasks in the towns of a run, with evidence.

    Scores by rules, without a model. Scores are stored like those of any judge (stss-paper,
    stss-published), and existing scores are not computed again. Shows the scores of each task with
    person, time, place and keyword, and Table 4 with means by kind, over tasks and over kinds.
    """
    scorers: tuple[Scorer, ...] = ("paper", "published") if scorer == "both" else (scorer,)
    with open_session() as (settings, store):
        work = missing_scores(store, run, scorers)
        if work is not None:
            progress = work_with_progress(
                settings, store, lambda: work, 1, quiet=json, command="town score"
            )
            leave_unless_done(progress, "The same command goes on with what is missing.")
        results = results_of(gather(store, run))
    tables = [task_table(results), *tables_of(results, scorers)]
    if not print_result(results, json=json, form=form, tables=lambda: tables):
        _print(results, scorers, tables)


def _print(results: TaskResults, scorers: tuple[Scorer, ...], tables: list[PlainTable]) -> None:

    if not results.tasks:
        say("No task of a town was played in this run.")
        return
    for kind, name in KINDS.items():
        played = [one for one in results.tasks if one.kind == kind]
        if played:
            heading(name)
        for one in played:
            say(f"[bold]{escape(one.task)}[/]  {escape(one.who)}  [dim]{one.episode}[/]")
            for scorer in scorers:
                found = one.value(scorer)
                if found is None:
                    say(f"{scorer}: not scored ({one.status})", indent=2)
                    continue
                if found.value is None:
                    say(f"[red]{scorer}: failed[/] {escape(found.why)}", indent=2)
                    continue
                beside = "".join(
                    f", {figure} {more.value:.3f}"
                    for figure, more in one.values[scorer].items()
                    if figure != "score" and more.value is not None
                )
                say(f"{scorer} [bold]{found.value:.3f}[/]{beside}", indent=2)
                for line in found.why.split("; "):
                    say(f"[dim]{escape(line)}[/]", indent=4)
    print_several(tables[1:])
    rehearsal = [mind.name for mind in results.minds if mind.kind == "rehearsal"]
    local = [mind.name for mind in results.minds if mind.offline == "local"]
    say_no_finding(rehearsal, local_minds=local)
    first = results.tasks[0].episode
    print_next(
        [
            (f"troupe report {results.run}", "the same as a page"),
            (f"troupe show {first}", "show one of them"),
            (f"troupe town export {results.run} DIR", "trajectories as published"),
        ]
    )
