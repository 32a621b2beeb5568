"""A run as Parquet tables, for analysis: one for each of ``store.parquet.schemas.SCHEMAS``.

What is not known is null: a score without a value says why in ``status`` and ``reason``.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from store.files.atomic_files import atomic_write
from store.log.event_store import EventStore
from store.parquet.run_tables import RunContext, read_frame
from store.parquet.schemas import SCHEMAS
from store.read_model import queries

__all__ = ["RunContext", "export_parquet"]


def export_parquet(
    store: EventStore, run: str, folder: Path, beyond: RunContext | None = None
) -> dict[str, Path]:
    """Write the tables of a run, one ``.parquet`` each; all of them, or none.

    Answers the files by table. Raises ``UnknownId``, ``AmbiguousId``.
    """
    of_run = {"run": (queries.find_run(store, run),)}
    paths = {name: folder / f"{name}.parquet" for name in SCHEMAS}
    with ExitStack() as together:
        for name, schema in SCHEMAS.items():
            path = together.enter_context(atomic_write(paths[name]))
            _write(path, schema, read_frame(store, name, of_run, beyond or RunContext()))
    return paths


def _write(path: Path, schema: pa.Schema, parts: Iterator[pa.Table]) -> None:
    first = next(parts, schema.empty_table())
    # Of episodes there are more columns, whose names nobody knows before.
    with pq.ParquetWriter(path, first.schema, compression="zstd") as writer:
        writer.write_table(first)
        for table in parts:
            writer.write_table(table)
