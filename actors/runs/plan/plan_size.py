"""The number of episodes of a plan, calculated before any of them is planned."""

from collections.abc import Iterable, Sequence
from typing import Final

from actors.episodes.chain_support import ChainSection
from actors.runs.plan.pairings import pairings_of
from actors.runs.plan.plan_file import PlanFile
from actors.toml_file import BadFile

MOST_EPISODES: Final = 100_000
"""Of one run. All of them stand in the event that begins it, some 150 bytes each; what is larger is
several runs, which can share a fleet."""


def check_tasks(plan: PlanFile, tasks: Iterable[tuple[int, Sequence[int]]], path: str) -> None:
    """Raises ``BadFile`` where a plan comes to more episodes than a run can have. ``tasks``: how
    many seats each has, and those of them in which who is under test sits."""
    repeats = plan.seats.repeats
    rows = [pairings_of(plan, many, tested) for many, tested in tasks]
    total = sum(rows) * repeats
    parts = f"{len(rows):,} tasks, each with every pairing of minds, {repeats:,} times"
    _check(total, parts, path)


def check_chains(plan: PlanFile, chains: ChainSection, path: str) -> None:
    """The same of a plan of chains, but for the hard scenarios that end them."""
    casts = [len(cast) for cast in chains.characters] or [chains.seats] * min(
        chains.pairs or 1, MOST_EPISODES + 1
    )
    repeats, memories = plan.seats.repeats, len(chains.memory)
    played = sum(pairings_of(plan, seats) for seats in casts) * memories * repeats
    # A pairing that fits no cast is another fault, which is found later.
    parts = f"{max(played, 1):,} chains of {chains.episodes:,} episodes"
    _check(max(played, len(casts)) * chains.episodes, parts, path)


def _check(total: int, parts: str, path: str) -> None:
    if total > MOST_EPISODES:
        why = (
            f"the plan comes to more than {MOST_EPISODES:,} episodes ({parts}), the most that one "
            "run can have; plan fewer, or several runs"
        )
        raise BadFile(path, "", why)
