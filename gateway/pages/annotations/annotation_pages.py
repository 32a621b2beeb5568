"""Pages of annotation: ``/annotate`` and below.

Annotators see studies, instructions and one item at a time; researchers see how far a study is, and
may annotate as well.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from actors.annotation.rules import (
    AnnotationRefused,
    CloseStudy,
    HandIn,
    Next,
    OpenStudy,
    decide,
    open_item,
)
from actors.annotation.state import Study
from evaluators.judges.judged_episode import JudgedEpisode
from events.annotation import DraftKept, SeatAnswer
from events.base import Value
from gateway.http.forms import Form
from gateway.http.guards import Forbidden, requires
from gateway.http.problems import Problem
from gateway.http.templates import PageOrRedirect, PageVisit, Visiting
from gateway.pages.annotations import new_annotation_page
from gateway.services.annotations import study_details
from gateway.services.annotations.annotation_repository import AnnotationStudies
from gateway.services.annotations.answer_form import LONGEST_S, read_form
from gateway.services.annotations.drafts import AnnotationDraft, keep
from gateway.services.annotations.submit_answer import hand_in
from gateway.services.annotations.workspace import (
    Workspace,
    earlier_account,
    may_read,
    now_us,
    progress_of,
    pseudonym,
    workspace,
)
from gateway.services.repository import Loaded
from store.log.event_store import EventStore
from store.read_model.episode_history import read_history

T = TypeVar("T")
WHO = [requires("researcher", "annotator")]
MOST_DRAFTED = 200
"""Answers in one draft."""


class DraftBody(Value, frozen=True, kw_only=True):
    """What the page of an item sends while somebody types."""

    answers: tuple[SeatAnswer, ...] = ()
    """Those that changed."""
    check: float | None = None
    seconds: float = 0.0


@get("/annotate", guards=WHO)
async def studies_page(visit: Visiting) -> Response[bytes]:
    """The studies that somebody may annotate in."""

    def read(store: EventStore) -> list[dict[str, object]]:
        return [
            {
                "row": study_details.row_of(one.id, one.state),
                "mine": progress_of(one.state, pseudonym(visit.principal)),
            }
            for one in AnnotationStudies(store).all()
            if one.id == (visit.principal.study or one.id)
        ]

    rows = await asyncio.to_thread(read, visit.store)
    return visit.page("annotating/list.html", studies=rows)


@get("/annotate/{study:str}", guards=WHO)
async def study_page(visit: Visiting, study: FromPath[str]) -> Response[bytes]:
    """A study: to researchers how it goes; to annotators what to do, and what they did."""
    loaded = await _load(visit, study)
    me = pseudonym(visit.principal)
    who = loaded.state.annotators.get(me)
    done = (
        [(at, who.done[at]) for at in sorted(who.done) if not loaded.state.plan.items[at].known]
        if who
        else []
    )
    common: dict[str, Any] = {
        "id": loaded.id,
        "plan": loaded.state.plan,
        "closed": loaded.state.closed,
        "mine": progress_of(loaded.state, me),
        "at": open_item(loaded.state, me),
        "done": done,
        "why": _why_not(loaded.state, me),
        "me": me,
    }
    if not visit.principal.knows_all:
        return visit.page("annotating/study.html", **common)
    details = await asyncio.to_thread(study_details.study_details, visit.store, loaded.id)
    items = [
        {"at": at, "item": loaded.state.plan.items[at], "had": loaded.state.finished(at)}
        for at in loaded.state.scored
    ]
    return visit.page(
        "annotating/admin.html",
        details=details,
        items=items,
        **common,
    )


@post("/annotate/{study:str}/next", guards=WHO, status_code=303)
async def next_item(visit: Visiting, study: FromPath[str]) -> Redirect:
    """Give out the next item, or the one that somebody is at."""
    loaded = await _load(visit, study)
    return await _to_next(visit, loaded.id)


@get("/annotate/{study:str}/{item:int}", guards=WHO)
async def item_page(visit: Visiting, study: FromPath[str], item: FromPath[int]) -> Response[bytes]:
    """One item (from 1): what happened, and the form."""
    loaded = await _load(visit, study)
    if not 1 <= item <= len(loaded.state.plan.items):
        raise Problem(404, "no_such_item", f"the study has {len(loaded.state.plan.items)} items")
    found = await _tried(workspace, visit.store, loaded, pseudonym(visit.principal), item - 1)
    return _workspace_page(visit, found)


@post("/annotate/{study:str}/{item:int}", guards=WHO, status_code=303)
async def hand_in_item(
    visit: Visiting, study: FromPath[str], item: FromPath[int], data: Form
) -> PageOrRedirect:
    """Take an item, and give out the next; what is faulty comes back with what is wrong."""
    loaded = await _load(visit, study)
    me, at = pseudonym(visit.principal), item - 1
    if not may_read(loaded.state, me, at):
        raise Problem(409, "not_given", "this item was not given to you; take the next one")
    again = at in loaded.state.annotators[me].done

    def take(store: EventStore) -> AnnotationDraft:
        episode = JudgedEpisode(read_history(store, loaded.state.plan.items[at].episode))
        typed = read_form(loaded.state, at, episode.seats, data)
        command = HandIn(
            annotator=me,
            item=at,
            seats=episode.seats,
            answers=tuple(typed.answers.values()),
            check=typed.check,
            seconds=typed.seconds,
        )
        try:
            hand_in(store, loaded.id, command, episode)
        except AnnotationRefused as error:
            raise _Refused(error, typed) from error
        return typed

    try:
        await asyncio.to_thread(take, visit.store)
    except _Refused as refused:
        if not refused.why.faults:
            raise _problem(refused.why) from refused
        found = await asyncio.to_thread(
            workspace,
            visit.store,
            loaded,
            me,
            at,
            typed=refused.typed,
            faults=refused.why.faults,
        )
        return _workspace_page(visit, found, status=422)
    if again:
        return Redirect(f"/annotate/{loaded.id}", status_code=303)
    return await _to_next(visit, loaded.id)


@post("/annotate/{study:str}/{item:int}/draft", guards=WHO, status_code=204)
async def keep_draft(
    visit: Visiting, study: FromPath[str], item: FromPath[int], data: JSONBody[DraftBody]
) -> None:
    """Keep what changed in an item's form."""
    loaded = await _load(visit, study)
    me, at = pseudonym(visit.principal), item - 1
    if not may_read(loaded.state, me, at) or loaded.state.closed:
        raise Problem(409, "not_given", "this item was not given to you; take the next one")
    known = {dimension.name for dimension in loaded.state.plan.dimensions}
    if len(data.answers) > MOST_DRAFTED or any(
        one.dimension not in known or not 0 <= one.seat < MOST_DRAFTED for one in data.answers
    ):
        raise Problem(400, "bad_draft", "an answer is to something that was not asked")
    draft = DraftKept(
        item=at,
        answers=data.answers,
        check=data.check,
        seconds=min(max(0.0, data.seconds), LONGEST_S),
    )
    await asyncio.to_thread(keep, visit.store, loaded.id, me, draft)


