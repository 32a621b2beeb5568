"""What a process knows of the runs it works for: plans, catalogs, budgets."""

from typing import Any

from actors.episodes.environment import Environment
from actors.episodes.registry import environment_named
from actors.models.budget import BudgetKeeper
from actors.runs.beginning import beginning, seated
from actors.runs.judges import added_judge, planned_judge
from actors.runs.state import RunState, load_run, run_stream
from events.chain import ChainStarted
from events.codec import event_of
from events.environments import Catalog
from events.episode import EpisodeStarted
from events.evaluation import JudgeSpec
from events.messages import Evaluate
from events.run import PlannedChain, PlannedEpisode
from events.subjects import stream_name
from store import queries
from store.catalogs import edition_at, load_catalog
from store.log import EventStore
from store.lookup import UnknownId


class UnplannedEpisode(LookupError):
    """A job asks for an episode that its run does not plan."""

    def __init__(self, run: str, episode: str) -> None:
        super().__init__(f"run {run!r} plans no episode {episode!r}")
        self.run, self.episode = run, episode


class UnplannedChain(LookupError):
    """A job asks for a chain that its run does not plan."""

    def __init__(self, run: str, chain: str) -> None:
        super().__init__(f"run {run!r} plans no chain {chain!r}")
        self.run, self.chain = run, chain


class RunCache:
    """Reads each run and catalog once, and a run again when its stream has moved. Blocking; safe
    from several threads, which may read the same thing twice but never a wrong one."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._runs: dict[str, RunState] = {}
        self._planned: dict[str, dict[str, PlannedEpisode]] = {}
        self._chains: dict[str, dict[str, PlannedChain]] = {}
        self._catalogs: dict[tuple[str, int], Catalog] = {}
        self._editions: dict[str, int] = {}
        self._budgets: dict[str, BudgetKeeper] = {}

    def run(self, run: str) -> RunState | None:
        """The run as it stands now."""
        known = self._runs.get(run)
        if known is not None and self.store.version(run_stream(run)) == known.version:
            return known
        state = load_run(self.store, run)
        if state is not None:
            self._planned[run] = {episode.id: episode for episode in state.episodes}
            self._chains[run] = {chain.id: chain for chain in state.chains}
            # Last: who finds the run here finds the rest, too.
            self._runs[run] = state
            keeper = self._budgets.get(run)
            if keeper is not None:
                keeper.budget = state.budget
        return state

    def planned(self, run: str, episode: str) -> PlannedEpisode:
        """What a run that was read plans for an episode. Raises ``UnplannedEpisode``."""
        planned = self._planned[run].get(episode)
        if planned is None:
            raise UnplannedEpisode(run, episode)
        return planned

    def beginning(self, run: str, state: RunState, episode: str) -> EpisodeStarted:
        """The first event of a planned episode, of a chain or not. Raises ``UnplannedEpisode``,
        ``UnplannedChain``, ``MissingItem``, ``UnknownEnvironment``."""
        planned, plan = self.planned(run, episode), state.plan
        catalog = self._catalog(run, state)
        chain = self._chain(run, planned.chain) if planned.chain else None
        return beginning(run, plan, catalog, planned, chain)

    def chain_beginning(self, run: str, state: RunState, chain: str) -> ChainStarted:
        """The first event of a planned chain. Raises ``UnplannedChain``."""
        planned = self._chain(run, chain)
        plan, episodes = state.plan, self._planned[run]
        if planned.episodes[0] not in episodes:
            # It goes on from a chain of another run, and began when it was planned.
            begun = event_of(self.store.read(stream_name("chain", chain), 0, 0)[0])
            assert isinstance(begun, ChainStarted)
            return begun
        memories = {memory.name: memory for memory in plan.memories}
        return ChainStarted(
            run=run,
            catalog=plan.catalog,
            characters=planned.characters,
            minds=seated(plan.minds, planned.minds),
            memory=memories[planned.memory],
            episodes=planned.episodes,
            scenarios=tuple(episodes[id_].scenario for id_ in planned.episodes),
        )

    def judge_of(self, job: Evaluate) -> JudgeSpec | None:
        """The judge that a job means: one that its run plans, or one that was added here; None
        where the log knows none."""
        state = self.run(job.run) if job.run else None
        judge = planned_judge(job, state.plan.judges) if state is not None else None
        return judge or (added_judge(self.store, job.judge_hash) if job.judge_hash else None)

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

    def _chain(self, run: str, chain: str) -> PlannedChain:
        planned = self._chains[run].get(chain)
        if planned is None:
            raise UnplannedChain(run, chain)
        return planned

    def _catalog(self, run: str, state: RunState) -> Catalog:
        """As it was when the run was planned, whatever came in since."""
        name = state.plan.catalog
        edition = self._editions.get(run)
        if edition is None:
            edition = self._editions[run] = edition_at(self.store, name, state.planned_at)
        catalog = self._catalogs.get((name, edition))
        if catalog is None:
            environment = environment_named(state.plan.environment)
            catalog = self._catalogs[name, edition] = self._read_catalog(environment, name, edition)
        return catalog

    def _read_catalog(self, environment: Environment[Any], name: str, edition: int) -> Catalog:
        try:
            return load_catalog(self.store, name, edition=edition)
        except UnknownId:
            # The export of a run does not hold its catalog; what comes with us is here anyway.
            starter = environment.starter()
            if starter is None or starter.name != name:
                raise
            return starter
