"""Writes what was seen in a model into a folder: a page, figures as SVG, tables as CSV."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluators.report.assets import own_file
from evaluators.report.charts.svg_charts import PAGE as PAGE_COLOURS
from evaluators.report.charts.svg_charts import PRINTED
from evaluators.report.page_templates import templates
from evaluators.tables.plain_tables import PlainTable, as_csv
from evaluators.worldtree.internals.analysis import ModelAnalysis
from evaluators.worldtree.internals.attention import KEYWORDS
from evaluators.worldtree.internals.figures import NAMES, SvgFigure, coloured, figures
from evaluators.worldtree.internals.tables import TABLES, tables
from store.files.atomic_files import atomic_write

PAGE = "index.html"


def write(looked: ModelAnalysis, catalog: str, folder: Path) -> Path:
    """Write all of it; what an earlier call wrote and this one does not is taken away. Answers the
    page. Raises ``OSError``."""
    found = {table.name: table for table in tables(looked)}
    drawn = figures(looked)
    texts = {f"{name}.csv": as_csv([table]) for name, table in found.items()}
    texts |= {f"{one.name}.svg": coloured(one.svg, PRINTED) for one in drawn}
    texts[PAGE] = _page(looked, catalog, found, drawn)
    _take_away(folder, set(texts))
    for name, text in texts.items():
        with atomic_write(folder / name) as file:
            file.write_text(text, encoding="utf-8")
    return folder / PAGE


def _take_away(folder: Path, kept: set[str]) -> None:
    for name in {f"{one}.svg" for one in NAMES} | {f"{one}.csv" for one in TABLES}:
        if name not in kept:
            (folder / name).unlink(missing_ok=True)


def _page(
    looked: ModelAnalysis, catalog: str, found: Mapping[str, PlainTable], drawn: Sequence[SvgFigure]
) -> str:
    jinja = templates(first=Path(__file__).parent)
    some = next(iter(looked.aspects.values()))
    return jinja.get_template("page.html.j2").render(
        looked=looked,
        catalog=catalog,
        name=Path(looked.source.model).name or looked.source.model,
        tables=found,
        figures=[one._replace(svg=coloured(one.svg, PAGE_COLOURS)) for one in drawn],
        style=own_file("style.css"),
        important=len(some.important),
        blocks=some.means.size,
        most=KEYWORDS,
        both=len({text.language for text in looked.texts}) > 1,
    )
