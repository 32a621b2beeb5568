"""Figures 5, 6, 9 and 10 to 18 of SocialEval, for any model."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, cycle
from typing import Any, Final, NamedTuple

import numpy as np
from markupsafe import Markup

from actors.worldtree.trees.abilities import ASPECTS
from evaluators.report.charts import svg_charts
from evaluators.report.charts.svg_charts import GRID, INK, MINDS
from evaluators.worldtree.internals.analysis import ModelAnalysis
from evaluators.worldtree.internals.importance import Difference
from evaluators.worldtree.internals.text_samples import Text

_MARKS = ("o", "s", "D", "^", "v", "P")
_KINDS = [
    (colour, _MARKS[(at + turn) % len(_MARKS)])
    for turn in range(len(_MARKS))
    for at, colour in enumerate(MINDS)
]
"""Colour and shape of a kind: neighbours differ in both."""


def _slug(text: str) -> str:
    return text.lower().replace(" ", "-")


NUMBERS: Final = {"tsne": "5", "difference": "6, 10–18", "attended": "9"}
"""The paper's numbers, by how the names of figures begin. Its 6 and 10 to 18 are the ten pairs of
aspects, in an order of its own."""
NAMES: Final = (
    "tsne-aspects",
    *(f"{what}-{_slug(aspect)}" for what in ("tsne", "attended") for aspect in ASPECTS),
    *(f"difference-{_slug(a)}-{_slug(b)}" for a, b in combinations(ASPECTS, 2)),
)
"""Of all figures that there can be."""


class SvgFigure(NamedTuple):
    name: str
    """Of its file, without the ending."""
    title: str
    svg: Markup

    @property
    def number(self) -> str:
        """The paper's."""
        return NUMBERS[self.name.partition("-")[0]]


def figures(looked: ModelAnalysis) -> list[SvgFigure]:
    """All that there is something to draw for, in colours that ``coloured`` replaces."""
    return [*_planes(looked), *_differences(looked), *_words(looked)]


def coloured(svg: Markup, colours: Mapping[str, str]) -> Markup:
    """A figure in the colours of a page, or of paper."""
    for stands, colour in colours.items():
        svg = svg.replace(stands, colour)
    return svg


def _planes(looked: ModelAnalysis) -> Iterator[SvgFigure]:
    if looked.plane is None:
        return
    aspects = [text.aspect for text in looked.texts]
    shown = [aspect for aspect in ASPECTS if aspect in aspects]
    title = "Samples by aspect"
    figure, (axes,) = svg_charts.new_figure(3.9, width=4.2)
    _scatter(axes, looked, range(len(aspects)), aspects, shown)
    told = f"t-SNE of {len(aspects)} samples' last hidden states; " + ", ".join(
        f"{aspect}: {aspects.count(aspect)}" for aspect in shown
    )
    svg = svg_charts.svg(figure, "tsne-aspects", title, told, {})
    yield SvgFigure("tsne-aspects", title, svg)
    for aspect in shown:
        places = [at for at, one in enumerate(aspects) if one == aspect]
        kinds = [looked.texts[at].ability for at in places]
        listed = [ability for ability in ASPECTS[aspect] if ability in kinds]
        name, title = f"tsne-{_slug(aspect)}", f"Abilities of {aspect}"
        figure, (axes,) = svg_charts.new_figure(3.4 + 0.11 * len(listed), width=4.2)
        others = np.delete(looked.plane, places, axis=0)
        axes.scatter(others[:, 0], others[:, 1], s=4, color=GRID, linewidths=0)
        _scatter(axes, looked, places, kinds, listed)
        told = ", ".join(f"{ability}: {kinds.count(ability)}" for ability in listed)
        svg = svg_charts.svg(figure, name, title, f"The same plane; {told}; others grey", {})
        yield SvgFigure(name, title, svg)


