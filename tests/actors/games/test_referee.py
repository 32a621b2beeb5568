"""Games of each kind end, and a referee agrees about their winners and payoffs; about those by
random rules a second reading of the rules does."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.port.rules import Ask, End
from actors.games.catalog.starter import starter_catalog
from actors.games.payoffs import payoffs_of
from actors.games.rules import RULES
from actors.games.ruleset import PASS
from actors.games.setup import Deal, Decide, GameAct, Settings
from actors.games.state import GameState
from actors.games.tasks import TASKS
from events.episode import ActionTaken, TurnOpened, WorldChanged
from tests.actors.games.play import Result, Turn
from tests.actors.games.referee import result_of
from tests.actors.games.second_reading import second_reading_of
from tests.properties.game_rules import deals

GAMES, MORE = 150, 1_000
CATALOG = starter_catalog()
Chooser = Callable[[Decide, Random], GameAct]


def an_act(question: Decide, chance: Random) -> GameAct:
    """Anything that the question allows; seldom nothing."""
    options = [one for one in question.options if one.verb != PASS or chance.random() < 0.1]
    option = chance.choice(options or question.options)
    return GameAct(
        verb=option.verb,
        target=chance.choice(option.targets) if option.targets else None,
        numbers={one.id: chance.randint(one.low, one.high) for one in option.numbers},
        word=chance.choice(option.words) if option.words else "",
        text="hello" if option.says else "",
    )


def played(deal: Deal, chance: Random, act_of: Chooser = an_act) -> tuple[GameState, list[Turn]]:
    """A game to its end, by the rules alone."""
    world, turns, acts = RULES.initial(deal), [], []
    while not isinstance(step := RULES.next_step(world), End):
        if not isinstance(step, Ask):
            world = RULES.evolve(world, WorldChanged(change=step))
            continue
        number = len(turns) + 1
        world, acts = RULES.evolve(world, TurnOpened(turn=number, asked=step.asked)), []
        for one in step.asked:
            act = act_of(one.question, chance)
            world = RULES.evolve(world, ActionTaken(turn=number, seat=one.seat, action=act))
            acts.append((one.seat, act))
        question = step.asked[0].question
        turns.append(Turn(question.phase, question.round, tuple(acts)))
    return world, turns


def result_by_rules(world: GameState) -> Result:
    return Result(world.ended, world.winners, payoffs_of(world))


def a_set(ruleset: str, number: int) -> str:
    """A task of one of the sets of a ruleset, each in its turn."""
    sets = [one for one in CATALOG.sets if one.ruleset == ruleset]
    assert sets, "it is played"
    return f"{sets[number % len(sets)].id}-{number // len(sets) + 1}"


@pytest.mark.parametrize("ruleset", [one.id for one in CATALOG.rulesets])
@pytest.mark.parametrize("games", [GAMES, pytest.param(MORE, marks=pytest.mark.long)])
def test_games_of_each_kind_end_as_the_referee_says(ruleset: str, games: int):
    endings = set()
    for number in range(games):
        deal = TASKS.begin(CATALOG, a_set(ruleset, number), Settings(), number).setup
        assert isinstance(deal, Deal)
        world, turns = played(deal, Random(number))
        assert result_by_rules(world) == result_of(deal, turns)
        endings.add(world.ended)
    rules = next(one for one in CATALOG.rulesets if one.id == ruleset)
    assert {one.id for one in rules.ends} <= endings, "each ending is come to"


@settings(max_examples=60)
@given(deal=deals(), seed=st.integers(0, 2**32))
def test_a_second_reading_agrees_about_games_by_random_rules(deal: Deal, seed: int):
    world, turns = played(deal, Random(seed))
    out = {seat for seat, alive in enumerate(world.alive) if not alive}
    assert (result_by_rules(world), out) == second_reading_of(deal, turns)
