"""What the stage answers over HTTP."""

import asyncio
import gzip
from typing import Any, Final

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.types import ControllerRouterHandler

from actors.episodes.registry import environments
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest, requires
from gateway.http.static_files import STATIC
from gateway.http.templates import Visiting
from gateway.pages.stage import compare_page, forks, interviews
from gateway.pages.stage.highlighted_words import marked
from gateway.pages.stage.stage_page import NotBegun, StagePage, mark_of, stage_page, watched
from gateway.services.calls.find_calls import episode_calls, judge_calls, turn_calls
from gateway.services.calls.model_call import ModelCall
from gateway.services.episodes.guesses import guesses_of
from gateway.services.episodes.open_questions import asked_of
from gateway.services.episodes.thoughts import thoughts_of
from gateway.services.viewers.packed_frames import packed
from gateway.services.viewers.viewer_frames import told_to
from store.read_model import queries

MODULES: Final = tuple(
    f"{name}.js"
    for name in (
        *("shared/elements", "shared/harmless", "shared/toasts", "shared/words", "stage/guesses"),
        *("stage/items", "stage/keys", "stage/lit", "stage/packing", "stage/panels"),
        *("stage/picture", "stage/scrubber", "stage/transcript"),
    )
)
"""What ``stage/stage.js`` imports, for the browser to ask for at once."""
CALLS_A_PAGE: Final = 50
_encode: Final = msgspec.json.Encoder(enc_hook=str).encode


def serve_pieces() -> None:
    """Have the environments' stage pieces served."""
    for environment in environments():
        if environment.stage is not None:
            STATIC.add(f"environments/{environment.name}", environment.stage)


@get("/episodes/{episode:str}", guards=[requires("researcher", "spectator")])
async def stage(visit: Visiting, episode: FromPath[str]) -> Response[bytes]:
    asked = visit.request.query_params
    at = mark_of(asked.get("at", ""))
    try:
        seen = await asyncio.to_thread(
            watched, visit.store, episode, asked.get("as", ""), visit.principal
        )
    except NotBegun as waits:
        return visit.page("stage/waiting.html", row=waits.row)
    shown = await asyncio.to_thread(
        stage_page,
        visit.store,
        seen,
        at=at,
        judge=asked.get("judge", ""),
        lit=asked.get("lit", ""),
        data_dir=visit.gateway.settings.data_dir,
    )
    return visit.page("stage/stage.html", **context(shown, at))


def context(shown: StagePage, at: int | None) -> dict[str, Any]:
    """What the page's template is given."""
    return {
        "stage": shown,
        "at": at,
        "marked": marked,
        "as_json": as_json,
        "modules": MODULES,
        "piece": static_or_none(f"environments/{shown.environment}/stage.js"),
        "piece_style": static_or_none(f"environments/{shown.environment}/stage.css"),
    }


@get("/episodes/{episode:str}/told", guards=[requires("researcher", "spectator")])
async def told(visit: Visiting, episode: FromPath[str]) -> Response[bytes]:
    """All that a viewer was told so far, as JSON: the scene, and the socket's frames, packed."""
    given = visit.request.query_params.get("as", "")

    def answer() -> bytes:
        seen = watched(visit.store, episode, given, visit.principal)
        found = told_to(visit.store, seen.begun, seen.viewer, knows_all=visit.principal.knows_all)
        return gzip.compress(_encode(packed(found)), 6, mtime=0)

    body = await asyncio.to_thread(answer)
    headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
    if "gzip" not in visit.request.headers.get("accept-encoding", ""):
        body, headers = gzip.decompress(body), {"vary": "accept-encoding"}
    return Response(body, media_type="application/json", headers=headers)


@get("/episodes/{episode:str}/calls/{turn:int}", guards=[requires("researcher")])
async def calls(visit: Visiting, episode: FromPath[str], turn: FromPath[int]) -> Response[bytes]:
    """Every model call of a turn, or of one seat (``?seat=``, from 1) in it: as a page, or alone
    for the module."""
    row = await asyncio.to_thread(queries.episode, visit.store, episode)
    asked = mark_of(visit.request.query_params.get("seat", ""))
    seat = None if asked is None else asked - 1
    found = await asyncio.to_thread(turn_calls, visit.store, row.id, turn, seat)
    return visit.page(
        _alone(visit.request, "stage/calls.html"),
        row=row,
        heading=f"Model calls of turn {turn}",
        calls=found,
        as_json=as_json,
        none=f"No model was asked in turn {turn}.",
    )


