"""``troupe town map …``: maps as drawings and as CSV layers, and random maps."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.options import Json
from gateway.cli.terminal.errors import REFUSED
from gateway.cli.terminal.output import escape, heading, note, print_next, print_plain_json, say
from gateway.sandbox.maps import check_town, make_town, write_layers, write_town

maps = typer.Typer(
    no_args_is_help=True,
    help="Draw, check and convert the maps of towns. A town.toml contains a map as a drawing, its "
    "inhabitants and tasks; Generative Agents and STSS use CSV layers.",
)
TownArgument = Annotated[
    Path, typer.Argument(metavar="TOWN.toml", help="A town.toml, or its folder.")
]


@maps.command("check")
def check_map(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", help="A town.toml, or a folder with a town.toml or CSV layers."
        ),
    ],
    json: Json = False,
) -> None:
    """Check a town, and report defects by file and cell.

    Finds ragged layers, unknown codes, unreachable rooms, people without a home, and tasks that
    refer to things that do not exist. Nothing is stored. Exit code 1: there are errors.
    """
    found = check_town(path)
    if json:
        print_plain_json(found._asdict())
    else:
        say(found.about or f"{escape(str(path))} holds no town that can be lived in.")
        for title, rows in (("Errors", found.errors), ("Warnings", found.warnings)):
            if rows:
                heading(title)
                for row in rows:
                    say(f"  {escape(row)}")
        if not found.errors:
            say("\nno errors")
    if found.errors:
        raise typer.Exit(REFUSED)


@maps.command("to-csv")
def to_csv(
    town: TownArgument,
    folder: Annotated[
        Path, typer.Option("--to", metavar="DIR", help="The folder to write, new or empty.")
    ],
) -> None:
    """Write a town's map as CSV layers.

    Writes the format of Generative Agents and STSS: for each layer a maze and the meaning of its
    codes.
    """
    written = write_layers(town, folder)
    say(f"{len(written.files)} files are written to {escape(str(folder))}.")
    if written.left_out:
        note(f"{written.left_out} have no room in them and stay in {escape(str(town))}.")
    print_next([(f"troupe town map check {shlex.quote(str(folder))}", "check the result")])


@maps.command("from-csv")
def from_csv(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with CSV layers.")],
    target: Annotated[
        Path, typer.Option("--to", metavar="TOWN.toml", help="The file to write.")
    ] = Path("town.toml"),
    id_: Annotated[
        str, typer.Option("--id", metavar="ID", help="The id of the map. Default: the folder.")
    ] = "",
) -> None:
    """Write CSV layers as one town.toml.

    Includes characters and tasks if STSS's files of these are also in the folder.
    """
    _say_written(write_town(folder, target, id_), target)


@maps.command("make")
def make(
    people: Annotated[int, typer.Option(metavar="N", help="The number of inhabitants.")] = 25,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the random draw.")] = 0,
    target: Annotated[
        Path, typer.Option("--to", metavar="TOWN.toml", help="The file to write.")
    ] = Path("town.toml"),
) -> None:
    """Generate a random town with inhabitants and tasks.

    The result can be edited, or used to test larger towns.
    """
    _say_written(make_town(people, seed, target), target)


def _say_written(about: str, target: Path) -> None:
    say(f"{escape(about)}\nIt is written to {escape(str(target))}.")
    steps = [(f"troupe town map check {shlex.quote(str(target))}", "check it after each change")]
    if target.name == "town.toml":
        folder = shlex.quote(str(target.parent))
        steps.append((f"troupe catalog import {folder}", "import it, to play it"))
    print_next(steps)
