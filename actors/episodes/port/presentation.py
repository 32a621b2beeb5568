"""How episodes of a game are displayed and written to files."""

from collections.abc import Mapping, Sequence
from typing import Final, Generic, TypeVar

from events.environments import Setup

S = TypeVar("S", bound=Setup)


class Presentation(Generic[S]):
    """What tables and pages know of an episode beside its task."""

    turns_are_public: bool = False
    """Whether all may know which seats a turn asks. Where it would give something away, as at
    night among wolves, a seat is told of itself alone."""

    def labels(self, setup: S) -> Mapping[str, str]:
        """What tables can be filtered by beside tags, by a short name: a column each."""
        del setup
        return {}

    def mark(self, setup: S) -> str:
        """How an episode is played, in a word or two, where that is not as usual; for those who may
        know everything, never for a seat or a judge. Empty: as usual."""
        del setup
        return ""

    def tags(self, setup: S) -> Sequence[str]:
        """Tags of what is played, beside those of the task."""
        del setup
        return ()


PLAIN: Final = Presentation[Setup]()
