"""What ``troupe demo`` shows of environments that the command's own page does not know.

An entry of the group ``troupe.demos`` is a ``DemoPart``.
"""

from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from typing import Final, Protocol

from actors.runs.work import Progress
from gateway.cli.running import leave_unless_done
from gateway.errors import GatewayError
from gateway.settings import Settings
from store.log import EventStore

GROUP: Final = "troupe.demos"


class DemoPart(Protocol):
    """A part of the demo."""

    def __call__(self, settings: Settings, store: EventStore, step: int) -> Callable[[], None]:
        """Plays something, in seconds, and notes it as step ``step``. Answers with what prints a
        few lines of it on the page. Raises ``DemoIncomplete``."""
        ...


class DemoIncomplete(GatewayError):
    """Something of the demo was given up, so that its tables would not be whole."""

    def __init__(self, episodes: int, evaluations: int) -> None:
        super().__init__(
            f"{episodes} episodes and {evaluations} evaluations of the demo were given up; the log "
            "above says why, and `troupe doctor` checks this machine"
        )
        self.episodes, self.evaluations = episodes, evaluations


def parts() -> Iterator[DemoPart]:
    """The installed ones, in the order of their names."""
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        yield entry.load()


def finish(progress: Progress) -> None:
    """Go on only where all was done. Raises ``DemoIncomplete``."""
    leave_unless_done(progress, "`troupe demo` begins a new one.")
    if progress.episodes_failed or progress.evaluations_failed:
        raise DemoIncomplete(progress.episodes_failed, progress.evaluations_failed)
