"""The page *Runs*.

What is live is polled: a look every two seconds while the page is in view, which all who watch
share. It needs no connection of its own (those are counted, and proxies cut long ones), works
behind any load balancer, and what it asks for changes by the second anyway.
"""

import asyncio
from collections.abc import Sequence

import msgspec
from litestar import MediaType, Response, get
from litestar.types import ControllerRouterHandler

from gateway.http.guards import requires
from gateway.http.templates import Visiting
from gateway.pages.runs.template_values import show
from gateway.services.runs.run_list import GROUPS, SHOWS, SORTS, Entry, RunList, asked_of

LOOK_MS = 2_000
"""How often a page looks again, in milliseconds."""
STATES = (
    "active",
    "running",
    "waits for seats",
    "waits for a server",
    "paused",
    "stopped",
    "process gone",
    "ended",
    "ended early",
)


@get("/runs", guards=[requires("researcher")])
async def all_runs(visit: Visiting) -> Response[bytes]:
    """All runs, with how far they are and what they wait for."""
    asked = asked_of(visit.request.query_params)
    board: RunList = visit.gateway.runs.board
    shown = await asyncio.to_thread(board.show, asked)
    return show(
        visit,
        "runs/list.html",
        asked=asked,
        shown=shown,
        states=STATES,
        groups=GROUPS,
        sorts=SORTS,
        shows=SHOWS,
        live={"look_ms": LOOK_MS, "runs": [entry.run.id for entry in shown.entries]},
    )


@get("/runs/live.json", guards=[requires("researcher")])
async def live(visit: Visiting) -> Response[bytes]:
    """How some runs (``run=…``, as often as wanted) stand now; those that are gone are left out."""
    wanted = set(visit.request.query_params.getall("run", [])[:100])
    board: RunList = visit.gateway.runs.board

    def look() -> list[Entry]:
        return board.entries([row for row in board.listed() if row.id in wanted])

    found = await asyncio.to_thread(look)
    body = msgspec.json.encode({"runs": [as_live(entry) for entry in found]})
    return Response(body, media_type=MediaType.JSON)


def as_live(entry: Entry) -> dict[str, object]:
    """What of a run changes while it goes on."""
    row = entry.run
    return {
        "run": row.id,
        "state": row.standing.state,
        "words": row.standing.words,
        "sentence": row.standing.sentence,
        "over": row.standing.over,
        "planned": row.episodes_planned,
        "ended": row.episodes_ended,
        "failed": row.episodes_failed,
        "marked": row.episodes_marked,
        "playing": entry.playing,
        "evaluations": entry.evaluations,
        "scored": entry.evaluations_ended,
        "unscored": entry.evaluations_failed,
        "usd": entry.usd,
        "tokens": entry.tokens,
        "unpriced": entry.unpriced,
        "budget_usd": entry.budget_usd,
        "budget_tokens": entry.budget_tokens,
    }


ROUTES: Sequence[ControllerRouterHandler] = (all_runs, live)
