"""The list of a run's episodes, of any length: pages where there is no script, else a list of which
the browser holds only the rows in view."""

import asyncio
import csv
import io
from collections.abc import AsyncIterator, Sequence
from typing import Final

import msgspec
from litestar import MediaType, Response, get
from litestar.background_tasks import BackgroundTask
from litestar.params import FromPath
from litestar.response import Stream
from litestar.types import ControllerRouterHandler

from evaluators.tables.plain_tables import csv_text
from gateway.http.guards import requires
from gateway.http.templates import Visiting
from gateway.pages.runs.run_pages import RunPages
from gateway.pages.runs.template_values import show
from gateway.services.runs.episode_list import (
    PER_PAGE,
    SORTS,
    STATUSES,
    Listing,
    Query,
    query_of,
)
from store.read_model import queries
from store.read_model.episode_lists import MOST

SHOWN_S: Final = 0.5
"""Seconds after which a page is shown, its modules included."""
MOST_CHOICES: Final = 500
"""Scenarios in a choice; of more there is a field to type into."""


@get("/runs/{run:str}/episodes", guards=[requires("researcher")])
async def episodes(visit: Visiting, run: FromPath[str]) -> Response[bytes]:
    """The first rows, and what they can be filtered and ordered by."""
    desk: RunPages = visit.gateway.runs
    query = query_of(visit.request.query_params)

    id_, name = await asyncio.to_thread(queries.named_run, desk.store, run)
    # The walk for the choices takes longer than the rows do, outside of Python.
    known, listing, judges, marks = await asyncio.gather(
        asyncio.to_thread(desk.lists.choices, id_),
        asyncio.to_thread(desk.lists.show, id_, query),
        asyncio.to_thread(desk.lists.judges, id_),
        asyncio.to_thread(desk.board.marks_of, [id_]),
    )
    judge = next((one for one in judges if query.judge in (one.hash, "")), None)
    answer = show(
        visit,
        "runs/episodes.html",
        run=id_,
        run_name=name,
        mark=marks.get(id_, ""),
        query=query,
        known=known,
        judges=judges,
        listing=listing,
        judge=judge,
        dimension=query.dimension or (judge.first if judge else ""),
        sorts=SORTS if judges else SORTS[:-1],
        statuses=STATUSES,
        per_page=PER_PAGE,
        most_choices=MOST_CHOICES,
        list_={"run": id_, "chunk": PER_PAGE, "first": listing},
    )
    # Whoever looks at the list may well want it in the order of the scores next.
    answer.background = BackgroundTask(_warm, desk, id_)
    return answer


async def _warm(desk: RunPages, run: str) -> None:
    # Not before the page has all that it asks for: it would wait.
    await asyncio.sleep(SHOWN_S)
    await asyncio.to_thread(desk.lists.warm, run)


@get("/runs/{run:str}/episodes.json", guards=[requires("researcher")])
async def chunk(visit: Visiting, run: FromPath[str]) -> Response[bytes]:
    """Some rows from ``start`` on, of what the other parameters ask for; or those that come right
    ``after`` others."""
    desk: RunPages = visit.gateway.runs
    query = query_of(visit.request.query_params)
    found = await asyncio.to_thread(_listed, desk, run, query, PER_PAGE)
    return Response(msgspec.json.encode(found), media_type=MediaType.JSON)


@get("/runs/{run:str}/episodes.csv", guards=[requires("researcher")])
async def as_csv(visit: Visiting, run: FromPath[str]) -> Stream:
    """All rows that were asked for, as they are read."""
    desk: RunPages = visit.gateway.runs
    query = msgspec.structs.replace(query_of(visit.request.query_params), start=0, after="")
    first = await asyncio.to_thread(_listed, desk, run, query, MOST)

    async def lines() -> AsyncIterator[str]:
        listing, at = first, query
        yield _line(
            ["episode", "title", "characters", "minds", "status", "ending", "turns",
             "failed_actions", "seconds", *(f"score_seat_{seat}" for seat in (1, 2)),
             "scored_by", "scores_missing", "chain", "index"]
        )  # fmt: skip
        while listing.rows:
            for row in listing.rows:
                scores = (*row.scores, None, None)[: max(2, len(row.scores))]
                yield _line(
                    [row.id, row.title, "; ".join(c for c, _ in row.who),
                     "; ".join(m for _, m in row.who), row.status, row.ending, row.turns,
                     row.failures, row.lasted_s, *scores, listing.scored_by, int(row.missing),
                     row.chain, row.index]
                )  # fmt: skip
            at = msgspec.structs.replace(
                at, after=listing.after, start=listing.start + len(listing.rows)
            )
            if not listing.after and at.start >= listing.total:
                return
            listing = await asyncio.to_thread(_listed, desk, run, at, MOST)

    headers = {"content-disposition": f'attachment; filename="{first_word(run)}-episodes.csv"'}
    return Stream(lines(), media_type="text/csv; charset=utf-8", headers=headers)


def _listed(desk: RunPages, run: str, query: Query, limit: int) -> Listing:
    return desk.lists.show(queries.find_run(desk.store, run), query, limit)


def _line(values: Sequence[object]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([csv_text(one) if isinstance(one, str) else one for one in values])
    return out.getvalue()


def first_word(text: str) -> str:
    """Fit for a header."""
    return "".join(letter for letter in text if letter.isascii() and letter.isalnum())


ROUTES: Sequence[ControllerRouterHandler] = (episodes, chunk, as_csv)
