"""The words of the case study in a run's report: counts as bars, agreement, and session by
session."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from markupsafe import Markup

from evaluators.report.charts import svg_charts
from evaluators.report.charts.svg_charts import INK, Chart
from evaluators.report.data.downloads import Download, taken
from evaluators.tables.plain_tables import PlainColumn, PlainTable, table_of
from evaluators.tabletop.cases.words import GivenWord, WordCount, WordsGiven, words_given
from evaluators.tabletop.plugin import CASE_WORD, WORD

if TYPE_CHECKING:
    from evaluators.report.data.run_data import RunData

MOST_BARS: Final = 25
"""Words in the chart; the table has all."""
_WIDTH: Final = 4.0
"""Inches."""


class SessionRow(msgspec.Struct, frozen=True):
    """A session that was read."""

    episode: str
    task: str
    words: str


class CaseWords(msgspec.Struct, frozen=True, kw_only=True):
    """All that the template shows."""

    given: WordsGiven
    chart: Chart
    sessions: tuple[SessionRow, ...]
    more: int
    """Words that the chart leaves out."""
    taken: Download


def case_words(gathered: "RunData") -> CaseWords | None:
    """Of a run; None: no reader has given a word."""
    if all(used.spec.rubric != CASE_WORD for used in gathered.judges):
        return None
    given = words_given(
        GivenWord(row.episode, row.judge, row.reason)
        for row in gathered.told()
        if row.judge_kind == "person" and row.dimension == WORD.name and row.value is not None
    )
    if not given.counts:
        return None
    tasks = {row.id: row.task for row in gathered.episodes}
    shown = given.counts[:MOST_BARS]
    return CaseWords(
        given=given,
        chart=Chart("case-words", "Words by how often they were given", bars, shown),
        sessions=tuple(
            SessionRow(one.episode, tasks.get(one.episode, ""), ", ".join(one.words))
            for one in given.sessions
        ),
        more=len(given.counts) - len(shown),
        taken=taken(word_table(given)),
    )


def word_table(given: WordsGiven) -> PlainTable:
    """A row a word."""
    return table_of(
        "case-words",
        "Words of the case study",
        given.counts,
        PlainColumn("word"),
        PlainColumn("times", "number"),
    )


def bars(name: str, title: str, counts: Sequence[WordCount]) -> Markup:
    """A bar for each word, the most frequent first, with its count."""
    figure, (axes,) = svg_charts.new_figure(0.4 + 0.24 * len(counts), _WIDTH)
    values = [one.times for one in counts]
    axes.barh(range(len(counts)), values, height=0.7, facecolor=(INK, 0.62), edgecolor=INK,
              linewidth=0.6)  # fmt: skip
    for at, value in enumerate(values):
        axes.text(value + 0.01 * max(values), at, f"{value}", va="center", color=INK, fontsize=8)
    axes.set_yticks(range(len(counts)), [svg_charts.short(one.word, 34) for one in counts])
    axes.set_ylim(len(counts) - 0.4, -0.6)
    axes.set_xlim(0, max(values) * 1.12)
    axes.set_xticks([])
    described = "; ".join(f"{one.word}: {one.times}" for one in counts)
    return svg_charts.svg(figure, name, title, f"Words. {described}")
