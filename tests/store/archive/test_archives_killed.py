"""A process that archives or restores a run is killed anywhere: the run is here or there, whole."""

import random
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from store.archive import archive_run, restore_run
from store.conformance.archives import rows
from store.log.rows import READ
from store.open_store import open_store
from store.read_model import queries
from store.verification import verify
from tests.store.histories import call, evaluate, play, whole_run

pytestmark = pytest.mark.long
ROUNDS = 6
PROGRAM = """
import sys
from pathlib import Path
from store.archive import event_file, putting_back, taking_out
from store.open_store import open_store

event_file.BATCH, taking_out._AT_ONCE = 20, 20
what, url, folder = sys.argv[1:]
store = open_store(url)
said = lambda done, total: print(done, total, flush=True)
print("begun", flush=True)
if what == "archive":
    taking_out.archive_run(store, "r1", Path(folder), lambda *_: print("tables", flush=True), said)
else:
    putting_back.restore_run(store, Path(folder), said)
print("done", flush=True)
store.close()
"""


def kill_after(words: int, what: str, url: str, folder: Path) -> None:
    """Start a process and kill it once it has said so much."""
    command = [sys.executable, "-c", PROGRAM, what, url, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        for _ in range(words):
            process.stdout.readline()
        process.kill()


def test_a_run_is_here_or_in_its_archive_whenever_its_process_is_killed(store, tmp_path):
    random_ = random.Random(7)
    whole_run(store)
    for number in range(20):
        play(store, f"more{number}", run="r1")
        call(store, f"more{number}", run="r1")
        evaluate(store, f"judged{number}", f"more{number}", run="r1")
        play(store, f"other{number}")
    before = rows(store)
    is_here = True
    for _ in range(ROUNDS):
        words = random_.randint(1, 60 if is_here else 20)
        folder = tmp_path if is_here else Path(_row(store).taken_to)
        kill_after(words, "archive" if is_here else "restore", store.url, folder)
        with closing(open_store(store.url, durable=False)) as again:
            found = verify(again)
            assert found.defects == ()
            is_here = not _row(again).taken_to
            there = rows(again, READ.selected_columns.stream != "archive-r1")
            assert (there == before) is is_here
            said = [one.tag for one in again.read("archive-r1")]
            assert said.count("StreamsTakenOut") - said.count("StreamsBroughtBack") == (not is_here)
    if not is_here:
        restore_run.restore_run(store, Path(_row(store).taken_to))
    taken = archive_run.archive_run(store, "r1", tmp_path, lambda *_: None)
    restore_run.restore_run(store, Path(taken.folder))
    assert rows(store, READ.selected_columns.stream != "archive-r1") == before
    assert list(tmp_path.glob("*.unfinished")) == []


def _row(store):
    return next(row for row in queries.runs(store) if row.id == "r1")