def _scatter(
    axes: Any,
    looked: ModelAnalysis,
    places: Sequence[int],
    kinds: Sequence[str],
    listed: Sequence[str],
) -> None:
    """One mark a sample: its kind's colour and shape, hollow for Chinese where both languages are
    there."""
    assert looked.plane is not None
    both = len({text.language for text in looked.texts}) > 1
    for kind, (colour, mark) in zip(listed, cycle(_KINDS), strict=False):
        mine = [at for at, one in zip(places, kinds, strict=True) if one == kind]
        for hollow in (False, True):
            some = [at for at in mine if (both and _chinese(looked.texts[at])) == hollow]
            axes.scatter(
                looked.plane[some, 0],
                looked.plane[some, 1],
                s=13,
                marker=mark,
                facecolor="none" if hollow else colour,
                edgecolor=colour,
                linewidths=0.7 if hollow else 0,
                alpha=0.85,
                # The first of them stands for both in the legend, unless it has no marks.
                label=kind if some and (not hollow or len(some) == len(mine)) else None,
            )
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines["bottom"].set_visible(False)
    axes.figure.legend(
        loc="outside lower center",
        ncols=2,
        frameon=False,
        fontsize=8,
        labelcolor=INK,
        markerscale=1.5,
    )


def _chinese(text: Text) -> bool:
    return text.language == "zh"


def _differences(looked: ModelAnalysis) -> Iterator[SvgFigure]:
    """A figure a pair of aspects."""
    for one in looked.differences:
        name = f"difference-{_slug(one.a)}-{_slug(one.b)}"
        title = f"{one.a} and {one.b}"
        svg = _difference(looked, one, name, title)
        yield SvgFigure(name, title, svg)


def _difference(looked: ModelAnalysis, one: Difference, name: str, title: str) -> Markup:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Patch, Rectangle

    high, wide = looked.aspects[one.a].means.shape
    figure, (axes,) = svg_charts.new_figure(min(4.6, 1.5 + 3.6 * min(1.0, high / wide)), width=4.2)
    a, b = MINDS[0], MINDS[1]
    shown = (
        (f"only {one.a}", one.only_a, a, a),
        (f"only {one.b}", one.only_b, "none", b),
        ("both", one.both, GRID, "none"),
    )
    for _, places, face, edge in shown:
        boxes = [Rectangle((column + 0.1, row + 0.1), 0.8, 0.8) for row, column in sorted(places)]
        axes.add_collection(PatchCollection(boxes, linewidth=0.8, facecolor=face, edgecolor=edge))
    axes.set_xlim(0, wide)
    axes.set_ylim(high, 0)
    axes.set_xlabel("inputs")
    axes.set_ylabel("outputs")
    for axis, length in ((axes.xaxis, wide), (axes.yaxis, high)):
        ticks = sorted({0, length // 2, length - 1})
        axis.set_ticks([tick + 0.5 for tick in ticks], [str(tick) for tick in ticks])
    figure.legend(
        handles=[
            Patch(label=f"{word}: {len(places)}", facecolor=face, edgecolor=edge)
            for word, places, face, edge in shown
        ],
        loc="outside lower center",
        ncols=1,
        frameon=False,
        fontsize=8,
        labelcolor=INK,
    )
    told = "; ".join(f"{word}: {len(some)} of {high * wide} blocks" for word, some, *_ in shown)
    return svg_charts.svg(figure, name, title, told, {})


def _words(looked: ModelAnalysis) -> Iterator[SvgFigure]:
    """Keywords that annotators marked and the model attends to, by how many samples they are in."""
    if not looked.agreement:
        return
    by_aspect = {text.sample: text.aspect for text in looked.texts}
    for aspect in ASPECTS:
        both = [
            keyword
            for sample, one in looked.agreement.items()
            if by_aspect[sample] == aspect
            for keyword in one.both
        ]
        often = sorted(set(both), key=lambda word: (-both.count(word), word))[:15]
        if not often:
            continue
        name, title = f"attended-{_slug(aspect)}", f"Keywords of {aspect}"
        figure, (axes,) = svg_charts.new_figure(0.6 + 0.2 * len(often), width=2.75)
        counts = [both.count(word) for word in often]
        axes.barh(range(len(often)), counts, color=MINDS[0], height=0.6)
        axes.set_yticks(range(len(often)), [svg_charts.short(word, 18) for word in often])
        axes.set_ylim(len(often) - 0.4, -0.6)
        axes.set_xticks(sorted({0, max(counts)}))
        axes.set_xlabel("samples")
        told = ", ".join(f"{word}: {count}" for word, count in zip(often, counts, strict=True))
        yield SvgFigure(name, title, svg_charts.svg(figure, name, title, told, {}))
