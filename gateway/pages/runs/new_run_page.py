"""The page *New run*: a plan is written in a form or as text, beside what it means, and started."""

import asyncio
from collections.abc import Mapping, Sequence

from litestar import Response, get, post
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from actors.runs.plan.environment_section import DEFAULT_ENVIRONMENT
from events.evaluation import JudgeSpec
from events.ids import RUN, new_id
from gateway.errors import BadArgument
from gateway.http.forms import Form
from gateway.http.guards import requires
from gateway.http.templates import PageOrRedirect, PageVisit, Visiting
from gateway.pages.runs.plan_draft import PlanDraft, changed, choices, draft, first_text, judges_of
from gateway.pages.runs.run_pages import RunPages
from gateway.pages.runs.template_values import show
from gateway.services.runs.plan_run import record_run
from store.errors import Conflict
from store.log.event_store import EventStore
from store.read_model import queries


@get("/new", guards=[requires("researcher")])
async def new(visit: Visiting) -> Response[bytes]:
    """A plan to begin with, or that of an older run (``?from=RUN``)."""
    store = visit.gateway.runs.store
    given = visit.request.query_params

    def look() -> tuple[PlanDraft, str, dict[str, JudgeSpec]]:
        older = queries.find_run(store, given["from"]) if given.get("from") else ""
        environment = given.get("environment", "") or DEFAULT_ENVIRONMENT
        text = queries.plan(store, older).plan.source if older else ""
        judges = judges_of(store, older) if older else {}
        text = text or first_text(store, environment)
        return draft(store, text, judges, new_id(RUN), forecast=True), older, judges

    found, older, judges = await asyncio.to_thread(look)
    return _page(visit, store, found, older, judges, new_id(RUN))


@post("/new", guards=[requires("researcher")], status_code=200)
async def write(visit: Visiting, data: Form) -> PageOrRedirect:
    """The plan with what was changed in the form or in the text, and what it means then. With
    ``action=start`` and no problem it is left to a server; sent twice, it is one run."""
    desk: RunPages = visit.gateway.runs
    form = {name: str(value) for name, value in data.items()}
    run, older = form.get("run", ""), form.get("from", "")
    _check_id(run)

    def work() -> tuple[PlanDraft, dict[str, JudgeSpec], bool]:
        judges = judges_of(desk.store, queries.find_run(desk.store, older)) if older else {}
        before, after = _text(form, "before"), _text(form, "toml")
        text, problems, typed = changed(before, after, form)
        start = form.get("action") == "start"
        found = draft(desk.store, text, judges, run, forecast=not start)
        found.typed = typed
        found.problems = problems + found.problems
        ready = start and not found.problems and found.prepared is not None
        if ready:
            assert found.prepared is not None
            try:
                record_run(desk.store, found.prepared, detached=True)
            except Conflict:
                # Somebody pressed twice, or the first answer was lost.
                queries.find_run(desk.store, run)
            desk.board.look_again()
        return found, judges, ready

    found, judges, started = await asyncio.to_thread(work)
    if started:
        return Redirect(f"/runs/{run}", status_code=303)
    return _page(visit, desk.store, found, older, judges, run)


def _page(
    visit: PageVisit,
    store: EventStore,
    found: PlanDraft,
    older: str,
    judges: Mapping[str, JudgeSpec],
    run: str,
) -> Response[bytes]:
    return show(
        visit,
        "runs/new.html",
        d=found,
        older=older,
        run=run,
        choices=choices(store, found.environment, judges),
    )


def _text(form: Mapping[str, str], name: str) -> str:
    # Browsers send lines with CR LF.
    return form.get(name, "").replace("\r\n", "\n")


def _check_id(run: str) -> None:
    """Raises ``BadArgument`` for what ``new_id`` would not make."""
    if not (run.startswith(RUN) and run.isascii() and run.isalnum() and 8 <= len(run) <= 32):
        raise BadArgument("run", run, "is no id of a run to be; open the page anew")


ROUTES: Sequence[ControllerRouterHandler] = (new, write)
