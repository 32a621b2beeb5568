"""Seats whose scores are far from the others of their mind, each with a link to its transcript."""

from collections.abc import Collection, Iterator, Sequence

import msgspec
import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from evaluators.report.charts import svg_charts
from evaluators.report.charts.svg_charts import CARD, GRID, MUTED, Chart
from evaluators.report.data.headlines import Headline, dimensions_of
from evaluators.report.data.run_data import JudgeUsed, RunData
from evaluators.report.data.score_scales import constant, scale_of
from evaluators.scores.dimensions import is_checkpoint, label
from evaluators.scores.scales import Scale
from evaluators.scores.score_columns import ScoreColumns
from evaluators.statistics.summary import labelled

FENCE = 1.5
"""Interquartile ranges beyond the quartiles from which on a value is an outlier (Tukey 1977,
"Exploratory Data Analysis", section 2D)."""
_STEPS = 200
"""Values closer than so many parts of the scale share a dot."""


class Outlier(msgspec.Struct, frozen=True, kw_only=True):
    """A seat far from the others."""

    episode: str
    seat: int
    character: str
    value: float
    beyond: float
    """How far beyond the fence, in parts of the scale."""


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """The scores of one mind with one memory."""

    label: str
    count: int
    quartiles: tuple[float, float, float]
    whiskers: tuple[float, float]
    """The lowest and the highest value that is no outlier."""
    outliers: tuple[Outlier, ...]
    """The farthest first."""


class Dot(msgspec.Struct, frozen=True, kw_only=True):
    """What stands for the outliers of a mind at one place."""

    outlier: Outlier
    leads: bool
    """The page holds its transcript."""
    seats: int


def boxes(gathered: RunData, judge: JudgeUsed, dimension: str) -> list[Box]:
    """The scores of a judge in one dimension, mind by mind; of a checkpoint there are none."""
    columns = gathered.columns
    # Only the columns that are needed: of a long run each copy of all of them is dear.
    mask = columns.judge.among(judge.judged.hash) & columns.dimension.among(dimension)
    places = np.nonzero(mask & columns.scored & columns.clean)[0]
    values = columns.value[places]
    if not len(places) or is_checkpoint(dimension, np.unique(values).tolist()):
        return []
    scale = scale_of(gathered, dimension)
    minds, memories = columns.mind[places], columns.memory[places]
    found = []
    for mind in minds.there():
        for memory in memories[minds.among(mind)].there():
            mine = minds.among(mind) & memories.among(memory)
            found.append(_box(labelled(mind, memory), columns, places[mine], scale))
    return found


def spread(
    gathered: RunData, shown: Sequence[Headline], here: Collection[str]
) -> list[dict[str, object]]:
    """For each judge a chart of each dimension in which scores differ. ``here``: the episodes whose
    transcripts the page holds, to which dots lead."""
    found = []
    for headline in shown:
        panels, outliers = [], list[Outlier]()
        for dimension in _differing(gathered, headline):
            drawn = boxes(gathered, headline.judge, dimension)
            if drawn:
                panels.append(
                    {
                        "label": label(dimension),
                        "dimension": dimension,
                        "svg": _chart(gathered, headline, dimension, drawn, here),
                    }
                )
                outliers += [one for box in drawn for one in box.outliers]
        if panels:
            found.append(
                {
                    "headline": headline,
                    "panels": panels,
                    "outliers": len(outliers),
                    "elsewhere": sum(one.episode not in here for one in outliers),
                }
            )
    return found


def farthest(gathered: RunData, shown: Sequence[Headline]) -> list[str]:
    """The episodes of outliers, the farthest first: one for each place where a dot is drawn, and
    then the others."""
    found: list[tuple[bool, float, str]] = []
    for headline in shown:
        for dimension in _differing(gathered, headline):
            scale = scale_of(gathered, dimension)
            for box in boxes(gathered, headline.judge, dimension):
                dots: set[int] = set()
                for one in box.outliers:
                    dot = _dot(one.value, scale)
                    found.append((dot in dots, -one.beyond, one.episode))
                    dots.add(dot)
    return list(dict.fromkeys(id_ for _, _, id_ in sorted(found)))


