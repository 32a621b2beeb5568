"""The outcome of playing an episode in this process."""

from typing import Final, Literal, NamedTuple

from actors.models.limits.halts import Halt, is_lasting

OutcomeKind = Literal[
    "over", "suspended", "put_off", "stopping", "passivated", "ownership_lost", "not_yet"
]


class Outcome(NamedTuple):
    """What came of playing an episode; whatever it is, what happened so far is durable."""

    kind: OutcomeKind
    """
    ``over``: it has ended, or was given up.
    ``suspended``: it stays where it is until its run is resumed, which may spend no more or has a
    model that cannot be asked.
    ``put_off``: it stays where it is for a while, because a model gave no answer.
    ``stopping``: it stays where it is, because this process stops; another may go on with it.
    ``passivated``: it has left memory until one of its remote seats says something, and stays with
    this process; then it is to be played again.
    ``ownership_lost``: another process plays it.
    ``not_yet``: an earlier episode of its chain is not over.
    """
    reason: str = ""
    """Why it is not over, as a sentence."""

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be played."""
        return self.kind == "over"


def halted(why: Halt) -> Outcome:
    """The outcome of what a spent budget or a model that cannot be asked has stopped."""
    return Outcome("suspended" if is_lasting(why) else "put_off", str(why))


OVER: Final = Outcome("over")
STOPPING: Final = Outcome("stopping", "this process stops")
PASSIVATED: Final = Outcome("passivated", "its remote seats are silent")
OWNERSHIP_LOST: Final = Outcome("ownership_lost", "another process plays it")
