"""Runs leave the log for an archive, and come back to the very same rows."""

from pathlib import Path

from gateway.exporting import BEYOND
from store import queries
from store.archiving.putting_back import RestoredRun, restore_run
from store.archiving.taking_out import ArchivedRun, archive_run
from store.conformance.archiving import rows
from store.log import ANY, EventStore
from store.parquet import export_parquet
from store.tables import log
from store.verifying import verify
from tests.store.histories import (
    call,
    evaluate,
    planned,
    planned_chain,
    play,
    play_chain,
    whole_run,
)


def tables(store: EventStore, run: str, folder: Path) -> None:
    export_parquet(store, run, folder, BEYOND)


def archive(store: EventStore, run: str, to: Path) -> ArchivedRun:
    return archive_run(store, run, to, tables)


def two_runs(store: EventStore) -> None:
    """Two runs whose events lie between each other's, and a chain."""
    store.append("run-r2", ANY, [planned("x1", "x2")], correlation="r2")
    whole_run(store)
    play(store, "x1", run="r2")
    evaluate(store, "v9", "e2", run="r1")
    evaluate(store, "w1", "x1", run="r2")
    play(store, "x2", run="r2")
    call(store, "x2", run="r2")
    store.append("run-r3", ANY, [planned_chain("h", "c1", "c2")], correlation="r3")
    play_chain(store, "h", "c1", "c2", run="r3")


def test_a_run_leaves_the_log_and_comes_back_byte_for_byte(store, tmp_path):
    two_runs(store)
    before, runs = rows(store), queries.runs(store)
    others = rows(store, log.c.correlation != "r1")
    scores = queries.scores(store)
    done = archive(store, "r1", tmp_path)
    assert done.events == len(before) - len(others)
    after = rows(store)
    assert after[: len(others)] == others
    assert [row[2] for row in after[len(others) :]] == ["archive-r1"] * 2
    found = verify(store)
    assert found.defects == ()
    assert (found.archived_runs, found.archived_events) == (1, done.events)
    assert {row.id for row in queries.runs(store)} == {"r1", "r2", "r3"}
    assert {row.run for row in queries.episodes(store)} == {"r2", "r3"}
    back = restore_run(store, Path(done.folder))
    assert back == RestoredRun(run="r1", folder=done.folder, events=done.events, was_here=False)
    assert rows(store)[: len(before)] == before
    assert verify(store).defects == ()
    assert queries.runs(store) == runs
    assert queries.scores(store) == scores
    assert restore_run(store, Path(done.folder)).was_here
