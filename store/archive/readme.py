"""The ``README.txt`` of an archived run, for people who find the folder years later."""

from typing import Final

from events.untrusted.safe_text import harmless
from store.archive.manifest import ArchiveManifest

README: Final = "README.txt"


def readme_of(manifest: ArchiveManifest) -> str:
    """The file's text."""
    stays = (
        f"{len(manifest.kept)} of the run's streams stayed in the log, because forks or chains\n"
        "elsewhere need them; they are in the file, too.\n"
        if manifest.kept
        else ""
    )
    return f"""Run {manifest.run} ({harmless(manifest.summary.name)}) of a Troupe store.

{manifest.events:,} events of {manifest.streams:,} streams were taken out of the log (positions
{manifest.first_position} to {manifest.last_position}) by version {manifest.software} of Troupe.
{stays}
events.jsonl.zst   all events, one a line of JSON, compressed by zstd
*.parquet          tables for analysis
run.json           what is here: counts, and the SHA-256 of every other file

troupe retrieve FOLDER                     puts the events back into the store they came from
troupe import episodes events.jsonl.zst    copies them into another store
"""
