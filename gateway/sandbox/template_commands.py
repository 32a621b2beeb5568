"""``troupe town tasks``: tasks made of STSS's templates."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from actors.text.amounts import many
from gateway.cli.terminal.output import escape, note, print_next, say
from gateway.sandbox.task_templates import write_tasks


def tasks(
    templates: Annotated[
        list[Path],
        typer.Argument(metavar="TEMPLATES.json…", help="Files of templates (meta_task_….json)."),
    ],
    people: Annotated[
        Path,
        typer.Option("--people", metavar="DIR", help="The folder with characteristics.json."),
    ],
    target: Annotated[Path, typer.Option("--to", metavar="FILE", help="The file to write.")],
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the random draw.")] = 1234,
    least: Annotated[
        int, typer.Option(metavar="N", help="The minimum number of other inhabitants.")
    ] = 10,
    most: Annotated[
        int, typer.Option(metavar="N", help="The maximum number of other inhabitants.")
    ] = 12,
) -> None:
    """Generate tasks from STSS's templates at random.

    A template is a task without a cast; its times, place and performer may be open, too. The random
    draws are those of the published program, so a seed gives the same tasks. `troupe import stss`
    reads the file as tasks.json or tasks_dlc.json of a folder.
    """
    found = write_tasks(templates, people, seed, (least, most), target)
    for text in found.notes:
        note(escape(text))
    say(f"{many(len(found.tasks), 'task')}: [bold]{escape(str(target))}[/]")
    folder = shlex.quote(str(target.parent))
    print_next(
        [(f"troupe import stss {folder}", "import them, together with the files of the map")]
    )
