"""Chains that go on, in a run of their own, with the scenarios that were made of their past."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import NamedTuple

from actors.lifelong.continuation import ChainBeginning, ChainSoFar, beginnings, chain_so_far
from actors.runs.state import RunState, load_run, run_stream
from actors.social.catalog_items import Catalog, Scenario
from actors.social.hard_scenarios.chain_history import ChainPast, chain_past
from actors.social.hard_scenarios.scenario_check import UnusableScenario, check
from actors.social.hard_scenarios.scenario_writer import SOURCE
from evaluators.registry import judging_of
from events.base import replace
from events.chain import ChainStarted
from events.ids import CHAIN, EPISODE, RUN, derived_id, derived_number, new_id
from events.minds import ModelSpec
from events.run import PlannedChain, PlannedEpisode, RunPlanned
from events.wire.subjects import stream_name
from gateway.errors import BadArgument
from gateway.models.probe_models import models_of
from gateway.services.catalogs.read_catalog import load
from gateway.services.runs.confirm_destinations import brought_by_file
from gateway.social.memory_scenarios import chains_meant
from store.log.event_store import NEW, EventStore
from store.read_model.records import ChainRow


class Continuation(NamedTuple):
    """A run that goes on with chains of another, under the id it will have."""

    run: str
    planned: RunPlanned
    streams: tuple[ChainBeginning, ...]
    """Of its chains: what they have behind them."""
    unknown: bool = False
    """Whether some of whom it asks only a file says that they are to be asked."""

    @property
    def models(self) -> list[ModelSpec]:
        """All that it asks, of whom a chain that it goes on with names some."""
        found = models_of(self.planned)
        for _, events in self.streams:
            for event in events:
                if isinstance(event, ChainStarted):
                    found += [model for mind in event.minds for model in mind.models]
                    found += [event.memory.model] if event.memory.model is not None else []
        return found


class _GoingOn(NamedTuple):
    chain: PlannedChain
    episodes: tuple[PlannedEpisode, ...]
    streams: tuple[ChainBeginning, ...]


def prepare_continuation(store: EventStore, given: str, catalog: str) -> Continuation:
    """The chain that is meant, or all chains of a run, with those scenarios of a catalog that were
    made of its past. Minds, memory, rules and budget stay, and so do the judges, beside the judge
    of facts. Plans nothing yet.

    Raises ``UnknownId``, ``BadArgument``.
    """
    rows = chains_meant(store, given)
    state = load_run(store, rows[0].run)
    if state is None:
        raise BadArgument("CHAIN|RUN", given, "was played by no run, so nobody knows its minds")
    found, run = load(store, catalog, Catalog), new_id(RUN)
    going_on = [one for row in rows if (one := _going_on(store, run, row, state, found))]
    if not going_on:
        make = "`troupe memory-scenarios generate` makes some"
        why = f"nothing in catalog {catalog!r} was made of it; {make}"
        raise BadArgument("CHAIN|RUN", given, why)
    joining = judging_of(state.plan.environment).continuing
    judges = {judge.name: judge for judge in (*state.plan.judges, *joining)}
    plan = replace(
        state.plan,
        name=f"{state.plan.name}, hard",
        catalog=catalog,
        judges=tuple(judges.values()),
        source="",
    )
    planned = RunPlanned(
        plan=plan,
        episodes=tuple(episode for one in going_on for episode in one.episodes),
        chains=tuple(one.chain for one in going_on),
        software=version("troupe-server"),
    )
    behind = [stream_name("chain", row.id) for row in rows]
    return Continuation(
        run,
        planned,
        tuple(s for one in going_on for s in one.streams),
        unknown=bool(brought_by_file(store, behind, rows[0].run)),
    )


def record_continuation(store: EventStore, prepared: Continuation) -> str:
    """Begin a prepared continuation; its run's id.

    The run comes last: whoever carries out runs finds its chains begun.
    """
    for stream, events in prepared.streams:
        store.append(stream, NEW, events, correlation=prepared.run)
    store.append(run_stream(prepared.run), NEW, [prepared.planned], correlation=prepared.run)
    return prepared.run


def _going_on(
    store: EventStore, run: str, row: ChainRow, state: RunState, catalog: Catalog
) -> _GoingOn | None:
    """A chain that goes on; None where there is nothing for it."""
    behind = chain_so_far(store, row.id)
    before = next((chain for chain in state.chains if chain.id == row.id), None)
    if behind is None or before is None or not behind.advanced:
        return None
    scenarios = list(_made_of(chain_past(store, row.id), behind, catalog))
    if not scenarios:
        return None
    new = derived_id(CHAIN, run, row.id)
    first = len(behind.advanced)
    episodes = tuple(
        PlannedEpisode(
            id=derived_id(EPISODE, run, new, str(index)),
            task=scenario.id,
            minds=before.minds,
            # Not of the new ids, so that going on twice gives the same twice.
            seed=derived_number(*before.characters, scenario.id, str(index)),
            scenario=scenario.id,
            chain=new,
            index=index,
            hard=True,
        )
        for index, scenario in enumerate(scenarios, first)
    )
    ids = tuple(episode.id for episode in episodes)
    streams = beginnings(
        store,
        row.id,
        behind,
        new=new,
        run=run,
        catalog=catalog.name,
        episodes=ids,
        scenarios=[scenario.id for scenario in scenarios],
    )
    chain = replace(before, id=new, episodes=(*behind.episodes, *ids))
    return _GoingOn(chain, episodes, tuple(streams))


def _made_of(past: ChainPast, behind: ChainSoFar, catalog: Catalog) -> Iterator[Scenario]:
    """The generated scenarios for the chain's characters that rest on what came up in it."""
    ours = {task.scenario for task in catalog.tasks if task.characters == behind.begun.characters}
    known = _over(past, behind.episodes)
    for scenario in catalog.scenarios:
        if scenario.source != SOURCE or scenario.id not in ours:
            continue
        try:
            check(scenario, known)
        except UnusableScenario:
            continue
        yield scenario


def _over(past: ChainPast, episodes: Sequence[str]) -> ChainPast:
    """The past without an episode that is under way."""
    over = [episode for episode in past.episodes if episode.id in episodes]
    return ChainPast(past.chain, past.begun, over)
