"""Figures that were drawn elsewhere, to be put into the page."""

import base64
import re
from pathlib import Path
from typing import Final

import msgspec

_NUMBER: Final = re.compile(r"\D*(\d+)(.*)")
_TYPES: Final = {".svg": "image/svg+xml", ".png": "image/png"}


class InsideFigure(msgspec.Struct, frozen=True):
    """An image."""

    name: str
    title: str
    source: str
    """A ``data:`` address. Shown as an image, in which no script of a file runs."""


def figures_in(folder: Path) -> list[InsideFigure]:
    """The pictures of a folder, by the numbers in their names. Raises ``OSError``."""
    found = []
    for path in sorted(folder.iterdir(), key=lambda path: (_number(path), path.name)):
        if (kind := _TYPES.get(path.suffix.lower())) is not None:
            data = base64.b64encode(path.read_bytes()).decode()
            title = path.stem.replace("-", " ").replace("_", " ")
            found.append(
                InsideFigure(path.stem, title[:1].upper() + title[1:], f"data:{kind};base64,{data}")
            )
    return found


def _number(path: Path) -> int:
    named = _NUMBER.match(path.stem)
    return int(named[1][:9]) if named else 10**9
