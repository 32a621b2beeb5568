"""What commands take for each score of a run that they read."""

import atexit
import contextlib
import gc
import io
import os
import shutil
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

from evaluators.report.data.run_data import gather
from gateway.cli.main import app
from store.open_store import open_store
from tests.benchmarks.scored_run import RUN, write_run
from tests.budgets.counting import Figure, counted, figure, growth, watching_threads

EPISODES = (40, 200)
"""Of two runs; what the larger takes beyond the smaller is due to its rows."""

Work = Callable[[], None]


def show_row() -> Figure:
    """Calls of `troupe show` for each score of a run."""
    return _each(_show, _calls)


def parquet_row() -> Figure:
    """Calls of `troupe export -f parquet` for each score of a run."""
    return _each(_export, _calls)


def report_row() -> Figure:
    """Calls of a report for each score of a run, until it has all it shows. What is drawn then
    takes millions of calls, however many rows there are."""
    return _each(_gather, _calls)


def show_row_bytes() -> Figure:
    """Bytes that `troupe show` has allocated at its peak for each score of a run."""
    return _each(_show, _peak)


def parquet_row_bytes() -> Figure:
    """Bytes that `troupe export -f parquet` has allocated at its peak for each score of a run."""
    return _each(_export, _peak)


def _calls(work: Work) -> Figure:
    return counted(work, 1)


def _peak(work: Work) -> Figure:
    work()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return figure({"peak": peak - before})


def _each(work: Work, measure: Callable[[Work], Figure]) -> Figure:
    found, rows = [], []
    for episodes in EPISODES:
        with _run_of(episodes) as scores, watching_threads():
            found.append(measure(work))
            rows.append(scores)
    return growth(found[0], found[1], rows[1] - rows[0])


def _show() -> None:
    _troupe("show", RUN)


def _export() -> None:
    for file in Path().glob("tables/*"):
        file.unlink()
    _troupe("export", RUN, "-f", "parquet", "-o", "tables")


def _gather() -> None:
    with closing(open_store(os.environ["TROUPE_DATABASE_URL"])) as store:
        gather(store, RUN)


@contextmanager
def _run_of(episodes: int) -> Iterator[int]:
    """The store of a run in the working folder; how many scores it has."""
    written, scores = _written(episodes)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        file = shutil.copy(written, folder)
        os.environ |= {"TROUPE_DATABASE_URL": f"sqlite:///{file}", "TROUPE_DATA_DIR": folder}
        yield scores


@cache
def _written(episodes: int) -> tuple[Path, int]:
    """The file of such a store, and the scores in it."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    file = Path(folder.name) / "troupe.db"
    with closing(open_store(f"sqlite:///{file}", durable=False)) as store:
        return file, write_run(store, episodes)


def _troupe(*command: str) -> None:
    """A command in this process."""
    with contextlib.redirect_stdout(io.StringIO()):
        app(list(command), standalone_mode=False)
