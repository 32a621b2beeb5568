"""Runs leave the log for an archive, and come back to the very same rows."""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, given, settings

from actors.runtime.actors.failure_event import record_failure
from events.base import replace
from events.evaluation import EvaluationFailed, JudgeSpec
from events.run import RunPlanned
from events.wire.subjects import split_stream
from gateway.services.files.archive_runs import archived_folders
from gateway.services.files.export import beyond
from gateway.services.results.score_run import scoring_of
from store.archive import archive_run as taking_out
from store.archive.archive_run import ArchivedRun, archive_run
from store.archive.errors import CannotArchive, CannotRestore
from store.archive.restore_run import restore_run
from store.conformance.archives import rows
from store.database.engines import writing
from store.database.tables import archived_streams, log
from store.id_lookup import RunTakenOut, UnknownId
from store.jsonl.export_import import RefusedFile, export_run, import_file
from store.log.event_store import ANY, EventStore
from store.log.position_ranges import of_parts, of_positions, without
from store.open_store import open_store
from store.parquet.write_run import export_parquet
from store.projections.maintenance import projector
from store.projections.maintenance.projector import catch_up
from store.projections.maintenance.rebuild import rebuild
from store.read_model import queries
from store.read_model.episode_history import read_history
from store.read_only_store import open_to_read
from store.verification import verify
from tests.store.histories import (
    call,
    evaluate,
    fork,
    planned,
    planned_chain,
    play,
    play_chain,
    whole_run,
)
from tests.store.random_histories import World, happen, steps

SQLITE = pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)


def write_tables(store: EventStore, run: str, folder: Path) -> None:
    export_parquet(store, run, folder, beyond())


def no_tables(store: EventStore, run: str, folder: Path) -> None:
    """They take most of the time."""


def archive(store: EventStore, run: str, to: Path) -> ArchivedRun:
    return archive_run(store, run, to, no_tables)


def several_runs(store: EventStore) -> None:
    """Runs whose events lie between each other's, and one with a chain."""
    store.append("run-r2", ANY, [planned("x1", "x2")], correlation="r2")
    whole_run(store)
    play(store, "x1", run="r2")
    evaluate(store, "v9", "e2", run="r1")
    evaluate(store, "w1", "x1", run="r2")
    play(store, "x2", run="r2")
    call(store, "x2", run="r2")
    store.append("run-r3", ANY, [planned_chain("h", "c1", "c2")], correlation="r3")
    play_chain(store, "h", "c1", "c2", run="r3")


def everything(store: EventStore) -> list[object]:
    """What people read of it."""
    return [
        queries.runs(store),
        queries.episodes(store, superseded=True),
        queries.chains(store),
        queries.scores(store),
        queries.calls(store),
        queries.call_totals(store),
    ]


def test_a_run_leaves_the_log_and_comes_back_byte_for_byte(store, tmp_path):
    several_runs(store)
    before, told = rows(store), everything(store)
    others = rows(store, log.c.correlation != "r1")
    done = archive_run(store, "r1", tmp_path, write_tables)
    assert done.events == len(before) - len(others)
    after = rows(store)
    assert after[: len(others)] == others
    assert [row[2] for row in after[len(others) :]] == ["archive-r1"] * 2
    found = verify(store)
    assert found.defects == ()
    assert (found.archived_runs, found.archived_events) == (1, done.events)
    assert {row.run for row in queries.episodes(store)} == {"r2", "r3"}
    assert {row.run for row in queries.call_totals(store)} == {"r2", "r3"}
    modes = {path.name: path.stat().st_mode & 0o777 for path in Path(done.folder).iterdir()}
    assert {"run.json", "README.txt", "events.jsonl.zst", "scores.parquet"} <= modes.keys()
    assert set(modes.values()) == {0o600}
    back = restore_run(store, Path(done.folder))
    assert (back.events, back.was_here) == (done.events, False)
    assert rows(store)[: len(before)] == before
    assert verify(store).defects == ()
    assert everything(store) == told
    assert restore_run(store, Path(done.folder)).was_here


@SQLITE
def test_a_run_whose_plan_names_no_episodes_comes_back_as_it_was(store, tmp_path):
    """The run of a study: its episodes begin as participants come."""
    store.append("run-r1", ANY, [planned()], correlation="r1")
    play(store, "e1", run="r1")
    told = everything(store)
    done = archive(store, "r1", tmp_path)
    assert [row.episodes_planned for row in queries.runs(store)] == [1]
    restore_run(store, Path(done.folder))
    assert verify(store).defects == ()
    assert everything(store) == told


