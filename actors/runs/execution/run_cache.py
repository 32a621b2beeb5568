"""What a process caches about the runs that it works for: plans, catalogs, budgets."""

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final
from weakref import WeakValueDictionary

from actors.episodes.registry import environment_named
from actors.models.limits.budget import BudgetKeeper
from actors.runs.judges import added_judge, planned_judge
from actors.runs.plan.episode_setup import beginning, seated
from actors.runs.plan.outside_models import strangers
from actors.runs.planned_catalog import read_edition
from actors.runs.state import Note, RunState, load_run, run_stream
from events.chain import ChainStarted
from events.environments import Catalog
from events.episode import EpisodeStarted
from events.evaluation import JudgeSpec
from events.run import PlannedChain, PlannedEpisode
from events.serialization.codec import event_of
from events.untrusted.safe_text import shortened
from events.wire.messages import Evaluate
from events.wire.subjects import stream_name
from store.log.event_store import NEW, EventStore
from store.log.imported_events import STREAM as IMPORTS
from store.log.imported_events import ImportedEvents, imported_events
from store.read_model import queries
from store.read_model.catalogs import edition_at

KEEP_S: Final = 30.0
"""For how long a run is kept that nobody asks for, in seconds, and for up to twice as long."""


class UnplannedEpisode(LookupError):
    """A job asks for an episode that its run does not plan."""

    def __init__(self, run: str, episode: str) -> None:
        super().__init__(f"run {shortened(run)!r} plans no episode {shortened(episode)!r}")
        self.run, self.episode = run, episode


class UnplannedChain(LookupError):
    """A job asks for a chain that its run does not plan."""

    def __init__(self, run: str, chain: str) -> None:
        super().__init__(f"run {shortened(run)!r} plans no chain {shortened(chain)!r}")
        self.run, self.chain = run, chain


