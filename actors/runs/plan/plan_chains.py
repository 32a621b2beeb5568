"""Derives the chains of a plan: the cast, the scenarios, the minds and the memories of each."""

from collections.abc import Iterator
from typing import NamedTuple

from actors.episodes.chain_support import ChainSection, Meetings, NoChains, chain_support
from actors.episodes.port.environment import Environment
from actors.runs.plan.pairings import pairings
from actors.runs.plan.plan_file import PlanFile
from actors.toml_file import BadFile
from events.environments import Catalog
from events.ids import CHAIN, EPISODE, derived_id, derived_number
from events.run import PlannedChain, PlannedEpisode


class ChainPlan(NamedTuple):
    """A chain with its episodes in order."""

    chain: PlannedChain
    episodes: tuple[PlannedEpisode, ...]


def plan_chains(
    run: str,
    plan: PlanFile,
    chains: ChainSection,
    environment: Environment,
    catalog: Catalog,
    path: str,
) -> Iterator[ChainPlan]:
    """Every chain that run ``run`` will play. Raises ``BadFile``.

    Casts, scenarios and seeds depend on the plan's seeds and the catalog alone.
    """
    try:
        support = chain_support(environment)
    except NoChains as none:
        raise BadFile(path, "chains", str(none)) from none
    for meetings in support.meetings(chains, catalog, path):
        for minds in pairings(plan, len(meetings.characters), path):
            for memory in chains.memory:
                for repeat in range(plan.seats.repeats):
                    yield _chain(run, plan.seed, meetings, minds, memory, repeat)


def _chain(
    run: str, seed: int, meetings: Meetings, minds: tuple[str, ...], memory: str, repeat: int
) -> ChainPlan:
    hard_from = len(meetings.scenarios) - meetings.hard
    who = (*meetings.characters, *meetings.relationships)
    # The counts keep names of one list from being taken for names of the next.
    words = (str(len(who)), *who, str(len(minds)), *minds, memory, str(repeat))
    chain = derived_id(CHAIN, run, *words)
    episodes = tuple(
        PlannedEpisode(
            id=derived_id(EPISODE, run, chain, str(index)),
            task=scenario,
            minds=minds,
            seed=derived_number(str(seed), *meetings.characters, scenario, str(index), str(repeat)),
            scenario=scenario,
            chain=chain,
            index=index,
            hard=index >= hard_from,
        )
        for index, scenario in enumerate(meetings.scenarios)
    )
    planned = PlannedChain(
        id=chain,
        characters=meetings.characters,
        relationships=meetings.relationships,
        minds=minds,
        memory=memory,
        episodes=tuple(episode.id for episode in episodes),
    )
    return ChainPlan(planned, episodes)