@SQLITE
def test_runs_come_back_in_any_order_and_can_go_again(store, tmp_path):
    several_runs(store)
    fork(store, "x1", 4, "r1fork", run="r1", turns=(3,))
    before, told = rows(store), everything(store)
    gone = [Path(archive(store, run, tmp_path).folder) for run in ("r1", "r3", "r2")]
    # What a fork shares stays, though the fork is in an archive itself.
    assert {row[2] for row in rows(store)} == {
        *("archive-r1", "archive-r2", "archive-r3", "episode-x1"),
    }
    for folder in gone:
        assert verify(store).defects == ()
        restore_run(store, folder)
    assert rows(store)[: len(before)] == before
    assert everything(store) == told
    evaluate(store, "late", "c1", run="r3")
    told = everything(store)
    again = archive(store, "r3", tmp_path)
    assert again.folder == f"{tmp_path}/r3-2"
    with pytest.raises(CannotRestore, match="of another time"):
        restore_run(store, tmp_path / "r3")
    assert archived_folders(store, [tmp_path]) == [tmp_path / name for name in ("r1", "r2", "r3-2")]
    restore_run(store, Path(again.folder))
    assert verify(store).defects == ()
    assert everything(store) == told


def test_what_forks_elsewhere_share_stays(store, tmp_path):
    several_runs(store)
    fork(store, "e1ff", 6, "elsewhere", turns=(4, 5))  # a fork of a fork of a fork, of no run
    told = [numbered.event for numbered in read_history(store, "elsewhere")]
    before = rows(store)
    done = archive(store, "r1", tmp_path)
    assert done.kept == ("episode-e1", "episode-e1f", "episode-e1ff")
    assert done.kept_for == ("elsewhere",)
    assert [numbered.event for numbered in read_history(store, "elsewhere")] == told
    assert queries.episode(store, "e1f").parent == "e1"
    after = rows(store)
    with pytest.raises(RunTakenOut, match="episode e1 is of run r1"):
        scoring_of(store, "e1", JudgeSpec(name="strict", kind="rehearsal", dimensions=()))
    # A job that was queued before is given up without a word: nothing of the run is recorded.
    failed = EvaluationFailed(reason="archived", attempts=1)
    record_failure(store, "episode-e1", failed)
    assert rows(store) == after
    assert verify(store).defects == ()
    restore_run(store, Path(done.folder))
    assert rows(store)[: len(before)] == before
    assert verify(store).defects == ()


@SQLITE
def test_the_log_says_of_an_archived_run_where_it_is(store, tmp_path):
    several_runs(store)
    done = archive(store, "r1", tmp_path)
    (row,) = (row for row in queries.runs(store) if row.taken_to)
    assert (row.id, row.taken_to, row.taken_events) == ("r1", done.folder, done.events)
    assert (row.name, row.episodes_planned, row.episodes_ended) == ("trial", 3, 2)
    for find, id_ in (
        (queries.find_run, "r1"),
        (queries.find_episode, "e2"),
        (queries.episode, "e1f"),
    ):
        with pytest.raises(RunTakenOut, match=f"archived to {done.folder} on") as refusal:
            find(store, id_)
        assert refusal.value.run == "r1"
    with pytest.raises(UnknownId):
        queries.find_episode(store, "nobody")
    with pytest.raises(RunTakenOut):
        archive(store, "r1", tmp_path)


