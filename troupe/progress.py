"""Progress reports for the caller: on a terminal, in a notebook, or through the caller's
function."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

from actors.runs.execution.work import Progress
from gateway.run_progress_bars import bars, counts

if TYPE_CHECKING:
    from collections.abc import Iterator

Show = bool | Callable[[Progress], object]
"""True: bars on a terminal and in a notebook, elsewhere nothing; False: nothing; or what is called
with how far it is, in the thread that called."""


def shown(show: Show, begun: Progress) -> AbstractContextManager[Callable[[Progress], object]]:
    """What is to be told how far it is, as long as it goes on."""
    if callable(show):
        return _called(show)
    if show and (display := _notebook()) is not None:
        return _in_a_cell(display, begun)
    if show and sys.stderr.isatty():
        return _on_a_terminal(begun)
    return _called(lambda _: None)


def cell(now: Progress) -> dict[str, str]:
    """What a notebook's cell shows: bars, or words where it has no HTML."""
    words = [f"{over}/{of} {what}" for what, over, of in counts(now) if of]
    return {"text/html": _html(now), "text/plain": " · ".join([*words, *now.held])}


def _html(now: Progress) -> str:
    rows = "".join(
        f"<div><progress value='{over}' max='{of}'></progress> {over}/{of} {what}</div>"
        for what, over, of in counts(now)
        if of
    )
    return rows + "".join(f"<div>{escape(sentence)}</div>" for sentence in now.held)


@contextmanager
def _called(show: Callable[[Progress], object]) -> "Iterator[Callable[[Progress], object]]":
    yield show


@contextmanager
def _in_a_cell(display: Any, begun: Progress) -> "Iterator[Callable[[Progress], object]]":
    handle = display(cell(begun), raw=True, display_id=True)
    yield lambda now: handle.update(cell(now), raw=True)


@contextmanager
def _on_a_terminal(begun: Progress) -> "Iterator[Callable[[Progress], object]]":
    from rich.console import Console
    from rich.text import Text

    held: list[Text] = []
    with bars(Console(stderr=True), begun, lambda: held) as move:

        def show(now: Progress) -> None:
            held[:] = [Text(sentence, style="yellow") for sentence in now.held]
            move(now)

        yield show


def _notebook() -> Any:
    """IPython's ``display`` where a notebook's kernel runs, else None."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return display
