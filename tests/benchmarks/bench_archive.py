"""How fast a run leaves the log for an archive, and comes back.

python -m tests.benchmarks.bench_archive [--chains N]

Over the chains of ``bench_keeping``. Reaching its goal: what is done of each event, which is
written, read back, compared and taken out, or checked and put back. Tables for analysis, and the
rows that follow from the log, are reported apart. The goal of `troupe archive` is multiplied by the
machine's speed. Peak memory is that of the whole process, above
what it had before; it does not grow with the run.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from gateway.process.logs import set_up_logs
from gateway.services.files.export import beyond
from store.archive.archive_run import archive_run
from store.archive.restore_run import restore_run
from store.log.event_store import EventStore
from store.open_store import open_store
from store.parquet.write_run import export_parquet
from store.projections.maintenance.projector import catch_up
from store.verification import verify
from tests.benchmarks import bench_keeping
from tests.benchmarks.bench_keeping import RUN, at_speed, fill, speed, took_s
from tests.benchmarks.bench_store import postgresql
from tests.benchmarks.speed import machine_speed
from tests.benchmarks.table import Row

CHAINS = 50
ARCHIVED_PER_S, RESTORED_PER_S = 60_000, 50_000


def cpu(events: int, busy: float, left_out: float = 0.0) -> str:
    """What one processor does a second in this process, since it had been busy so long."""
    return f"{events / (time.process_time() - busy - left_out):,.0f}/s of CPU"


def peak_mib() -> float:
    """The most memory the process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def store_rows(name: str, url: str, folder: Path) -> Iterator[Row]:
    """Of one backend."""
    with closing(open_store(url, durable=False)) as store:
        fill(store)
        catch_up(store)
        held, tables_s, tables_cpu_s = peak_mib(), 0.0, 0.0

        def tables(store: EventStore, run: str, unfinished: Path) -> None:
            nonlocal tables_s, tables_cpu_s
            began, busy = time.perf_counter(), time.process_time()
            export_parquet(store, run, unfinished, beyond())
            tables_s, tables_cpu_s = time.perf_counter() - began, time.process_time() - busy

        began, busy = time.perf_counter(), time.process_time()
        done = archive_run(store, RUN, folder, tables, rows_too=False)
        archiving = time.perf_counter() - began - tables_s
        size = f"{done.size / 1e6:,.0f} MB as {done.file_bytes / 1e6:,.0f} MB"
        beside = f"{done.events:,} events, {size}; {cpu(done.events, busy, tables_cpu_s)}"
        yield at_speed(
            f"troupe archive, {name}",
            done.events,
            archiving,
            ARCHIVED_PER_S,
            machine_speed(),
            beside,
        )
        yield Row(
            "  its Parquet tables", f"{done.events / tables_s:,.0f}/s", f"{took_s(tables_s)} more"
        )
        catch_up(store)
        began, busy = time.perf_counter(), time.process_time()
        restore_run(store, Path(done.folder), rows_too=False)
        restoring = time.perf_counter() - began
        beside = cpu(done.events, busy)
        yield speed(f"troupe retrieve, {name}", done.events, restoring, RESTORED_PER_S, beside)
        began = time.perf_counter()
        catch_up(store)
        rows_s = time.perf_counter() - began
        yield Row("  its rows", f"{done.events / rows_s:,.0f}/s", f"{took_s(rows_s)} more")
        yield Row("  peak memory above before", f"{peak_mib() - held:,.0f} MiB")
        assert verify(store).sound


def rows() -> Iterator[Row]:
    """The table."""
    bench_keeping.CHAINS = CHAINS
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as name:
        folder = Path(name)
        yield from store_rows("SQLite", f"sqlite:///{folder}/troupe.db", folder / "archive")
    with postgresql() as url, tempfile.TemporaryDirectory(prefix="troupe-bench-") as name:
        yield from store_rows("PostgreSQL", url, Path(name))


def main() -> None:
    """Print the table."""
    global CHAINS
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chains", type=int, default=CHAINS, help="of some 4,400 events each")
    CHAINS = parser.parse_args().chains
    set_up_logs("warning")
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
