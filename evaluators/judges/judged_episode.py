"""An episode as a judge reads it."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from actors.episodes.port.words import Account
from actors.episodes.registry import environment_of
from actors.episodes.rules.failed_actions import A_FAULT, failed_actions, with_failures
from actors.episodes.views.inconsistent_history import telling
from events.base import Event, replace
from events.episode import EpisodeStarted
from store.read_model.episode_history import Numbered

History = Sequence[Numbered]
"""All that happened in an episode."""


def started_of(history: History) -> EpisodeStarted | None:
    """The episode's beginning; None where it never began."""
    return next((n.event for n in history if isinstance(n.event, EpisodeStarted)), None)


class JudgedEpisode:
    """An episode with what a judge may know of it. Raises ``ValueError`` where it never began,
    ``UnknownEnvironment`` where its environment is not installed."""

    def __init__(self, history: History) -> None:
        started = started_of(history)
        if started is None:
            raise ValueError("the episode never began, so nothing can be judged")
        self.started = started
        self.environment = environment_of(started)
        self.game = self.environment.game_of(started.setup)
        self.events: list[Event] = [numbered.event for numbered in history]

    @property
    def seats(self) -> int:
        return len(self.started.minds)

    @cached_property
    def view(self) -> Any:
        with telling(self.environment.name):
            return self.game.sight.view(self.events, "judge")

    @cached_property
    def account(self) -> Account:
        """The same in words that need no knowledge of the environment; where a seat gave no answer,
        it says so."""
        with telling(self.environment.name):
            account = self.game.words.account(self.view)
        # Why it ended can name who stopped it, or say that a seat is a person's.
        account = replace(account, detail="")
        return with_failures(account, failed_actions(self.events), lambda _failure: A_FAULT)
