"""``troupe.sotopia``: ``troupe sotopia tables`` and ``generate`` for scripts and notebooks.

Each function takes the store that it reads or writes first, which ``troupe`` opens.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, get_args

from markupsafe import Markup

from actors.episodes.catalogs.scenario_lists import read_scenario_list
from actors.social.generation.template_scenarios import MARKUP_SCALE
from actors.social.sources.entries import VIGNETTES
from evaluators.report.charts.svg_charts import Chart
from evaluators.social.tables.entries import PaperEntry
from evaluators.social.tables.read_tables import TableOptions, named
from evaluators.social.tables.table_input import TableInput
from evaluators.social.tables.task_sets import SEATS
from events.minds import ModelSpec
from gateway.errors import BadArgument
from gateway.notebook.analysis_store import Runs
from gateway.notebook.plain_frames import TableFrame
from gateway.notebook.plots import Plot
from gateway.notebook.runs import Run
from gateway.social.sotopia import generate_items
from gateway.social.sotopia.generate_items import (
    GenerationForecast,
    GenerationOrder,
    ItemsGenerated,
    Kind,
)
from gateway.social.sotopia.paper_tables import (
    PaperTables,
    charts_in,
    chosen_entries,
    paper_tables,
)
from store.log.event_store import EventStore

Names = str | Sequence[str]


def tables(
    store: EventStore,
    runs: Runs,
    *,
    table: Names = (),
    figure: Names = (),
    judge: Names = (),
    hard: str | Path | None = None,
    no_self: bool = False,
    unclean: bool = False,
) -> list[TableFrame]:
    """The tables and figures of SOTOPIA's paper for some runs, each with ``to_pandas()``,
    ``rows()``, ``to_csv()`` and ``to_latex()``.

    ``runs``: a ``Run``, an id, or several, which are evaluated together. ``table``, ``figure``:
    only these, as the paper numbers them (``"2"``, ``"G.4"``); none: all that the scores allow.
    ``judge``: names; none: all, each with tables of its own. ``hard``: a list of hard scenarios.
    ``no_self``: leave out what a model scored with itself (Table 2). ``unclean``: with episodes in
    which an action failed.
    """
    asked = _Asked(runs, table, figure, judge, hard, no_self, unclean)
    found, _ = asked.made(store)
    return [TableFrame(one) for one in named(found.tables, found.no_findings)]


def figures(
    store: EventStore,
    runs: Runs,
    *,
    figure: Names = (),
    judge: Names = (),
    hard: str | Path | None = None,
    unclean: bool = False,
) -> dict[str, Plot]:
    """The figures as drawings, by name: in a cell each shows itself, ``save`` writes it as SVG. The
    rest as in ``tables``, which has what is drawn."""
    asked = _Asked(runs, (), figure, judge, hard, False, unclean)
    _, inputs = asked.made(store)
    return {one.name: Plot(_drawn(one)) for one in charts_in(asked.entries, inputs)}


async def generate(
    store: EventStore,
    kind: Kind,
    n: int,
    *,
    model: str | ModelSpec = "",
    catalog: str = "generated",
    base: str = "starter",
    source: str | Path = VIGNETTES,
    seed: int = 0,
    markup_scale: float = MARKUP_SCALE,
    probe: bool = True,
    progress: Callable[[int, int], object] | None = None,
) -> ItemsGenerated:
    """Have a model write characters, relationships or scenarios, to be reviewed with ``troupe
    sotopia review``. The same call goes on where it was stopped, and asks nothing that was
    answered.

    ``n``: how many there shall be of this source and seed. ``model``: a ``Model``, a name, or a
    TOML file; empty: none, which is enough for scenarios from templates. ``base``: the catalog that
    they are added to; empty: none. ``source``: of scenarios, ``vignettes`` or a file. ``seed``: of
    everything that is drawn. ``markup_scale``: the mean markup on a seller's target price.
    ``probe``: ask the model one tiny request first. ``progress`` is called with how many are done,
    and of how many.
    """
    order = _order(kind, n, catalog, base, source, seed, markup_scale)
    report = progress or (lambda _done, _of: None)
    return await generate_items.generate(store, order, model, probing=probe, report=report)


async def forecast(
    store: EventStore,
    kind: Kind,
    n: int,
    *,
    model: str | ModelSpec = "",
    catalog: str = "generated",
    base: str = "starter",
    source: str | Path = VIGNETTES,
    seed: int = 0,
    markup_scale: float = MARKUP_SCALE,
) -> GenerationForecast:
    """What ``generate`` would ask of the model, and cost; nothing is asked, and no item stored."""
    order = _order(kind, n, catalog, base, source, seed, markup_scale)
    return await asyncio.to_thread(generate_items.forecast, store, order, model)


OPERATIONS: Final[Mapping[str, Callable[..., object]]] = {
    one.__name__: one for one in (tables, figures, generate, forecast)
}
"""What the entry point names."""


class _Asked:
    """Which entries, and how."""

    def __init__(
        self,
        runs: Runs,
        table: Names,
        figure: Names,
        judge: Names,
        hard: str | Path | None,
        no_self: bool,
        unclean: bool,
    ) -> None:
        given = [runs] if isinstance(runs, str | Run) else runs
        self._runs = [one.id if isinstance(one, Run) else one for one in given]
        self.entries: Sequence[PaperEntry] = chosen_entries(_several(table), _several(figure))
        self._options = TableOptions(
            judges=tuple(_several(judge)),
            hard=read_scenario_list(Path(hard).expanduser(), SEATS) if hard else None,
            no_self=no_self,
            unclean=unclean,
        )

    def made(self, store: EventStore) -> tuple[PaperTables, list[TableInput]]:
        return paper_tables(store, self._runs, self.entries, self._options)


def _several(given: Names) -> Sequence[str]:
    return ([given] if given else []) if isinstance(given, str) else given


def _drawn(chart: Chart) -> Callable[[str, bool], Markup]:
    def draw(name: str, alone: bool) -> Markup:
        return Markup(chart.alone) if alone else chart.named(name).svg  # noqa: S704 - drawn by us

    return draw


def _order(
    kind: Kind,
    n: int,
    catalog: str,
    base: str,
    source: str | Path,
    seed: int,
    markup_scale: float,
) -> GenerationOrder:
    if kind not in get_args(Kind):
        raise BadArgument("kind", str(kind), f"must be one of {', '.join(get_args(Kind))}")
    if n < 1:
        raise BadArgument("n", str(n), "must be 1 or more")
    return GenerationOrder(
        kind=kind,
        count=n,
        catalog=catalog,
        base=base,
        source=str(source),
        seed=seed,
        markup_scale=markup_scale,
    )
