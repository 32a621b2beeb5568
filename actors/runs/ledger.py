"""What a process knows of the runs it works for: plans, casts, budgets."""

from actors.models.budget import BudgetKeeper
from actors.runs.state import RunState, load_run, run_stream
from actors.social.casting import Casting, CatalogIndex, cast_episode, seat_minds, with_seed
from events.episode import EpisodeStarted
from events.run import PlannedEpisode
from store import queries
from store.log import EventStore


class UnplannedEpisode(LookupError):
    """A job asks for an episode that its run does not plan."""

    def __init__(self, run: str, episode: str) -> None:
        super().__init__(f"run {run!r} plans no episode {episode!r}")
        self.run, self.episode = run, episode


class Ledger:
    """Reads each run and catalog once, and a run again when its stream has moved. Blocking; safe
    from several threads, which may read the same thing twice but never a wrong one."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._runs: dict[str, RunState] = {}
        self._planned: dict[str, dict[str, PlannedEpisode]] = {}
        self._catalogs: dict[str, CatalogIndex] = {}
        self._budgets: dict[str, BudgetKeeper] = {}

    def run(self, run: str) -> RunState | None:
        """The run as it stands now."""
        known = self._runs.get(run)
        if known is not None and self.store.version(run_stream(run)) == known.version:
            return known
        state = load_run(self.store, run)
        if state is not None:
            self._runs[run] = state
            self._planned[run] = {episode.id: episode for episode in state.episodes}
            keeper = self._budgets.get(run)
            if keeper is not None:
                keeper.budget = state.budget
        return state

    def beginning(self, run: str, state: RunState, episode: str) -> EpisodeStarted:
        """The first event of a planned episode. Raises ``UnplannedEpisode``, ``MissingItem``."""
        planned = self._planned[run].get(episode)
        if planned is None:
            raise UnplannedEpisode(run, episode)
        plan = state.plan
        index = self._catalogs.get(plan.catalog)
        if index is None:
            index = CatalogIndex(queries.load_catalog(self.store, plan.catalog))
            self._catalogs[plan.catalog] = index
        casting = Casting(
            run=run,
            task=planned.task,
            minds=seat_minds(plan.minds, planned.minds),
            rules=with_seed(plan.rules, planned.seed),
        )
        return cast_episode(index, casting)

    def budget_of(self, run: str) -> BudgetKeeper | None:
        """What the run may spend, and has spent; None where it belongs to no run."""
        if not run:
            return None
        keeper = self._budgets.get(run)
        if keeper is None:
            state = self.run(run)
            if state is None:
                return None
            spent = queries.spent(self.store, run)
            keeper = BudgetKeeper(run, state.budget, usd=spent.usd, tokens=spent.tokens)
            self._budgets[run] = keeper
        return keeper

    def refresh_budgets(self) -> None:
        """Take what other processes have spent into account."""
        for run, keeper in list(self._budgets.items()):
            spent = queries.spent(self.store, run)
            keeper.usd = max(keeper.usd, spent.usd)
            keeper.tokens = max(keeper.tokens, spent.tokens)
