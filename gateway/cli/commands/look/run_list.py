"""``troupe runs``."""

from collections.abc import Sequence
from typing import Annotated

import typer

from actors.runs.model_notes import note_words
from actors.runs.state import load_run
from gateway.cli.options import Json, TableFormatOption, open_session
from gateway.cli.terminal.output import (
    escape,
    note,
    print_result,
    say,
)
from gateway.cli.views.plain_lists import runs_table
from gateway.cli.views.run_tables import MOST_WAITING, print_runs
from gateway.services.runs.run_marks import marked, run_marks
from gateway.services.runs.run_status import Listed, standings
from store.log.event_store import EventStore
from store.read_model import queries


def list_runs(
    all_: Annotated[bool, typer.Option("--all", help="Include hidden and archived runs.")] = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """List runs and their status, newest first.

    The status: running, waiting for a server or a remote seat, process gone, paused, stopped, or
    ended.
    """
    with open_session() as (settings, store):
        rows = queries.runs(store)[::-1]
        listed = [row for row in rows if all_ or not (row.archived or row.taken_to)]
        found = standings(settings, store, listed)
        if json or form != "text":
            # Their environments take time to load, which nobody waits for who looks what there is.
            noted, found = [], marked(found, run_marks(store, [row.id for row in listed]))
        else:
            noted = _noted(store, found)
    if print_result(found, json=json, form=form, tables=lambda: [runs_table(found)]):
        return
    if found:
        print_runs(found)
        for sentence in noted[:MOST_WAITING]:
            say(f"[yellow]{escape(sentence)}.[/]")
        gone = [one for one in found if one.taken_to]
        for one in gone[:MOST_WAITING]:
            note(f"[dim]{one.id}: {escape(one.standing.sentence)}[/]")
        if more := len(gone[MOST_WAITING:]):
            note(f"[dim]and {more} more archived; `troupe show RUN` says where one is.[/]")
    elif not rows:
        say("No runs yet. `troupe demo` plays a first one.")
    if hidden := len(rows) - len(found):
        note(f"[dim]{hidden} hidden or archived: `troupe runs --all` lists all.[/]")


def _noted(store: EventStore, runs: Sequence[Listed]) -> list[str]:
    """What became of the models of runs that go on."""
    going = [one.id for one in runs if one.standing.under_way]
    states = [(id_, load_run(store, id_)) for id_ in going]
    return [
        f"{id_}: {note_words(one.note)}"
        for id_, state in states
        if state is not None
        for one in state.notes
    ]
