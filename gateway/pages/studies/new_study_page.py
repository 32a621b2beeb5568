"""The page *New study*: a study file is written beside what it means, and planned."""

import asyncio

from litestar import Response, get, post
from litestar.response import Redirect

from events.ids import RUN, STUDY, derived_id
from gateway.http.forms import Form
from gateway.http.guards import requires
from gateway.http.templates import PageOrRedirect, PageVisit, Visiting
from gateway.pages.plan_editor import WrittenPlan, new_key, sent, written
from gateway.services.studies.example_file import TEMPLATE
from gateway.services.studies.plan_file import ReadStudy
from gateway.services.studies.plan_study import plan_study, prepare_text
from gateway.services.studies.preview import meaning_of
from store.log.event_store import EventStore


@get("/studies/new", guards=[requires("researcher")])
async def new(visit: Visiting) -> Response[bytes]:
    """The example, to be made one's own."""
    found = await asyncio.to_thread(_written, visit.store, TEMPLATE, new_key())
    return _page(visit, found)


@post("/studies/new", guards=[requires("researcher")], status_code=200)
async def write(visit: Visiting, data: Form) -> PageOrRedirect:
    """What the text means; with ``action=start`` and no faults it is planned. Sent twice, it is
    one study; sent again with another text, another one."""
    text, key = sent(data)
    found = await asyncio.to_thread(_written, visit.store, text, key)
    if data.get("action") != "start" or found.prepared is None:
        return _page(visit, found)
    study = await asyncio.to_thread(
        plan_study,
        visit.store,
        found.prepared,
        visit.principal.name,
        study=derived_id(STUDY, key, text),
        run=derived_id(RUN, key, text),
    )
    return Redirect(f"/studies/{study}", status_code=303)


def _written(store: EventStore, text: str, key: str) -> WrittenPlan[ReadStudy]:
    return written(text, key, lambda plan: prepare_text(store, plan))


def _page(visit: PageVisit, found: WrittenPlan[ReadStudy]) -> Response[bytes]:
    meant = None if found.prepared is None else meaning_of(found.prepared)
    return visit.page("studies/new.html", w=found, meant=meant)
