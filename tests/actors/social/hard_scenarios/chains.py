"""Chains that were played: by hand, word for word, or by rehearsal minds."""

from collections.abc import Sequence

from actors.social.hard_scenarios.chain_history import ChainPast, PastEpisode
from events.base import replace
from events.chain import ChainStarted
from events.episode import EpisodeStarted
from events.memory import MemorySpec
from events.minds import MindSpec
from store.log.event_store import NEW, EventStore
from tests.actors.social.meetings import CAST, meetings
from tests.support.builders import Move, episode, scenario, started

CHAIN = "hpast"


def begun(scenarios: Sequence[str], characters: Sequence[str] = ("ada", "ben")) -> ChainStarted:
    """How a chain of so many episodes begins."""
    return ChainStarted(
        run="",
        catalog="starter",
        characters=tuple(characters),
        minds=(MindSpec(name="m", kind="rehearsal"),) * len(characters),
        memory=MemorySpec(name="full", module="full"),
        episodes=tuple(f"e{index}" for index in range(len(scenarios))),
        scenarios=tuple(scenarios),
    )


def first_of(index: int, **fields: object) -> EpisodeStarted:
    """How episode ``index`` begins; its scenario is ``s<index>``."""
    stage = scenario(
        id=f"s{index}", codename="", context="Two people at a stove.", goals=("Talk.", "Listen.")
    )
    return started(**{"scenario": stage, "chain": CHAIN, "index": index} | fields)


def past_of(*talks: Sequence[Move], **fields: object) -> ChainPast:
    """A chain in which this was said, episode by episode."""
    episodes = [
        PastEpisode(f"e{index}", episode(first_of(index, **fields), moves))
        for index, moves in enumerate(talks)
    ]
    return ChainPast(CHAIN, begun([one.scenario for one in episodes]), episodes)


def rehearsed(scenarios: Sequence[str], seed: int = 1) -> ChainPast:
    """A chain that rehearsal minds played."""
    played = meetings(scenarios, ("candid", "generous"), seed, chain=CHAIN)
    episodes = [PastEpisode(f"e{index}", one.history) for index, one in enumerate(played)]
    return ChainPast(CHAIN, begun(scenarios, CAST), episodes)


def stored(store: EventStore, scenarios: Sequence[str], played: int | None = None) -> str:
    """A chain in a store, of which ``played`` episodes were played."""
    store.append(f"chain-{CHAIN}", NEW, [begun(scenarios, CAST)])
    for index, one in enumerate(meetings(scenarios[:played], ("candid", "generous"), chain=CHAIN)):
        store.append(f"episode-e{index}", NEW, [replace(event) for event in one.history])
    return CHAIN
