"""Progress bars on standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gateway.cli.terminal.output import console

if TYPE_CHECKING:
    from rich.console import Console


@contextmanager
def bar(what: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar for one thing unless ``quiet``, where there is no terminal a line for each tenth of it;
    what is yielded is told how much is done, and of how much."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    if quiet:
        yield lambda _done, _of: None
        return
    out = console(stderr=True)
    if not out.is_terminal:
        yield _lines(what, out)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), Remaining())
    bars = Progress(*columns, console=out)
    task = bars.add_task(what, total=None)

    def show(done: int, of: int) -> None:
        # Only now: a bar that never moved would leave an empty line above a refusal.
        bars.start()
        bars.update(task, completed=done, total=of)

    try:
        yield show
    finally:
        if bars.live.is_started:
            bars.stop()


def _lines(what: str, out: "Console") -> Callable[[int, int], None]:
    """Tells how much is done in a line of its own, at most eleven times."""
    told = -1

    def show(done: int, of: int) -> None:
        nonlocal told
        tenth = 10 * done // of if of else 10
        if tenth > told:
            told = tenth
            out.print(f"{what}: {done:,} of {of:,}", markup=False)

    return show
