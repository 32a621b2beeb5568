"""Ends the demo with an error if a step was not completed."""

from actors.runs.execution.work import Progress
from gateway.cli.play_with_progress import leave_unless_done
from gateway.errors import GatewayError


class DemoIncomplete(GatewayError):
    """Something of the demo was given up, so that its tables would not be whole."""

    def __init__(self, episodes: int, evaluations: int) -> None:
        super().__init__(
            f"{episodes} episodes and {evaluations} evaluations of the demo were given up; the log "
            "above says why, and `troupe doctor` checks this machine"
        )
        self.episodes, self.evaluations = episodes, evaluations


def finish(progress: Progress) -> None:
    """Go on only where all was done. Raises ``DemoIncomplete``."""
    leave_unless_done(progress, "`troupe demo` begins a new one.")
    if progress.episodes_failed or progress.evaluations_failed:
        raise DemoIncomplete(progress.episodes_failed, progress.evaluations_failed)
