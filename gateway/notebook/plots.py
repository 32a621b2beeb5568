"""Plots as a cell shows them, and as files."""

import itertools
from collections.abc import Callable
from pathlib import Path

from markupsafe import Markup

from gateway.notebook.html import cell
from store.files.atomic_files import atomic_write_text

_numbers = itertools.count()


class Plot:
    """A chart of the report's: in a cell it follows light and dark, as a file it stands alone."""

    def __init__(self, draw: Callable[[str, bool], Markup]) -> None:
        self._draw = draw

    @property
    def svg(self) -> str:
        """It alone, as SVG on white."""
        return str(self._draw("plot", True))

    def save(self, path: str | Path) -> Path:
        """Write it to an ``.svg`` file; answers where."""
        place = Path(path)
        atomic_write_text(place, self.svg)
        return place

    def __repr__(self) -> str:
        return "a plot: in a notebook it shows itself; .save('plot.svg') writes it"

    def _repr_html_(self) -> str:
        # Several plots share a page, and the ids in them must not meet.
        return cell("plot.html.j2", svg=self._draw(f"plot{next(_numbers)}", False))
