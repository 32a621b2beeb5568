"""The headline figure of each judge: the one that represents an episode where there is no space for
all."""

from collections.abc import Sequence

import msgspec

from evaluators.plugin import OVERALL
from evaluators.registry import judging_of
from evaluators.report.data.run_data import JudgeUsed, RunData
from evaluators.scores.dimensions import label, overall_of


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    """A judge with the dimension that stands for it."""

    judge: JudgeUsed
    place: int
    """The judge's among the run's: its colour and shape."""
    dimension: str

    @property
    def title(self) -> str:
        """What lists call it."""
        return f"{label(self.dimension)}, {self.judge.judged.label}"


def headlines(gathered: RunData) -> list[Headline]:
    """One for each judge that was asked about episodes of the run, those with an overall score
    first: a reader who does not choose sees the first."""
    judging = judging_of(gathered.planned.plan.environment)
    found = []
    for place, judge in enumerate(gathered.judges):
        names = dimensions_of(gathered, judge)
        if not names or not gathered.columns.judge.among(judge.judged.hash).any():
            continue
        first = [name for name in names if name in judging.first]
        dimension = OVERALL if OVERALL in names else (first or names)[0]
        found.append(Headline(judge=judge, place=place, dimension=dimension))
    return sorted(found, key=lambda one: one.dimension != OVERALL)


def dimensions_of(gathered: RunData, judge: JudgeUsed) -> Sequence[str]:
    """What tables show of a judge, in their order."""
    own = {dimension.name for dimension in judge.spec.dimensions}
    if overall_of(own):
        own.add(OVERALL)
    return [name for name in gathered.dimensions if name in own]
