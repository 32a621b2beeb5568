"""From a plan to its chains: who meets, in which scenarios, with which minds and memories."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from actors.runs.casts import Acquaintances, Cast
from actors.runs.chain_sections import Chains, nearest
from actors.runs.pairings import pairings
from actors.runs.plan_file import PlanFile
from actors.runs.repertoire import ScenarioChoice
from actors.social.catalog_items import Catalog
from actors.toml_file import BadFile
from events.ids import CHAIN, EPISODE, derived_id, derived_number
from events.run import PlannedChain, PlannedEpisode


class ChainPlan(NamedTuple):
    """A chain with its episodes in order."""

    chain: PlannedChain
    episodes: tuple[PlannedEpisode, ...]


class _Meetings(NamedTuple):
    """What all chains of a cast share, so that they differ by their minds and memories alone."""

    cast: Cast
    scenarios: tuple[str, ...]
    """One an episode."""


def plan_chains(
    run: str, plan: PlanFile, chains: Chains, catalog: Catalog, path: str
) -> Iterator[ChainPlan]:
    """Every chain that run ``run`` will play. Raises ``BadFile``.

    Casts, scenarios and seeds depend on the plan's seeds and the catalog alone.
    """
    for meetings in _meetings(chains, catalog, path):
        for minds in pairings(plan, len(meetings.cast.ids), path):
            for memory in chains.memory:
                for repeat in range(plan.seats.repeats):
                    yield _chain(run, plan.seed, meetings, minds, memory, repeat)


def _chain(
    run: str, seed: int, meetings: _Meetings, minds: tuple[str, ...], memory: str, repeat: int
) -> ChainPlan:
    cast = meetings.cast
    who = (*cast.ids, *cast.relationships)
    # The counts keep names of one list from being taken for names of the next.
    words = (str(len(who)), *who, str(len(minds)), *minds, memory, str(repeat))
    chain = derived_id(CHAIN, run, *words)
    episodes = tuple(
        PlannedEpisode(
            id=derived_id(EPISODE, run, chain, str(index)),
            task=scenario,
            minds=minds,
            seed=derived_number(str(seed), *cast.ids, scenario, str(index), str(repeat)),
            scenario=scenario,
            chain=chain,
            index=index,
        )
        for index, scenario in enumerate(meetings.scenarios)
    )
    planned = PlannedChain(
        id=chain,
        characters=cast.ids,
        relationships=cast.relationships,
        minds=minds,
        memory=memory,
        episodes=tuple(episode.id for episode in episodes),
    )
    return ChainPlan(planned, episodes)


def _meetings(chains: Chains, catalog: Catalog, path: str) -> list[_Meetings]:
    choice = ScenarioChoice(catalog, chains, path)
    if chains.characters:
        casts = _named_casts(chains, catalog, choice, path)
    else:
        casts = _drawn_casts(chains, catalog, choice, path)
    return [_Meetings(cast, choice.order(cast, choice.repertoire(cast))) for cast in casts]


def _named_casts(
    chains: Chains, catalog: Catalog, choice: ScenarioChoice, path: str
) -> Sequence[Cast]:
    by_id = {character.id: character for character in catalog.characters}
    known = Acquaintances(catalog)
    found = []
    for ids in chains.characters:
        for id_ in ids:
            if id_ not in by_id:
                why = f"catalog {catalog.name!r} has no character {id_!r}{nearest(id_, by_id)}"
                raise BadFile(path, "chains.characters", why)
        # Of several ways in which they stand to each other the one that fits the most scenarios.
        ways = sorted(known.casts([by_id[id_] for id_ in ids]), key=lambda way: way.relationships)
        cast = max(ways, key=choice.rating)
        if misfit := choice.repertoire(cast).misfit:
            raise BadFile(path, "chains.characters", f"{' and '.join(ids)}: {misfit}")
        found.append(cast)
    return found


def _drawn_casts(
    chains: Chains, catalog: Catalog, choice: ScenarioChoice, path: str
) -> Sequence[Cast]:
    asked = chains.pairs or 1
    known = Acquaintances(catalog)
    casts = known.draw(chains.seats, asked, chains.seed, choice.rating)
    if len(casts) < asked:
        example = next(known.casts(catalog.characters[: chains.seats]))
        why = choice.repertoire(example).misfit
        raise BadFile(
            path,
            "chains.pairs",
            f"{asked} casts of {chains.seats} characters are asked for, and {len(casts)} of "
            f"catalog {catalog.name!r} fit"
            + (f"; {' and '.join(example.ids)}: {why}" if why else ""),
        )
    return casts
