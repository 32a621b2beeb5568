"""Table 2 of SocialEval from what came of walks (GAE, section 2.3).

The estimator: within each tree the ratio over all its counted walks, repeats together; of an
orientation, a group, or all, the plain mean of the ratios of its trees. So a tree weighs the same
however often it was walked, and an average of orientations weighs each by its number of trees. A
tree all of whose walks are ``unscored`` has no ratio and no weight.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import add
from typing import Final

import numpy as np

from actors.worldtree.setup import LANGUAGES
from actors.worldtree.trees.chance_level import can_succeed, chance
from actors.worldtree.trees.orientations import BY_NAME, GROUPS, ORIENTATIONS
from actors.worldtree.trees.tree import Language, Tree
from evaluators.statistics.bootstrap import DRAWS, LEAST_CLUSTERS, SEED
from evaluators.statistics.cluster_means import CONFIDENCE
from evaluators.statistics.estimates import Estimate
from evaluators.worldtree.values.goal_values import (
    OVERALL,
    SCOPES,
    GoalCell,
    GoalRow,
    GoalTable,
    Outcomes,
)
from evaluators.worldtree.values.results import Results, Walked, Who

ByTree = Mapping[str, Outcomes]
"""What came of somebody's walks, by tree."""
Trees = Mapping[str, Tree]

_FIELDS: Final = {"not": "not_achieved"}
_EXACT: Final = "worked out of the trees: exact for them"


def goal_table(results: Results) -> GoalTable:
    """Table 2: people, then all minds in the order of ``Results``, chance and ceiling over the
    trees that anybody walked."""
    trees = results.trees
    walked = outcomes_by_tree(walk for walk in results.walks if walk.tree in trees)
    there = {id_: trees[id_] for found in walked.values() for id_ in found}
    languages = {tree.language for tree in there.values()}
    people = {who: walked[who] for who in results.people if who in walked}
    minds = (
        GoalRow(
            who=who,
            kind="mind",
            cells=cells_of(walked.get(who, {}), trees),
            rehearsal=who in results.rehearsal,
        )
        for who in results.minds
    )
    return GoalTable(
        languages=tuple(one for one in LANGUAGES if one in languages),
        rows=(*people_rows(people, trees), *minds, *bounds(there, results.chances)),
        left_out=results.left_out,
    )


def outcomes_by_tree(walks: Iterable[Walked]) -> dict[Who, dict[str, Outcomes]]:
    """The outcomes of each one's walks, tree by tree."""
    counts: dict[tuple[Who, str], Counter[str]] = defaultdict(Counter)
    for walk in walks:
        counts[walk.who, walk.tree][_FIELDS.get(walk.outcome, walk.outcome)] += 1
    found: dict[Who, dict[str, Outcomes]] = defaultdict(dict)
    for (who, tree), outcomes in counts.items():
        found[who][tree] = Outcomes(**outcomes)
    return dict(found)


def cells_of(walked: ByTree, trees: Trees) -> tuple[GoalCell, ...]:
    """All cells of one who walked these trees."""
    found: list[GoalCell] = []
    for language, scope, ids in scopes(walked, trees):
        here = [walked[id_] for id_ in ids]
        outcomes = reduce(add, here)
        ratios = [share(one.achieved, one.counted) for one in here]
        published = [share(one.achieved, one.decided) for one in here]
        by_orientation = [
            cell.script
            for cell in found
            if cell.language == language
            and cell.scope in BY_NAME
            and scope in (OVERALL, BY_NAME[cell.scope].group)
        ]
        found.append(
            GoalCell(
                language=language,
                scope=scope,
                ratio=over_trees([one for one in ratios if one is not None]),
                published=mean_of(published),
                script=share(outcomes.achieved, outcomes.decided)
                if scope in BY_NAME
                else mean_of(by_orientation),
                outcomes=outcomes,
                trees=len(ids),
            )
        )
    return tuple(found)


def scopes(ids: Collection[str], trees: Trees) -> Iterator[tuple[Language, str, list[str]]]:
    """Which of these trees belong to each language and scope, in the order of tables; empty ones
    are left out."""
    for language in LANGUAGES:
        mine = [id_ for id_, tree in trees.items() if id_ in ids and tree.language == language]
        for one in ORIENTATIONS:
            yield from _some(language, one.name, mine, {one.name}, trees)
        for group in GROUPS:
            of = {one.name for one in ORIENTATIONS if one.group == group}
            yield from _some(language, group, mine, of, trees)
        yield from _some(language, OVERALL, mine, BY_NAME.keys(), trees)


def over_trees(ratios: Sequence[float]) -> Estimate:
    """The mean of trees' ratios with the 95 % percentile interval of drawing trees with
    replacement (``evaluators.statistics.bootstrap``: as many draws, the same seed)."""
    if not ratios:
        return Estimate(why="no walk whose ending the tree scores")
    value, count = float(np.mean(ratios)), len(ratios)
    if count < LEAST_CLUSTERS:
        why = f"{count} trees; an interval by drawing them needs {LEAST_CLUSTERS}"
        return Estimate(value=value, why=why, clusters=count)
    if max(ratios) == min(ratios):
        why = "the trees do not differ, so nothing tells the spread"
        return Estimate(value=value, why=why, clusters=count)
    low, high = _interval(tuple(ratios))
    return Estimate(value=value, low=low, high=high, clusters=count)


