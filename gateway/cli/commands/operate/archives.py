"""``troupe archive``, ``restore-run``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.options import Json, open_session
from gateway.cli.terminal.output import (
    Column,
    escape,
    note,
    print_json,
    print_next,
    print_plain_json,
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


def archive(
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN…", help="Ids of runs, or how they begin.")
    ],
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR", help="Take them out of the store into this folder."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --to: only say what would go.")
    ] = False,
    compact: Annotated[
        bool,
        typer.Option("--compact", help="With --to: return the freed space to the disk (SQLite)."),
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Have lists name them again.")] = False,
    json: Json = False,
) -> None:
    """Hide runs from lists; with --to, move them into files.

    Without --to nothing is deleted: `troupe runs --all` lists them, `show` and all other commands
    take their ids as before. --undo brings them back, and so does `troupe resume`.

    With --to each run is written to a folder of its own in DIR: its events as JSON lines and tables
    as Parquet, with checksums. Once what was written is read back and found to be what the store
    has, the run leaves the store; `troupe restore-run` brings it back as it was. Events that forks
    outside the run share stay in the store. A run under way is refused (docs/how-to/archive.md).
    """
    if to is None:
        if dry_run or compact:
            raise typer.BadParameter("--dry-run and --compact go with --to.")
        _hide(runs, undo=undo, json=json)
        return
    if undo:
        raise typer.BadParameter("--undo is for what lists leave out; `troupe restore-run` is it.")
    with open_session() as (settings, store):
        ids = [row.id for row in to_archive(settings, store, runs)]
        if dry_run:
            found = [leaving(store, run) for run in ids]
            if json:
                print_json(found)
            else:
                _print_leaving(found)
            return
        _take_out(settings, store, ids, to, compact=compact, json=json)


def restore_run(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR…", help="Folders of archived runs, or a folder of such."),
    ],
    json: Json = False,
) -> None:
    """Bring archived runs back into the store.

    Every file is checked first; if anything fails, the store does not change. The restored run is
    identical to the archived one: ids, positions, times, every byte. Into another store, `troupe
    import episodes` copies the folder's events.jsonl.zst.
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
        print_next([(f"troupe show {restored[-1].run}", "what there is of it")])
        note("[dim]The files stay where they are; nothing needs them any more.[/]")


def _hide(runs: "Sequence[str]", *, undo: bool, json: bool) -> None:
    with open_session() as (settings, store):
        changed = hide_runs(settings, store, runs, undo=undo)
    if json:
        print_plain_json({"archived": not undo, "runs": list(changed)})
        return
    for run, was_changed in changed.items():
        already = "" if was_changed else " already"
        say(f"Run {run} is {'in the lists again' if undo else 'hidden from lists'}{already}.")
    if not undo:
        note("[dim]`troupe runs --all` lists them, `troupe archive --undo RUN` brings one back.[/]")


def _take_out(
    settings: "Settings",
    store: "EventStore",
    ids: "Sequence[str]",
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
    if json:
        print_json(done)
        return
    free = free_bytes(store.engine)
    if compact:
        note(f"[dim]The database's file is {in_bytes(shrunk)} smaller.[/]")
    elif free is not None:
        note(
            f"[dim]{in_bytes(free)} of the database's file are free for what comes next; "
            "--compact gives them back to the disk (`sqlite3 FILE VACUUM` does it later).[/]"
        )
    print_next([(f"troupe restore-run {escape(done[-1].folder)}", "brings it back as it was")])


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
    numbers = [
        Column(name, "number") for name in ("events", "streams", "size", "streams that stay")
    ]
    print_table((Column("run", "id"), *numbers), rows)
    for one in found:
        if one.kept:
            say(f"{one.run}: {_stays(one.kept, one.kept_for)}")
    note("[dim]Nothing was changed.[/]")


def _stays(kept: "Sequence[str]", by: "Sequence[str]") -> str:
    streams = ", ".join(kept[:5]) + ", …" * (len(kept) > 5)
    whom = ", ".join(by[:5]) + ", …" * (len(by) > 5)
    return escape(f"{len(kept)} of its streams stay ({streams}): they are needed by {whom}.")
