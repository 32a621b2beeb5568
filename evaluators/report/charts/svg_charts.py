"""What all charts of a report share: colours, shapes, axes, and how they become SVG.

The colours are the page's own (``var(--…)``), so that a chart follows light and dark. Each judge
has a marker of its own colour and shape, each mind a line of its own colour. No colour is used for
both, and nothing is shown by colour alone, for readers who cannot distinguish colours.
"""

import io
import re
import threading
import warnings
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any, Final

from markupsafe import Markup, escape

from evaluators.scores.scales import Scale
from events.untrusted.safe_text import harmless, one_line

SHORT_SCALE: Final = 5
"""Points; of a shorter scale whole numbers tell too little where there are others."""
LONG_SCALE: Final = 20
"""Points; values of a longer scale are put into ten equal steps."""

# matplotlib wants colours it knows; these stand for the page's and are replaced in its output.
INK, MUTED, GRID, CARD = "#010101", "#020202", "#030303", "#040404"
JUDGES: Final = ("#0a0101", "#0a0202", "#0a0303", "#0a0404", "#0a0505", "#0a0606")
MARKS: Final = ("o", "s", "D", "^", "v", "P")
"""The shape of each judge's marks; ``.judge-1`` and the others of the style sheet have the same."""
MINDS: Final = ("#0b0101", "#0b0202", "#0b0303", "#0b0404", "#0b0505", "#0b0606")
PAGE: Final[Mapping[str, str]] = (
    {INK: "var(--ink)", MUTED: "var(--muted)", GRID: "var(--line)", CARD: "var(--card)"}
    | {colour: f"var(--judge-{place})" for place, colour in enumerate(JUDGES, start=1)}
    | {colour: f"var(--mind-{place})" for place, colour in enumerate(MINDS, start=1)}
)
PRINTED: Final[Mapping[str, str]] = (
    {INK: "#1a1d21", MUTED: "#5b6470", GRID: "#d9dde3", CARD: "#ffffff"}
    | dict(
        zip(
            JUDGES,
            ("#6a4fb0", "#c2570c", "#2f7d32", "#b3246b", "#6b6f1d", "#3d4f5c"),
            strict=True,
        )
    )
    | dict(
        zip(MINDS, ("#1d63c9", "#a8323e", "#8f6d00", "#161b22", "#4d7c0f", "#0e7490"), strict=True)
    )
)
"""The colours of a chart that stands alone, on white."""
PANEL_WIDTH: Final = 2.75
"""Inches; a panel is scaled to its place in the page, and has to be legible there."""
_DPI: Final = 72
"""Of every SVG that matplotlib writes."""
_IDS = re.compile(r'(\bid="|\bhref="#(?!to-)|url\(#)')
_DEFINED_STYLE = re.compile(r"<style [^>]*>[^<]*</style>")
_TAG = re.compile(r"<[A-Za-z][^<>]*>")
_STYLE = re.compile(r' style="([^"]*)"')
_ROOT = 'stroke-linejoin="round" stroke-linecap="butt" font-family="sans-serif" '
"""What matplotlib says of every element in a style of the whole picture, and a family of letters
that any page may change."""
_LINKED = re.compile(r"</?a\b[^>]*>")
_LINK = re.compile(r'<a xlink:href="#to-([^"|]*)\|([^"]*)" target="_blank"')


_DRAWING: Final = threading.Lock()
"""matplotlib's settings are the whole process's."""


def judge_colour(place: int) -> str:
    """Of the judge at this place among the run's."""
    return JUDGES[place % len(JUDGES)]


def judge_mark(place: int) -> str:
    """The shape of its marks."""
    return MARKS[place % len(MARKS)]


def mind_colour(place: int) -> str:
    """Of the mind at this place among the run's."""
    return MINDS[place % len(MINDS)]


def new_figure(
    height: float, width: float = PANEL_WIDTH, rows: int = 1, columns: int = 1
) -> tuple[Any, list[Any]]:
    """A figure, so many inches high and wide, and its axes, row by row; all share their scales."""
    import matplotlib as mpl  # half a second to import, which other commands need not pay
    from matplotlib.figure import Figure

    mpl.rcParams.update({"svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"})
    figure = Figure(figsize=(width, height), dpi=_DPI, layout="constrained")
    figure.patch.set_alpha(0)
    found = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).ravel().tolist()
    for axes in found:
        axes.patch.set_alpha(0)
        axes.set_axisbelow(True)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        axes.spines["bottom"].set_color(MUTED)
        axes.tick_params(colors=INK, length=0, labelcolor=INK)
        axes.xaxis.label.set_color(MUTED)
        axes.yaxis.label.set_color(MUTED)
    return figure, found


