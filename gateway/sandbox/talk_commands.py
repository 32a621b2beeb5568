"""``troupe town freeze``, ``talk`` and ``talks``: talks and their effect on the partner."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from actors.text.amounts import many
from evaluators.report.data.run_data import gather
from evaluators.sandbox.language.case_file import written
from evaluators.sandbox.language.extract_cases import Frozen
from evaluators.sandbox.language.table3 import tables
from evaluators.sandbox.language.talk_results import TalkResults, talk_results
from evaluators.sandbox.results import KINDS
from gateway.cli.options import (
    ApiKeyEnv,
    BaseUrl,
    BudgetUsd,
    Json,
    NoProbe,
    RunId,
    TableFormatOption,
    open_session,
)
from gateway.cli.play_with_progress import leave_unless_done, work_with_progress
from gateway.cli.terminal.output import (
    escape,
    heading,
    print_next,
    print_plain_json,
    print_result,
    print_titled,
    say,
)
from gateway.cli.views.forecast import forecast_of, print_forecast
from gateway.cli.views.run_tables import say_no_finding
from gateway.models.probe_models import models_of
from gateway.sandbox.missing_scores import town_run
from gateway.sandbox.talk_runs import AGENTS, TalkOptions, freeze_run, prepare_talk
from gateway.services.runs.plan_run import begin_run
from store.files.atomic_files import atomic_write_text
from store.log.event_store import EventStore


def freeze(
    run: RunId,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.jsonl", help="The file of cases to write.")
    ] = Path("cases.jsonl"),
    json: Json = False,
) -> None:
    """Extract talks from the towns of a run as cases to replay.

    A case begins where the performer opens a talk on the first day: at most two with each partner
    and task, and for appointments only with the target. It contains both characters, their current
    actions, recalled memories and the rest of their day, and nothing later. The same run gives the
    same file.
    """
    with open_session() as (_, store):
        id_, frozen = freeze_run(store, run)
    atomic_write_text(out, written(frozen, id_))
    if json:
        print_plain_json(
            {
                "run": id_,
                "path": str(out),
                "cases": len(frozen.cases),
                "kinds": _kinds(frozen),
                "empty": [task.id for task in frozen.empty],
            }
        )
        return
    _say_frozen(frozen)
    say(f"Cases: [bold]{escape(str(out))}[/]")
    if frozen.cases:
        print_next(
            [
                (
                    f"troupe town talk {out} --mind rehearsal",
                    "play them offline; name models to evaluate them",
                )
            ]
        )


def talk(
    cases: Annotated[
        Path, typer.Argument(metavar="CASES.jsonl", help="A file that `troupe town freeze` wrote.")
    ],
    minds: Annotated[
        list[str],
        typer.Option(
            "--mind",
            "-m",
            metavar="MODEL",
            help="A model that plays the performers, or rehearsal. Repeatable.",
        ),
    ],
    agent: Annotated[
        Literal["ga", "ga+tdp", "ga-coached", "ga+tdp-coached", "both"],
        typer.Option(
            "--agent",
            "-a",
            help="Without or with target-driven planning, or both; coached: told to name times.",
        ),
    ] = "both",
    background: Annotated[
        str,
        typer.Option(
            "--background",
            "-b",
            metavar="MODEL",
            help="A model that plays the targets, or rehearsal.",
        ),
    ] = "",
    judges: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            "-j",
            metavar="NAME|FILE|MODEL",
            help="A built-in judge, a judge file, or a model. Repeatable. Default: the rule judge.",
        ),
    ] = None,
    base_url: BaseUrl = "",
    api_key_env: ApiKeyEnv = "",
    repeats: Annotated[int, typer.Option(min=1, help="How often to play each case.")] = 1,
    limit: Annotated[int, typer.Option(min=0, help="The maximum number of cases; 0: all.")] = 0,
    usd: BudgetUsd = 0.0,
    write: Annotated[
        Path | None,
        typer.Option(
            "--write", metavar="PLAN.toml", help="Write the plan to this file and play nothing."
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Print the number of episodes, calls and tokens, and the cost; play nothing.",
        ),
    ] = False,
    no_probe: NoProbe = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Play cases and judge the talks.

    The evaluated minds play the performers; one other mind plays the targets. Each talk is judged
    by conditions on what was said and on what the target reports. Results are shown as Table 3. The
    talks are an ordinary run: `troupe resume RUN` continues it if it was stopped, `troupe show RUN`
    lists the talks, and --write writes its plan for editing.
    """
    options = TalkOptions(
        minds=tuple(minds),
        agents=AGENTS if agent == "both" else (agent,),
        background=background,
        judges=tuple(judges or ()),
        base_url=base_url,
        api_key_env=api_key_env,
        repeats=repeats,
        limit=limit,
        usd=usd,
    )
    with open_session() as (settings, store):
        prepared, frozen, plan = prepare_talk(store, cases, options)
        if write is not None:
            atomic_write_text(write, plan + "\n")
            say(f"Plan: [bold]{escape(str(write))}[/]")
            print_next([(f"troupe run {write}", f"play the {many(len(frozen.cases), 'case')}")])
            return
        if dry_run:
            expected = forecast_of(prepared)
            print_forecast(prepared.planned.plan, expected, json=json, form=form)
            return

        progress = work_with_progress(
            settings,
            store,
            partial(begin_run, store, prepared),
            prepared.planned.plan.concurrency,
            quiet=json or form != "text",
            models=() if no_probe else models_of(prepared.planned),
            run=prepared.run,
            command="town talk",
        )
        _show(store, prepared.run, form, as_json=json)
        leave_unless_done(
            progress,
            f"`troupe resume {prepared.run}` goes on with it, and "
            f"`troupe town talks {prepared.run}` then shows the table.",
        )


