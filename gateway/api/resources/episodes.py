"""Episodes: listed, shown as somebody may see them, followed event by event."""

import time
from itertools import islice
from typing import Annotated, Any, Final, Literal

import msgspec
import sqlalchemy as sa

from actors.episodes.delivery.delays import shown_by
from actors.episodes.port.words import Account
from events.archive import StreamsBroughtBack, StreamsTakenOut
from events.base import Value
from events.episode import EpisodeReopened
from events.evaluation import (
    EvaluationEnded,
    EvaluationFailed,
    EvaluationReopened,
    EvaluationStarted,
    ScoreAbstained,
    Scored,
    ScoreFailed,
)
from events.run import EpisodesRetried
from events.untrusted.safe_text import harmless
from gateway.api.operations import WATCH, Call, File, operation
from gateway.api.paging import (
    Order,
    Page,
    Paged,
    behind,
    fingerprint,
    in_order,
    page_of,
    read,
    slice_of,
    written,
)
from gateway.api.problems import Refusal
from gateway.api.resources.runs import Words
from gateway.errors import BadArgument
from gateway.services.calls.find_calls import episode_calls, turn_calls
from gateway.services.calls.model_call import ModelCall
from gateway.services.episodes.episode_details import (
    EpisodeDetails,
    ReplayDetails,
    episode_details,
    read_begun,
    replay_details,
)
from store.projections import tables as t
from store.read_model import list_pages, queries
from store.read_model.episode_history import Lineage, read_history
from store.read_model.episode_history import lineage as lineage_of
from store.read_model.records import CallRow, EpisodeRow, EpisodeStatus, ScoreRow

EpisodeOrder = Literal[
    "place", "started", "-started", "turns", "-turns", "failed_actions", "-failed_actions"
]
_UNPLACED = 2**62
OVER: Final = tuple(
    kind.__name__
    for kind in (
        EpisodeReopened,
        EpisodesRetried,
        EvaluationStarted,
        EvaluationEnded,
        EvaluationFailed,
        EvaluationReopened,
        Scored,
        ScoreFailed,
        ScoreAbstained,
        StreamsTakenOut,
        StreamsBroughtBack,
    )
)
"""Tags of the events after which an episode that has ended is told otherwise: there is nothing else
that can be added to it."""
EventNumber = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]