@get("/annotate/{study:str}/{item:int}/before/{index:int}", guards=WHO)
async def earlier_page(
    visit: Visiting, study: FromPath[str], item: FromPath[int], index: FromPath[int]
) -> Response[bytes]:
    """An earlier episode (index from 0) of the chain that an item is of."""
    loaded = await _load(visit, study)
    if (
        not may_read(loaded.state, pseudonym(visit.principal), item - 1)
        and not visit.principal.knows_all
    ):
        raise Problem(409, "not_given", "this item was not given to you; take the next one")
    if not 1 <= item <= len(loaded.state.plan.items):
        raise Problem(404, "no_such_item", f"the study has {len(loaded.state.plan.items)} items")
    episode = loaded.state.plan.items[item - 1].episode
    account = await asyncio.to_thread(earlier_account, visit.store, episode, index)
    if account is None:
        raise Problem(404, "no_such_episode", "there is no such earlier episode")
    return visit.page(
        "annotating/earlier.html",
        account=account,
        index=index,
        study=loaded.id,
        item=item,
    )


@get("/annotate/{study:str}/answers.csv", guards=[requires("researcher")])
async def answers_csv(visit: Visiting, study: FromPath[str]) -> Response[str]:
    """All that annotators said, as ``troupe annotate export`` writes it."""
    loaded = await _load(visit, study)

    def read(store: EventStore) -> str:
        return study_details.as_csv(study_details.said_in(store, loaded.id))

    return Response(
        await asyncio.to_thread(read, visit.store),
        media_type="text/csv; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="annotation-{loaded.id}.csv"'},
    )


