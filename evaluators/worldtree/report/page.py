"""Several runs in one page: the paper's tables and figures of world trees."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from evaluators.report.assets import own_file, script_digest
from evaluators.report.page_templates import templates
from evaluators.worldtree.report.page_parts import NOTHING_ADDED, PageExtras, parts, write_tables
from evaluators.worldtree.scores import Scores
from evaluators.worldtree.values.results import Results
from store.files.atomic_files import atomic_write

NAVIGATION: Final = (
    ("table-1", "Trees"),
    ("table-2", "Goals"),
    ("table-3", "Abilities"),
    ("languages", "Languages"),
    ("table-4", "Own lines"),
    ("figure-3-all", "Polarity"),
    ("figures-inside", "Inside"),
    ("trees", "Walks"),
    ("runs", "Runs"),
)


class RunShown(msgspec.Struct, frozen=True):
    id: str
    name: str
    catalog: str
    minds: str
    episodes: str


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """What a page is made of."""

    title: str
    scores: Scores
    results: Results
    runs: Sequence[RunShown] = ()
    added: PageExtras = NOTHING_ADDED


def write_page(page: Page, path: Path, tables: Path | None = None) -> Path:
    """Write a page that needs nothing but itself; answers ``path``. ``tables``: a folder for each
    table as CSV and LaTeX. Raises ``OSError``."""
    values = parts(page.scores, page.results, page.added)
    if tables is not None:
        write_tables(values, tables, paper=page.added.paper)
    script = own_file("script.js")
    # Own templates first: the report has a page of that name, too.
    jinja = templates(first=Path(__file__).parent, mind_at={}, headlines=[])
    template = jinja.get_template("page.html.j2")
    with atomic_write(path) as unfinished:
        template.stream(
            **values,
            page=page,
            navigation=NAVIGATION,
            in_page=(),
            style=own_file("style.css"),
            script=script,
            script_digest=script_digest(script),
            tables=tables.name if tables is not None else "",
            written=time.time_ns() // 1000,
        ).dump(str(unfinished), encoding="utf-8")
    return path
