"""How far some work is, on standard error: bars on a terminal, elsewhere a line every so often."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from gateway.cli.terminal.output import console, escape, note
from gateway.run_progress_bars import bars, counts, held_words

if TYPE_CHECKING:
    from rich.console import RenderableType

    from actors.models.caller import ModelCaller
    from actors.runs.execution.work import Progress
    from gateway.cli.terminal.awaited_seats import SeatsAwaited

EVERY_S = 10.0
"""How often a line says how far it is, in seconds."""


@contextmanager
def shown_progress(
    progress: "Progress",
    caller: "ModelCaller",
    seats: "SeatsAwaited",
    notes: "Callable[[], Sequence[str]]" = tuple,
) -> "Iterator[Callable[[Progress], None]]":
    """Show how far the work is, on the loop that does it; what is yielded is told of changes.
    ``notes``: what is to be said of its models now."""
    if console(stderr=True).is_terminal:
        lines = partial(_lines, caller, seats, notes)
        with bars(console(stderr=True), progress, lines) as show:
            yield show
    else:
        telling = asyncio.get_running_loop().create_task(_tell(progress, caller, notes))
        try:
            yield lambda _: None
        finally:
            telling.cancel()
            _say_line(progress, caller, notes)


async def _tell(
    progress: "Progress", caller: "ModelCaller", notes: "Callable[[], Sequence[str]]"
) -> None:
    while True:
        await asyncio.sleep(EVERY_S)
        _say_line(progress, caller, notes)


def _say_line(
    progress: "Progress", caller: "ModelCaller", notes: "Callable[[], Sequence[str]]"
) -> None:
    """Whole, however long: it is read by programs, or in a log."""
    parts = [f"{over}/{of} {what}" for what, over, of in counts(progress) if of]
    parts += map(held_words, caller.breakers)
    parts += notes()
    console(stderr=True).print(escape(" · ".join(parts)), soft_wrap=True)


def _lines(
    caller: "ModelCaller", seats: "SeatsAwaited", notes: "Callable[[], Sequence[str]]"
) -> "Iterator[RenderableType]":
    """Models that are held, what is to be said of models, and seats that are waited for."""
    for held in caller.breakers:
        yield f"[yellow]{escape(held_words(held))}[/]"
    for sentence in notes():
        yield f"[yellow]{escape(sentence)}[/]"
    yield from seats.lines


def say_asking(models: int, *, quiet: bool) -> None:
    """Say that models are asked whether they answer, before one keeps us waiting."""
    if models and not quiet:
        what = f"{models} models" if models > 1 else "the model"
        note(f"[dim]asking {what}…[/]")
