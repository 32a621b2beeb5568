"""Sessions by rehearsal minds, played by the rules alone."""

import asyncio

from actors.episodes.mind import Scene
from actors.episodes.port.rules import Ask, End
from actors.tabletop.catalog.starter import starter_catalog
from actors.tabletop.rehearsal import RehearsalMind
from actors.tabletop.rules import RULES
from actors.tabletop.setup import Session, Settings
from actors.tabletop.sight import SIGHT, Notice
from actors.tabletop.tasks import TASKS
from evaluators.tabletop.gap.played import PlayedSession, played_session
from events.base import Event
from events.episode import ActionTaken, EpisodeEnded, EpisodeStarted, TurnOpened
from events.minds import MindSpec

DEFAULT = Settings()


def played(task: str, temper: str, settings: Settings = DEFAULT) -> PlayedSession:
    """A session of the starter catalog, as virtual game masters read it."""
    found = played_session(
        history(task, temper, settings), episode=task, task=task, minds=[temper] * 5
    )
    assert found is not None
    return found


def history(task: str, temper: str, settings: Settings = DEFAULT) -> list[Event]:
    """Its events."""
    return asyncio.run(_history(task, temper, settings))


async def _history(task: str, temper: str, settings: Settings) -> list[Event]:
    setup = TASKS.begin(starter_catalog(), task, settings, 1).setup
    assert isinstance(setup, Session)
    seats = setup.players + 1
    started = EpisodeStarted(
        run="",
        task=task,
        scenario="s",
        title="t",
        catalog="tavern",
        environment="tabletop",
        characters=tuple(one.name for one in setup.characters),
        setup=setup,
        minds=tuple(MindSpec(name=f"m{seat}", kind="rehearsal") for seat in range(seats)),
    )
    mind, world, turn = RehearsalMind(temper), RULES.initial(setup), 0
    events: list[Event] = [started]
    eyes = [SIGHT.reducer(started, seat) for seat in range(seats)]
    seen: list[list[Notice]] = [[] for _ in eyes]
    backgrounds = [SIGHT.view(events, seat) for seat in range(seats)]

    def happened(event: Event) -> None:
        for eye, noticed in zip(eyes, seen, strict=True):
            noticed += eye.apply(len(events), event)
        events.append(event)

    while isinstance(step := RULES.next_step(world), Ask):
        turn += 1
        happened(TurnOpened(turn=turn, asked=step.asked))
        for asked in step.asked:
            scene = Scene(
                background=backgrounds[asked.seat],
                seen=list(seen[asked.seat]),
                turn=turn,
                question=asked.question,
                seat=asked.seat,
                seats=seats,
            )
            decided = await mind.decide(scene, None)
            taken = ActionTaken(turn=turn, seat=asked.seat, action=decided.action)
            world = RULES.evolve(world, taken)
            happened(taken)
    assert isinstance(step, End)
    events.append(EpisodeEnded(turn=turn, reason=step.reason, summary=step.summary))
    return events