@post("/annotate/{study:str}/close", guards=[requires("researcher")], status_code=303)
async def close_study(visit: Visiting, study: FromPath[str]) -> Redirect:
    """Give out no more items and take none."""
    return await _set(visit, study, CloseStudy(by=visit.principal.name))


@post("/annotate/{study:str}/open", guards=[requires("researcher")], status_code=303)
async def open_study(visit: Visiting, study: FromPath[str]) -> Redirect:
    """Have a closed study go on."""
    return await _set(visit, study, OpenStudy(by=visit.principal.name))


async def _set(visit: PageVisit, study: str, command: CloseStudy | OpenStudy) -> Redirect:
    loaded = await _load(visit, study)
    await asyncio.to_thread(AnnotationStudies(visit.store).do, loaded.id, command)
    return Redirect(f"/annotate/{loaded.id}", status_code=303)


class _Refused(Exception):
    """What a form held that was not taken."""

    def __init__(self, why: AnnotationRefused, typed: AnnotationDraft) -> None:
        super().__init__(str(why))
        self.why, self.typed = why, typed


async def _load(visit: PageVisit, study: str) -> Loaded[Study]:
    """A study that somebody may see. Raises ``UnknownId``, ``Forbidden``."""

    def read() -> Loaded[Study]:
        # Before it is looked for: which others there are is nothing to tell them.
        if visit.principal.study and not visit.principal.study.startswith(study):
            raise Forbidden(visit.principal, "your link is for another annotation study")
        studies = AnnotationStudies(visit.store)
        id_ = studies.find(visit.principal.study or study)
        if visit.principal.study and id_ != visit.principal.study:
            raise Forbidden(visit.principal, "your link is for another annotation study")
        return studies.load(id_)

    return await asyncio.to_thread(read)


async def _to_next(visit: PageVisit, study: str) -> Redirect:
    me = pseudonym(visit.principal)
    command = Next(annotator=me, now=now_us())
    try:
        found = await asyncio.to_thread(AnnotationStudies(visit.store).do, study, command)
    except AnnotationRefused:
        # The study's page says why.
        return Redirect(f"/annotate/{study}", status_code=303)
    item = open_item(found, me)
    where = f"/annotate/{study}" + ("" if item is None else f"/{item + 1}")
    return Redirect(where, status_code=303)


def _why_not(study: Study, annotator: str) -> str:
    """Why somebody is given nothing; empty where they are."""
    try:
        decide(study, Next(annotator=annotator, now=now_us()))
    except AnnotationRefused as error:
        return str(error)
    return ""


async def _tried(what: Callable[..., T], *given: object) -> T:
    try:
        return await asyncio.to_thread(what, *given)
    except AnnotationRefused as error:
        raise _problem(error) from error


def _problem(error: AnnotationRefused) -> Problem:
    return Problem(409, error.code, str(error))


def _workspace_page(visit: PageVisit, found: Workspace, status: int = 200) -> Response[bytes]:
    faults = [(part, row) for part in found.parts for row in part.rows if row.fault]
    return visit.page(
        "annotating/item.html",
        status=status,
        at=found,
        faults=faults,
    )


def routes() -> Sequence[ControllerRouterHandler]:
    return [
        studies_page,
        new_annotation_page.new,
        new_annotation_page.write,
        study_page,
        next_item,
        item_page,
        hand_in_item,
        keep_draft,
        earlier_page,
        answers_csv,
        close_study,
        open_study,
    ]