def round_ticks(scale: Scale, count: int) -> list[float]:
    """About ``count`` round values within a scale."""
    from matplotlib.ticker import MaxNLocator

    values = MaxNLocator(count, steps=[1, 2, 5, 10]).tick_values(scale.low, scale.high)
    reach = (scale.high - scale.low) * 1e-6
    return [float(v) for v in values if scale.low - reach <= v <= scale.high + reach]


def along_x(axes: Any, scale: Scale, count: int = 3) -> None:
    """The whole scale along the horizontal axis, with round ticks."""
    axes.set_xlim(*_with_margin(scale))
    ticks = round_ticks(scale, count)
    axes.set_xticks(ticks, [number(tick) for tick in ticks])


def along_y(axes: Any, scale: Scale, count: int = 3) -> None:
    """The same along the vertical axis."""
    axes.set_ylim(*_with_margin(scale))
    ticks = round_ticks(scale, count)
    axes.set_yticks(ticks, [number(tick) for tick in ticks])


def number(value: float) -> str:
    """A value beside an axis."""
    return f"{value:.3g}".replace("-", "−")


def short(text: str, limit: int = 16) -> str:
    """Text for a chart, on one line and no longer than ``limit``."""
    text = one_line(text)
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    # matplotlib reads what stands between two dollar signs as a formula.
    return text.replace("$", r"\$")


def link(target: str, words: str) -> str:
    """What ``set_urls`` takes for a mark that leads to ``#target``; ``words`` say what it is."""
    return f"#to-{target}|{one_line(words)}"


def svg(
    figure: Any,
    name: str,
    title: str,
    description: str,
    colours: Mapping[str, str] = PAGE,
) -> Markup:
    """The figure as SVG with a title and a description for those who do not see it; ``name`` begins
    the ids in it, for several share a page."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    drawn = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": name}), warnings.catch_warnings():
        # The browser has letters that matplotlib's font has not.
        warnings.filterwarnings("ignore", "Glyph .* missing")
        # Laid out here and once: with a layout of its own to make, savefig draws everything twice.
        FigureCanvasSVG(figure)
        figure.get_layout_engine().execute(figure)
        figure.set_layout_engine(None)
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    text = drawn.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = _IDS.sub(lambda found: f"{found[1]}{name}-", text)
    text, links = _LINK.subn(r'<a class="to" href="#\1" aria-label="\2"', text)
    text = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font-size: \1", text)
    text = _without_styles(text)
    text = re.sub(r'(<svg [^>]*?)width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg [^>]*?)height="[^"]*"', r"\1", text, count=1)
    for stands, colour in colours.items():
        text = text.replace(stands, colour)
    labels = f'<title id="{name}-title">{escape(one_line(title))}</title>'
    labels += f'<desc id="{name}-desc">{escape(one_line(description))}</desc>'
    # What is an image has nothing in it that could be reached.
    role = "group" if links else "img"
    opening = f'<svg role="{role}" aria-labelledby="{name}-title {name}-desc" {_ROOT}'
    text = text.replace("<svg ", opening, 1)
    # What stands in the chart comes from matplotlib, which escapes all text given to it.
    return Markup(text.replace(">", f">{labels}", 1))  # noqa: S704


class Chart:
    """A chart that is drawn when it is put out, and only once. Safe from several threads."""

    def __init__(self, name: str, title: str, draw: Callable[..., Markup], *what: Any) -> None:
        """``draw`` is called with the name, the title and ``what``."""
        self.name, self.title = name, title
        self._how, self._what = draw, what
        self._draw = partial(draw, name, title, *what)

    def named(self, name: str) -> "Chart":
        """It under another name, for a page that may have it twice."""
        return Chart(name, self.title, self._how, *self._what)

    @cached_property
    def svg(self) -> Markup:
        """The chart as markup for a page."""
        with _DRAWING:
            return self._draw()

    @property
    def alone(self) -> str:
        """It as a file of its own, with colours of its own and nothing that leads into a page."""
        text = str(self.svg)
        for stands, colour in PAGE.items():
            text = text.replace(colour, PRINTED[stands])
        return _LINKED.sub("", text)

    def __html__(self) -> str:
        return harmless(self.svg)


def _without_styles(text: str) -> str:
    """The picture with attributes in the place of styles, which pages may forbid."""

    def attributes(found: re.Match[str]) -> str:
        pairs = (one.partition(": ") for one in found[1].split("; "))
        return "".join(f' {what}="{how}"' for what, _, how in pairs if what != "font-family")

    text = _DEFINED_STYLE.sub("", text)
    return _TAG.sub(lambda tag: _STYLE.sub(attributes, tag[0]), text)


def _with_margin(scale: Scale) -> tuple[float, float]:
    margin = (scale.high - scale.low) * 0.03
    return scale.low - margin, scale.high + margin
