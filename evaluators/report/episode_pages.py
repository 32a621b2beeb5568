"""The transcripts that a report has no room for: a page each, in a folder beside it."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from evaluators.report.data.run_data import RunData
from evaluators.report.transcripts import EpisodeEntry
from store.files.atomic_files import atomic_write

INDEX = "index.html"
"""The page that lists the others."""


def write_pages(
    items: Iterable[EpisodeEntry],
    gathered: RunData,
    folder: Path,
    jinja: Environment,
    style: Markup,
) -> None:
    """Write a page for each item and one that lists them. Raises ``OSError``."""
    folder.mkdir(parents=True, exist_ok=True)
    page = jinja.get_template("episode.html.j2")
    listed = []
    for item in items:
        text = page.render(item=item, g=gathered, style=style)
        with atomic_write(folder / f"{item.row.id}.html") as file:
            file.write_text(text, encoding="utf-8")
        listed.append(msgspec.structs.replace(item, body=Markup()))
    index = jinja.get_template("episodes.html.j2")
    with atomic_write(folder / INDEX) as file:
        index.stream(items=listed, g=gathered, style=style).dump(str(file), encoding="utf-8")
