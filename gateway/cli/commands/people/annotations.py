"""``troupe annotate …`` and ``troupe agreement``: scores by people, and their agreement."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from actors.annotation.rules import CloseStudy, OpenStudy
from actors.text.amounts import many
from evaluators.judges.judge_file import judge_named
from evaluators.tables.people_tables import against_table, among_tables, annotators_table
from evaluators.tables.plain_tables import PlainTable
from events.base import replace
from gateway.cli.options import Dimensions, Json, PopulationOf, TableFormatOption, open_session
from gateway.cli.terminal.output import (
    Column,
    escape,
    heading,
    numbers,
    print_next,
    print_result,
    print_table,
    print_titled,
    say,
)
from gateway.cli.views.run_tables import say_no_finding
from gateway.services.annotations.agreement import agreement_of
from gateway.services.annotations.annotation_repository import (
    AnnotationStudies,
)
from gateway.services.annotations.plan_annotation import AnnotationMeant, meaning_of, planned
from gateway.services.annotations.plan_file import AnnotationFile, read_plan
from gateway.services.annotations.study_details import (
    StudyDetails,
    as_csv,
    row_of,
    said_in,
    study_details,
    study_rows,
)
from store.files.atomic_files import atomic_write_text

annotate = typer.Typer(
    no_args_is_help=True,
    help="Collect people's scores of episodes.",
)

StudyId = Annotated[
    str,
    typer.Argument(
        metavar="STUDY", help="The id of an annotation study, or a unique prefix of it."
    ),
]


@annotate.command()
def new(
    plan: Annotated[
        Path | None,
        typer.Argument(metavar="[PLAN.toml]", help="A plan file; options override its fields."),
    ] = None,
    run: Annotated[
        list[str] | None,
        typer.Option(
            "--run", "-r", metavar="RUN", help="Annotate the episodes of this run. Repeatable."
        ),
    ] = None,
    episode: Annotated[
        list[str] | None,
        typer.Option("--episode", metavar="EPISODE", help="Annotate this episode. Repeatable."),
    ] = None,
    name: Annotated[str, typer.Option(help="The name of the study in lists.")] = "",
    judge: Annotated[
        str,
        typer.Option("--judge", "-j", help="Use the dimensions and instructions of this judge."),
    ] = "",
    rubric: Annotated[str, typer.Option(help="Use this rubric instead of a judge's.")] = "",
    dimension: Dimensions = None,
    annotators: Annotated[
        int | None,
        typer.Option("--annotators", "-k", min=1, help="The number of annotators for each item."),
    ] = None,
    overlap: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="The share of items that all annotators get, 0 to 1."),
    ] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Draw this many episodes.")] = None,
    unit: Annotated[
        Literal["episode", "seat"] | None,
        typer.Option(help="Whether an item is an episode or a seat of one."),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Check the plan and print what it means; plan nothing."),
    ] = False,
    json: Json = False,
) -> None:
    """Plan an annotation study of episodes.

    Annotators score each item by the rubric of the study. Settings come from a plan file, from
    options, or from both.
    """
    from functools import partial

    file = read_plan(plan) if plan else AnnotationFile()
    given = {
        "runs": tuple(run or ()),
        "episodes": tuple(episode or ()),
        "name": name,
        "judge": judge,
        "rubric": rubric,
        "dimensions": tuple(dimension or ()),
        "annotators": annotators,
        "overlap": overlap,
        "sample": sample,
        "unit": unit,
    }
    wanted = {field: value for field, value in given.items() if value not in (None, "", ())}
    if judge:
        wanted["rubric"] = ""
    elif rubric:
        wanted["judge"] = ""
    with open_session() as (_, store):
        named = partial(judge_named, beside=plan.parent if plan else None)
        event = planned(store, replace(file, **wanted), judge=named)
        meant = meaning_of(event)
        if dry_run:
            if not print_result(meant, json=json):
                _say_meant(meant)
            return
        studies = AnnotationStudies(store)
        id_ = studies.plan(event)
        row = row_of(id_, studies.load(id_).state)
    if print_result(row, json=json):
        return
    heading(f"Annotation study {id_}: {row.name}")
    _say_items(meant)
    print_next(
        [
            (
                f"troupe token issue annotator --study {id_} --name WHO",
                "a link for one annotator; `troupe serve` serves the pages",
            ),
            (f"troupe annotate show {id_}", "show their progress"),
        ]
    )


def _say_items(meant: AnnotationMeant) -> None:
    names = ", ".join(meant.dimensions)
    rubric = escape(meant.rubric)
    say(f"{meant.items} items, {meant.wanted} annotations, by rubric {rubric}: {names}")


def _say_meant(meant: AnnotationMeant) -> None:
    heading(f"Annotation study {meant.name}", "nothing is planned yet")
    _say_items(meant)
    say(f"{meant.several} items are for more than one person.")
    if meant.qualification:
        say(f"Everybody begins with {meant.qualification} whose answers are known.")


@annotate.command("list")
def list_(json: Json = False) -> None:
    """List annotation studies."""
    with open_session() as (_, store):
        rows = study_rows(store)
    if print_result(rows, json=json):
        return
    if not rows:
        say("There are no annotation studies. `troupe annotate new --run RUN` plans one.")
        return
    print_table(
        (Column("study", "id"), "name", *numbers("items", "done", "annotators"), "state"),
        [
            (
                row.id,
                row.name,
                row.items,
                f"{row.had}/{row.wanted}",
                row.annotators,
                "closed" if row.closed else "open",
            )
            for row in rows
        ],
    )


@annotate.command()
def show(study: StudyId, json: Json = False) -> None:
    """Show the progress of a study and its annotators."""
    with open_session() as (_, store):
        found = study_details(store, study)
    if not print_result(found, json=json):
        _print_details(found)


@annotate.command()
def export(
    study: StudyId,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.csv", help="The file. Default: print."),
    ] = None,
    json: Json = False,
) -> None:
    """Write all answers of annotators as CSV or JSON, one row for each.

    Annotators' scores are also stored as evaluations: `troupe export RUN` includes them.
    """
    with open_session() as (_, store):
        rows = list(said_in(store, study))
    if print_result(rows, json=json):
        return
    text = as_csv(iter(rows))
    if out is None:
        sys.stdout.write(text)
        return
    atomic_write_text(out, text)
    say(f"{many(len(rows), 'answer')}: [bold]{escape(str(out))}[/]")


@annotate.command()
def close(study: StudyId) -> None:
    """Close a study: hand out no more items and accept no more answers."""
    _set(study, closed=True)


@annotate.command("open")
def open_(study: StudyId) -> None:
    """Reopen a closed study."""
    _set(study, closed=False)


def _set(given: str, *, closed: bool) -> None:
    with open_session() as (_, store):
        studies = AnnotationStudies(store)
        id_ = studies.find(given)
        studies.do(id_, CloseStudy(by="") if closed else OpenStudy(by=""))
    say(f"Annotation study {id_} is {'closed' if closed else 'open'}.")


def _print_details(found: StudyDetails) -> None:
    row = found.study
    state = "; closed" if row.closed else ""
    heading(
        f"Annotation study {row.id}: {row.name}",
        f"{row.items} items by rubric {row.rubric}; {row.had} of {row.wanted} annotations{state}",
    )
    if not found.annotators:
        say("Nobody has annotated yet.")
        return
    print_table(
        (
            Column("annotator", "id"),
            *numbers("items", "minutes", "qualified", "attentive"),
            "state",
        ),
        [
            (
                one.name,
                one.done,
                one.minutes,
                f"{one.right}/{one.known}" if one.known else None,
                f"{one.checks_passed}/{one.checks}" if one.checks else None,
                _state(one.qualified, one.attentive, one.at),
            )
            for one in found.annotators
        ],
    )
    print_next(
        [
            (f"troupe annotate export {row.id} --out answers.csv", "export their answers"),
            *([(f"troupe agreement {row.run}", "measure their agreement")] if row.run else []),
        ]
    )


def _state(qualified: bool | None, attentive: bool, at: int | None) -> str:
    if qualified is False:
        return "not qualified"
    if not attentive:
        return "not attentive"
    if at is not None:
        return f"at item {at + 1}"
    return "in qualification" if qualified is None else "waits"


def agreement(
    run: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN…", help="The ids of annotated runs, or unique prefixes of them."
        ),
    ],
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge", "-j", metavar="JUDGE", help="Compare this judge. Repeatable. Default: all."
        ),
    ] = None,
    each: Annotated[
        bool, typer.Option("--each", help="Also compare each annotator with the others.")
    ] = False,
    population: PopulationOf = None,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Measure the agreement of annotators and judges.

    Among people, for each dimension: pairwise agreement and Randolph's kappa with the scale in 3, 4
    and 5 equal parts, and Krippendorff's alpha. Between each judge and the mean of people: Pearson
    and Spearman correlation with p, both means, and how often the judge's score lies within the
    range of people's scores (docs/explanation/statistics.md).
    """
    with open_session() as (_, store):
        found = agreement_of(store, run, judge or (), population)
    tables: list[PlainTable] = among_tables(found.among, found.population)
    tables += [against_table(one) for one in found.against]
    if each:
        tables.append(annotators_table(found.annotators))
    if print_result(found, json=json, form=form, tables=lambda: tables):
        return
    for table in tables:
        print_titled(table)
    for why in found.whys:
        say(f"[dim]{escape(why)}[/]")
    say_no_finding(judges=found.rehearsal, local_judges=found.local)
