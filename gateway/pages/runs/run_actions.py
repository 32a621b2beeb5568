"""What a researcher does with a run from its page. Each may be sent twice and happens once."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from litestar import post
from litestar.params import FromPath
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from gateway.errors import BadArgument
from gateway.http.forms import Form
from gateway.http.guards import requires
from gateway.http.templates import Visiting
from gateway.pages.access.sign_in import local
from gateway.pages.runs.run_pages import RunPages
from gateway.process.lease_holders import HeldElsewhere, check_free_for_server
from gateway.services.runs.plan_run import resume_run
from gateway.services.runs.stop import archive_run, stop_run
from store.read_model import queries


def _stop(desk: RunPages, run: str, _form: Mapping[str, object]) -> None:
    stop_run(desk.settings, desk.store, run, for_good=False)


def _end(desk: RunPages, run: str, _form: Mapping[str, object]) -> None:
    stop_run(desk.settings, desk.store, run, for_good=True)


def _resume(desk: RunPages, run: str, form: Mapping[str, object]) -> None:
    usd = number("budget_usd", str(form.get("budget_usd", "")))
    tokens = number("budget_tokens", str(form.get("budget_tokens", "")))
    row = queries.run(desk.store, run)
    if row.status == "ended" and usd is None and tokens is None:
        return  # nothing is left to do
    if row.status == "running":
        try:
            check_free_for_server(desk.settings, desk.store, run)
        except HeldElsewhere as held:
            raise BadArgument("run", run, str(held)) from held
    resume_run(
        desk.store,
        run,
        usd=usd,
        tokens=None if tokens is None else round(tokens),
        detached=True,
    )


def _hide(desk: RunPages, run: str, _form: Mapping[str, object]) -> None:
    archive_run(desk.store, run, undo=False)


def _show(desk: RunPages, run: str, _form: Mapping[str, object]) -> None:
    archive_run(desk.store, run, undo=True)


ACTIONS: Final[dict[str, Callable[[RunPages, str, Mapping[str, object]], None]]] = {
    "stop": _stop,
    "end": _end,
    "resume": _resume,
    "hide": _hide,
    "show": _show,
}


@post("/runs/{run:str}/{action:str}", guards=[requires("researcher")], status_code=303)
async def act(visit: Visiting, run: FromPath[str], action: FromPath[str], data: Form) -> Redirect:
    """Do something with a run, then show the page that the form names, or the run's."""
    desk: RunPages = visit.gateway.runs
    work = ACTIONS.get(action)
    if work is None:
        raise BadArgument("action", action, f"is none of {', '.join(ACTIONS)}")

    def do() -> str:
        id_ = queries.find_run(desk.store, run)
        work(desk, id_, data)
        desk.board.look_again()
        return id_

    id_ = await asyncio.to_thread(do)
    return Redirect(local(str(data.get("to", ""))) or f"/runs/{id_}", status_code=303)


def number(what: str, given: str) -> float | None:
    """A limit that a person typed; None: nothing. Raises ``BadArgument``."""
    text = given.strip().replace(",", "").lstrip("$")
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        raise BadArgument(what, given, "is no number; 0 means no limit") from None
    if not 0 <= value <= 1e15:
        raise BadArgument(what, given, "must be 0 (no limit) or more")
    return value


ROUTES: Sequence[ControllerRouterHandler] = (act,)
