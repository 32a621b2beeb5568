"""Control of a running episode: stop, pause, step, edit, narrate, seats, forks."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from actors.episodes.registry import game_of
from actors.episodes.views.inconsistent_history import telling
from events.base import Value
from events.environments import Action
from events.ids import EPISODE
from events.untrusted.limits import MOST_ID, MOST_NARRATED
from events.wire.messages import (
    Accepted,
    Command,
    EditAction,
    GoOn,
    Narrate,
    PauseEpisode,
    Refused,
    ReleaseSeat,
    StepEpisode,
    TakeSeat,
)
from gateway.api.operations import Call, operation
from gateway.api.problems import Refusal, refusal
from gateway.api.resources.episodes import number
from gateway.api.resources.runs import Stopped, Words
from gateway.errors import BadArgument
from gateway.services.episodes.episode_diff import EpisodeDiff, episode_diff
from gateway.services.episodes.fork_episode import (
    PreparedFork,
    fork_episode,
    prepare_fork,
    repeated,
)
from gateway.services.episodes.recorded_actions import NotPossible, action_of, recorded
from gateway.services.episodes.seat_client import state_of
from gateway.services.episodes.send_command import send
from gateway.services.operations import queue_jobs
from gateway.services.participants.link_participants import make_key, make_key_of
from gateway.services.runs.confirm_destinations import (
    NotAgreed,
    brought_by_file,
    destinations_of_fork,
    episode_stream,
)
from gateway.services.runs.stop import stop_begun
from store.errors import Conflict
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import EpisodeRow

Place = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_ID)]


class Taken(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A command that an episode has taken."""

    episode: str
    """Its id in full."""
    version: int | None
    """The last version of its stream after it; null to those who do not know everything."""
    before: bool
    """It was so before: this time nothing changed."""


class Edit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action in the place of what a seat's mind answers, or would."""

    seat: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    """From 1, as people count."""
    turn: Place
    """The open turn."""
    question: Place = 0
    """The id of the question that is answered."""
    answer: Any = None
    """By the question's JSON Schema; null: ``text`` it is."""
    text: Annotated[str, msgspec.Meta(max_length=100_000)] = ""
    """As a person would type it."""


class Narration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a narrator says in the episode's world."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_NARRATED)]
    """What happens, in words."""
    seats: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=1, le=10_000)], ...], msgspec.Meta(max_length=100)
    ] = ()
    """Who notices it, from 1; empty: everybody."""


class Sitting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who takes a seat."""

    participant: Annotated[str, msgspec.Meta(max_length=MOST_ID)] = ""
    """The person's pseudonym; empty: whoever the token is for."""