def _differing(gathered: RunData, headline: Headline) -> Iterator[str]:
    for dimension in dimensions_of(gathered, headline.judge):
        if constant(gathered, dimension, headline.judge.judged.hash) is None:
            yield dimension


def _box(name: str, columns: ScoreColumns, places: NDArray[np.intp], scale: Scale) -> Box:
    values = columns.value[places]
    low, middle, high = (float(q) for q in np.percentile(values, (25, 50, 75)))
    reach = FENCE * (high - low)
    within = (values >= low - reach) & (values <= high + reach)
    width = scale.high - scale.low
    outliers = [
        Outlier(
            episode=columns.episode.names[columns.episode.codes[at]],
            seat=int(columns.seat[at]),
            character=columns.character.names[columns.character.codes[at]],
            value=(value := float(columns.value[at])),
            beyond=max(low - reach - value, value - high - reach) / width,
        )
        for at in places[~within].tolist()
    ]
    return Box(
        label=name,
        count=len(places),
        quartiles=(low, middle, high),
        whiskers=(float(values[within].min()), float(values[within].max())),
        outliers=tuple(sorted(outliers, key=lambda one: (-one.beyond, one.episode, one.seat))),
    )


def _dot(value: float, scale: Scale) -> int:
    return round(_STEPS * (value - scale.low) / (scale.high - scale.low))


def _chart(
    gathered: RunData,
    headline: Headline,
    dimension: str,
    drawn: Sequence[Box],
    here: Collection[str],
) -> Chart:
    name = f"outliers{headline.place}x{dimension}"
    title = f"{label(dimension)}, {headline.judge.judged.label}: spread by mind"
    return Chart(
        name, title, _draw, scale_of(gathered, dimension), headline, dimension, drawn, here
    )


def _draw(
    name: str,
    title: str,
    scale: Scale,
    headline: Headline,
    dimension: str,
    drawn: Sequence[Box],
    here: Collection[str],
) -> Markup:
    colour = svg_charts.judge_colour(headline.place)
    figure, (axes,) = svg_charts.new_figure(0.55 + 0.3 * len(drawn))
    told = []
    for at, box in enumerate(drawn):
        low, middle, high = box.quartiles
        axes.hlines(at, *box.whiskers, color=MUTED, linewidth=1, zorder=0.9)
        axes.barh(
            at, high - low, left=low, height=0.46, facecolor=CARD, edgecolor=colour, linewidth=1.2
        )
        axes.vlines(middle, at - 0.23, at + 0.23, color=colour, linewidth=2.4)
        told.append(f"{box.label}: median {middle:.2f} of {box.count}")
        for dot in _dots(box, scale, here):
            one = dot.outlier
            mark = axes.scatter(
                [one.value],
                [at],
                s=30,
                marker=svg_charts.judge_mark(headline.place),
                facecolor=colour if dot.leads else "none",
                edgecolor=colour,
                clip_on=False,
                zorder=3,
            )
            if dot.leads:
                words = f"{label(dimension)} {one.value:.2f}: {one.character} ({box.label})"
                words += f", one of {dot.seats} seats" if dot.seats > 1 else ""
                mark.set_urls([svg_charts.link(f"{one.episode}-top", f"{words}. Its transcript")])
    axes.set_yticks(range(len(drawn)), [svg_charts.short(box.label) for box in drawn])
    axes.set_ylim(len(drawn) - 0.4, -0.6)
    svg_charts.along_x(axes, scale)
    axes.grid(axis="x", color=GRID, linewidth=0.7)
    return svg_charts.svg(figure, name, title, "; ".join(told))


def _dots(box: Box, scale: Scale, here: Collection[str]) -> Iterator[Dot]:
    """One dot for all outliers at one place; it leads to one that the page holds."""
    by_place: dict[int, list[Outlier]] = {}
    for one in box.outliers:
        by_place.setdefault(_dot(one.value, scale), []).append(one)
    for alike in by_place.values():
        lead = next((one for one in alike if one.episode in here), None)
        yield Dot(outlier=lead or alike[0], leads=lead is not None, seats=len(alike))
