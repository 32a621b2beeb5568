"""``troupe town export`` and ``import``: trajectories as published, both ways."""

import shlex
from pathlib import Path
from typing import Annotated, Literal

import typer

from actors.sandbox.formats.movement_types import Decider
from actors.text.amounts import many
from gateway.cli.options import Json, RunOrEpisode, open_session
from gateway.cli.terminal.output import (
    escape,
    print_next,
    print_result,
    say,
    while_working,
)
from gateway.sandbox.export_trajectories import export_trajectories
from gateway.sandbox.import_trajectories import import_trajectories

Agent = Literal["ga", "ga+tdp", "ga-coached", "ga+tdp-coached"]


def export(
    what: RunOrEpisode,
    out: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write into.")],
    json: Json = False,
) -> None:
    """Export trajectories of towns in the published format.

    Writes a folder for each finished episode, with movement/N.json (one file a step),
    reverie/meta.json and master_movement.json. The published scorer finds it by its name, and
    `troupe town import` reads it.
    """
    with open_session() as (_, store), while_working("writing"):
        written = export_trajectories(store, what, out)
    if print_result(written, json=json):
        return
    for folder in written.folders:
        say(escape(folder))
    rest = f"; {written.left_out} that have not ended are left out" * bool(written.left_out)
    say(f"Trajectories written: {len(written.folders)}{rest}.")


def import_(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="A folder with movement/ or master_movement.json, and reverie/meta.json; or a "
            "folder of such folders.",
        ),
    ],
    task: Annotated[
        str,
        typer.Option("--task", metavar="ID", help="The task. Default: as named by the files."),
    ] = "",
    catalog: Annotated[
        str, typer.Option("--catalog", "-c", metavar="NAME", help="The catalog of the task.")
    ] = "",
    mind: Annotated[
        str,
        typer.Option(
            "--mind", metavar="NAME", help="The name of the deciding mind, if no file has it."
        ),
    ] = "",
    agent: Annotated[
        Agent | None, typer.Option("--agent", help="With --mind: the kind of agent, as in Table 4.")
    ] = None,
    json: Json = False,
) -> None:
    """Import trajectories of towns from published files.

    The episodes become a run that can be shown, replayed and scored. Gaps, jumps, and unknown
    places and persons are reported by file and step; then nothing is imported. Pickled states are
    never loaded.
    """
    with open_session() as (_, store), while_working("reading"):
        decider = Decider(name=mind, kind="generative" if agent else "remote", agent=agent or "")
        brought = import_trajectories(store, folder, task, catalog, decider)
    if print_result(brought, json=json):
        return
    new = f"{brought.stored} of {brought.events} events are new" if brought.stored else "no change"
    one = many(len(brought.episodes), "episode")
    say(f"Run [bold]{brought.run}[/]: {one}; {new}.")
    print_next(
        [
            (f"troupe town score {brought.run}", "their scores, with evidence"),
            (f"troupe show {shlex.quote(brought.episodes[0])}", "show the actions of all"),
        ]
    )
