"""All that is worked out of results."""

from collections.abc import Sequence

import msgspec

from evaluators.tables.plain_tables import PlainTable, as_one
from evaluators.worldtree.statistics.ability_scores import ability_table
from evaluators.worldtree.statistics.goal_scores import goal_table
from evaluators.worldtree.statistics.language_tests import language_tests
from evaluators.worldtree.statistics.polarity_scores import polarity_findings
from evaluators.worldtree.statistics.tree_counts import ability_counts, tree_figures
from evaluators.worldtree.tables import finding_tables
from evaluators.worldtree.tables.ability_tables import ability_tables
from evaluators.worldtree.tables.goal_tables import goal_tables
from evaluators.worldtree.tables.letter_tables import letter_table
from evaluators.worldtree.values.ability_values import AbilityTable
from evaluators.worldtree.values.goal_values import GoalTable
from evaluators.worldtree.values.language_values import LanguageTest
from evaluators.worldtree.values.polarity_values import PolarityFindings
from evaluators.worldtree.values.results import Lettered, Results
from evaluators.worldtree.values.tree_values import AbilityCount, TreeFigures


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """The values of all tables and figures."""

    goals: GoalTable
    abilities: AbilityTable
    trees: Sequence[TreeFigures]
    labels: Sequence[AbilityCount]
    languages: Sequence[LanguageTest]
    polarity: PolarityFindings
    letters: Sequence[Lettered] = ()
    runs: Sequence[str] = ()
    """The runs' ids."""


def scores_of(results: Results, runs: Sequence[str] = ()) -> Scores:
    """Worked out of the results of some runs."""
    goals, abilities = goal_table(results), ability_table(results)
    samples = list(results.samples.values())
    return Scores(
        goals=goals,
        abilities=abilities,
        trees=tree_figures(results.trees, samples),
        labels=ability_counts(samples),
        languages=language_tests(goals, abilities),
        polarity=polarity_findings(results),
        letters=results.letters,
        runs=runs,
    )


def plain_of(scores: Scores) -> dict[str, list[PlainTable]]:
    """Each field of ``Scores`` as tables for programs, both languages in one."""
    return {
        "goals": as_one(goal_tables(scores.goals), "Goals"),
        "abilities": as_one(ability_tables(scores.abilities), "Abilities"),
        "trees": [finding_tables.tree_table(scores.trees)],
        "labels": [finding_tables.label_table(scores.labels)],
        "languages": finding_tables.language_tables(scores.languages),
        "polarity": finding_tables.polarity_tables(scores.polarity),
        "letters": [letter_table(scores.letters)],
    }