@get("/episodes/{episode:str}/calls", guards=[requires("researcher")])
async def every_call(visit: Visiting, episode: FromPath[str]) -> Response[bytes]:
    """Every model call made for an episode, ``CALLS_A_PAGE`` a page (``?page=``, from 1)."""
    row = await asyncio.to_thread(queries.episode, visit.store, episode)
    number = max(1, mark_of(visit.request.query_params.get("page", "")) or 1)

    def some() -> list[ModelCall]:
        after, most = (number - 1) * CALLS_A_PAGE, CALLS_A_PAGE + 1
        return list(episode_calls(visit.store, row.id, after=after, most=most))

    found = await asyncio.to_thread(some)
    return visit.page(
        "stage/calls.html",
        row=row,
        heading="Model calls",
        calls=found[:CALLS_A_PAGE],
        every={"page": number, "more": len(found) > CALLS_A_PAGE},
        as_json=as_json,
        none="No model was asked." if number == 1 else "There are no further calls.",
    )


@get("/episodes/{episode:str}/thoughts/{seat:int}", guards=[requires("researcher")])
async def thoughts(
    gateway: NamedDependency[Gateway], episode: FromPath[str], seat: FromPath[int]
) -> Response[bytes]:
    """What the mind in a seat (from 1) concluded, oldest first: a list of ``Thinking`` as JSON."""
    found = await asyncio.to_thread(thoughts_of, gateway.store, episode, seat - 1)
    return Response(_encode(found), media_type="application/json")


@get("/episodes/{episode:str}/guesses", guards=[requires("researcher")])
async def guesses(visit: Visiting, episode: FromPath[str]) -> Response[bytes]:
    """What a watcher guesses at an event (``?at=``; without it at the last): as a page, or alone
    for the module."""
    row = await asyncio.to_thread(queries.episode, visit.store, episode)
    at = mark_of(visit.request.query_params.get("at", ""))
    folder = visit.gateway.settings.data_dir
    found = await asyncio.to_thread(guesses_of, visit.store, row, at, folder)
    return visit.page(_alone(visit.request, "stage/guesses.html"), row=row, guesses=found)


@get("/episodes/{episode:str}/judged/{evaluation:str}", guards=[requires("researcher")])
async def judged(
    visit: Visiting, episode: FromPath[str], evaluation: FromPath[str]
) -> Response[bytes]:
    """The calls of a judge: as a page, or alone for the module."""
    row = await asyncio.to_thread(queries.episode, visit.store, episode)
    rows = await asyncio.to_thread(queries.evaluations, visit.store, episode=row.id)
    found = next((one for one in rows if one.id == evaluation), None)
    made = () if found is None else await asyncio.to_thread(judge_calls, visit.store, found.id)
    return visit.page(
        _alone(visit.request, "stage/calls.html"),
        row=row,
        heading=f"Calls of the judge {found.judge}" if found else "Calls of a judge",
        calls=made,
        as_json=as_json,
        none="This judge asked no model.",
    )


@get("/episodes/{episode:str}/asked/{seat:int}", guards=[requires("researcher")])
async def open_questions(
    gateway: NamedDependency[Gateway], episode: FromPath[str], seat: FromPath[int]
) -> Response[bytes]:
    """What a seat (from 1) is asked now and has not done, though its mind may have proposed
    something: an ``AskedNow`` as JSON."""
    found = await asyncio.to_thread(asked_of, gateway.store, episode, seat - 1)
    return Response(_encode(found), media_type="application/json")


def static_or_none(name: str) -> str:
    """Where a static file is to be had; empty: there is none."""
    return STATIC.url(name) if name in STATIC.files else ""


def as_json(value: object) -> str:
    """A value as a line of JSON, for attributes and texts."""
    return _encode(value).decode()


def _alone(request: AnyRequest, template: str) -> str:
    """The template of a whole page, or of what a module puts into one."""
    if request.headers.get("x-part"):
        return template.replace("stage/", "stage/part_")
    return template


HANDLERS: Final[list[ControllerRouterHandler]] = [
    stage,
    told,
    calls,
    every_call,
    judged,
    guesses,
    open_questions,
    thoughts,
    forks.form,
    forks.fork,
    compare_page.compare,
    interviews.listed,
    interviews.asked,
]
