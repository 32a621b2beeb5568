"""``troupe import …`` and ``troupe catalog …``."""

from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from actors.runs.plan.environment_section import DEFAULT_ENVIRONMENT
from evaluators.registry import judge_to_try
from gateway.cli.options import Json, TableFormatOption, open_session
from gateway.cli.terminal.output import (
    escape,
    note,
    print_json,
    print_next,
    print_plain,
    print_plain_json,
    print_result,
    print_tables,
    say,
)
from gateway.cli.views.catalog import print_hits, print_item, print_kind, print_tasks
from gateway.cli.views.plain_lists import catalogs_table
from gateway.cli.views.run_tables import print_run
from gateway.errors import BadArgument
from gateway.services.catalogs.read_catalog import (
    all_catalogs,
    find,
    find_words,
    load,
    starter_name,
    tasks_of,
)
from gateway.services.files.import_episodes import import_file
from gateway.services.runs.run_details import run_details
from gateway.services.runs.run_status import standing_of


def import_episodes(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|DIR",
            help="A Troupe export, or a file or folder in a format of an installed environment.",
        ),
    ],
    run_name: Annotated[
        str,
        typer.Option(
            "--run", metavar="NAME", help="The name of the run. Default: the name of the file."
        ),
    ] = "",
    catalog_name: Annotated[
        str | None,
        typer.Option(
            "--catalog", "-c", metavar="NAME", help="The catalog of the ids. Default: the format's."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Import a Troupe export, or published episodes as a run.

    The format is detected from the beginning of the file. A truncated or altered export is refused.
    A file is imported completely or not at all; importing it again changes nothing. All commands
    for runs accept imported runs. If an export contains an unfinished run, nothing is played until
    you run `troupe resume` and confirm.
    """
    with open_session() as (settings, store):
        found = import_file(store, file, catalog_name, run_name)
        new = found.stored > 0
        shown = run_details(store, found.run) if found.run and new and not json else None
        if shown:
            shown = replace(shown, standing=standing_of(settings, store, shown.run))
    if print_result(found, json=json):
        return
    for text in found.notes:
        note(f"[dim]note: {escape(text)}[/]")
    say(escape(found.sentence))
    if shown:
        print_run(shown)
    if first := found.run or next(iter(found.ids), ""):
        steps = [(f"troupe show {first}", "show what was imported")]
        if not new:
            print_next(steps)
            return
        if shown and shown.standing and shown.standing.state == "came in a file":
            steps.append((f"troupe resume {first}", "continue it, after you confirm"))
        judged = [table.judge.name for table in shown.tables] if shown else []
        if judge := judge_to_try(found.environment, judged):
            steps.append((f"troupe score {first} --judge {judge}", "judge it again"))
        if found.run:
            steps.append((f"troupe report {first}", "all of it as one HTML page"))
        print_next(steps)


def list_catalogs(form: TableFormatOption = "text", json: Json = False) -> None:
    """List the catalogs with their sizes."""
    from msgspec.structs import asdict

    with open_session() as (_, store):
        found = all_catalogs(store)
    if json:
        rows = [asdict(row) for row in found]
        print_plain_json([row | row.pop("counts") for row in rows])
    else:
        table = catalogs_table((row.name, row.environment, row.counts) for row in found)
        print_plain(table) if form == "text" else print_tables([table], form)


def search_catalog(
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="Words to look for.")],
    name: Annotated[
        str | None,
        typer.Option("--catalog", "-c", metavar="NAME", help="Only this catalog. Default: all."),
    ] = None,
    json: Json = False,
) -> None:
    """Find the items that contain all the words.

    Searches items of every kind, including their secrets and goals. If there is no match, titles
    with a similar spelling are shown.
    """
    with open_session() as (_, store):
        hits = find_words(store, " ".join(words), name)
    if not hits and not json:
        where = f"in catalog {name!r}" if name else "in any catalog"
        raise BadArgument("words", " ".join(words), f"nothing {where} contains all of them")
    if json:
        found = [
            {"catalog": one.name, "kind": entry.kind, "id": entry.id, "title": entry.title}
            | {"found_in": field, "text": excerpt}
            for one, (entry, field, excerpt) in hits
        ]
        print_plain_json(found)
    else:
        print_hits(hits)


def show_catalog(
    what: Annotated[
        str,
        typer.Argument(
            metavar="KIND|ID", help="A kind (see `catalog list`), such as tasks, or an id."
        ),
    ],
    name: Annotated[
        str | None,
        typer.Option(
            "--catalog",
            "-c",
            metavar="NAME",
            help="Only this catalog. Default: starter for a kind, all catalogs for an id.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show all items of a kind, or one item by its id.

    The output includes goals, hints and secrets.
    """
    with open_session() as (_, store):
        found = load(store, name or starter_name(DEFAULT_ENVIRONMENT))
        if isinstance(items := getattr(found, what, None), tuple):
            print_json(items) if json else print_kind(found, what)
        elif what == "tasks":
            tasks = tasks_of(found)
            print_json([task._asdict() for task in tasks]) if json else print_tasks(found, tasks)
        else:
            placed = find(store, what, name)
            print_json(placed.entry.item) if json else print_item(placed)
