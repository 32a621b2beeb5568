"""The tests between minds, memories, parts and slopes in a run's report."""

from evaluators.registry import judging_of
from evaluators.report.data import downloads
from evaluators.report.data.run_data import RunData
from evaluators.scores.questions import Question
from evaluators.statistics.significance_tests import Family, families
from evaluators.tables.contrast_tables import contrasts_table


def contrasts(gathered: RunData) -> dict[str, object]:
    """What ``contrasts.html.j2`` needs: the tests in the dimensions that the environment shows
    first, and, where chains end in a hard part, between memories in that part alone. Minds are
    compared in a part of their own (``evaluators.report.sections.paired_differences``)."""
    columns = gathered.columns
    first = judging_of(gathered.planned.plan.environment).first
    names = [name for name in gathered.dimensions if name in first] or gathered.dimensions
    judges = [judge.judged for judge in gathered.judges]
    asked: tuple[Question, ...] = ("memories", "parts", "slopes")
    found = families(columns, gathered.chains, judges=judges, dimensions=names, between=asked)
    if columns.hard.any():
        memories: tuple[Question, ...] = ("memories",)
        found += families(
            columns,
            gathered.chains,
            judges=judges,
            dimensions=names,
            between=memories,
            part="hard",
        )
    return {"families": [_table(family) for family in found]}


def _table(family: Family) -> dict[str, object]:
    chains = family.population == "chains"
    return {
        "title": family.title,
        "taken": downloads.taken(contrasts_table(family)),
        "population": family.population,
        "unclean": family.unclean,
        "digits": 3 if family.between == "slopes" else 2,
        "few": any(test.contrast.difference.few for test in family.tests),
        "rows": [
            {
                "dimension": test.dimension,
                "of": test.of,
                "contrast": test.contrast,
                "sides": [
                    {"side": side, "sd": side.unit_sd if chains else side.mean.sd}
                    for side in (test.contrast.a, test.contrast.b)
                ],
            }
            for test in family.tests
        ],
    }
