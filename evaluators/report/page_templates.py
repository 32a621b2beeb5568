"""The templates of reports, as Jinja fills them in: everything escaped, nothing left undefined."""

from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

from evaluators.report.assets import TEMPLATES
from evaluators.report.formats import FILTERS, visible


def templates(*loaders: BaseLoader, first: Path | None = None, **known: Any) -> Environment:
    """The report's templates, behind those of the folder ``first`` and before those of
    ``loaders``. ``known``: what each of them can name."""
    folders = [TEMPLATES] if first is None else [first, TEMPLATES]
    jinja = Environment(
        loader=ChoiceLoader([FileSystemLoader(folders), *loaders]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
    )
    jinja.filters |= FILTERS
    jinja.globals |= known
    return jinja
