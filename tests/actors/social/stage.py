"""A stage for rehearsal minds: the real rules and the real visibility, without store and NATS."""

from collections.abc import Sequence
from typing import NamedTuple

from actors.episodes.mind import Scene
from actors.episodes.rules.decide import (
    INITIAL,
    EpisodeCommand,
    EpisodeState,
    Start,
    decide,
    evolve,
)
from actors.social.actions import ACT
from actors.social.catalog.cast_task import CatalogIndex
from actors.social.catalog.starter import starter_catalog
from actors.social.catalog_items import Catalog
from actors.social.rehearsal import RehearsalMind, Temper
from actors.social.setup import EpisodeRules
from actors.social.sight import SocialReducer, background
from events.base import Event
from events.episode import ActionTaken, EpisodeStarted
from events.minds import MindSpec
from events.wire.messages import TakeAction
from tests.support.social_episodes import cast_episode

STARTER = CatalogIndex(starter_catalog())


class Played(NamedTuple):
    """An episode, played to its end."""

    started: EpisodeStarted
    taken: list[ActionTaken]
    end: EpisodeState
    scenes: list[Scene]
    history: tuple[Event, ...]

    def said(self, seat: int | None = None) -> list[str]:
        """What was said or done, by everybody or by one seat."""
        return [t.action.text for t in self.taken if t.action.text and seat in (None, t.seat)]


def cast(task: str, catalog: Catalog | None = None, **rules: object) -> EpisodeStarted:
    """The first event of an episode of a task, of the starter catalog where none is given."""
    catalog = catalog or starter_catalog()
    meant = next(one for one in catalog.tasks if one.id == task)
    minds = tuple(
        MindSpec(name=f"mind{seat}", kind="rehearsal") for seat in range(len(meant.characters))
    )
    return cast_episode(catalog, meant, minds, EpisodeRules(**rules))


def play(
    started: EpisodeStarted,
    tempers: Sequence[Temper | str | RehearsalMind],
    memories: Sequence[str] = (),
) -> Played:
    """The episode with a mind of each temper, and what it remembers, in each seat."""
    minds = [t if isinstance(t, RehearsalMind) else RehearsalMind(t) for t in tempers]
    remembered = memories or ("",) * len(minds)
    scenes = [
        Scene(
            background=background("e1", started, seat, memory),
            seen=[],
            turn=0,
            question=ACT,
            seat=seat,
            seats=2,
        )
        for seat, memory in enumerate(remembered)
    ]
    eyes = [SocialReducer(started.setup, seat) for seat in range(len(minds))]
    history: list[Event] = []
    state = INITIAL

    def do(command: EpisodeCommand) -> None:
        nonlocal state
        for event in decide(state, command):
            for seat, scene in enumerate(scenes):
                noticed = eyes[seat].apply(len(history), event)
                scene.seen = sorted([*scene.seen, *noticed], key=lambda line: line.number)
            history.append(event)
            state = evolve(state, event)

    do(Start(started=started))
    while state.ended is None:
        for seat in state.waiting:
            scene = scenes[seat]
            scene.turn = state.turn
            action = minds[seat].choose(scene)
            do(TakeAction(seat=seat, turn=state.turn, action=action))
    taken = [event for event in history if isinstance(event, ActionTaken)]
    return Played(started, taken, state, scenes, tuple(history))
