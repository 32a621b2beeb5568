"""``troupe import annotations``."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.options import Json, open_session
from gateway.cli.terminal.output import escape, note, print_next, print_result, say
from gateway.social.import_annotations import import_annotations


def annotations(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="JSON lines (AnnotationForEpisode), or CSV with the name .csv."
        ),
    ],
    run: Annotated[
        str,
        typer.Option("--run", metavar="RUN", help="The run of the episodes. Default: any."),
    ] = "",
    json: Json = False,
) -> None:
    """Import what people said of SOTOPIA's episodes.

    Reads SOTOPIA's AnnotationForEpisode as JSON lines, and the CSV of the platform on which people
    annotated. Episodes are found by their ids, or by the names they were imported with. Annotators
    stand beside those of the annotation pages. A file is imported completely or not at all;
    importing it again changes nothing. An annotator who scores an episode twice is refused.
    """
    with open_session() as (_, store):
        found = import_annotations(store, file, run)
    if print_result(found, json=json):
        return
    for text in found.notes:
        note(f"[dim]note: {escape(text)}[/]")
    say(escape(found.sentence))
    runs = " ".join(found.runs)
    print_next(
        [
            (f"troupe agreement {runs}", "agreement among people, and of judges with people"),
            (f"troupe sotopia tables {runs} --table 1", "correlations of judges with people"),
        ]
    )
