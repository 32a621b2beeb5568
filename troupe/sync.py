"""``troupe.run`` and the others: they return when it is done."""

from pathlib import Path

from gateway.notebook import opening
from gateway.notebook.opening import Store
from troupe import resumption, work
from troupe.calls import blocking
from troupe.errors import in_sentences

run = blocking(work.run)
resume = blocking(resumption.resume)
play = blocking(work.play)
score = blocking(work.score)
fork = blocking(work.fork)


def open_store(where: str | Path | None = None) -> Store:
    """Open a store for analysis, while runs go on or after.

    ``where``: a data folder (``"troupe-data"``), a database file, or an address
    (``sqlite:////…``, ``postgresql://…``); None: what ``TROUPE_DATABASE_URL`` or
    ``TROUPE_DATA_DIR`` name, or ``./troupe-data``. Nothing is written and no table upgraded.
    Raises ``troupe.Error``.
    """
    with in_sentences():
        return opening.open_store(where)
