"""World trees in the report of runs."""

from collections.abc import Iterable, Mapping, Sequence

from evaluators.report.data.run_data import RunData
from evaluators.worldtree.report.page_parts import parts
from evaluators.worldtree.run_results import results_of
from evaluators.worldtree.scores import scores_of
from events.base import Event
from store.read_model.records import EpisodeRow


def section(
    gathered: RunData, _histories: Iterable[tuple[EpisodeRow, Sequence[Event]]]
) -> Mapping[str, object]:
    """What ``section.html.j2`` is filled in with. No history is read."""
    results = results_of([gathered])
    return parts(scores_of(results), results)
