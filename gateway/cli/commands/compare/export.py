"""``troupe export``: write runs, chains and episodes to files."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from gateway.cli.options import Json, open_session
from gateway.cli.terminal.output import escape, print_result, say, while_working
from gateway.services.files.export import all_formats, export_to
from gateway.services.files.run_formats import ExportChoices


def _known_format(name: str) -> str:
    if name not in all_formats():
        raise typer.BadParameter(f"{name!r} is none of {', '.join(all_formats())}.")
    return name


def export(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN|CHAIN|EPISODE…",
            help="The id of a run, a chain or an episode, or a unique prefix of it; for `calls` "
            "and for files for trainers, one or more.",
        ),
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="One of the formats above.",
            callback=_known_format,
        ),
    ] = "jsonl",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="PATH", help="The file to write; for parquet, the folder."
        ),
    ] = None,
    only: Annotated[
        Literal["readable", "unreadable"] | None,
        typer.Option(
            "--only", help="For the format `calls`: only calls with readable or unreadable answers."
        ),
    ] = None,
    filters: Annotated[
        Path | None,
        typer.Option(
            "--filters",
            metavar="FILE.toml",
            help="For trainers: a file of filters (docs/reference/training-files.md).",
        ),
    ] = None,
    filter_: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            metavar="KEY=VALUE",
            help="For trainers: one filter, such as goal=8 or form=chat; may be repeated.",
        ),
    ] = None,
    exclude: Annotated[
        list[Path] | None,
        typer.Option(
            "--exclude",
            metavar="FILE.jsonl",
            help="For trainers: leave out the scenarios of a list; may be repeated.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Write a run, a chain or an episode to files.

    \b
    jsonl    every event, lossless and checksummed;
             `troupe import episodes` reads it back
    parquet  tables for analysis, in a folder
    calls    model calls, one a line: prompt and raw
             answer as chat messages, the parsed answer
             and tokens (docs/how-to/exchange.md)
    sft, rewards, pairs
             lines for trainers of models, with a card
             (docs/reference/training-files.md)
    others   formats of other programs, depending on the
             environment; a wrong name lists all
    """
    with open_session() as (_, store), while_working(f"writing {form}") as status:
        written = export_to(
            store,
            what,
            form,
            out,
            only=only or "",
            choices=ExportChoices(filters, filter_ or (), exclude or ()),
            told=lambda count: status.update(f"writing {form}: {count:,} so far"),
        )
    if not print_result(written, json=json):
        say(escape(written.sentence))
