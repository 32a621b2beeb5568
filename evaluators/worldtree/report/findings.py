"""The values of all tables, of some results."""

from collections.abc import Sequence

from evaluators.plain_tables import PlainTable
from evaluators.worldtree.ability_scores import ability_table
from evaluators.worldtree.goals import goal_table
from evaluators.worldtree.languages import language_tests
from evaluators.worldtree.polarity_values import PolarityFindings
from evaluators.worldtree.report.inside_figures import InsideFigures
from evaluators.worldtree.report.parts import Found
from evaluators.worldtree.results import Results
from evaluators.worldtree.tree_figures import ability_counts, tree_figures


def found_of(
    results: Results,
    lines: Sequence[PlainTable] = (),
    inside: Sequence[InsideFigures] = (),
) -> Found:
    """``lines``: Table 4; ``inside``: what was drawn of models' insides."""
    goals, abilities = goal_table(results), ability_table(results)
    samples = list(results.samples.values())
    return Found(
        goals=goals,
        abilities=abilities,
        trees=tree_figures(results.trees, samples),
        labels=ability_counts(samples),
        languages=language_tests(goals, abilities),
        polarity=PolarityFindings(all_trees=(), missing="it is not worked out yet."),
        lines=lines,
        inside=inside,
    )
