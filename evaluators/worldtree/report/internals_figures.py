"""Figures of models' insides, which ``troupe worldtree inside`` drew, to be put into the page."""

import base64
import re
from html import unescape
from pathlib import Path
from typing import Final

import msgspec

from evaluators.worldtree.internals.figures import NUMBERS
from events.untrusted.limits import MIB
from events.untrusted.safe_text import shortened
from store.files.regular_files import read_regular

_TITLE: Final = re.compile(r"<title[^>]*>([^<]*)</title>")


class InsideFigure(msgspec.Struct, frozen=True):
    title: str
    source: str
    """A ``data:`` address. It is shown as an image, in which no script of a file runs."""


class InsideFigures(msgspec.Struct, frozen=True):
    """Those of one folder, which are of one model."""

    name: str
    figures: tuple[InsideFigure, ...]
    missing: str = ""


def figures_in(folder: Path) -> InsideFigures:
    """Figures 5, 6, 9 and 10 to 18 as far as they are in a folder. Raises ``OSError``."""
    found = []
    for begins, number in NUMBERS.items():
        for path in sorted(folder.glob(f"{begins}-*.svg")):
            text = read_regular(path, 16 * MIB).decode(errors="replace")
            titled = _TITLE.search(text)
            name = shortened(unescape(titled[1]) if titled else path.stem)
            data = base64.b64encode(text.encode()).decode()
            which = f"Figure{'s' * (',' in number)} {number}"
            found.append(InsideFigure(f"{which}: {name}", f"data:image/svg+xml;base64,{data}"))
    why = "" if found else "the folder has no such figure."
    return InsideFigures(folder.resolve().name, tuple(found), why)
