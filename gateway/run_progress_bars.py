"""The progress of some work, as counts in words and as bars on a terminal."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from actors.text.amounts import many

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from actors.models.limits.circuit_breaker import HeldModel
    from actors.runs.execution.work import Progress
    from events.run import ModelHeld


def counts(now: "Progress") -> list[tuple[str, int, int]]:
    """What is to be done, how many of it are over, and of how many."""
    return [
        ("chains played", now.chains_ended + now.chains_failed, now.chains),
        ("episodes played", now.episodes_ended + now.episodes_failed, now.episodes),
        ("episodes scored", now.evaluations_ended + now.evaluations_failed, now.evaluations),
    ]


def held_words(held: "HeldModel | ModelHeld") -> str:
    """A model that is held back, as a sentence."""
    calls = many(held.waiting, "call")
    why = held.detail or held.reason.replace("_", " ")
    return f"{held.model} fails ({why}): {calls} wait until it answers"


@contextmanager
def bars(
    console: "Console", progress: "Progress", lines: "Callable[[], Iterable[RenderableType]]"
) -> "Iterator[Callable[[Progress], None]]":
    """A progress bar each for chains, episodes and evaluations, of which there are any; what is
    yielded moves them. ``lines`` stand below them."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    class WithLines(Bars):
        """The bars, and what stands below them."""

        def get_renderables(self) -> "Iterator[RenderableType]":
            yield from super().get_renderables()
            yield from lines()

    shown = WithLines(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )
    with shown:
        tasks = [shown.add_task(what, total=of, visible=of > 0) for what, _, of in counts(progress)]

        def show(now: "Progress") -> None:
            for task, (_, over, of) in zip(tasks, counts(now), strict=True):
                shown.update(task, completed=over, total=of)

        yield show
