"""The page *New annotation study*: a plan is written beside what it means, and carried out."""

import asyncio

from litestar import Response, get, post
from litestar.response import Redirect

from evaluators.judges.judge_file import judge_among
from events.annotation import AnnotationPlanned
from events.ids import ANNOTATION, derived_id
from gateway.http.forms import Form
from gateway.http.guards import requires
from gateway.http.templates import PageOrRedirect, PageVisit, Visiting
from gateway.pages.plan_editor import WrittenPlan, new_key, sent, written
from gateway.services.access.roles import Principal
from gateway.services.annotations.annotation_repository import AnnotationStudies
from gateway.services.annotations.plan_annotation import meaning_of, planned
from gateway.services.annotations.plan_file import parse_plan
from store.log.event_store import EventStore
from store.read_model import queries

FIRST = """\
name = ""                      # how lists call it; empty: by the run
runs = [{run}]       # all their episodes that have ended; or episodes = ["e…"]
# rubric = "sotopia"           # by what people judge; or judge = "…", in a built-in judge's words
# dimensions = ["goal"]        # only these; left out: all
unit = "episode"               # or "seat": one character at a time
annotators = 2                 # for an item
overlap = 1.0                  # share of items that so many annotate; the others have one each
sample = 0                     # so many episodes, drawn; 0: all
instructions = "Read all of it first."
attention = 0.0                # share of items with an attention check
"""


@get("/annotate/new", guards=[requires("researcher")])
async def new(visit: Visiting) -> Response[bytes]:
    """A plan to begin with, for a run (``?run=RUN``; left out: the latest with episodes to
    judge)."""
    given = visit.request.query_params.get("run", "")

    def look(store: EventStore) -> WrittenPlan[AnnotationPlanned]:
        run = queries.find_run(store, given) if given else _latest(store)
        text = FIRST.format(run=f'"{run}"' if run else "")
        return _written(store, visit.principal, text, new_key())

    return _page(visit, await asyncio.to_thread(look, visit.store))


@post("/annotate/new", guards=[requires("researcher")], status_code=200)
async def write(visit: Visiting, data: Form) -> PageOrRedirect:
    """What the text means; with ``action=start`` and no faults it is planned. Sent twice, it is
    one study; sent again with another text, another one."""
    text, key = sent(data)
    found = await asyncio.to_thread(_written, visit.store, visit.principal, text, key)
    if data.get("action") != "start" or found.prepared is None:
        return _page(visit, found)
    id_ = derived_id(ANNOTATION, key, text)
    await asyncio.to_thread(AnnotationStudies(visit.store).plan, found.prepared, id_)
    return Redirect(f"/annotate/{id_}", status_code=303)


def _latest(store: EventStore) -> str:
    rows = [row for row in queries.runs(store) if row.episodes_ended and not row.archived]
    return rows[-1].id if rows else ""


def _written(
    store: EventStore, principal: Principal, text: str, key: str
) -> WrittenPlan[AnnotationPlanned]:
    def prepare(plan: str) -> AnnotationPlanned:
        return planned(store, parse_plan(plan), by=principal.name, judge=judge_among({}))

    return written(text, key, prepare)


def _page(visit: PageVisit, found: WrittenPlan[AnnotationPlanned]) -> Response[bytes]:
    meant = None if found.prepared is None else meaning_of(found.prepared)
    return visit.page("annotating/new.html", w=found, meant=meant)
