"""What a watcher of an episode's environment guesses, for researchers."""

from collections.abc import Sequence
from pathlib import Path

from evaluators.guesses import Guesses
from evaluators.registry import judging_of
from gateway.services.episodes.episode_details import read_begun
from store.log.event_store import EventStore
from store.read_model.episode_history import Numbered
from store.read_model.records import EpisodeRow


def guesses_of(store: EventStore, row: EpisodeRow, at: int | None, folder: Path) -> Guesses | None:
    """The guesses of an episode after event ``at`` (None: after the last one). Otherwise as
    ``guesses_in``."""
    return guesses_in(read_begun(store, row), row.environment, at, folder)


def guesses_in(
    history: Sequence[Numbered], environment: str, at: int | None, folder: Path
) -> Guesses | None:
    """The same of a history that is at hand; None: its environment has nobody who guesses.
    ``folder``: that of the process's data, in which an environment's own files are in a folder of
    its name. Raises ``BrokenPlugin``. Blocking."""
    guess = judging_of(environment).guesses
    if guess is None:
        return None
    seen = [one.event for one in history if at is None or one.number <= at]
    return guess(seen, folder / environment)
