"""Makes minds from their specifications."""

from collections.abc import Callable

from actors.episodes.mind import Mind
from actors.episodes.port.game import AnyGame
from actors.minds.generative.mind import GenerativeMind
from actors.minds.model import ModelMind
from actors.minds.recorded import RecordedMind
from actors.minds.rehearsal import Rehearsed
from actors.models.caller import ModelCaller
from actors.models.limits.budget import BudgetKeeper
from events.minds import MindSpec
from store.log.event_store import EventStore
from store.read_model.episode_history import read_history


class MindMaker:
    """Makes the local minds of a process."""

    def __init__(
        self,
        store: EventStore,
        caller: ModelCaller,
        budget_of: Callable[[str], BudgetKeeper | None],
    ) -> None:
        self.store, self.caller, self.budget_of = store, caller, budget_of

    def make(self, spec: MindSpec, game: AnyGame, seat: int, run: str) -> Mind:
        """The mind for a seat of an episode of a game. Raises ``ValueError`` for a remote
        one, which is not made here."""
        match spec.kind:
            case "rehearsal":
                return Rehearsed(game, spec)
            case "model" if spec.model is not None:
                return ModelMind(spec.model, game, self.caller, self.budget_of(run))
            case "generative" if spec.model is not None:
                return GenerativeMind(spec, game, self.caller, self.budget_of(run))
            case "recorded":
                history = read_history(self.store, spec.episode)
                return RecordedMind(game, (numbered.event for numbered in history), seat)
        raise ValueError(f"mind {spec.name!r} of kind {spec.kind} cannot be made in this process")