def people_rows(walked: Mapping[Who, ByTree], trees: Trees) -> Iterator[GoalRow]:
    """The average, the best (a composite) and the best single participant; of nobody: no rows.

    The average of a cell is the mean over the participants who walked something in it. The best of
    an orientation is its participant with the highest ratio; groups and all are over the trees that
    these walked there, so nobody need have got it. The best single participant has the highest mean
    over the languages of their overall ratios. Ties go to who walked more trees, then by name.
    """
    if not walked:
        return
    rows = {
        who: GoalRow(who=who, kind="person", cells=cells_of(walked[who], trees), participants=1)
        for who in sorted(walked)
    }
    average = _average(list(rows.values()))
    yield GoalRow(who="average", kind="average", cells=average, participants=len(rows))
    composite: dict[str, Outcomes] = {}
    for language, orientation in dict.fromkeys(
        (cell.language, cell.scope) for cell in average if cell.scope in BY_NAME
    ):
        who = max(rows, key=lambda one: _rank(rows[one].cell(language, orientation)))
        composite |= {
            id_: outcomes
            for id_, outcomes in walked[who].items()
            if (trees[id_].language, trees[id_].orientation) == (language, orientation)
        }
    best = cells_of(composite, trees)
    yield GoalRow(who="best", kind="best", cells=best, participants=len(rows))
    yield max(rows.values(), key=lambda row: (_overall(row), len(walked[row.who])))


def bounds(
    trees: Trees, chances: Sequence[tuple[str, int]] = (("chance", 1),)
) -> Iterator[GoalRow]:
    """Chance and ceiling over some trees; of none: no rows. ``chances``: what rows of chance are
    called, each with its votes a question.

    Chance is exact, every vote as likely for one option as for another
    (``actors.worldtree.trees.chance_level``): how likely a walk achieves the goal, as the mean over
    trees. Its ``published`` is how likely that is of a walk whose ending the tree scores. Ceiling
    is the share of trees in which an ending that achieves the goal can be reached.
    """
    if not trees:
        return
    for who, votes in chances:
        odds = {id_: chance(tree, votes) for id_, tree in trees.items()}
        achieved = {id_: 100 * one.achieved for id_, one in odds.items()}
        of_scored = {
            id_: share(one.achieved, one.achieved + one.partly + one.not_achieved)
            for id_, one in odds.items()
        }
        yield GoalRow(who=who, kind="chance", cells=_exact(trees, achieved, of_scored))
    reach = {id_: 100.0 * can_succeed(tree) for id_, tree in trees.items()}
    yield GoalRow(who="ceiling", kind="ceiling", cells=_exact(trees, reach, {}))


def _exact(
    trees: Trees, ratios: Mapping[str, float], published: Mapping[str, float | None]
) -> tuple[GoalCell, ...]:
    """Cells of means over trees that were worked out, in percent."""
    return tuple(
        GoalCell(
            language=language,
            scope=scope,
            ratio=Estimate(
                value=mean_of(ratios[id_] for id_ in ids), why=_EXACT, clusters=len(ids)
            ),
            published=mean_of(published.get(id_) for id_ in ids),
            trees=len(ids),
        )
        for language, scope, ids in scopes(trees, trees)
    )


def mean_of(values: Iterable[float | None]) -> float | None:
    """The plain mean of those that are there; None: none is."""
    there = [value for value in values if value is not None]
    return sum(there) / len(there) if there else None


def share(part: float, whole: float) -> float | None:
    """A part of a whole in percent; None: there is no whole."""
    return part / whole * 100 if whole else None


def _some(
    language: Language, scope: str, ids: Iterable[str], of: Collection[str], trees: Trees
) -> Iterator[tuple[Language, str, list[str]]]:
    if found := [id_ for id_ in ids if trees[id_].orientation in of]:
        yield language, scope, found


@lru_cache(maxsize=4096)
def _interval(ratios: tuple[float, ...]) -> tuple[float, float]:
    """Cached: pages and tables ask for the same more than once."""
    from scipy import stats  # a second to import; the command line's help does not need it

    found = stats.bootstrap(
        (np.asarray(ratios),),
        np.mean,
        n_resamples=DRAWS,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return float(found.low), float(found.high)


def _average(rows: Sequence[GoalRow]) -> tuple[GoalCell, ...]:
    """The mean over participants, cell by cell, in the order of tables."""
    places = {(c.language, c.scope) for row in rows for c in row.cells}
    order = [(one, scope) for one in LANGUAGES for scope in SCOPES if (one, scope) in places]
    found = []
    for language, scope in order:
        cells = [cell for row in rows if (cell := row.cell(language, scope))]
        why = f"the mean over {len(cells)} participants"
        found.append(
            GoalCell(
                language=language,
                scope=scope,
                ratio=Estimate(value=mean_of(cell.ratio.value for cell in cells), why=why),
                published=mean_of(cell.published for cell in cells),
                script=mean_of(cell.script for cell in cells),
                outcomes=reduce(add, (cell.outcomes for cell in cells)),
                trees=max(cell.trees for cell in cells),
            )
        )
    return tuple(found)


def _rank(cell: GoalCell | None) -> tuple[float, int]:
    if cell is None or cell.ratio.value is None:
        return -1.0, 0
    return cell.ratio.value, cell.trees


def _overall(row: GoalRow) -> float:
    found = mean_of(cell.ratio.value for cell in row.cells if cell.scope == OVERALL)
    return -1.0 if found is None else found
