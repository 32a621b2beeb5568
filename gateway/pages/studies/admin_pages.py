"""The researchers' pages of studies: how they go, who is where, and what can be done about it."""

import asyncio
import io
import zipfile
from collections.abc import Sequence
from typing import Final

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from actors.runtime.errors import CommandRefused
from actors.studies.rules import Close, Command, Pause
from actors.studies.state import StudyState
from gateway.http.context import Gateway
from gateway.http.forms import Form
from gateway.http.guards import requires
from gateway.http.problems import Problem
from gateway.http.templates import Visiting
from gateway.pages.studies import new_study_page
from gateway.services.repository import Loaded
from gateway.services.studies.erase_participant import erase
from gateway.services.studies.export_study import TABLES, as_csv, as_jsonl
from gateway.services.studies.open_study import open_study
from gateway.services.studies.study_counts import counts_of
from gateway.services.studies.study_repository import Studies, now
from gateway.services.studies.supervisor import StudySupervisor
from store.log.event_store import EventStore

_GUARDS: Final = [requires("researcher")]
SHOWN: Final = 500
"""Sessions on the page, the latest; all are in the export."""
FORMS: Final = {
    "csv": ("text/csv; charset=utf-8", as_csv),
    "jsonl": ("application/jsonl", lambda _, rows: as_jsonl(rows)),
}


@get("/studies", guards=_GUARDS)
async def studies(visit: Visiting) -> Response[bytes]:
    """All studies, the latest first."""
    caring: StudySupervisor = visit.gateway.studies
    found = await asyncio.to_thread(caring.studies.all)
    rows = [(one.id, one.state, counts_of(one.state)) for one in reversed(found)]
    return visit.page("studies/list.html", rows=rows)


@get("/studies/{study:str}", guards=_GUARDS)
async def one_study(visit: Visiting, study: FromPath[str]) -> Response[bytes]:
    loaded = await _loaded(visit.gateway, study)
    state = loaded.state
    places = list(state.places.values())[::-1]
    return visit.page(
        "studies/study.html",
        id=loaded.id,
        state=state,
        study=state.study,
        counts=counts_of(state),
        link=f"{visit.request.base_url}join/{loaded.id}".replace("//join", "/join"),
        places=[(place, state.groups.get(place.episode)) for place in places[:SHOWN]],
        left_out=max(0, len(places) - SHOWN),
        present=visit.gateway.studies.presence.of(loaded.id),
        tables=tuple(TABLES),
        at=now(),
        fault="",
    )


@post("/studies/{study:str}/{what:str}", status_code=303, guards=_GUARDS)
async def act(visit: Visiting, study: FromPath[str], what: FromPath[str], data: Form) -> Redirect:
    """Open, pause or close a study; erase what a participant said."""
    loaded = await _loaded(visit.gateway, study)
    caring: StudySupervisor = visit.gateway.studies
    by = visit.principal.name
    commands: dict[str, Command] = {
        "pause": Pause(by=by),
        "close": Close(by=by, at=now()),
    }
    try:
        if what == "erase":
            participant = str(data.get("participant", "")).strip()
            if str(data.get("again", "")).strip() != participant:
                why = "the two pseudonyms differ; nothing was erased"
                raise Problem(422, "not_confirmed", why)
            await asyncio.to_thread(erase, visit.store, loaded.id, participant, by)
        elif what == "open":
            await asyncio.to_thread(open_study, caring.studies, loaded.id, by)
        elif what in commands:
            await asyncio.to_thread(caring.studies.do, loaded.id, commands[what])
        else:
            raise Problem(404, "not_found", "there is no such page")
    except CommandRefused as refused:
        raise Problem(409, refused.code, refused.reason) from refused
    caring.wake(loaded.id)
    return Redirect(f"/studies/{loaded.id}", status_code=303)


@get("/studies/{study:str}/export/{name:str}", guards=_GUARDS)
async def export(
    gateway: NamedDependency[Gateway], study: FromPath[str], name: FromPath[str]
) -> Response[bytes]:
    """One table, as ``sessions.csv`` or ``sessions.jsonl``; or all of them as ``all.zip``."""
    loaded = await _loaded(gateway, study)
    table, _, form = name.partition(".")
    if name == "all.zip":
        body = await asyncio.to_thread(_zip, gateway.store, loaded.state)
        media_type = "application/zip"
    elif table in TABLES and form in FORMS:
        rows = await asyncio.to_thread(lambda: list(TABLES[table](gateway.store, loaded.state)))
        media_type, write = FORMS[form]
        body = write(table, rows)
    else:
        raise Problem(404, "not_found", f"there are {', '.join(TABLES)}, as .csv and .jsonl")
    headers = {"content-disposition": f'attachment; filename="{loaded.id}-{name}"'}
    return Response(body, media_type=media_type, headers=headers)


async def _loaded(gateway: Gateway, study: str) -> Loaded[StudyState]:
    studies: Studies = gateway.studies.studies
    return await asyncio.to_thread(lambda: studies.load(studies.find(study)))


def _zip(store: EventStore, state: StudyState) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, table in TABLES.items():
            rows = list(table(store, state))
            archive.writestr(f"{name}.csv", as_csv(name, rows))
            archive.writestr(f"{name}.jsonl", as_jsonl(rows))
    return packed.getvalue()


def routes() -> Sequence[ControllerRouterHandler]:
    return [studies, new_study_page.new, new_study_page.write, one_study, act, export]
