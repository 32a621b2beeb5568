"""What is odd about runs whose sessions are evaluated together."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from evaluators.tabletop.gap.results import Played
from events.environments import Settings
from store.read_model.records import RunRow

_ALIKE: Final = frozenset({"reuse"})
"""Settings by which sessions are chosen, not played."""
_NAMED: Final = 3
"""Tasks that are named; of more it is said how many."""


def cautions(runs: Sequence[tuple[RunRow, Settings]], played: Played) -> Iterator[str]:
    """A sentence each: runs that are not over, settings that differ, and tasks that count twice.
    ``runs``: with the settings of their plans."""
    for row, _ in runs:
        if stands := _unfinished(row):
            counts = f"{row.episodes_ended:,} of {row.episodes_planned:,} sessions ended"
            yield f"run {row.id} {stands}: {counts}"
    if len(runs) < 2:
        return
    given = [msgspec.structs.asdict(settings) for _, settings in runs]
    differ = {
        name: values
        for name in given[0]
        if name not in _ALIKE
        and len(values := dict.fromkeys(str(one.get(name)) for one in given)) > 1
    }
    if differ:
        told = "; ".join(f"{name} ({', '.join(values)})" for name, values in differ.items())
        yield f"the runs were played with different settings: {told}"
    count = Counter((one.task, one.model) for one in played.sessions if one.ended)
    twice = sorted(pair for pair, times in count.items() if times > 1)
    if twice:
        named = ", ".join(f"{task} of {model}" for task, model in twice[:_NAMED])
        more = f" and {len(twice) - _NAMED:,} more" if len(twice) > _NAMED else ""
        yield f"the runs have tasks more than once for one model, which all count: {named}{more}"


def _unfinished(row: RunRow) -> str:
    """How a run stands of which sessions are missing; empty: none is."""
    if row.imported or (row.status == "ended" and not row.stopped):
        return ""
    if row.stopped:
        return "was ended early"
    if row.status == "paused":
        return "is stopped" if row.pause_reason == "stopped" else "is paused"
    return "is not over"
