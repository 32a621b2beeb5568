"""The tables and figures that there are, by the paper's names."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from events.lazy_function import LazyFunction

if TYPE_CHECKING:
    from evaluators.report.charts.svg_charts import Chart
    from evaluators.social.tables.table_input import TableInput
    from evaluators.tables.plain_tables import PlainTable

EntryKind = Literal["table", "figure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperEntry:
    """A table or a figure of the paper."""

    kind: EntryKind
    name: str
    """As the paper numbers it."""
    sentence: str
    """What it shows, without a full stop."""
    tables: "Callable[[TableInput], Sequence[PlainTable]]"
    """What it shows as plain tables, of a figure what is drawn; the first is the paper's, and what
    follows are details. Raises ``NothingToShow``."""
    charts: "Callable[[TableInput], Sequence[Chart]] | None" = None
    """A figure as charts. Raises ``NothingToShow``."""
    wide: bool = False
    """Its charts need the whole width of a page."""
    by_judge: bool = True
    """It is of one judge: of several there is one each. Else it is of all of them together."""

    @property
    def title(self) -> str:
        """``Table 2``."""
        return f"{self.kind.capitalize()} {self.name}"


def _lazy(module: str, function: str) -> LazyFunction:
    return LazyFunction(f"evaluators.social.tables.{module}:{function}")


ENTRIES: Final[tuple[PaperEntry, ...]] = (
    PaperEntry(
        kind="table",
        name="1",
        sentence="a judge with the people who annotated",
        tables=_lazy("judge_and_people", "table_1"),
    ),
    PaperEntry(
        kind="table",
        name="2",
        sentence="models in each dimension, over their partners",
        tables=_lazy("models_table", "table_2"),
    ),
    PaperEntry(
        kind="table",
        name="3",
        sentence="a model and people on the hard scenarios",
        tables=_lazy("people_rows", "table_3"),
    ),
    PaperEntry(
        kind="table",
        name="G.4",
        sentence="the same by each judge and by the people who annotated",
        tables=_lazy("people_rows", "table_g4"),
        by_judge=False,
    ),
    PaperEntry(
        kind="table",
        name="E.1",
        sentence="people who annotated with each other",
        tables=_lazy("judge_and_people", "table_e1"),
        by_judge=False,
    ),
    PaperEntry(
        kind="table",
        name="G.3",
        sentence="what people gave models, and people in seats",
        tables=_lazy("judge_and_people", "table_g3"),
        by_judge=False,
    ),
    PaperEntry(
        kind="figure",
        name="2",
        sentence="how far a judge is from people",
        tables=_lazy("judge_and_people", "figure_2"),
        charts=_lazy("judge_and_people", "draw_figure_2"),
        wide=True,
    ),
    PaperEntry(
        kind="figure",
        name="3",
        sentence="overall scores of models by partner",
        tables=_lazy("pair_tables", "figure_3"),
        charts=_lazy("pair_tables", "draw_figure_3"),
    ),
    PaperEntry(
        kind="figure",
        name="G.1",
        sentence="ranges of people with all judges, side by side",
        tables=_lazy("judge_and_people", "figure_g1"),
        charts=_lazy("judge_and_people", "draw_figure_g1"),
        wide=True,
        by_judge=False,
    ),
    PaperEntry(
        kind="figure",
        name="G.2",
        sentence="ranges of people with a judge, such as one of a fine-grained rubric",
        tables=_lazy("judge_and_people", "figure_g2"),
        charts=_lazy("judge_and_people", "draw_figure_g2"),
        wide=True,
    ),
    PaperEntry(
        kind="figure",
        name="G.3",
        sentence="ranges of people with a judge, by who sat there",
        tables=_lazy("judge_and_people", "figure_g3"),
        charts=_lazy("judge_and_people", "draw_figure_g3"),
        wide=True,
    ),
    PaperEntry(
        kind="figure",
        name="G.4",
        sentence="scores of models by partner, in each dimension",
        tables=_lazy("pair_tables", "figure_g4"),
        wide=True,
        charts=_lazy("pair_tables", "draw_figure_g4"),
    ),
    PaperEntry(
        kind="figure",
        name="G.5",
        sentence="overall scores of models by partner, on the hard scenarios",
        tables=_lazy("pair_tables", "figure_g5"),
        charts=_lazy("pair_tables", "draw_figure_g5"),
    ),
)
"""In the order in which they are printed. Builders are loaded when they are called."""
