"""``troupe hide``, ``archive``, ``retrieve``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.options import Json, RunIds, open_session
from gateway.cli.terminal.output import (
    Column,
    escape,
    note,
    numbers,
    print_json,
    print_next,
    print_plain_json,
    print_result,
    print_table,
    say,
)
from gateway.cli.terminal.progress_bar import bar
from gateway.errors import BadArgument
from gateway.services.files.archive_runs import (
    ArchivePreview,
    archived_folders,
    leaving,
    to_archive,
)
from gateway.services.files.archive_runs import archive as take_out
from gateway.services.runs.stop import hide_runs
from gateway.settings import Settings
from gateway.sizes import in_bytes
from store.archive.archive_run import ArchivedRun
from store.archive.compact_database import compact as shrink
from store.archive.compact_database import free_bytes
from store.archive.restore_run import restore_run as put_back
from store.log.event_store import EventStore

Runs = Annotated[
    list[str], typer.Argument(metavar="RUN…", help="Ids of runs, or their beginnings.")
]


def hide(
    runs: RunIds,
    undo: Annotated[bool, typer.Option("--undo", help="List hidden runs again.")] = False,
    json: Json = False,
) -> None:
    """Hide runs from lists, or list them again.

    Nothing is deleted: `troupe runs --all` lists hidden runs, and all other commands accept their
    ids. `troupe resume` lists a run again, too.
    """
    with open_session() as (settings, store):
        changed = hide_runs(settings, store, runs, undo=undo)
    if json:
        print_plain_json({"archived": not undo, "runs": list(changed)})
        return
    for run, was_changed in changed.items():
        already = "" if was_changed else " already"
        say(f"Run {run} is {'in the lists again' if undo else 'hidden from lists'}{already}.")
    if not undo:
        note("[dim]`troupe runs --all` lists them; `troupe hide --undo RUN` lists one again.[/]")


def archive(
    runs: RunIds,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="DIR", help="The folder to move them into.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be moved; change nothing.")
    ] = False,
    compact: Annotated[
        bool, typer.Option("--compact", help="Return the freed space to the disk (SQLite).")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", hidden=True)] = False,
    json: Json = False,
) -> None:
    """Move runs from the store into files.

    Each run is written to a folder of its own in DIR: its events as JSON lines and tables as
    Parquet, with checksums. The files are read back and compared with the store; only then the run
    leaves the store. `troupe retrieve` brings it back unchanged. Events that are shared with forks
    outside the run stay in the store. A run in progress is refused (docs/how-to/archive.md).

    To only hide runs from lists, use `troupe hide`.
    """
    if to is None:
        # Before there was `hide`, it was `archive` without a folder.
        if dry_run or compact:
            raise typer.BadParameter("--dry-run and --compact need --to.")
        hide(runs, undo=undo, json=json)
        return
    if undo:
        raise typer.BadParameter("--undo is an option of `troupe hide`; see `troupe retrieve`.")
    with open_session() as (settings, store):
        ids = [row.id for row in to_archive(settings, store, runs)]
        if dry_run:
            found = [leaving(store, run) for run in ids]
            if not print_result(found, json=json):
                _print_leaving(found)
            return
        _take_out(settings, store, ids, to, compact=compact, json=json)


def retrieve(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR…", help="Folders of archived runs, or a folder of these."),
    ],
    json: Json = False,
) -> None:
    """Bring archived runs back into the store.

    Every file is checked first; if a check fails, the store does not change. The run is identical
    to the archived one: ids, positions, times, every byte. To copy it into another store, run
    `troupe import episodes` on the folder's events.jsonl.zst.
    """
    restored = []
    with open_session() as (_, store):
        for folder in archived_folders(store, folders):
            with bar("events", quiet=json) as show:
                restored.append(put_back(store, folder, show))
            if not json:
                run, events = restored[-1].run, f"{restored[-1].events:,} events"
                if restored[-1].was_here:
                    say(f"Run [bold]{run}[/] is here already: nothing was changed.")
                else:
                    say(f"Run [bold]{run}[/] is back as it was: {events}.")
    if json:
        print_json(restored)
    elif not all(one.was_here for one in restored):
        print_next([(f"troupe show {restored[-1].run}", "show what was played")])
        note("[dim]The files stay where they are; nothing needs them any more.[/]")


def _take_out(
    settings: Settings,
    store: EventStore,
    ids: Sequence[str],
    to: Path,
    *,
    compact: bool,
    json: bool,
) -> None:
    if compact and store.backend != "sqlite":
        why = "is for SQLite; PostgreSQL gives the room to what comes next by itself (autovacuum)"
        raise BadArgument("--compact", settings.database_url.partition(":")[0], why)
    done = []
    for run in ids:
        with bar("events", quiet=json) as show:
            done.append(take_out(store, run, to, show))
        if not json:
            _say_archived(done[-1])
    shrunk = shrink(store.engine) if compact else 0
    if print_result(done, json=json):
        return
    free = free_bytes(store.engine)
    if compact:
        note(f"[dim]The database's file is {in_bytes(shrunk)} smaller.[/]")
    elif free is not None:
        note(
            f"[dim]{in_bytes(free)} of the database's file are free for what comes next; "
            "--compact gives them back to the disk (`sqlite3 FILE VACUUM` does it later).[/]"
        )
    print_next([(f"troupe retrieve {escape(done[-1].folder)}", "bring it back unchanged")])


def _say_archived(one: ArchivedRun) -> None:
    say(
        f"Run [bold]{one.run}[/] is archived: {one.events:,} events of {one.streams:,} streams, "
        f"{in_bytes(one.size)}, as {in_bytes(one.file_bytes)} in"
    )
    say(f"[bold]{escape(one.folder)}[/]")
    if one.kept:
        say(_stays(one.kept, one.kept_for))


def _print_leaving(found: Sequence[ArchivePreview]) -> None:
    rows = [(one.run, one.events, one.streams, in_bytes(one.size), len(one.kept)) for one in found]
    figures = numbers("events", "streams", "size", "streams that stay")
    print_table((Column("run", "id"), *figures), rows)
    for one in found:
        if one.kept:
            say(f"{one.run}: {_stays(one.kept, one.kept_for)}")
    note("[dim]Nothing was changed.[/]")


def _stays(kept: Sequence[str], by: Sequence[str]) -> str:
    streams = ", ".join(kept[:5]) + ", …" * (len(kept) > 5)
    whom = ", ".join(by[:5]) + ", …" * (len(by) > 5)
    return escape(f"{len(kept)} of its streams stay ({streams}): they are needed by {whom}.")
