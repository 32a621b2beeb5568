"""Why a run cannot be archived or brought back, each in one sentence. The log stays as it was."""

from pathlib import Path

from events.untrusted.safe_text import shortened
from store.errors import StoreError


class CannotArchive(StoreError):
    """A run stays where it is."""

    def __init__(self, run: str, why: str) -> None:
        super().__init__(f"run {shortened(run)} was not archived: {shortened(why, 1_000)}")
        self.run, self.why = run, why


class CannotRestore(StoreError):
    """An archive is not brought back."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"{shortened(str(folder))} was not restored: {shortened(why, 1_000)}")
        self.folder, self.why = folder, why