class ListEpisodes(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which episodes."""

    run: Words = ""
    """Only of this run."""
    chain: Words = ""
    """Only of this chain."""
    parent: Words = ""
    """Only forks of this episode."""
    task: Words = ""
    """Only of this task, by its id in full."""
    mind: Words = ""
    """Only those in which a mind of this name sits."""
    environment: Words = ""
    """Only of this environment."""
    status: tuple[EpisodeStatus, ...] = ()
    """Only these; may be repeated."""
    failed: bool | None = None
    """Only those in which an action failed; false: only clean ones."""
    text: Words = ""
    """Only those whose id, scenario or characters have it, whatever its case."""
    superseded: bool = False
    """With those in whose place others were played."""
    sort: EpisodeOrder = "place"
    """By the place in the run's plan, forks last; by when they began; by turns; by failed
    actions."""


class SeenBy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose eyes."""

    viewer: Annotated[str, msgspec.Meta(max_length=20)] = ""
    """``narrator``, ``spectator`` or a seat from 1; empty: what the token is for, to researchers
    the narrator."""


class SeenAt(SeenBy, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose eyes, and when."""

    at: EventNumber | None = None
    """As it was after this event; left out: after the last."""


class OfSeat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of whom."""

    seat: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """Only of this seat, from 1; left out: of all."""


class RawCalls(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which calls."""

    seat: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """Only of this seat, from 1; left out: of all."""
    turn: Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)] | None = None
    """Only those of the seats in this turn; left out: of all, and of memories, judges and
    interviews."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = 50
    """Calls of a page, 1 to 200: each has its whole prompt."""


class SeenAccount(Value, frozen=True, kw_only=True):
    """An episode as a viewer may know it, in words."""

    episode: str
    """Its id in full."""
    viewer: str
    """``narrator``, ``spectator`` or ``seat``."""
    seat: int | None = None
    """Which seat, from 0."""
    environment: str
    """The environment's name."""
    account: Account
    """To those who do not know everything the numbers of its entries count what they noticed: 1,
    2, 3, …"""


class EpisodeEvent(Value, frozen=True, kw_only=True, omit_defaults=False):
    """One event of an episode's history."""

    number: int
    """Its place in the history, from 0."""
    stream: str
    """Where it is stored; of an inherited event that of the episode it happened in."""
    version: int
    """Its place in that stream."""
    position: int
    """Its place in the whole store's order."""
    tag: str
    """What kind of event it is."""
    recorded_at: int
    """Microseconds since 1970-01-01 UTC."""
    event: Any
    """The event itself."""


@operation("GET", "/episodes", tag="episodes", keeping="head")
def list_episodes(call: Call, query: ListEpisodes) -> Page[EpisodeRow]:
    """List episodes; each is in the list once, however many are added meanwhile."""
    conditions: list[sa.ColumnElement[bool]] = []
    c = t.episodes.c
    if query.run:
        conditions.append(c.run == queries.find_run(call.store, query.run))
    if query.chain:
        conditions.append(c.chain == queries.find_chain(call.store, query.chain))
    if query.parent:
        conditions.append(c.parent == queries.find_episode(call.store, query.parent))
    if query.task:
        conditions.append(c.task == query.task)
    if query.environment:
        conditions.append(c.environment == query.environment)
    if query.mind:
        word = msgspec.json.encode(query.mind).decode()
        conditions.append(sa.cast(c.minds, sa.Text).contains(word, autoescape=True))
    if query.status:
        conditions.append(c.status.in_(query.status))
    if query.failed is not None:
        conditions.append((c.failed_actions > 0) == query.failed)
    if query.text:
        conditions.append(list_pages.contains((c.id, c.scenario, c.characters), query.text))
    if not query.superseded:
        conditions.append(sa.func.coalesce(c.superseded_by, "") == "")
    down = query.sort.startswith("-")
    column: sa.ColumnElement[Any] = {
        "place": sa.func.coalesce(c.place, _UNPLACED),
        "started": sa.func.coalesce(c.started_at, 0),
        "turns": c.turns,
        "failed_actions": c.failed_actions,
    }[query.sort.lstrip("-")]
    orders = (Order(column, int, down), Order(c.id, str, down))
    of = fingerprint(query)
    if query.cursor:
        conditions.append(behind(orders, read(query.cursor, of, (int, str))))
    rows, keys = list_pages.keyed_episodes(
        call.store, conditions, in_order(orders), query.limit + 1, column
    )
    page = page_of(list(zip(rows, keys, strict=True)), query.limit, of, lambda r: (r[1], r[0].id))
    return Page(items=tuple(row for row, _ in page.items), next=page.next)


@operation("GET", "/episodes/{episode}", tag="episodes", keeping="head")
def get_episode(call: Call, episode: str, query: SeenBy) -> EpisodeDetails:
    """An episode with its scores: as the narrator tells it, or as a viewer may see it."""
    found = episode_details(call.store, episode, query.viewer or "narrator")
    if found.episode.status == "ended":
        call.depends = OVER
    return found


@operation("GET", "/episodes/{episode}/account", tag="episodes", roles=WATCH, keeping="head")
def get_account(call: Call, episode: str, query: SeenAt) -> SeenAccount:
    """An episode in words, as a viewer may know it.

    Participants see what their seat may know, spectators what everybody may.
    """
    return _account(call, episode, query)


@operation(
    "GET",
    "/episodes/{episode}/transcript",
    tag="episodes",
    roles=WATCH,
    media_type="text/plain",
)
def get_transcript(call: Call, episode: str, query: SeenAt) -> File:
    """The same as plain text, a line an entry."""
    seen = _account(call, episode, query)
    account = seen.account
    lines = [account.situation, ""]
    lines += [f"{one.seat + 1}  {one.name}" for one in account.portraits]
    lines += ["", *(f"{entry.number}  {entry.line}" for entry in account.entries)]
    if account.ended:
        lines += ["", f"ended after turn {account.turn}: {account.ending}"]
    text = "\n".join(lines) + "\n"
    return File(harmless(text).encode(errors="replace"), f"{seen.episode}.txt", "text/plain")


def _account(call: Call, given: str, query: SeenAt) -> SeenAccount:
    viewer = viewer_of(call, given, query.viewer)
    if call.principal.knows_all:
        shown = replay_details(call.store, given, query.at, viewer)
        account = shown.account
    else:
        if query.at is not None:
            raise Refusal("forbidden", "only researchers look at an episode as it was", "at")
        history = read_begun(call.store, queries.episode(call.store, given))
        known = shown_by(history, time.time_ns() // 1000)
        # Of what is shown later, time decides and not the log.
        call.volatile = len(known) < len(history)
        shown = replay_details(call.store, given, known[-1].number if known else 0, viewer)
        account = counted(shown.account)
    seat = int(viewer) - 1 if viewer.isdigit() else None
    return SeenAccount(
        episode=shown.episode,
        viewer="seat" if seat is not None else viewer,
        seat=seat,
        environment=shown.environment,
        account=account,
    )


def viewer_of(call: Call, episode: str, asked: str) -> str:
    """Whose eyes somebody may look through: as ``parse_viewer`` takes it. To those who know
    everything all are open; others have their own, in the one episode that their token names."""
    principal = call.principal
    if principal.knows_all:
        return asked or "narrator"
    if not principal.may_watch(episode):
        raise Refusal("forbidden", "the token is for another episode")
    own = "spectator" if principal.seat is None else str(principal.seat + 1)
    if principal.role == "participant" and principal.seat is None:
        raise Refusal("forbidden", "the token is for no seat of this episode")
    if asked not in ("", own):
        raise Refusal("forbidden", "the token is for other eyes", "viewer")
    return own


def counted(account: Account) -> Account:
    """An account in which no number says what happened unseen."""
    entries = tuple(
        msgspec.structs.replace(entry, number=place)
        for place, entry in enumerate(account.entries, start=1)
    )
    return msgspec.structs.replace(account, entries=entries)


@operation("GET", "/episodes/{episode}/replay", tag="episodes", keeping="head")
def get_replay(call: Call, episode: str, query: SeenAt) -> ReplayDetails:
    """An episode as it was after an event: what a viewer saw then; to the narrator the state."""
    return replay_details(call.store, episode, query.at, query.viewer or "narrator")


@operation("GET", "/episodes/{episode}/events", tag="episodes", keeping="head")
def list_events(call: Call, episode: str, query: Paged) -> Page[EpisodeEvent]:
    """The events of an episode's history, page by page; of a fork the shared past, too.

    A page that is full has a ``next`` though nothing may have followed yet: ask it again later to
    go on where you were.
    """
    row = queries.episode(call.store, episode)
    of = fingerprint(query, row.id)
    (after,) = read(query.cursor, of, (int,)) if query.cursor else (-1,)
    if row.started_at is None:
        read_begun(call.store, row)
    found = read_history(call.store, row.id, after=after)[: query.limit]
    items = tuple(
        EpisodeEvent(
            number=one.number,
            stream=one.envelope.stream,
            version=one.envelope.version,
            position=one.envelope.position,
            tag=one.envelope.tag,
            recorded_at=one.envelope.recorded_at,
            event=one.event,
        )
        for one in found
    )
    full = len(items) == query.limit
    return Page(items=items, next=written(of, (items[-1].number,)) if full else None)


@operation("GET", "/episodes/{episode}/scores", tag="episodes", keeping="head")
def list_scores(call: Call, episode: str, query: Paged) -> Page[ScoreRow]:
    """Every judge's scores of an episode, with reasons; missing ones, too."""
    rows = queries.scores(call.store, episode=queries.find_episode(call.store, episode))
    return slice_of(rows, query, lambda r: f"{r.evaluation} {r.seat} {r.dimension}")


@operation("GET", "/episodes/{episode}/calls", tag="episodes", keeping="head")
def list_calls(call: Call, episode: str, query: Paged) -> Page[CallRow]:
    """What was asked of models for an episode: tokens, costs and failures, a row each."""
    rows = queries.calls(call.store, episode=queries.find_episode(call.store, episode))
    return slice_of(rows, query, lambda r: f"{r.evaluation} {r.seat} {r.turn} {r.attempt}")


@operation("GET", "/episodes/{episode}/calls/raw", tag="episodes", keeping="head")
def list_raw_calls(call: Call, episode: str, query: RawCalls) -> Page[ModelCall]:
    """Every call made for an episode, with prompt, raw answer and what was read of it.

    Those of its seats turn by turn, then of memories, judges and interviews. Prompts are built from
    the log again and held against its fingerprints. While the episode goes on, or is judged, a page
    may come to hold other calls.
    """
    id_ = queries.find_episode(call.store, episode)
    of = fingerprint(query, id_)
    (after,) = read(query.cursor, of, (int,)) if query.cursor else (0,)
    seat = None if query.seat is None else query.seat - 1
    some = episode_calls(
        call.store, id_, seat=seat, turn=query.turn, after=after, most=query.limit + 1
    )
    items = tuple(islice(some, query.limit))
    more = len(items) == query.limit and next(some, None) is not None
    return Page(items=items, next=written(of, (after + query.limit,)) if more else None)


@operation("GET", "/episodes/{episode}/turns/{turn}/calls", tag="episodes", keeping="head")
def get_turn_calls(call: Call, episode: str, turn: str, query: OfSeat) -> tuple[ModelCall, ...]:
    """The model calls of a turn: prompts rendered from the log again and held against its
    fingerprints, raw answers, and what was made of them."""
    id_ = queries.find_episode(call.store, episode)
    seat = None if query.seat is None else query.seat - 1
    return turn_calls(call.store, id_, number("turn", turn), seat)


def number(name: str, given: str) -> int:
    """A number in a path. Raises ``BadArgument``."""
    if not (given.isascii() and given.isdecimal() and len(given) < 10):
        raise BadArgument(name, given, "is no number")
    return int(given)


@operation("GET", "/episodes/{episode}/lineage", tag="episodes", keeping="head")
def get_lineage(call: Call, episode: str) -> Lineage:
    """The tree of forks that an episode belongs to, from its earliest ancestor."""
    return lineage_of(call.store, queries.find_episode(call.store, episode))