@SQLITE
def test_every_file_is_checked_before_anything_comes_back(store, tmp_path):
    several_runs(store)
    folder = Path(archive_run(store, "r3", tmp_path, write_tables).folder)
    before = rows(store)
    files = sorted(folder.iterdir())
    assert len(files) > 10
    for path in files:
        whole = path.read_bytes()
        for place in {0, len(whole) // 2, len(whole) - 1}:
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            with pytest.raises(CannotRestore, match=rf"{path.name} (is|was|is not)"):
                restore_run(store, folder)
        path.unlink()
        with pytest.raises(CannotRestore, match=f"{path.name} cannot be read"):
            restore_run(store, folder)
        # Not read: what a link leads to may be endless in all but name.
        path.symlink_to(tmp_path / "sparse")
        (tmp_path / "sparse").touch()
        os.truncate(tmp_path / "sparse", 1 << 40)
        wanted = f"{1 << 40:,} bytes where run.json says {len(whole):,}"
        if path.name != "run.json":
            with pytest.raises(CannotRestore, match=f"{path.name} is of {wanted}"):
                restore_run(store, folder)
        path.unlink()
        path.write_bytes(whole)
    assert rows(store) == before
    restore_run(store, folder)
    assert verify(store).defects == ()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[EventStore]:
    """Another store."""
    with closing(open_store(f"sqlite:///{tmp_path}/elsewhere.db", durable=False)) as store:
        yield store


@SQLITE
def test_another_store_imports_the_events_as_they_are(store, elsewhere, tmp_path):
    several_runs(store)
    fork(store, "x1", 4, "r1fork", run="r1", turns=(3,))  # the file brings its parent, too
    exported = tmp_path / "r1.jsonl"
    export_run(store, "r1", exported)
    folder = Path(archive(store, "r1", tmp_path / "to").folder)
    with pytest.raises(CannotRestore, match=r"troupe import episodes .*events\.jsonl\.zst"):
        restore_run(elsewhere, folder)
    imported = import_file(elsewhere, folder / "events.jsonl.zst")
    assert (imported.of, imported.id) == ("run", "r1")
    assert import_file(elsewhere, exported).stored <= 7  # but for what others made of the parent
    assert verify(elsewhere).defects == ()
    with pytest.raises(RunTakenOut, match="r1 was archived"):
        import_file(store, exported)
    (tmp_path / "bad.zst").write_bytes((folder / "events.jsonl.zst").read_bytes()[:-40])
    with pytest.raises(RefusedFile):
        import_file(elsewhere, tmp_path / "bad.zst")


@SQLITE
def test_a_crash_between_writing_and_taking_out_loses_nothing(store, tmp_path, monkeypatch):
    several_runs(store)
    before = rows(store)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(taking_out, "_take_out", killed)
        with pytest.raises(KeyboardInterrupt):
            archive(store, "r1", tmp_path)
    assert rows(store) == before
    written = (tmp_path / "r1" / "events.jsonl.zst").stat()
    with monkeypatch.context() as patched:
        patched.setattr(taking_out, "_write", killed)  # it goes on with what is there
        assert archive(store, "r1", tmp_path).folder == f"{tmp_path}/r1"
    assert (tmp_path / "r1" / "events.jsonl.zst").stat().st_ino == written.st_ino
    assert sum(row[4] == "StreamsTakenOut" for row in rows(store)) == 1


@SQLITE
def test_what_happens_to_a_run_while_it_is_written_keeps_it_here(store, tmp_path):
    several_runs(store)

    def meanwhile(store: EventStore, run: str, folder: Path) -> None:
        evaluate(store, "late", "e1", run="r1")

    with pytest.raises(CannotArchive, match="happened meanwhile"):
        archive_run(store, "r1", tmp_path, meanwhile)
    assert list(tmp_path.glob("r1*")) == []

    def forked(store: EventStore, run: str, folder: Path) -> None:
        fork(store, "e2", 2, "another")

    with pytest.raises(CannotArchive, match="went on from it"):
        archive_run(store, "r1", tmp_path, forked)
    assert archive(store, "r1", tmp_path).kept == ("episode-e2",)
    assert verify(store).defects == ()


@SQLITE
def test_a_full_disk_leaves_nothing_behind(store, tmp_path, monkeypatch):
    several_runs(store)
    before = rows(store)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(taking_out, "write_private", full)
    with pytest.raises(OSError, match="No space left"):
        archive(store, "r1", tmp_path / "to")
    assert list((tmp_path / "to").iterdir()) == []
    assert rows(store) == before


@SQLITE
def test_verify_finds_what_left_without_a_tombstone(store, tmp_path):
    several_runs(store)
    archive(store, "r1", tmp_path)
    with writing(store.engine) as connection:
        connection.execute(archived_streams.delete().where(archived_streams.c.stream == "run-r1"))
    assert {one.check for one in verify(store).defects} == {"guards"}
    with writing(store.engine) as connection:
        values = {"run": "r2", "first_version": 0, "last_version": 99}
        connection.execute(archived_streams.insert().values(stream="episode-x2", **values))
        connection.execute(sa.delete(log).where(log.c.stream == "episode-x2"))
    found = {one.check: one.what for one in verify(store).defects}
    assert found.keys() == {"guards", "positions", "projections"}
    assert "missing from the log" in found["positions"]


def test_rows_do_not_depend_on_when_a_run_left(store, tmp_path, monkeypatch):
    monkeypatch.setattr(projector, "BATCH", 7)
    several_runs(store)
    with closing(open_store(store.url, durable=False)) as late:
        done = archive(store, "r1", tmp_path)
        fork(store, "x1", 4, "x1f", turns=(3,))
        restore_run(store, Path(done.folder))
        evaluate(store, "v10", "e2", run="r1")
        again = archive(store, "r1", tmp_path)
        play(store, "x3", run="r2")
        told = everything(store)
        catch_up(late)
        assert everything(late) == told
        with closing(open_to_read(store.url)) as reading:
            restore_run(store, Path(again.folder))
            assert everything(reading) == everything(store)
    rebuild(store)
    assert verify(store).defects == ()


@SQLITE
def test_who_follows_the_log_goes_on_over_what_left(store, tmp_path):
    several_runs(store)
    half, head = store.head() // 2, store.head()
    following = store.subscribe(half)
    done = archive(store, "r1", tmp_path)
    seen = following.take(5)
    left = [row[0] for row in rows(store) if row[0] > half]
    assert [envelope.position for envelope in seen] == left
    play(store, "x4", run="r2")
    assert [envelope.stream for envelope in following.take(5)] == ["episode-x4"] * 8
    restore_run(store, Path(done.folder))
    assert [envelope.tag for envelope in following.take(5)] == ["StreamsBroughtBack"]
    assert store.read_all(head)[0].stream == "archive-r1"


@given(history=steps())
@settings(
    max_examples=5,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_whatever_has_happened_every_run_leaves_and_comes_back_as_it_was(tmp_path_factory, history):
    folder = tmp_path_factory.mktemp("random")
    with closing(open_store(f"sqlite:///{folder}/troupe.db", durable=False)) as store:
        happen(World(cast(EventStore, OfOneRun(store))), history, {})
        before, told = rows(store), everything(store)
        gone = []
        for row in queries.runs(store):
            if row.started_at is not None:
                gone.append(Path(archive(store, row.id, folder).folder))
                assert verify(store).defects == ()
        for path in gone[::2] + gone[1::2]:
            restore_run(store, path)
        assert rows(store)[: len(before)] == before
        assert everything(store) == told
        assert verify(store).defects == ()
        shutil.rmtree(folder)


class OfOneRun:
    """A store in which all that is said of an episode, a chain or an evaluation is of one run, as
    in those that are not made up."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._runs: dict[str, str] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def append(self, stream: str, expected: int, events: list[Any], correlation: str = "") -> None:
        kind, id_ = split_stream(stream)
        owner, _, seat = id_.partition(".")
        if seat == "x":
            return  # nobody sits there
        if kind == "run":
            self._runs[id_] = id_
        for event in events:
            if isinstance(event, RunPlanned):
                planned = (*event.episodes, *event.chains)
                self._runs.update({one.id: id_ for one in planned})
        run = self._runs.setdefault(owner, getattr(events[0], "run", ""))
        events = [replace(one, run=run) if hasattr(one, "run") else one for one in events]
        self._store.append(stream, expected, events, correlation=run)


@pytest.mark.parametrize(
    ("positions", "others", "left"),
    [
        ([1, 2, 3, 7, 8], [], [(1, 3), (7, 8)]),
        ([1, 2, 3, 4, 5, 9], [2, 4, 9], [(1, 1), (3, 3), (5, 5)]),
        ([5, 6], [1, 2, 3, 4, 5, 6, 7], []),
        ([], [1], []),
    ],
)
def test_ranges_are_told_apart_and_survive_their_events(positions, others, left):
    some = of_positions(positions)
    assert of_parts(some.parts()) == some
    assert [*without(some, of_positions(others))] == left


def test_long_ranges_are_cut_into_batches():
    ranges = of_positions([*range(1, 8), 10, *range(20, 24)])
    assert [*ranges.batches(5)] == [[(1, 5)], [(6, 7), (10, 10), (20, 21)], [(22, 23)]]
