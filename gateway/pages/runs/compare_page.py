"""The page *Compare*."""

import asyncio
from collections.abc import Sequence

from litestar import Response, get
from litestar.params import FromPath
from litestar.types import ControllerRouterHandler

from evaluators.report.data.combined_runs import letters_of
from gateway.errors import BadArgument
from gateway.http.guards import AnyRequest, requires
from gateway.http.templates import Visiting
from gateway.pages.runs.one_run import picture, taken
from gateway.pages.runs.run_pages import RunPages
from gateway.pages.runs.template_values import show
from gateway.services.results.result_cache import CachedResult
from gateway.services.results.run_comparison import Compared, compared, meant
from gateway.services.runs.run_status import Listed


def _runs(request: AnyRequest) -> list[str]:
    return [str(one) for one in request.query_params.getall("run", [])]


def _compared(desk: RunPages, given: Sequence[str]) -> CachedResult[Compared]:
    runs = meant(desk.store, given)
    if len(runs) < 2:
        raise BadArgument("run", " ".join(given), "name two runs or more: ?run=A&run=B")
    return compared(desk.store, desk.resting, runs)


@get("/compare", guards=[requires("researcher")])
async def compare(visit: Visiting) -> Response[bytes]:
    """Runs side by side; with fewer than two of them, a choice."""
    desk: RunPages = visit.gateway.runs
    given = _runs(visit.request)

    def look() -> tuple[tuple[str, ...], CachedResult[Compared] | None, list[Listed]]:
        ids = meant(desk.store, given)
        answer = compared(desk.store, desk.resting, ids) if len(ids) > 1 else None
        return ids, answer, [one for one in desk.board.listed() if not one.taken_to]

    ids, answer, listed = await asyncio.to_thread(look)
    known = {row.id: row for row in listed}
    return show(
        visit,
        "runs/compare.html",
        runs=ids,
        rows=[known[id_] for id_ in ids if id_ in known],
        listed=listed,
        letters=letters_of(ids) if len(ids) > 1 else {},
        v=answer.value.values if answer else None,
        g=answer.value.gathered if answer else None,
        version=answer.version if answer else "",
        query="&".join(f"run={id_}" for id_ in ids),
    )


@get("/compare/charts/{name:str}", guards=[requires("researcher")])
async def chart(visit: Visiting, name: FromPath[str]) -> Response[bytes]:
    """One of its charts as SVG."""
    answer = await asyncio.to_thread(_compared, visit.gateway.runs, _runs(visit.request))
    return await picture(visit.request, answer.value.charts.get(name.removesuffix(".svg")), name)


@get("/compare/tables/{name:str}", guards=[requires("researcher")])
async def table(visit: Visiting, name: FromPath[str]) -> Response[bytes]:
    """One of its tables as CSV or LaTeX."""
    answer = await asyncio.to_thread(_compared, visit.gateway.runs, _runs(visit.request))
    return await taken(answer.value.tables.get, name, "-".join(answer.value.runs))


ROUTES: Sequence[ControllerRouterHandler] = (compare, chart, table)
