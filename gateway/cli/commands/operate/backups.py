"""``troupe backup``, ``restore``, ``verify-store``: copies and integrity of the store."""

from pathlib import Path
from typing import Annotated

import typer

from actors.text.amounts import many
from gateway.cli.options import Json, Yes, open_session
from gateway.cli.terminal.output import (
    Column,
    escape,
    note,
    print_pairs,
    print_plain_json,
    print_result,
    print_table,
    say,
)
from gateway.cli.terminal.progress_bar import bar
from gateway.settings import checked, read_settings
from store.backups import BackupManifest, back_up, backup_name
from store.backups import restore as put_back
from store.participants.key_locations import place_of
from store.verification import Verified
from store.verification import verify as look


def backup(
    target: Annotated[
        Path, typer.Argument(metavar="FILE|DIR", help="The file to create, or the folder for it.")
    ],
    json: Json = False,
) -> None:
    """Back up the store to a file, also while runs write to it.

    The copy is a consistent snapshot of the store. It is checked before it gets its name. FILE.json
    beside it contains its checksum and the last position of the log.
    """
    from datetime import UTC, datetime

    settings = checked(read_settings())
    path = target / backup_name(datetime.now(UTC)) if target.is_dir() else target
    with bar("copied", quiet=json) as show:
        manifest = back_up(settings.database_url, path, show)
    if json:
        _print_backup(path, manifest)
    else:
        say(f"{manifest.contents.events:,} events, {manifest.size:,} bytes:")
        say(f"[bold]{escape(str(path))}[/]")
        say("`troupe restore` puts it back.")


def restore(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file that `troupe backup` wrote.")
    ],
    replace: Annotated[
        bool, typer.Option("--replace", help="Overwrite a store that is not empty.")
    ] = False,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Restore the store from a backup.

    The backup is checked against its manifest before and after it is copied. No other process may
    use the store meanwhile. If anything fails, the old store does not change. Backups do not
    contain participants' keys: if some are missing here, the command asks for confirmation.
    """
    settings = checked(read_settings())

    def agree(missing: int, people: int) -> None:
        whose = "all participants" if missing == people else f"{missing} of {people} participants"
        note(
            f"The words of {whose} in this backup will read \\[erased]: their keys are in no "
            f"backup, and not in {escape(place_of(settings.database_url).shown)}. Put a copy of "
            "the keys there first, if you have one."
        )
        if not yes:
            typer.confirm("Restore it without them?", abort=True, err=True)

    with bar("copied", quiet=json) as show:
        manifest = put_back(
            file, settings.database_url, replace=replace, progress=show, agree=agree
        )
    if json:
        _print_backup(file, manifest)
    else:
        say(f"Restored: {manifest.contents.events:,} events of {escape(manifest.made_at)}.")


def verify(json: Json = False) -> None:
    """Check the integrity of the event store.

    For the log: versions and positions without gaps (other than archived runs), unique ids,
    readable events, and each stream in one run. For the tables that are computed from it: a
    comparison with a rebuild. Changes nothing; runs may continue meanwhile. Exit code 1: a check
    failed.
    """
    with open_session() as (_, store), bar("events", quiet=json) as show:
        verified = look(store, show)
    if not print_result(verified, json=json):
        _print_verified(verified)
    if not verified.sound:
        raise typer.Exit(1)


def _print_backup(path: Path, manifest: BackupManifest) -> None:
    import msgspec

    print_plain_json({"path": str(path), **msgspec.to_builtins(manifest)})


def _print_verified(verified: Verified) -> None:
    pairs = [
        ("store", escape(verified.url)),
        ("events", f"{verified.events:,} in {verified.streams:,} streams"),
        ("tables", f"{verified.tables} compared with a rebuild"),
    ]
    if verified.archived_runs:
        runs = many(verified.archived_runs, "run")
        gone = f"{verified.archived_events:,} events of {runs}, which have left the log"
        pairs.insert(2, ("archived", gone))
    print_pairs(pairs)
    if verified.sound:
        say("[green]Everything is as it must be.[/]")
        return
    rows = [(defect.check, defect.where, defect.what) for defect in verified.defects]
    print_table((Column("check", "id"), "where", "what is wrong"), rows)
    for check, count in verified.unlisted.items():
        say(f"… and {count:,} more of {check}")
