"""Reports whose charts are empty: to draw them takes most of a report's time."""

import pytest
from markupsafe import Markup

from evaluators.report.charts.svg_charts import Chart


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what is not about charts."""
    draw_none(monkeypatch)


def draw_none(patch: pytest.MonkeyPatch) -> None:
    """The same for fixtures that several tests share."""
    patch.setattr(Chart, "svg", Markup("<svg></svg>"))
