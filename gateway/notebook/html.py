"""How things show themselves in a cell: HTML that needs nothing but itself.

Each is in an element of its own, to which its style is confined; whatever was said or named is
escaped, with control characters made visible.
"""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evaluators.report.formats import FILTERS
from events.untrusted.safe_text import harmless

_TEMPLATES = Path(__file__).with_name("templates")


def cell(template: str, **values: object) -> str:
    """One of the templates, filled in."""
    return _jinja().get_template(template).render(**values)


def _shown(value: object) -> object:
    # What is markup already came out of here, or is a chart of ours.
    return value if hasattr(value, "__html__") or not isinstance(value, str) else harmless(value)


@cache
def _jinja() -> Environment:
    jinja = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters |= FILTERS
    return jinja
