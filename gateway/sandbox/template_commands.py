"""``troupe town tasks``: tasks made of STSS's templates."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from actors.sandbox.formats.csv_layers import BadLayers
from actors.sandbox.formats.stss_templates import Instantiated, instantiated
from actors.text.amounts import many
from gateway.cli.terminal.output import escape, note, print_next, say
from gateway.errors import BadArgument
from store.files.atomic_files import atomic_write


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


MOST_SEED = 2**31 - 1


def write_tasks(
    files: Sequence[Path], people: Path, seed: int, others: tuple[int, int], target: Path
) -> Instantiated:
    """Write a task of each template as published files hold them. Raises ``BadArgument``,
    ``OSError``."""
    least, most = others
    if not 0 <= seed <= MOST_SEED:
        raise BadArgument("--seed", str(seed), f"must be 0 to {MOST_SEED}")
    if not 1 <= least <= most:
        raise BadArgument("--least", str(least), f"must be 1 to --most, which is {most}")
    if target.exists():
        raise BadArgument("--to", str(target), "is there already; name a new file")
    try:
        found = instantiated(files, people, seed, least, most)
    except BadLayers as error:
        first, *more = error.rows
        rest = f" (and {len(more)} more)" if more else ""
        raise BadArgument("TEMPLATES", str(files[0]), f"cannot be used: {first}{rest}") from None
    text = msgspec.json.format(msgspec.json.encode(found.tasks), indent=2)
    with atomic_write(target) as unfinished:
        unfinished.write_bytes(text + b"\n")
    return found