class AwaitsConsent(LookupError):
    """What a job asks for came in from outside, and nobody here has agreed to what it would send
    where."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} came in a file, and nobody here has agreed to whom it asks")
        self.what = what


class _Known:
    """A run that was read."""

    __slots__ = ("chains", "edition", "episodes", "keeper", "state", "used_at")

    def __init__(self, state: RunState, used_at: float) -> None:
        self.state = state
        self.episodes = {episode.id: episode for episode in state.episodes}
        self.chains = {chain.id: chain for chain in state.chains}
        self.edition: int | None = None
        """Of its catalog; None: not looked up yet."""
        self.keeper: BudgetKeeper | None = None
        """Kept along, so that it need not be counted again for each mind."""
        self.used_at = used_at


class RunCache:
    """Reads each run and catalog once while it is used, and a run again when its stream has moved.
    What nobody has asked for in ``KEEP_S`` seconds is dropped: a server sees any number of runs.
    Blocking; safe from several threads, which may read the same thing twice but never a wrong one.
    """

    def __init__(self, store: EventStore, clock: Callable[[], float] = monotonic) -> None:
        """``clock``: seconds since whenever."""
        self.store = store
        self._clock = clock
        self._runs: dict[str, _Known] = {}
        self._catalogs: dict[tuple[str, int], Catalog] = {}
        self._budgets: WeakValueDictionary[str, BudgetKeeper] = WeakValueDictionary()
        """As long as a mind or a judge has one there must be no second that counts for itself."""
        self._dropped_at = clock()
        self._loading = Lock()
        self._imported = (NEW, ImportedEvents())
        """The version of the stream of imports, and what it says."""

    def __len__(self) -> int:
        """How many runs are kept."""
        return len(self._runs)

    def run(self, run: str) -> RunState | None:
        """The run as it stands now."""
        return self._run(run, self.store.version(run_stream(run)))

    def run_beside(self, run: str, stream: str) -> tuple[RunState | None, int]:
        """The run as it stands now, and the version of another stream, read in one query. An empty
        ``run`` is no run: the first is None."""
        if not run:
            return None, self.store.version(stream)
        own, version = self.store.versions(run_stream(run), stream)
        return self._run(run, own), version

    def _run(self, run: str, version: int) -> RunState | None:
        """``version``: that of its stream."""
        now = self._clock()
        self._drop_unused(now)
        known = self._runs.get(run)
        if known is not None:
            known.used_at = now
            if version == known.state.version:
                return known.state
        if version == NEW:
            return None
        with self._loading:
            known = self._runs.get(run)
            if known is not None and known.state.version >= version:
                return known.state  # the jobs of a run begin many at once
            return self._load(run, now)

    def _load(self, run: str, now: float) -> RunState | None:
        state = load_run(self.store, run)
        if state is not None:
            self._keep(run, state, now)
            keeper = self._budgets.get(run)
            if keeper is not None:
                keeper.budget = state.budget
        return state

    def notes_of(self, run: str) -> tuple[Note, ...]:
        """What became of a run's models, as far as it was read."""
        known = self._runs.get(run)
        return known.state.notes if known is not None else ()

    def check_consent(self, run: RunState | None, stream: str, imports: int | None = None) -> None:
        """Raises ``AwaitsConsent`` where a run, or the beginning of an episode's stream that is
        gone on with, came in from outside and nobody here has agreed to it. ``imports``: the
        version of the stream of imports; None: it is looked up."""
        if run is not None and run.awaits_consent:
            raise AwaitsConsent("its run")
        imported = self._imports(self.store.version(IMPORTS) if imports is None else imports)
        if imported and strangers(self.store.read(stream), imported, run.plan if run else None):
            raise AwaitsConsent(stream)

    def _imports(self, now: int) -> ImportedEvents:
        version, found = self._imported
        if now != version:
            found = imported_events(self.store)
            self._imported = (now, found)
        return found

    def planned(self, run: str, state: RunState, episode: str) -> PlannedEpisode:
        """What a run plans for an episode. Raises ``UnplannedEpisode``."""
        planned = self._known(run, state).episodes.get(episode)
        if planned is None:
            raise UnplannedEpisode(run, episode)
        return planned

    def beginning(self, run: str, state: RunState, episode: str) -> EpisodeStarted:
        """The first event of a planned episode, of a chain or not. Raises ``UnplannedEpisode``,
        ``UnplannedChain``, ``MissingItem``, ``UnknownEnvironment``."""
        planned, plan = self.planned(run, state, episode), state.plan
        catalog = self._catalog(run, state)
        chain = self._chain(run, state, planned.chain) if planned.chain else None
        return beginning(run, plan, catalog, planned, chain)

    def chain_beginning(self, run: str, state: RunState, chain: str) -> ChainStarted:
        """The first event of a planned chain. Raises ``UnplannedChain``,
        ``AwaitsConsent``."""
        planned = self._chain(run, state, chain)
        plan, episodes = state.plan, self._known(run, state).episodes
        if planned.episodes[0] not in episodes:
            # It goes on from a chain of another run, and began when it was planned.
            stream = stream_name("chain", chain)
            begun = event_of(self.store.read(stream, 0, 0)[0])
            assert isinstance(begun, ChainStarted)
            self.check_consent(state, stream)
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

    def judge_of(self, job: Evaluate, state: RunState | None) -> JudgeSpec | None:
        """The judge that a job means: one that its run plans, or one that was added here; None
        where the log knows none, or only from outside. ``state``: of its run."""
        known = state is not None and not state.awaits_consent
        judge = planned_judge(job, state.plan.judges) if state is not None and known else None
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
            counted = BudgetKeeper(run, state.budget, usd=spent.usd, tokens=spent.tokens)
            keeper = self._budgets.setdefault(run, counted)
        known = self._runs.get(run)
        if known is not None:
            known.keeper = keeper
        return keeper

    def refresh_budgets(self) -> None:
        """Take what other processes have spent into account."""
        self._drop_unused(self._clock())
        for run, keeper in list(self._budgets.items()):
            spent = queries.spent(self.store, run)
            keeper.usd = max(keeper.usd, spent.usd)
            keeper.tokens = max(keeper.tokens, spent.tokens)

    def _drop_unused(self, now: float) -> None:
        if now - self._dropped_at < KEEP_S:
            return
        self._dropped_at = now
        for run, known in list(self._runs.items()):
            if now - known.used_at >= KEEP_S:
                self._runs.pop(run, None)
        used = {(one.state.plan.catalog, one.edition) for one in list(self._runs.values())}
        for edition in self._catalogs.keys() - used:
            self._catalogs.pop(edition, None)

    def _keep(self, run: str, state: RunState, now: float) -> _Known:
        known = self._runs[run] = _Known(state, now)
        known.keeper = self._budgets.get(run)
        return known

    def _known(self, run: str, state: RunState) -> _Known:
        """A run in the state that the caller was given, which may be gone from here by now."""
        known = self._runs.get(run)
        if known is not None and known.state is state:
            return known
        return _Known(state, 0.0) if known is not None else self._keep(run, state, self._clock())

    def _chain(self, run: str, state: RunState, chain: str) -> PlannedChain:
        planned = self._known(run, state).chains.get(chain)
        if planned is None:
            raise UnplannedChain(run, chain)
        return planned

    def _catalog(self, run: str, state: RunState) -> Catalog:
        """As it was when the run was planned, whatever came in since."""
        name, known = state.plan.catalog, self._known(run, state)
        edition = known.edition
        if edition is None:
            edition = known.edition = edition_at(self.store, name, state.planned_at)
        catalog = self._catalogs.get((name, edition))
        if catalog is None:
            environment = environment_named(state.plan.environment)
            catalog = self._catalogs[name, edition] = read_edition(
                self.store, environment, name, edition
            )
        return catalog
