"""Histories that violate their environment's rules, because another program wrote them or because
they were altered before the import. The log keeps them for ever, so every view of such an episode
says so."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from actors.episodes.registry import UnknownEnvironment
from actors.episodes.rules.decide import INITIAL, EpisodeState, evolve
from events.base import Event
from events.untrusted.safe_text import shortened

_RAISED = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What an environment raises that meets what cannot be."""


class OddHistory(ValueError):
    """An episode that cannot be told."""

    def __init__(self, environment: str, why: str) -> None:
        super().__init__(
            f"what is stored of the episode does not follow from the rules of environment "
            f"{shortened(environment)!r} ({shortened(why)}), so it cannot be told; "
            "`troupe export --format jsonl` writes it as it is"
        )
        self.environment, self.why = environment, why


@contextmanager
def telling(environment: str) -> Iterator[None]:
    """Raises ``OddHistory`` in the place of whatever an environment raises inside the block."""
    try:
        yield
    except (UnknownEnvironment, OddHistory):
        raise
    except _RAISED as error:
        raise OddHistory(environment, f"{type(error).__name__}: {error}") from error


def state_after(history: Iterable[Event]) -> EpisodeState:
    """The state after a history, or its first events. Raises ``OddHistory``."""
    state, environment = INITIAL, ""
    for event in history:
        with telling(environment):
            state = evolve(state, event)
        if not environment and state.started is not None:
            environment = state.started.environment
    return state
