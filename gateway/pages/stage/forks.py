"""Forking from the page: which past, which minds, and somebody to play it."""

import asyncio
from collections.abc import Mapping

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from actors.episodes.registry import environment_of
from actors.episodes.views.inconsistent_history import state_after
from actors.runs.state import load_run
from events.base import Value, replace
from gateway.errors import GatewayError
from gateway.http.guards import requires
from gateway.http.templates import PageOrRedirect, PageVisit, Visiting
from gateway.pages.stage.stage_page import mark_of
from gateway.services.episodes.fork_episode import PreparedFork, fork_episode, prepare_fork
from gateway.services.operations import queue_jobs
from gateway.services.runs.confirm_destinations import destinations_of_fork
from store.errors import StoreError
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history
from store.read_model.records import EpisodeRow


class ForkSeat(Value, frozen=True, kw_only=True):
    seat: int
    character: str
    mind: str
    """Who sits there at that event."""
    given: str = ""
    """What was written into the form."""


class ForkForm(Value, frozen=True, kw_only=True):
    row: EpisodeRow
    at: int
    last: int
    """The last event number there is."""
    seats: tuple[ForkSeat, ...]
    known: tuple[tuple[str, str], ...]
    """What may be written for a seat, and what it is."""
    destinations: tuple[str, ...] = ()
    """Where something would be sent for it; its text came in a file, so that somebody has to
    agree."""
    fault: str = ""
    """Why it cannot be made."""


class Unagreed(Exception):
    """Somebody has to agree first to where texts would be sent."""

    def __init__(self, destinations: tuple[str, ...]) -> None:
        super().__init__()
        self.destinations = destinations


def fork_form(store: EventStore, given: str, at: int | None, fields: Mapping[str, str]) -> ForkForm:
    """The form for a fork after event ``at``; None: after the last one. Raises ``UnknownId``,
    ``NoSuchEvent``."""
    row = queries.episode(store, given)
    last = read_history(store, row.id)[-1].number
    at = last if at is None else at
    state = state_after(n.event for n in read_history(store, row.id, at))
    started = state.started
    tempers = environment_of(started).tempers if started else ()
    run = load_run(store, started.run) if started and started.run else None
    known = [(mind.name, "a mind of its run") for mind in (run.plan.minds if run else ())]
    known += [(f"rehearsal:{temper}", "offline, no model") for temper in tempers]
    known += [("person", "whoever takes the seat"), ("remote", "a program elsewhere")]
    return ForkForm(
        row=row,
        at=at,
        last=last,
        seats=tuple(
            ForkSeat(
                seat=seat,
                character=row.characters[seat] if seat < len(row.characters) else "",
                mind=mind.name,
                given=fields.get(f"seat-{seat + 1}", ""),
            )
            for seat, mind in enumerate(state.minds)
        ),
        known=tuple(known),
    )


def prepared_fork(store: EventStore, given: str, fields: Mapping[str, str]) -> PreparedFork:
    """The fork that a form asks for. Raises as ``prepare_fork``, ``Unagreed``."""
    seats = [
        f"{name.removeprefix('seat-')}={value.strip()}"
        for name, value in fields.items()
        if name.startswith("seat-") and value.strip()
    ]
    prepared = prepare_fork(store, given, int(fields.get("at", "0")), seats)
    asked = destinations_of_fork(store, prepared)
    if asked and not fields.get("agreed"):
        raise Unagreed(tuple(f"{one.to} ({one.who}, {one.model})" for one in asked))
    return prepared


@get("/episodes/{episode:str}/fork", guards=[requires("researcher")])
async def form(visit: Visiting, episode: FromPath[str]) -> Response[bytes]:
    at = visit.request.query_params.get("at", "")
    found = await asyncio.to_thread(fork_form, visit.store, episode, mark_of(at), {})
    return visit.page("stage/fork.html", form=found)


@post("/episodes/{episode:str}/fork", guards=[requires("researcher")])
async def fork(visit: Visiting, episode: FromPath[str]) -> PageOrRedirect:
    """Begin the fork and go there; the form again where it cannot be made."""
    data = await visit.request.form()
    fields = {name: str(value) for name, value in data.items()}
    try:
        prepared = await asyncio.to_thread(prepared_fork, visit.store, episode, fields)
    except (GatewayError, StoreError, ValueError) as error:
        return await _again(visit, episode, fields, fault=str(error))
    except Unagreed as open_:
        return await _again(
            visit,
            episode,
            fields,
            destinations=open_.destinations,
        )
    await asyncio.to_thread(fork_episode, visit.store, prepared)
    await queue_jobs.play(visit.gateway, prepared.id)
    return Redirect(f"/episodes/{prepared.id}", status_code=303)


async def _again(
    visit: PageVisit,
    episode: str,
    fields: Mapping[str, str],
    **why: object,
) -> Response[bytes]:
    at = fields.get("at", "")
    shown = await asyncio.to_thread(fork_form, visit.store, episode, mark_of(at), fields)
    return visit.page(
        "stage/fork.html",
        status=400,
        form=replace(shown, **why),
    )
