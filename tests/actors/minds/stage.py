"""A stage for rehearsal minds: the real rules and the real visibility, without store and NATS."""

from collections.abc import Sequence
from typing import NamedTuple

from actors.minds.mind import Scene
from actors.minds.rehearsal import RehearsalMind, Temper
from actors.social.casting import Casting, CatalogIndex, cast_episode
from actors.social.catalog import starter_catalog
from actors.social.rules import INITIAL, EpisodeCommand, Start, State, decide, evolve, open_turn
from actors.social.visibility import background, seen
from events.base import Event
from events.episode import ActionTaken, EpisodeRules, EpisodeStarted
from events.messages import TakeAction
from events.minds import MindSpec

STARTER = CatalogIndex(starter_catalog())


class Played(NamedTuple):
    """An episode, played to its end."""

    started: EpisodeStarted
    taken: list[ActionTaken]
    end: State
    scenes: list[Scene]
    history: tuple[Event, ...]

    def said(self, seat: int | None = None) -> list[str]:
        """What was said or done, by everybody or by one seat."""
        return [t.action.text for t in self.taken if t.action.text and seat in (None, t.seat)]


def cast(task: str, index: CatalogIndex = STARTER, **rules: object) -> EpisodeStarted:
    """The first event of an episode of a task."""
    minds = tuple(
        MindSpec(name=f"mind{seat}", kind="rehearsal")
        for seat in range(len(index.tasks[task].characters))
    )
    return cast_episode(index, Casting(run="", task=task, minds=minds, rules=EpisodeRules(**rules)))


def play(
    started: EpisodeStarted,
    tempers: Sequence[Temper | str | RehearsalMind],
    memories: Sequence[str] = (),
) -> Played:
    """The episode with a mind of each temper, and what it remembers, in each seat."""
    minds = [t if isinstance(t, RehearsalMind) else RehearsalMind(t) for t in tempers]
    remembered = memories or ("",) * len(minds)
    scenes = [
        Scene(background=background("e1", started, seat, memory), seen=[], turn=0)
        for seat, memory in enumerate(remembered)
    ]
    history: list[Event] = []
    state = INITIAL

    def do(command: EpisodeCommand) -> None:
        nonlocal state
        for event in decide(state, command):
            history.append(event)
            state = evolve(state, event)

    do(Start(started=started))
    while state.ended is None:
        for seat in state.waiting:
            scene = scenes[seat]
            taken = [(n, e) for n, e in enumerate(history) if isinstance(e, ActionTaken)]
            noticed = seen(started, seat, taken, open_turn=open_turn(state))
            scene.seen.extend(noticed[len(scene.seen) :])
            scene.turn = state.turn
            action = minds[seat].choose(scene)
            do(TakeAction(seat=seat, turn=state.turn, action=action))
    taken = [event for event in history if isinstance(event, ActionTaken)]
    return Played(started, taken, state, scenes, tuple(history))
