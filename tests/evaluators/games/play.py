"""Games by scripted minds, played by the rules alone."""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from actors.episodes.port.rules import Ask, End
from actors.games.deals import cards_of
from actors.games.rules import RULES
from actors.games.ruleset import Ruleset
from actors.games.setup import Deal, Decide, GameAct, Player
from actors.games.sight import SIGHT, GameView
from events.base import Event
from events.episode import (
    ActionFailure,
    ActionTaken,
    EpisodeEnded,
    EpisodeStarted,
    TurnOpened,
    WorldChanged,
)
from events.minds import MindSpec

Chooser = Callable[[int, Decide], GameAct | ActionFailure]
"""What a seat does when it is asked."""
HUNT = msgspec.convert(
    tomllib.loads(Path(__file__).with_name("hunt.toml").read_text("utf-8"))["ruleset"][0], Ruleset
)
"""As it was when the tests were counted by hand: the catalog's may change."""
FIVE = ("tracker", "healer", "villager", "villager", "poacher")

WORDS = msgspec.toml.decode(
    """
id = "words"
title = "Odd one out"
about = "One of you has another word."
least = 3
most = 8
rounds = 1
rounds_winners = ["odd"]
[[values]]
id = "common"
words = ["tea"]
[[values]]
id = "other"
words = ["coffee"]
[[roles]]
id = "odd"
name = "the odd one"
team = "odd"
goal = "Stay."
secret = "Your word is {other}."
count = [{ players = 3, count = 1 }]
[[roles]]
id = "rest"
name = "one of the rest"
team = "rest"
goal = "Find out who is odd."
secret = "Your word is {common}."
[[phases]]
id = "talk"
title = "Talk"
[[phases.verbs]]
id = "say"
text = "say something"
says = true
direct = true
""",
    type=Ruleset,
)
SPLIT = msgspec.toml.decode(
    """
id = "split"
title = "Ten coins"
about = "The first gives the second some of ten coins."
least = 2
most = 2
rounds = 1
[[roles]]
id = "first"
name = "the first"
team = "first"
goal = "Get much."
counters = { coins = 10 }
count = [{ players = 2, count = 1 }]
[[roles]]
id = "second"
name = "the second"
team = "second"
goal = "Get much."
[[phases]]
id = "offer"
title = "Offer"
passes = false
who = { roles = ["first"] }
[[phases.verbs]]
id = "give"
text = "give"
target = {}
numbers = [{ id = "amount", text = "coins", low = 0, high = 10 }]
effects = [{ do = "give", transfers = [{ item = "coins", amount = "amount", taker = "target" }] }]
[[payoffs]]
terms = [{ counter = "coins" }]
""",
    type=Ruleset,
)


def deal_of(rules: Ruleset, roles: Sequence[str]) -> Deal:
    """A deal in which each seat has the role named."""
    named = {role.id: role for role in rules.roles}
    values: dict[str, str | int] = {one.id: one.words[0] for one in rules.values}
    return Deal(
        rules=rules,
        players=tuple(Player(id=f"p{seat}", name=f"Player {seat}") for seat in range(len(roles))),
        cards=cards_of([named[one] for one in roles], values),
        values=values,
    )


def history(deal: Deal, choose: Chooser, *, turns: int = 1_000) -> list[Event]:
    """The events of a game, which is left without an end after so many turns."""
    seats = len(deal.players)
    events: list[Event] = [
        EpisodeStarted(
            run="",
            task="t",
            scenario="s",
            title="t",
            catalog="c",
            environment="games",
            characters=tuple(one.name for one in deal.players),
            setup=deal,
            minds=tuple(MindSpec(name=f"m{seat}", kind="rehearsal") for seat in range(seats)),
        )
    ]
    world, turn = RULES.initial(deal), 0

    def happened(event: Event) -> None:
        nonlocal world
        events.append(event)
        world = RULES.evolve(world, event)  # type: ignore[arg-type]

    while not isinstance(step := RULES.next_step(world), End):
        if not isinstance(step, Ask):
            happened(WorldChanged(change=step))  # type: ignore[arg-type]
            continue
        if turn == turns:
            return events
        turn += 1
        happened(TurnOpened(turn=turn, asked=step.asked))
        for asked in step.asked:
            assert isinstance(asked.question, Decide)
            chosen = choose(asked.seat, asked.question)
            failure = chosen if isinstance(chosen, ActionFailure) else None
            action = chosen if isinstance(chosen, GameAct) else GameAct()
            happened(ActionTaken(turn=turn, seat=asked.seat, action=action, failure=failure))
    events.append(EpisodeEnded(turn=turn, reason=step.reason, summary=step.summary))
    return events


def judged(deal: Deal, choose: Chooser, *, turns: int = 1_000) -> GameView:
    """What a judge sees of a game."""
    view = SIGHT.view(history(deal, choose, turns=turns), "judge")
    assert isinstance(view, GameView)
    return view
