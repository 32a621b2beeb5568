"""Which environments there are."""

from functools import cache
from typing import Any

from actors.episodes.environment import Environment
from events.environments import installed
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
def environment_named(name: str) -> Environment[Any]:
    """The installed environment of this name. Raises ``UnknownEnvironment``."""
    found = installed().get(name)
    if found is None:
        raise UnknownEnvironment(name)
    if not isinstance(found, Environment):
        raise TypeError(f"environment {name!r} is a {type(found).__name__}, no Environment")
    return found


def environments() -> tuple[Environment[Any], ...]:
    """All installed environments, by name."""
    return tuple(environment_named(name) for name in installed())


def environment_of(started: EpisodeStarted) -> Environment[Any]:
    """The environment an episode is of. Raises ``UnknownEnvironment``."""
    return environment_named(started.environment)
