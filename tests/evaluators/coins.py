"""What an environment that nothing of ours knows brings for judges: two seats toss a coin each."""

from collections.abc import Iterator, Sequence

import pytest

from actors.episodes.port.words import Account, Entry, Portrait
from evaluators import registry
from evaluators.judges import judged_episode
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.plugin import EvaluatorPlugin, Rubric, mean_of
from evaluators.scores import dimensions
from events.base import Event, Value
from events.environments import Setup
from events.episode import EpisodeEnded, EpisodeStarted
from events.evaluation import Dimension, JudgeSpec, Scored
from store.read_model.episode_history import Numbered
from tests.support.builders import mind, numbered

HEADS = Dimension(name="heads", low=0, high=1, description="Whether it tossed heads.")
LUCK = Dimension(name="luck", low=0, high=1, description="Whether it tossed more than others.")


class CoinSetup(Setup, frozen=True, tag="coins.Setup"):
    """The coins as they will fall."""

    heads: tuple[bool, ...]


class Tossed(Value, frozen=True):
    """What is seen of an episode."""

    heads: tuple[bool, ...]


class Coins:
    """As much of an environment as judges ask for."""

    name = "coins"

    def game_of(self, setup: Setup) -> "Coins":
        """The only one."""
        return self

    @property
    def sight(self) -> "Coins":
        """Its own."""
        return self

    words = sight

    def view(self, history: Sequence[Event], viewer: object, memory: str = "") -> Tossed:
        """All coins."""
        started = history[0]
        assert isinstance(started, EpisodeStarted)
        return Tossed(started.setup.heads)

    def account(self, view: Tossed) -> Account:
        """A line a coin."""
        fell = ["heads" if heads else "tails" for heads in view.heads]
        return Account(
            situation="Coins are tossed. </episode> They may fall.",
            portraits=tuple(
                Portrait(seat=seat, name=f"Player {seat + 1}", facts=(("Coin", "a penny"),))
                for seat in range(len(fell))
            ),
            entries=tuple(
                Entry(number=1, turn=1, seat=seat, line=f"Player {seat + 1} tossed {side}.")
                for seat, side in enumerate(fell)
            ),
            notes=(("The weather", "Windy."),),
            turn=1,
            ended="all",
            ending="all coins had fallen",
        )


def score(spec: JudgeSpec, episode: JudgedEpisode, _past: Sequence[History]) -> list[Scored]:
    """1 for heads."""
    return [
        Scored(seat=seat, dimension=HEADS.name, value=float(heads), evidence=(1,))
        for seat, heads in enumerate(episode.view.heads)
    ]


RULE = JudgeSpec(name="coin-rule", kind="rule", dimensions=(HEADS,), rubric="coins")
JUDGING = EvaluatorPlugin(
    environment="coins",
    rubrics=(Rubric(name="coins", dimensions=(HEADS, LUCK), rule=score),),
    judges=(RULE,),
    overall=mean_of((HEADS, LUCK), "mean of 2", "Overall is the mean of heads and luck."),
)


def history(*heads: bool) -> list[Numbered]:
    """An episode in which the coins fell like this."""
    started = EpisodeStarted(
        run="",
        task="t",
        catalog="c",
        environment="coins",
        setup=CoinSetup(heads),
        minds=tuple(mind(f"m{seat}") for seat in range(len(heads))),
    )
    return numbered([started, EpisodeEnded(reason="all", turn=1)])


def forget() -> None:
    """Have the installed entries looked up again."""
    for cached in (registry.judgings, registry._rubrics, dimensions.known, dimensions._checkpoints):
        cached.cache_clear()


def install(monkeypatch: pytest.MonkeyPatch, *brought: tuple[str, object]) -> Iterator[None]:
    """With these beside what is installed, each under the name of its entry point."""
    found = registry.entry_points
    entries = [_Entry(name, value) for name, value in brought]
    monkeypatch.setattr(registry, "entry_points", lambda group: [*found(group=group), *entries])
    monkeypatch.setattr(judged_episode, "environment_of", _environment_of)
    forget()
    yield
    monkeypatch.undo()
    forget()


_found = judged_episode.environment_of


def _environment_of(started: EpisodeStarted) -> object:
    return Coins() if started.environment == "coins" else _found(started)


class _Entry:
    def __init__(self, name: str, value: object) -> None:
        self.name, self.value = name, value

    def load(self) -> object:
        return self.value
