"""``troupe catalog new``, ``check``, ``import`` and ``export``: catalogs as folders of files."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from actors.runs.plan.environment_section import DEFAULT_ENVIRONMENT
from actors.text.amounts import sizes
from gateway.cli.options import Json, open_session
from gateway.cli.terminal.errors import REFUSED
from gateway.cli.terminal.output import (
    console,
    escape,
    note,
    print_next,
    print_plain_json,
    print_result,
    say,
)
from gateway.cli.views.catalog import checked_json, print_checked
from gateway.services.catalogs.catalog_folders import (
    TOML,
    CatalogBrought,
    begin_folder,
    check_folder,
    export_folder,
    import_folder,
    plan_beside,
    require_folder,
)

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the catalog.")]
_NOTES = 5
"""Notes that an import prints; the rest it counts."""
_CHANGES = 10
"""The same of changes."""


def new_catalog(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the catalog in plans.")],
    environment: Annotated[
        str | None,
        typer.Option(
            "--environment", "-e", metavar="NAME", help="The environment. Default: social."
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR", help="The folder to write. Default: ./NAME."),
    ] = None,
) -> None:
    """Create a catalog: a folder of commented files to edit.

    Also writes a small plan that plays it.
    """
    target = folder or Path(name)
    made = begin_folder(name, environment or DEFAULT_ENVIRONMENT, target)
    say(f"Catalog [bold]{escape(name)}[/] begins here; edit what it says.")
    _print_paths(*made.paths, made.plan)
    where, plan = shlex.quote(str(target)), shlex.quote(str(made.plan))
    print_next(
        [
            (f"troupe catalog check {where}", "check it, and show what it casts"),
            (f"troupe catalog import {where}", "import it; repeat this after each change"),
            (f"troupe run {plan}", "play its tasks, without a model"),
        ]
    )


def check_catalog(
    folder: Folder,
    name: Annotated[
        str,
        typer.Option("--catalog", "-c", metavar="NAME", help="Check for import under this name."),
    ] = "",
    json: Json = False,
) -> None:
    """Check the files of a catalog, and show what they cast.

    Reads the files and sets up an episode of each task without playing it. Says how a social
    catalog stands as a benchmark: kinds of interaction, pairs, diversity. Nothing is stored. Exit
    code 1: there are errors that prevent an import.
    """
    if not folder.exists():
        with open_session() as (_, store):
            require_folder(store, folder)
    checked = check_folder(folder, name)
    wrong = bool(checked.graded("error"))
    if json:
        print_plain_json(checked_json(checked))
    else:
        print_checked(checked)
    if not wrong and not json:
        called = name or ("" if checked.name_fits else "NAME")
        option = f" --catalog {called}" if called else ""
        print_next([(f"troupe catalog import {shlex.quote(str(folder))}{option}", "import it")])
    if wrong:
        raise typer.Exit(REFUSED)


def import_catalog(
    folder: Folder,
    name: Annotated[
        str,
        typer.Option(
            "--catalog", "-c", metavar="NAME", help="The name to give it. Default: as in the files."
        ),
    ] = "",
    json: Json = False,
) -> None:
    """Import a catalog from a folder of files.

    Reads catalogs that `troupe catalog new` and `export` wrote, and the published files of SOTOPIA
    and SocialEval. The format is detected from the files. Everything is checked first, and a
    catalog is imported completely or not at all. Importing the same files again changes nothing;
    changed files become a new edition, and plans play the newest.
    """
    from msgspec.structs import asdict

    with open_session() as (_, store):
        found = import_folder(store, folder, name)
    if json:
        row = asdict(found) | {"changes": [asdict(change) for change in found.changes]}
        print_plain_json({**row, **row.pop("counts")})
        return
    for text in found.notes[:_NOTES]:
        note(f"[dim]note: {escape(text)}[/]")
    if len(found.notes) > _NOTES:
        more = f"and {len(found.notes) - _NOTES} more; `troupe catalog check` has them all"
        note(f"[dim]{more}[/]")
    print_brought(found)
    steps = [(f"troupe catalog show tasks -c {found.catalog}", "what can be played now")]
    plan = plan_beside(folder)
    elsewhere = found.environment != DEFAULT_ENVIRONMENT
    where = f'environment = "{found.environment}" and ' if elsewhere else ""
    if plan.is_file():
        steps.append((f"troupe run {shlex.quote(str(plan))}", "play it"))
    else:
        steps.append(("troupe run PLAN.toml", f'with {where}catalog = "{found.catalog}"'))
    print_next(steps)


def export_catalog(
    name: Annotated[str, typer.Argument(metavar="CATALOG", help="The name of the catalog.")],
    folder: Annotated[
        Path, typer.Option("--to", "--out", "-o", metavar="DIR", help="The folder to write into.")
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="toml|sotopia|socialeval",
            help="The format: Troupe's own, SOTOPIA's or SocialEval's.",
        ),
    ] = "toml",
    json: Json = False,
) -> None:
    """Write a catalog to a folder of files.

    TOML files contain everything, and `troupe catalog import` reads them back unchanged. Other
    formats cannot represent everything: each loss is reported.
    """
    with open_session() as (_, store):
        written = export_folder(store, form, name, folder)
    if print_result(written, json=json):
        return
    for text in written.notes:
        note(f"[dim]note: {escape(text)}[/]")
    say(f"Catalog [bold]{escape(written.catalog)}[/] is written to")
    _print_paths(*written.paths)
    if form == TOML:
        where = shlex.quote(str(folder))
        print_next(
            [
                (
                    f"troupe catalog import {where} --catalog NAME",
                    "import it under another name, after editing",
                )
            ]
        )


def _print_paths(*paths: object) -> None:
    """A path a line, to be copied."""
    for path in paths:
        console().print(f"  {escape(str(path))}", soft_wrap=True)


def print_brought(found: CatalogBrought) -> None:
    """What an import made of the catalog that was there."""
    edited = found.outcome == "replaced" and found.replaced == found.source
    if found.outcome == "replaced" and not edited:
        before = escape(f"{found.catalog} that was here ({found.replaced})")
        note(f"[yellow]The catalog {before} is replaced:[/]")
    state = {
        "imported": "imported",
        "replaced": "a new edition" if edited else "replaced",
        "unchanged": "unchanged, it was here already",
    }[found.outcome]
    say(f"Catalog [bold]{escape(found.catalog)}[/]: {sizes(found.counts)}; {state}.")
    for change in found.changes[:_CHANGES]:
        say(f"  {change.how} {change.kind} {escape(change.id)}")
    if len(found.changes) > _CHANGES:
        say(f"  and {len(found.changes) - _CHANGES} more changes")
    if found.outcome == "replaced":
        note("plans that name it play this one from now on; what was played stays as it is.")