def talks(run: RunId, form: TableFormatOption = "text", json: Json = False) -> None:
    """Show the success rates of the talks of a run (Table 3).

    Prints a table for each judge. Success rate (SR): the share of cases in which all conditions are
    met. Goal condition success rate (GCSR): the share of conditions that are met. Micro is the mean
    over cases, macro over tasks. `troupe score RUN --judge …` applies another judge to the talks.
    """
    with open_session() as (_, store):
        _show(store, run, form, as_json=json)


def _show(
    store: EventStore, given: str, form: Literal["text", "csv", "latex"], *, as_json: bool
) -> None:

    results = talk_results(gather(store, town_run(store, given)))
    found = tables(results)
    if print_result(results, json=as_json, form=form, tables=lambda: found):
        return
    if not results.cases:
        say("No case was played in this run; `troupe town freeze RUN` cuts some out of towns.")
        return
    if not found:
        say("No judge of talks has read this run.")
    for table in found:
        print_titled(table)
    _say_more(results)


def _say_more(results: TalkResults) -> None:
    rehearsal = [mind.name for mind in results.minds if mind.kind == "rehearsal"]
    local = [mind.name for mind in results.minds if mind.offline == "local"]
    say_no_finding(rehearsal, local_minds=local)
    print_next(
        [
            (f"troupe show {results.cases[0].episode}", "a talk, its scores and the words quoted"),
            (f"troupe show {results.run}", "all talks"),
            (f"troupe report {results.run}", "the run as a page, with every transcript"),
            (f"troupe score {results.run} --judge FILE", "score the talks with another judge"),
        ]
    )


def _kinds(frozen: Frozen) -> dict[str, int]:
    counts = Counter(case.task.kind for case in frozen.cases)
    return {kind: counts[kind] for kind in KINDS}


def _say_frozen(frozen: Frozen) -> None:
    towns = sum(task.towns for task in frozen.tasks)
    found, tasks = many(len(frozen.cases), "case"), many(len(frozen.tasks), "task")
    heading(f"{found} of {tasks}, from {many(towns, 'town')}")
    for kind, count in _kinds(frozen).items():
        of_kind = sum(task.kind == kind for task in frozen.tasks)
        if of_kind:
            name = KINDS[kind]  # type: ignore[index]
            say(f"{name}: {many(count, 'case')} of {many(of_kind, 'task')}", indent=2)
    if frozen.empty:
        names = ", ".join(task.id for task in frozen.empty)
        say(f"[yellow]No case: {escape(names)}[/]", indent=2)
