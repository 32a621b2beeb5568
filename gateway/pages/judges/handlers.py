"""``/judges``: the page, and its tables as files."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final, get_args

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.types import ControllerRouterHandler

from evaluators.statistics.populations import Population
from evaluators.tables.plain_latex import as_latex
from evaluators.tables.plain_tables import as_csv
from gateway.http.context import Gateway
from gateway.http.guards import requires
from gateway.http.problems import Problem
from gateway.http.templates import Visiting
from gateway.pages.judges.judge_comparison import Judges, as_tables, judges_of, runs_with_scores
from gateway.pages.plain_table import shown_table
from gateway.services.results.result_cache import ResultCache
from store.read_model import queries

POPULATIONS: Final[tuple[str, ...]] = get_args(Population)
FORMS: Final = {"csv": (as_csv, "text/csv"), "tex": (as_latex, "application/x-tex")}


@get("/judges", guards=[requires("researcher")])
async def judges_page(
    visit: Visiting,
    run: FromQuery[str] = "",
    a: FromQuery[str] = "",
    b: FromQuery[str] = "",
    population: FromQuery[str] = "",
) -> Response[bytes]:
    """Two judges of a run side by side. Without a run: of the newest that two have scored, or else
    of the newest that one has."""
    runs = await asyncio.to_thread(runs_with_scores, visit.store)
    chosen = run or next((one.id for one in runs if one.judges > 1), runs[0].id if runs else "")
    found = await _found(visit.gateway, chosen, a, b, population)
    return visit.page(
        "judges/judges.html",
        runs=runs,
        found=found,
        population=population,
        populations=POPULATIONS,
        shown_table=shown_table,
    )


@get("/judges/{file:str}", guards=[requires("researcher")])
async def judges_tables(
    gateway: NamedDependency[Gateway],
    file: FromPath[str],
    run: FromQuery[str],
    a: FromQuery[str] = "",
    b: FromQuery[str] = "",
    population: FromQuery[str] = "",
) -> Response[str]:
    """The tables of the page as CSV or LaTeX: ``tables.csv``, ``tables.tex``."""
    stem, _, form = file.partition(".")
    if stem != "tables" or form not in FORMS:
        raise Problem(404, "not_found", "tables are there as csv and tex")
    found = await _found(gateway, run, a, b, population)
    write, media = FORMS[form]
    text = write(as_tables(found)) if found else ""
    name = f"judges-{found.run if found else ''}.{form}"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=f"{media}; charset=utf-8", headers=headers)


async def _found(gateway: Gateway, run: str, a: str, b: str, population: str) -> Judges | None:
    if not run:
        return None
    of = _population(population)

    def work() -> Judges:
        store = gateway.store
        id_ = queries.find_run(store, run)
        what = f"judges {a} {b} {population}"
        kept: ResultCache = gateway.judges
        return kept.get(id_, what, lambda: judges_of(store, id_, a, b, of)).value

    return await asyncio.to_thread(work)


def _population(given: str) -> Population | None:
    found: Population | None = next((one for one in get_args(Population) if one == given), None)
    if given and found is None:
        raise Problem(400, "bad_population", f"population is one of {', '.join(POPULATIONS)}")
    return found


def routes() -> Sequence[ControllerRouterHandler]:
    return [judges_page, judges_tables]


@asynccontextmanager
async def running(gateway: Gateway) -> AsyncIterator[None]:
    """Beside the application: see ``gateway.http.route_modules``."""
    gateway.judges = ResultCache(gateway.store)
    yield
