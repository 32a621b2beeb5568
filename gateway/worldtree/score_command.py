"""``troupe worldtree scores``: goals and abilities in the terminal."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from actors.worldtree.setup import NAME
from evaluators.tables.plain_tables import PlainTable
from evaluators.worldtree.people_file import with_people
from evaluators.worldtree.run_results import played, results_of_runs
from evaluators.worldtree.scores import Scores, plain_of, scores_of
from evaluators.worldtree.tables.ability_tables import ASPECTS_ALONE, ability_tables
from evaluators.worldtree.tables.finding_tables import language_tables, polarity_tables
from evaluators.worldtree.tables.goal_tables import goal_tables, overall_goal_tables
from evaluators.worldtree.tables.letter_tables import by_the_letter, letter_table
from evaluators.worldtree.values.ability_values import ABILITY_SCOPES
from evaluators.worldtree.values.results import Results
from gateway.cli.options import Json, RunIds, TableFormatOption, open_session
from gateway.cli.terminal.output import (
    escape,
    heading,
    print_json,
    print_next,
    print_plain,
    print_tables,
    say,
    while_working,
)
from gateway.cli.views.run_tables import say_no_finding
from gateway.services.runs.resolve_ids import runs_meant
from store.log.event_store import EventStore

PeopleFile = Annotated[
    Path | None,
    typer.Option(
        "--people",
        metavar="FILE.csv",
        help="Choices and answers of people (docs/explanation/worldtree.md).",
    ),
]


def scores(
    run_ids: RunIds,
    people: PeopleFile = None,
    each: Annotated[
        bool, typer.Option("--each", help="Also show each ability, not only the aspects.")
    ] = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Show scores of goals and abilities.

    Several runs are evaluated together: a mind with the same prompt in several runs is one row.
    Undecided walks and answers count as wrong; the published figures leave them out.
    """
    with open_session() as (_, store), while_working("reading the runs"):
        results = results_of_ids(store, run_ids, people)
        found = scores_of(results, runs_meant(store, run_ids))
    if json:
        print_json(found)
    elif form == "csv":
        tables = plain_of(found)
        print_tables([table for name in _SHOWN for table in tables[name]], form)
    elif form == "latex":
        print_tables(list(_tables(found, each=each)), form)
    else:
        _print(found, results, each=each)
        runs = " ".join(run_ids)
        print_next(
            [
                (f"troupe worldtree report {runs}", "the paper's tables and figures, as a page"),
                (f"troupe show {run_ids[0]}", "show each episode and its result"),
            ]
        )


_SHOWN = ("goals", "abilities", "languages", "polarity", "letters")
"""What is about minds: trees alone are ``troupe worldtree check``'s."""


def results_of_ids(
    store: EventStore, run_ids: Sequence[str], people: Path | None = None
) -> Results:
    """The results of some runs, each once, and of people. Raises ``UnknownId``, ``BadArgument`` for
    a run of another environment, ``BadFile``."""
    runs = runs_meant(store, run_ids, NAME)
    results = results_of_runs([played(store, run) for run in runs])
    return with_people(results, people) if people else results


def _tables(found: Scores, *, each: bool) -> Iterator[PlainTable]:
    """What people read: first the overall figures with their intervals."""
    for overall, by_orientation in zip(
        overall_goal_tables(found.goals), goal_tables(found.goals), strict=True
    ):
        yield from (overall, by_orientation)
    yield from ability_tables(found.abilities, ABILITY_SCOPES if each else ASPECTS_ALONE)
    if found.letters:
        yield letter_table(found.letters)
    if len({*found.goals.languages, *found.abilities.languages}) > 1:
        yield from (one for one in language_tables(found.languages) if "tests" in one.name)
    if found.polarity.all_trees:
        # Combinations are three by three for each model: CSV and reports have them.
        yield from polarity_tables(found.polarity)[:2]


def _print(found: Scores, results: Results, *, each: bool) -> None:
    notes: dict[str, str] = {}
    for table in _tables(found, each=each):
        heading(table.title)
        if table.rows:
            print_plain(table)
        if table.note:
            notes.setdefault(table.note, table.title)
    if notes:
        heading("Notes")
    for text, title in notes.items():
        say(f"[dim]{escape(title)}: {escape(text)}[/]")
    if not results.walks:
        say("\n[dim]No walk of a tree has ended: there are no goals.[/]")
    if not results.answers:
        say("\n[dim]No question about an ability was answered: there are no abilities.[/]")
    for row in found.letters:
        if text := by_the_letter(row):
            say(f"\n[yellow]{escape(text)}[/]")
    rehearsal = [who for who in results.minds if who in results.rehearsal]
    local = [who for who in results.minds if who in results.local]
    say_no_finding(rehearsal, local_minds=local)
