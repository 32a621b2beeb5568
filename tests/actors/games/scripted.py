"""Games of our catalog that small scripts play, each by what its seat is shown."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from actors.episodes.port.rules import Ask, End
from actors.games.catalog.starter import starter_catalog
from actors.games.rules import RULES
from actors.games.ruleset import PASS
from actors.games.setup import ActOption, Consequences, Deal, Decide, GameAct, Settings
from actors.games.sight import SIGHT, GameView
from actors.games.state import roles_of
from actors.games.tasks import TASKS
from actors.seeded_draws import SeededDraws
from events.base import Event, replace
from events.episode import ActionTaken, EpisodeStarted, TurnOpened, WorldChanged
from events.minds import MindSpec

Script = Callable[[GameView, Decide], GameAct]
PASSES = GameAct()


class Played(NamedTuple):
    """A game that is over."""

    deal: Deal
    end: End
    acts: tuple[tuple[int, Decide, GameAct], ...]
    """Each with its seat, and with what it answers."""

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


def by_chance(view: GameView, question: Decide) -> GameAct:
    """Any act of any verb but passing, where there is another."""
    deal = view.setup
    seed = "".join(one.name for one in deal.players) + deal.scene
    draws = SeededDraws(seed, str(view.viewer), question.phase, str(len(view.noticed)))
    verbs = [one for one in question.options if one.verb != PASS]
    return act_of(draws.one("verb", verbs or question.options), draws)


def act_of(option: ActOption, draws: SeededDraws) -> GameAct:
    """Any act of a verb."""
    ranges = {one.id: range(one.low, one.high + 1) for one in option.numbers}
    return GameAct(
        verb=option.verb,
        target=draws.one("target", option.targets) if option.targets else None,
        numbers={name: draws.one(name, among) for name, among in ranges.items()},
        word=draws.one("word", option.words) if option.words else "",
        text="Well." if option.says else "",
    )


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
    views: list[GameView] = [SIGHT.view([started], seat) for seat in range(seats)]
    eyes = [SIGHT.reducer(started, seat) for seat in range(seats)]
    acts, happened = [], 0
    world = RULES.initial(deal)
    while not isinstance(step := RULES.next_step(world), End):
        if isinstance(step, Ask):
            answers: list[Event] = [TurnOpened(turn=world.turns + 1, asked=step.asked)]
            for seat, question in [(one.seat, one.question) for one in step.asked]:
                assert isinstance(question, Decide)
                act = scripts[roles[seat]](views[seat], question)
                fault = RULES.action_fault(question, act, seat, seats)
                assert fault is None, fault
                acts.append((seat, question, act))
                answers.append(ActionTaken(turn=world.turns + 1, seat=seat, action=act))
        else:
            assert isinstance(step, Consequences)
            answers = [WorldChanged(change=step)]
        for event in answers:
            happened += 1
            for seat, (view, eye) in enumerate(zip(views, eyes, strict=True)):
                seen = (*view.noticed, *eye.apply(happened, event))
                views[seat] = replace(view, noticed=seen)
            assert isinstance(event, TurnOpened | ActionTaken | WorldChanged)
            world = RULES.evolve(world, event)
    return Played(deal, step, tuple(acts))
