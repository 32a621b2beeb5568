"""Plays games by their rules alone, without a server, for tests."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from actors.episodes.mind import Mind, Scene
from actors.episodes.port.rules import Ask, End
from actors.games.rehearsal.mind import LegalMind
from actors.games.rules import RULES
from actors.games.setup import Consequences, Deal, GameAct
from actors.games.sight import SIGHT
from actors.games.state import GameState
from events.base import Event
from events.episode import ActionTaken, EpisodeStarted, TurnOpened, WorldChanged
from events.minds import MindSpec


class Play(NamedTuple):
    """A game that came to its end."""

    events: list[Event]
    end: End
    state: GameState


class Turn(NamedTuple):
    """What was done at once."""

    phase: str
    round: int
    acts: tuple[tuple[int, GameAct], ...]


class Result(NamedTuple):
    """How it ended."""

    ended: str
    winners: tuple[int, ...]
    payoffs: tuple[float, ...]


def started(deal: Deal) -> EpisodeStarted:
    """Its beginning."""
    names = tuple([one.name for one in deal.players])
    return EpisodeStarted(
        run="", task="t", scenario=deal.rules.id, title="t", catalog="c", environment="games",
        characters=names, setup=deal,
        minds=tuple([MindSpec(name=f"m{seat}", kind="rehearsal") for seat in range(len(names))]),
    )  # fmt: skip


def played(
    deal: Deal,
    minds: Sequence[Mind] | str,
    look: Callable[[Scene, GameAct], None] = lambda _scene, _act: None,
) -> Play:
    """A game by minds, one a seat, or by rehearsal minds of one temper. ``look`` is shown all that
    is asked and answered."""
    seats = len(deal.players)
    assert RULES.setup_fault(deal, seats) is None
    if isinstance(minds, str):
        minds = [LegalMind(minds)] * seats
    begun = started(deal)
    events: list[Event] = [begun]
    eyes = [SIGHT.reducer(begun, seat) for seat in range(seats)]
    seen: list[list[object]] = [[] for _ in range(seats)]
    backgrounds = [SIGHT.background("e", begun, seat, "") for seat in range(seats)]

    def happened(event: TurnOpened | ActionTaken | WorldChanged) -> None:
        nonlocal state
        state = RULES.evolve(state, event)
        events.append(event)
        for seat in range(seats):
            seen[seat] += eyes[seat].apply(len(events) - 1, event)

    state, turn = RULES.initial(deal), 0
    while not isinstance(step := RULES.next_step(state), End):
        if isinstance(step, Consequences):
            happened(WorldChanged(change=step))
            continue
        assert isinstance(step, Ask)
        turn += 1
        happened(TurnOpened(turn=turn, asked=step.asked))
        answers = []
        for asked in step.asked:
            scene = Scene(
                background=backgrounds[asked.seat], seen=list(seen[asked.seat]), turn=turn,
                question=asked.question, seat=asked.seat, seats=seats,
            )  # fmt: skip
            action = asyncio.run(minds[asked.seat].decide(scene, None)).action  # type: ignore[arg-type]
            assert isinstance(action, GameAct)
            assert RULES.action_fault(asked.question, action, asked.seat, seats) is None
            look(scene, action)
            answers.append((asked.seat, action))
        for seat, action in answers:
            happened(ActionTaken(turn=turn, seat=seat, action=action))
    return Play(events, step, state)
