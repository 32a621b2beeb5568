"""The page *Run*: its tables, tests and charts, each to be taken away."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.types import ControllerRouterHandler

from actors.runs.model_notes import note_words
from actors.runs.state import load_run
from evaluators.registry import judging_of
from evaluators.report.charts.svg_charts import Chart
from evaluators.report.data.downloads import Download
from evaluators.report.data.headlines import Headline
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest, requires
from gateway.http.problems import Problem
from gateway.http.templates import Visiting
from gateway.pages.runs.report_sections import section_of
from gateway.pages.runs.run_list_page import LOOK_MS, as_live
from gateway.pages.runs.run_pages import RunPages
from gateway.pages.runs.template_values import show
from gateway.services.results.findings import drawn, printed
from gateway.services.runs.watch_run import RunWatch
from store.read_model import queries

PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A picture holds its own colours, and nothing in it runs."""
_NOTHING: Final = dict.fromkeys(("paired", "partners", "scenario_tables", "spreads", "extremes"))
"""Of a judge, where there is none."""
FOR_A_DAY = "private, max-age=86400"
"""Of addresses that carry the version of what they name."""


@get("/runs/{run:str}", guards=[requires("researcher")])
async def one_run(visit: Visiting, run: FromPath[str]) -> Response[bytes]:
    """A run: how it stands, and all that was found."""
    judge = visit.request.query_params.get("judge", "")
    context = await asyncio.to_thread(context_of, visit.gateway.runs, run, judge)
    return show(visit, "runs/run.html", **context)


def context_of(desk: RunPages, run: str, judge: str) -> dict[str, object]:
    """What the page's template needs; ``judge``: the beginning of the hash of the one whose scores
    are shown, empty: the first. Blocking."""
    id_ = queries.find_run(desk.store, run)
    state = load_run(desk.store, id_)
    entry, answer = desk.board.entry(id_), desk.findings(id_)
    values, g = answer.value.values, answer.value.gathered
    headline = answer.value.headline(judge)
    place = headline.place if headline else None
    return {
        "entry": entry,
        "run": entry.run,
        "g": g,
        "v": values,
        "at": answer.at,
        "version": answer.version,
        "place": place,
        "of": {"headline": headline, "table": _means(values, headline)}
        | (answer.value.of(headline) if headline else _NOTHING),
        "mind_at": {mind.spec.name: at for at, mind in enumerate(g.minds)},
        "section": judging_of(g.planned.plan.environment).report,
        "notes": [note_words(one.note) for one in state.notes] if state else (),
        "live": {"look_ms": LOOK_MS, "runs": [id_], "version": answer.version},
    }


@get("/runs/{run:str}/live.json", guards=[requires("researcher")])
async def live(gateway: NamedDependency[Gateway], run: FromPath[str]) -> Response[bytes]:
    """How one run stands now, with its pace."""
    desk: RunPages = gateway.runs

    def look() -> dict[str, object]:
        id_ = queries.find_run(desk.store, run)
        found = as_live(desk.board.entry(id_))
        if not found["over"]:
            moment = RunWatch(desk.settings, desk.store, id_).look()
            found |= {
                "per_minute": moment.episodes_per_minute,
                "left_s": moment.left_s,
                "notes": [note_words(one.note) for one in moment.notes],
                "holds": [f"{one.held.model}: {one.held.reason}" for one in moment.holds],
            }
        return {"runs": [found]}

    body = msgspec.json.encode(await asyncio.to_thread(look))
    return Response(body, media_type=MediaType.JSON)


@get("/runs/{run:str}/charts/{name:str}", guards=[requires("researcher")])
async def chart(visit: Visiting, run: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """A chart as SVG: of the page's colours, or with ``?print`` as a file for a paper."""
    desk: RunPages = visit.gateway.runs
    found = await asyncio.to_thread(desk.chart, run, name.removesuffix(".svg"))
    return await picture(visit.request, found, f"{run}-{name}")


async def picture(request: AnyRequest, found: Chart | None, file: str) -> Response[bytes]:
    """A chart as an answer, ``found`` or not."""
    if found is None:
        raise Problem(404, "unknown_chart", f"there is no chart {file!r} of this run now")
    to_print = "print" in request.query_params
    text = await asyncio.to_thread(printed if to_print else drawn, found)
    headers = {"content-security-policy": PICTURE_POLICY}
    if to_print:
        headers["content-disposition"] = f'attachment; filename="{_plain(file)}"'
    elif "v" in request.query_params:
        headers["cache-control"] = FOR_A_DAY
    return Response(text.encode(), media_type="image/svg+xml", headers=headers)


@get("/runs/{run:str}/tables/{name:str}", guards=[requires("researcher")])
async def table(
    gateway: NamedDependency[Gateway], run: FromPath[str], name: FromPath[str]
) -> Response[bytes]:
    """A table as ``<name>.csv`` or ``<name>.tex``."""
    desk: RunPages = gateway.runs
    found = (await asyncio.to_thread(desk.findings, run)).value
    return await taken(found.table, name, run)


async def taken(find: Callable[[str], Download | None], name: str, run: str) -> Response[bytes]:
    """A table as a file."""
    stem, _, kind = name.rpartition(".")
    found = await asyncio.to_thread(find, stem)
    if found is None or kind not in ("csv", "tex"):
        raise Problem(404, "unknown_table", f"there is no table {name!r} of this run now")
    text = found.csv if kind == "csv" else found.latex
    return Response(
        text.encode(),
        media_type="text/csv; charset=utf-8" if kind == "csv" else "application/x-tex",
        headers={"content-disposition": f'attachment; filename="{_plain(f"{run}-{name}")}"'},
    )


@get("/runs/{run:str}/section", guards=[requires("researcher")])
async def section(visit: Visiting, run: FromPath[str]) -> Response[bytes]:
    """What the run's environment adds to a report, on a page of its own."""
    desk: RunPages = visit.gateway.runs
    answer = await asyncio.to_thread(section_of, desk, run)
    found = answer.value
    row = await asyncio.to_thread(queries.run, desk.store, run)
    return show(
        visit,
        "runs/section.html",
        run=row,
        section=found,
        version=answer.version,
    )


@get("/runs/{run:str}/section.css", guards=[requires("researcher")])
async def section_style(gateway: NamedDependency[Gateway], run: FromPath[str]) -> Response[bytes]:
    """The style that goes with it."""
    answer = await asyncio.to_thread(section_of, gateway.runs, run)
    return Response(answer.value.css.encode(), media_type="text/css")


def _means(values: Mapping[str, Any], headline: Headline | None) -> Mapping[str, object] | None:
    """The table of a judge's means."""
    wanted = headline.judge.judged.hash if headline else ""
    found = (one for one in values["tables"] if one["judge"].judged.hash == wanted)
    return next(found, None)


def _plain(name: str) -> str:
    """Fit for a header."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in name)


ROUTES: Sequence[ControllerRouterHandler] = (one_run, live, chart, table, section, section_style)
