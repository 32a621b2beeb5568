"""Games of our catalog that small scripts play, each by what its seat is shown."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from actors.episodes.port.rules import Ask, End
from actors.games.catalog.starter import starter_catalog
from actors.games.rules import RULES
from actors.games.setup import Deal, Decide, GameAct, Resolved, Settings
from actors.games.sight import SIGHT, GameView
from actors.games.state import roles_of
from actors.games.tasks import TASKS
from events.base import Event
from events.episode import ActionTaken, EpisodeStarted, TurnOpened, WorldChanged
from events.minds import MindSpec

Script = Callable[[GameView, Decide], GameAct]
PASSES = GameAct()


class Played(NamedTuple):
    """A game that is over."""

    deal: Deal
    end: End
    acts: tuple[tuple[int, GameAct], ...]
    """Each with its seat."""

    @property
    def payoffs(self) -> tuple[float, ...]:
        """One a seat."""
        seats = range(1, len(self.deal.players) + 1)
        return tuple(float(self.end.summary[f"payoff {seat}"]) for seat in seats)


def deal_of(task: str, settings: Settings | None = None) -> Deal:
    """A game of our catalog."""
    begun = TASKS.begin(starter_catalog(), task, settings or Settings(), seed=1)
    assert isinstance(begun.setup, Deal)
    return begun.setup


def played(deal: Deal, scripts: Mapping[str, Script]) -> Played:
    """A game to its end. ``scripts``: by role."""
    seats = len(deal.players)
    assert RULES.setup_fault(deal, seats) is None
    started = EpisodeStarted(
        run="", task="t", scenario="s", title="t", catalog="c", environment="games",
        characters=tuple(one.name for one in deal.players), setup=deal,
        minds=tuple(MindSpec(name=f"m{seat}", kind="remote") for seat in range(seats)),
    )  # fmt: skip
    roles = [role.id for role in roles_of(deal)]
    history: list[Event] = [started]
    acts = []
    world = RULES.initial(deal)
    while not isinstance(step := RULES.next_step(world), End):
        if isinstance(step, Ask):
            answers: list[Event] = [TurnOpened(turn=world.turns + 1, asked=step.asked)]
            for seat, question in [(one.seat, one.question) for one in step.asked]:
                assert isinstance(question, Decide)
                act = scripts[roles[seat]](SIGHT.view(history, seat), question)
                fault = RULES.action_fault(question, act, seat, seats)
                assert fault is None, fault
                acts.append((seat, act))
                answers.append(ActionTaken(turn=world.turns + 1, seat=seat, action=act))
        else:
            assert isinstance(step, Resolved)
            answers = [WorldChanged(change=step)]
        for event in answers:
            history.append(event)
            assert isinstance(event, TurnOpened | ActionTaken | WorldChanged)
            world = RULES.evolve(world, event)
    return Played(deal, step, tuple(acts))
