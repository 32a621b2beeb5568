"""The registry of environments; it also finds the game that an episode belongs to."""

from collections.abc import Callable
from functools import cache

from actors.episodes.port.environment import Environment
from actors.episodes.port.game import AnyGame
from events.environments import Setup, installed
from events.episode import EpisodeStarted
from events.untrusted.safe_text import shortened


class UnknownEnvironment(LookupError):
    """An environment that is not installed."""

    def __init__(self, given: str) -> None:
        from rapidfuzz import process  # takes its time to load

        near = process.extractOne(given, list(installed()), score_cutoff=50)
        hint = f"did you mean {near[0]!r}? " if near else ""
        super().__init__(
            f"there is no environment {shortened(given)!r}; {hint}installed are "
            f"{', '.join(installed())}"
        )
        self.given = given


@cache
def environment_named(name: str) -> Environment:
    """The installed environment of this name. Raises ``UnknownEnvironment``."""
    found = installed().get(name)
    if found is None:
        raise UnknownEnvironment(name)
    if not isinstance(found, Environment):
        raise TypeError(f"environment {name!r} is a {type(found).__name__}, no Environment")
    return found


def environments() -> tuple[Environment, ...]:
    """All installed environments, by name."""
    return tuple(environment_named(name) for name in installed())


def environment_of(started: EpisodeStarted) -> Environment:
    """The environment an episode is of. Raises ``UnknownEnvironment``."""
    return environment_named(started.environment)


def game_of(started: EpisodeStarted) -> AnyGame:
    """The game an episode is of. Raises ``UnknownEnvironment``, and ``TypeError`` where its setup
    is none of its environment's."""
    return game_with(started.environment, type(started.setup))


def _game_with(environment: str, setup: type[Setup]) -> AnyGame:
    return environment_named(environment).game_with(setup)


game_with: Callable[[str, type[Setup]], AnyGame] = cache(_game_with)
"""The game of an environment whose episodes begin with such a setup. Raises as ``game_of``. It is
asked for with every event, so it is looked up once."""