class NewFork(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question: what if?"""

    at: Place
    """The last event that is shared."""
    seats: Annotated[tuple[Words, ...], msgspec.Meta(max_length=100)] = ()
    """Other minds: ``2=rehearsal:TEMPER``, ``2=recorded:EPISODE``, ``2=remote``, ``2=NAME`` of one
    of the run's plan, or ``2=MODEL``."""
    repeats: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    """So many forks, which differ in their seeds alone; left out: one."""
    agreed: bool = False
    """Of an episode that came in a file: you agree that its models are asked."""


class Forked(Value, frozen=True, kw_only=True, omit_defaults=False):
    """Forks that were begun."""

    parent: str
    """Id in full."""
    at: int
    """The last event that they share."""
    forks: tuple[str, ...]
    """Ids."""


class DiffWith(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Beside what."""

    other: Words = ""
    """Another episode; empty: the one it was forked from."""


@operation("POST", "/episodes/{episode}/stop", tag="steering")
def stop_episode(call: Call, episode: str) -> Stopped:
    """End an episode now, with the reason ``stopped``. Its run goes on."""
    id_ = queries.find_episode(call.store, episode)
    return Stopped(id=id_, outcome=stop_begun(call.settings, call.store, id_))


@operation("POST", "/episodes/{episode}/pause", tag="steering")
async def pause_episode(call: Call, episode: str) -> Taken:
    """Have an episode wait: what minds answer is proposed, and no turn is opened."""
    return await _sent(call, episode, PauseEpisode(by=call.principal.name))


@operation("POST", "/episodes/{episode}/step", tag="steering")
async def step_episode(call: Call, episode: str) -> Taken:
    """Take what is proposed, and have a paused episode go on by one turn."""
    return await _sent(call, episode, StepEpisode(by=call.principal.name))


@operation("POST", "/episodes/{episode}/go-on", tag="steering")
async def go_on_episode(call: Call, episode: str) -> Taken:
    """Continue a paused episode."""
    return await _sent(call, episode, GoOn(by=call.principal.name))


@operation("POST", "/episodes/{episode}/edit", tag="steering")
async def edit_action(call: Call, episode: str, body: Edit) -> Taken:
    """Have an action taken in the place of what a seat's mind answers. It is recorded as yours."""
    id_ = await asyncio.to_thread(queries.find_episode, call.store, episode)
    action = await asyncio.to_thread(_action, call.store, id_, body)
    command = EditAction(
        seat=body.seat - 1,
        turn=body.turn,
        question=body.question,
        action=action,
        by=call.principal.name,
    )
    return await _sent(call, id_, command)


@operation("POST", "/episodes/{episode}/narrate", tag="steering")
async def narrate(call: Call, episode: str, body: Narration) -> Taken:
    """Have a narrator say something in the episode's world. It is recorded as yours."""
    seats = tuple(seat - 1 for seat in body.seats)
    command = Narrate(text=body.text, seats=seats, by=call.principal.name)
    return await _sent(call, episode, command)


@operation(
    "POST",
    "/episodes/{episode}/seats/{seat}/take",
    tag="steering",
    roles=("researcher", "operator", "participant"),
)
async def take_seat(call: Call, episode: str, seat: str, body: Sitting) -> Taken:
    """Have a person sit down: in a free seat, or in the place of its mind. Seats count from 1.

    What they are asked, and what they answer, goes over the websocket.
    """
    place, name = _seat(call, episode, seat), call.principal.name
    who = body.participant or name
    _check_person(call, who)
    if call.principal.study:
        raise Refusal("forbidden", "a study seats its participants itself")
    if who == name:
        sealed = await asyncio.to_thread(make_key, call.store, call.principal)
    else:
        # Whom a researcher seats is a participant: their words are theirs to have erased.
        await asyncio.to_thread(make_key_of, call.store, who)
        sealed = True
    command = TakeSeat(seat=place, participant=who, by="" if who == name else name, sealed=sealed)
    return await _sent(call, episode, command)


@operation(
    "POST",
    "/episodes/{episode}/seats/{seat}/release",
    tag="steering",
    roles=("researcher", "operator", "participant"),
)
async def release_seat(call: Call, episode: str, seat: str, body: Sitting) -> Taken:
    """Hand a person's seat back: what the plan says takes it. Seats count from 1."""
    place, name = _seat(call, episode, seat), call.principal.name
    who = body.participant or name
    _check_person(call, who)
    other = who != name
    command = ReleaseSeat(
        seat=place,
        participant=who,
        reason="removed" if other else "left",
        by=name if other else "",
    )
    return await _sent(call, episode, command)


def _seat(call: Call, episode: str, given: str) -> int:
    """A seat, from 0, for which the principal may act."""
    place = number("seat", given) - 1
    if place < 0:
        raise BadArgument("seat", given, "seats count from 1")
    if not call.principal.may_sit(episode, place):
        raise Refusal("forbidden", "the token is for no such seat")
    return place


def _check_person(call: Call, who: str) -> None:
    if who != call.principal.name and not call.principal.knows_all:
        raise Refusal("forbidden", "only researchers act for others", "participant")


async def _sent(call: Call, given: str, command: Command) -> Taken:
    """What an episode makes of a command. Raises what it refuses."""
    id_ = await asyncio.to_thread(queries.find_episode, call.store, given)
    reply = await send(call.gateway, id_, command)
    match reply:
        case Accepted():
            version = reply.version if call.principal.knows_all else None
            return Taken(episode=id_, version=version, before=reply.before)
        case Refused():
            raise refusal(reply.code, reply.reason, reply.questions)
    raise refusal("episode_over", "the episode is over")


def _action(store: EventStore, episode: str, edit: Edit) -> Action:
    """The environment's own action that an answer means. Raises ``CommandRefused``,
    ``BadArgument``."""
    seat = edit.seat - 1
    found = recorded(store, episode, seat, edit.turn, edit.question)
    if found.started is None:
        raise BadArgument("episode", episode, "has not begun")
    if seat >= len(found.started.minds):
        raise refusal("no_such_seat", f"there is no seat {edit.seat}")
    if found.question is None:
        raise refusal("not_asked", f"seat {edit.seat} was not asked that in turn {edit.turn}")
    with telling(found.started.environment):
        game = game_of(found.started)
        background = game.sight.background(episode, found.started, seat, "")
    try:
        return action_of(game, found.question, background, edit.answer, edit.text)
    except NotPossible as unfit:
        raise refusal(unfit.code, str(unfit)) from None


@operation("POST", "/episodes/{episode}/fork", tag="steering", status=201)
async def fork(call: Call, episode: str, body: NewFork) -> Forked:
    """Ask what if: play on from the middle, with other minds.

    The parent stays as it is. Forks belong to no run and spend no run's budget. They are played by
    whoever takes jobs; ``resume`` queues one again whose job was lost.
    """
    forks = await asyncio.to_thread(_prepared, call, episode, body)
    for one in forks:
        await asyncio.to_thread(_begun, call.store, one)
        await queue_jobs.play(call.gateway, one.id)
    return Forked(parent=forks[0].parent, at=body.at, forks=tuple(one.id for one in forks))


def _prepared(call: Call, episode: str, body: NewFork) -> Sequence[PreparedFork]:
    prepared = prepare_fork(call.store, episode, body.at, body.seats)
    forks = [prepared] if body.repeats is None else repeated(call.store, prepared, body.repeats)
    if destinations_of_fork(call.store, prepared, len(forks)) and not body.agreed:
        raise NotAgreed(f"episode {prepared.parent}", asked=False)
    return [one._replace(id=call.new_id(EPISODE, place)) for place, one in enumerate(forks)]


def _begun(store: EventStore, prepared: PreparedFork) -> None:
    try:
        fork_episode(store, prepared)
    except Conflict:
        # By an earlier try of the same request.
        queries.find_episode(store, prepared.id)


@operation("POST", "/episodes/{episode}/resume", tag="steering")
async def resume_episode(call: Call, episode: str) -> EpisodeRow:
    """Have a fork played on that nobody plays. An episode of a run goes on with its run."""
    row = await asyncio.to_thread(_resumable, call.store, episode)
    await queue_jobs.play(call.gateway, row.id)
    return row


def _resumable(store: EventStore, episode: str) -> EpisodeRow:
    row = queries.episode(store, episode)
    if row.status != "playing":
        raise Refusal("not_possible", f"episode {row.id} is {row.status}: nothing is left to do")
    if row.run:
        raise Refusal("not_possible", f"it belongs to run {row.run}; resume that")
    if brought_by_file(store, [episode_stream(row.id)]):
        raise NotAgreed(f"episode {row.id}", asked=False)
    state_of(store, row.id)
    return row


@operation("GET", "/episodes/{episode}/diff", tag="episodes", keeping="head")
def get_diff(call: Call, episode: str, query: DiffWith) -> EpisodeDiff:
    """What differs between an episode and the one it was forked from, or another one."""
    return episode_diff(call.store, episode, query.other or None)
