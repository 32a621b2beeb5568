"""``troupe town freeze``, ``talk`` and ``talks``: what is said, and what its target makes of
it."""

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
from gateway.cli.options import Json, NoProbe, RunId, TableFormatOption, open_session
from gateway.cli.play_with_progress import leave_unless_done, work_with_progress
from gateway.cli.terminal.output import (
    escape,
    heading,
    note,
    print_json,
    print_next,
    print_plain,
    print_plain_json,
    print_tables,
    say,
)
from gateway.cli.views.forecast import estimates_table, print_forecast
from gateway.cli.views.run_tables import say_no_finding
from gateway.models.probe_models import models_of
from gateway.sandbox.missing_scores import town_run
from gateway.sandbox.talk_runs import AGENTS, TalkOptions, freeze_run, prepare_talk
from gateway.services.runs.forecast_run import estimated
from gateway.services.runs.plan_run import begin_run
from store.files.atomic_files import atomic_write
from store.log.event_store import EventStore


def freeze(
    run: RunId,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.jsonl", help="The file of cases.")
    ] = Path("cases.jsonl"),
    json: Json = False,
) -> None:
    """Cut talks out of the towns of a run, to be played again.

    A case begins where a talk of the performer opens on the first day: at most two with each
    partner and task, for appointments with the target alone. It holds who the two are, what they
    were doing, what came to their minds and the rest of their day, and nothing of what came later.
    The same run gives the same file.
    """
    with open_session() as (_, store):
        id_, frozen = freeze_run(store, run)
    with atomic_write(out) as unfinished:
        unfinished.write_text(written(frozen, id_), encoding="utf-8")
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
                    "plays them offline; name models instead to evaluate these",
                )
            ]
        )


def talk(
    cases: Annotated[
        Path, typer.Argument(metavar="CASES.jsonl", help="What `troupe town freeze` wrote.")
    ],
    minds: Annotated[
        list[str],
        typer.Option(
            "--mind",
            "-m",
            metavar="MODEL",
            help="Who plays the performers: openai/gpt-4o, …, or rehearsal. May be repeated.",
        ),
    ],
    agent: Annotated[
        Literal["ga", "ga+tdp", "ga-coached", "ga+tdp-coached", "both"],
        typer.Option(
            "--agent",
            "-a",
            help="Without target-driven planning, with, or both; coached: told to name times.",
        ),
    ] = "both",
    background: Annotated[
        str,
        typer.Option(
            "--background", "-b", metavar="MODEL", help="Who plays the targets; or rehearsal."
        ),
    ] = "",
    judges: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            "-j",
            metavar="NAME|FILE|MODEL",
            help="A built-in judge, a judge file, or a model. Default: the rule judge.",
        ),
    ] = None,
    base_url: Annotated[
        str, typer.Option("--base-url", metavar="URL", help="The models' server.")
    ] = "",
    api_key_env: Annotated[
        str, typer.Option("--api-key-env", metavar="NAME", help="The variable that holds its key.")
    ] = "",
    repeats: Annotated[int, typer.Option(min=1, help="How often each case is played.")] = 1,
    limit: Annotated[int, typer.Option(min=0, help="So many cases at most; 0: all.")] = 0,
    usd: Annotated[
        float,
        typer.Option("--budget-usd", metavar="USD", min=0, help="Pauses when spent; 0: no limit."),
    ] = 0.0,
    write: Annotated[
        Path | None,
        typer.Option("--write", metavar="PLAN.toml", help="Write the plan, and play nothing."),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only say what it means: episodes, calls, tokens, money."),
    ] = False,
    no_probe: NoProbe = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Play cases, and judge what is said in them.

    The performers are played by the minds that are evaluated, the targets by one other. Each talk
    is judged by conditions on what was said and on what the target tells of it, and shown as Table
    3. It is a run like any other: `troupe resume RUN` goes on with one that was stopped, `troupe
    show RUN` lists the talks, and --write gives the plan, to be changed.
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
            with atomic_write(write) as unfinished:
                unfinished.write_text(plan + "\n", encoding="utf-8")
            say(f"Plan: [bold]{escape(str(write))}[/]")
            print_next([(f"troupe run {write}", f"plays the {many(len(frozen.cases), 'case')}")])
            return
        if dry_run:
            expected = estimated(prepared)
            if form != "text":
                print_tables([estimates_table(expected.estimates)], form)
            elif json:
                print_json(expected)
            else:
                print_forecast(prepared.planned.plan, expected)
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
    """Show how far the talks of a run came (Table 3).

    A table for each judge. Success rate (SR): all conditions of a case are met; goal condition
    success rate (GCSR): the share that is. Micro is the mean over cases, macro over tasks. `troupe
    score RUN --judge …` has another judge read the same talks.
    """
    with open_session() as (_, store):
        _show(store, run, form, as_json=json)


def _show(
    store: EventStore, given: str, form: Literal["text", "csv", "latex"], *, as_json: bool
) -> None:

    results = talk_results(gather(store, town_run(store, given)))
    if as_json:
        print_json(results)
        return
    found = tables(results)
    if form != "text":
        print_tables(found, form)
        return
    if not results.cases:
        say("No case was played in this run; `troupe town freeze RUN` cuts some out of towns.")
        return
    if not found:
        say("No judge of talks has read this run.")
    for table in found:
        heading(table.title)
        print_plain(table)
        note(f"[dim]{escape(table.note)}[/]")
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
            (f"troupe score {results.run} --judge FILE", "another judge reads the same talks"),
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
