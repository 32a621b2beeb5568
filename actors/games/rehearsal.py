"""Offline minds that play legally, by temper: open, cautious or scheming."""

from typing import Final, NamedTuple

from actors.episodes.mind import Decision, Scene
from actors.episodes.port.prompts import UnknownTemper
from actors.games.ruleset import PASS
from actors.games.setup import ActOption, Decide, GameAct
from actors.games.sight import GameView
from actors.seeded_draws import SeededDraws

TEMPERS: Final = ("open", "cautious", "scheming")


class LegalMind(NamedTuple):
    """Chooses among what it is offered by chance."""

    temper: str
    seed: int | None = None

    async def decide(self, scene: Scene, calls: object) -> Decision:
        """The act. Raises ``UnknownTemper``."""
        if self.temper and self.temper not in TEMPERS:
            raise UnknownTemper(self.temper, TEMPERS)
        background: GameView = scene.background
        question = scene.question
        assert isinstance(question, Decide), "there is no other question"
        own = str(background.setup.rules.id if self.seed is None else self.seed)
        names = ",".join(one.name for one in background.setup.players)
        draws = SeededDraws("games-mind", own, names, str(scene.turn), str(scene.seat))
        options = [one for one in question.options if one.verb != PASS] or list(question.options)
        return Decision(action=act_of(draws.one("verb", options), draws))


def act_of(option: ActOption, draws: SeededDraws) -> GameAct:
    """A legal act of a verb, by chance."""
    return GameAct(
        verb=option.verb,
        target=draws.one("target", option.targets) if option.targets else None,
        numbers={
            one.id: one.low + draws.below(one.id, one.high - one.low + 1) for one in option.numbers
        },
        word=draws.one("word", option.words) if option.words else "",
        text="I have nothing to hide." if option.says else "",
    )
