"""Where a planning mind does what it has planned: what an environment with places overrides."""

from collections.abc import Iterable, Sequence
from pkgutil import resolve_name
from typing import Any

from actors.episodes.port.game import AnyGame
from actors.minds.generative import questions
from actors.minds.generative.answers import Steps
from actors.minds.generative.day_plan import doing_fault
from actors.minds.generative.decision import DecisionProcess
from actors.minds.generative.schedule import ScheduleBlock
from events.thoughts import Block


class Placement:
    """One seat's. Without places: everything is done where one is."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        """``known``: addresses that it knows when it begins."""

    def learn(self, addresses: Iterable[str]) -> None:
        """Know more places."""

    def rooms(self) -> Sequence[str]:
        """Addresses that a day's prompt names, in the order in which they came to be known."""
        return ()

    async def steps(
        self, thinking: DecisionProcess, block: Block, words: dict[str, Any]
    ) -> list[ScheduleBlock]:
        """A block as actions; ``words`` are those of the prompt. Raises ``Unconcluded``."""
        del block
        return parts_of(await thinking.ask(questions.STEPS, words, steps_fault))

    async def placed(self, thinking: DecisionProcess, block: Block) -> Block:
        """The block with what it needs to be done. Raises ``Unconcluded``."""
        del thinking
        return block


def placement_of(game: AnyGame, known: Iterable[str]) -> Placement:
    """That of a game, for a seat that knows some addresses."""
    named = game.planning.placement
    kind: type[Placement] = resolve_name(named) if named else Placement
    return kind(known)


def parts_of(answer: Steps) -> list[ScheduleBlock]:
    """Actions that say nothing of where."""
    return [ScheduleBlock(step.text, step.minutes) for step in answer.actions]


def steps_fault(answer: Steps) -> list[str]:
    """What is wrong with actions."""
    return doing_fault(*(one.text for one in answer.actions))
