"""Progress bars on standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gateway.cli.terminal.output import console


@contextmanager
def bar(what: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar for one thing unless ``quiet``; what is yielded is told how much is done, and of how
    much."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    if quiet:
        yield lambda _done, _of: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), Remaining())
    bars = Progress(*columns, console=console(stderr=True))
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
