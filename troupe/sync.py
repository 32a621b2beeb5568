"""``troupe.run`` and the others: they return when it is done."""

from pathlib import Path

from gateway.notebook import analysis_store
from gateway.notebook.analysis_store import Store
from troupe import operations, resumption
from troupe.errors import in_sentences
from troupe.worker_thread import blocking

run = blocking(operations.run)
resume = blocking(resumption.resume)
play = blocking(operations.play)
score = blocking(operations.score)
fork = blocking(operations.fork)


def open_store(where: str | Path | None = None) -> Store:
    """Open a store for analysis, while runs go on or after.

    ``where``: a data folder (``"troupe-data"``), a database file, or an address
    (``sqlite:////…``, ``postgresql://…``); None: what ``TROUPE_DATABASE_URL`` or
    ``TROUPE_DATA_DIR`` name, or ``./troupe-data``. Nothing is written and no table upgraded.
    Raises ``troupe.Error``.
    """
    with in_sentences():
        return analysis_store.open_store(where)
