"""The page *New study*: a study file is written beside what it means, and planned."""

import asyncio

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from events.ids import RUN, STUDY, derived_id
from gateway.http.context import Gateway
from gateway.http.forms import Form
from gateway.http.guards import AnyRequest, requires
from gateway.http.templates import PageOrRedirect
from gateway.pages.plan_editor import WrittenPlan, new_key, sent, writing_page, written
from gateway.services.access.roles import Principal
from gateway.services.studies.example_file import TEMPLATE
from gateway.services.studies.plan_file import ReadStudy
from gateway.services.studies.plan_study import plan_study, prepare_text
from gateway.services.studies.preview import meaning_of
from store.log.event_store import EventStore


@get("/studies/new", guards=[requires("researcher")])
async def new(
    request: AnyRequest, gateway: NamedDependency[Gateway], principal: NamedDependency[Principal]
) -> Response[bytes]:
    """The example, to be made one's own."""
    found = await asyncio.to_thread(_written, gateway.store, TEMPLATE, new_key())
    return _page(request, principal, found)


@post("/studies/new", guards=[requires("researcher")], status_code=200)
async def write(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
    data: Form,
) -> PageOrRedirect:
    """What the text means; with ``action=start`` and no faults it is planned. Sent twice, it is
    one study; sent again with another text, another one."""
    text, key = sent(data)
    found = await asyncio.to_thread(_written, gateway.store, text, key)
    if data.get("action") != "start" or found.prepared is None:
        return _page(request, principal, found)
    study = await asyncio.to_thread(
        plan_study,
        gateway.store,
        found.prepared,
        principal.name,
        study=derived_id(STUDY, key, text),
        run=derived_id(RUN, key, text),
    )
    return Redirect(f"/studies/{study}", status_code=303)


def _written(store: EventStore, text: str, key: str) -> WrittenPlan[ReadStudy]:
    return written(text, key, lambda plan: prepare_text(store, plan))


def _page(
    request: AnyRequest, principal: Principal, found: WrittenPlan[ReadStudy]
) -> Response[bytes]:
    meant = None if found.prepared is None else meaning_of(found.prepared)
    return writing_page(request, "studies/new.html", principal, found, meant)
