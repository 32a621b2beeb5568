"""Forking an episode from the command line: which past, which minds."""

from collections.abc import Mapping, Sequence

from actors.minds.rehearsal import TEMPERS
from actors.runs.state import load_run
from actors.social.rules import INITIAL, Fork, State, decide, evolve
from events.ids import EPISODE, new_id
from events.minds import MindSpec, ModelSpec
from events.subjects import stream_name
from gateway.errors import BadArgument
from store import queries
from store.history import read_history
from store.log import NEW, EventStore


def fork_episode(store: EventStore, given: str, at: int, seats: Sequence[str]) -> str:
    """Begin a fork after event ``at``; its id. ``seats`` are ``N=MIND``, N from 1.

    The fork belongs to no run: it spends nobody's budget and changes nobody's table. Raises
    ``UnknownId``, ``NoSuchEvent``, ``CommandRefused``, ``BadArgument``.
    """
    episode = queries.find_episode(store, given)
    state = INITIAL
    for numbered in read_history(store, episode, at):
        state = evolve(state, numbered.event)
    known = {mind.name: mind for mind in (*_planned(store, state), *state.minds)}
    minds = list(state.minds)
    for argument in seats:
        seat, mind = parse_seat(store, argument, len(minds), known)
        minds[seat] = mind
    fork = new_id(EPISODE)
    events = decide(state, Fork(parent=episode, minds=tuple(minds)))
    store.append(stream_name("episode", fork), NEW, events)
    return fork


def parse_seat(
    store: EventStore, argument: str, seats: int, known: Mapping[str, MindSpec]
) -> tuple[int, MindSpec]:
    """``2=rehearsal:stubborn``, ``2=remote``, ``2=recorded:EPISODE``, ``2=NAME`` of a mind that
    is ``known``, or ``2=MODEL``: the seat, from 0, and its mind."""
    seat, sign, name = argument.partition("=")
    if not sign or not name or not seat.isdigit() or not 1 <= int(seat) <= seats:
        raise BadArgument(
            "--seat", argument, f"give a seat from 1 to {seats} and a mind: 2=rehearsal:TEMPER"
        )
    return int(seat) - 1, known.get(name) or _mind(store, name, argument)


def _planned(store: EventStore, state: State) -> tuple[MindSpec, ...]:
    """The minds of the plan that the episode was played for."""
    run = load_run(store, state.started.run) if state.started and state.started.run else None
    return run.plan.minds if run else ()


def _mind(store: EventStore, name: str, argument: str) -> MindSpec:
    kind, _, detail = name.partition(":")
    match kind:
        case "rehearsal":
            if detail not in TEMPERS:
                known = ", ".join(TEMPERS)
                raise BadArgument("--seat", argument, f"{detail!r} is no temper; there are {known}")
            return MindSpec(name=detail, kind="rehearsal", temper=detail)
        case "recorded":
            episode = queries.find_episode(store, detail)
            return MindSpec(name=f"recorded {episode}", kind="recorded", episode=episode)
        case "remote":
            return MindSpec(name="remote", kind="remote")
        case _:
            return MindSpec(name=name, kind="model", model=ModelSpec(name=name))
