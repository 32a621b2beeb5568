"""An environment's own section of a plan file."""

import abc
from typing import Generic, TypeVar

import msgspec

from events.environments import Settings

X = TypeVar("X", bound=msgspec.Struct)
T = TypeVar("T", bound=Settings)


class Plans(abc.ABC, Generic[X, T]):
    """What a plan says of an environment, and what is recorded of it."""

    section: type[X]
    """Every field has a default, unknown ones are forbidden, and limits are ``msgspec.Meta``, so
    that what is wrong can be named."""
    older_sections: tuple[str, ...] = ()
    """Names that the section had before that of the environment."""

    @abc.abstractmethod
    def settings(self, section: X, seed: int) -> T:
        """What a run records of the section. ``seed`` is the whole plan's."""

    def for_review(self) -> T:
        """Under which a catalog is looked through: with these any task can begin that can under
        some settings. Those of an empty section, where nothing else is said."""
        return self.settings(self.section(), 0)

    def chain_fault(self, settings: T) -> str | None:
        """Why chains cannot be played with these settings, as a sentence; None if they can."""
        del settings
        return None

    def describe(self, settings: T) -> tuple[tuple[str, str], ...]:
        """The settings in words: each under what it is about."""
        del settings
        return ()


class PlainPlans(Plans[T, T]):
    """Settings are recorded as they stand in the plan."""

    def __init__(self, settings: type[T]) -> None:
        self.section = settings

    def settings(self, section: T, seed: int) -> T:
        del seed
        return section
