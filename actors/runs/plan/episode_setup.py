"""How a planned episode begins."""

from collections.abc import Sequence

from actors.episodes.catalogs.entries import Meeting
from actors.episodes.chain_support import chain_support
from actors.episodes.registry import environment_named
from events.environments import Catalog
from events.episode import EpisodeStarted
from events.minds import MindSpec
from events.run import Plan, PlannedChain, PlannedEpisode


def beginning(
    run: str,
    plan: Plan,
    catalog: Catalog,
    planned: PlannedEpisode,
    chain: PlannedChain | None = None,
) -> EpisodeStarted:
    """The first event of an episode of a run. ``chain``: its chain, if it is of one.

    Raises ``MissingItem``, ``UnknownEnvironment``, ``NoChains``.
    """
    environment = environment_named(plan.environment)
    if chain is not None:
        meeting = Meeting(planned.scenario, chain.characters, chain.relationships)
        begun = chain_support(environment).begin(catalog, meeting, plan.settings, planned.seed)
    else:
        begun = environment.begin(catalog, planned.task, plan.settings, planned.seed)
    return EpisodeStarted(
        run=run,
        task=planned.task,
        catalog=catalog.name,
        environment=environment.name,
        minds=seated(plan.minds, planned.minds),
        chain=planned.chain,
        index=planned.index,
        people=plan.people,
        give_up_after=plan.give_up_after,
        **begun._asdict(),
    )


def seated(minds: Sequence[MindSpec], names: Sequence[str]) -> tuple[MindSpec, ...]:
    """The minds named, in the order of the seats."""
    by_name = {mind.name: mind for mind in minds}
    return tuple(by_name[name] for name in names)
