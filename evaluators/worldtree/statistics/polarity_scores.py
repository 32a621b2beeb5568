"""How positively people and models behave (SocialEval, section 4.2).

A choice has the polarity of its line. A walk tells which nodes were visited, not which of several
lines to the same node was said: where these differ in polarity, it is not known.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

from actors.worldtree.setup import LANGUAGES
from actors.worldtree.trees.chance_level import reachable
from actors.worldtree.trees.tree import ACHIEVED, Language, Tree
from evaluators.worldtree.values.polarity_values import (
    Combination,
    Differing,
    Polarities,
    PolarityFindings,
    PolarityRow,
)
from evaluators.worldtree.values.results import Results, Walked, Who
from events.serialization.identity_key import cached_by_identity

PEOPLE: Final = "people"
"""What all participants together are called."""
SIGNS: Final = (1, 0, -1)

Path = tuple[int, ...]


class Choice(NamedTuple):
    """A step of a walk."""

    at: int
    to: int
    polarity: int | None
    """1, 0 or -1; None: it is not known."""


def polarity_findings(results: Results) -> PolarityFindings:
    """Figures 3, 4, 7 and 8."""
    trees = results.trees
    people = set(results.people)
    walks = [walk for walk in results.walks if walk.tree in trees]
    theirs = [walk for walk in walks if walk.who in people]
    order = [*([PEOPLE] if theirs else ()), *results.minds]
    choices: dict[tuple[Who, Language], Counter[int | None]] = defaultdict(Counter)
    for walk in walks:
        who = PEOPLE if walk.who in people else walk.who
        tree = trees[walk.tree]
        steps = choices_of(tree, walk.path)
        choices[who, tree.language].update(one.polarity for one in steps)
    succeeded = _succeeded(theirs, trees)
    missed: dict[tuple[Who, Language], list[Walked]] = defaultdict(list)
    for walk in walks:
        if walk.who not in people and walk.tree in succeeded and walk.outcome in ("partly", "not"):
            missed[walk.who, trees[walk.tree].language].append(walk)
    differing: list[Differing] = []
    combinations: list[Combination] = []
    for who in results.minds:
        for language in LANGUAGES:
            if mine := missed.get((who, language)):
                one, pairs = _beside(who, language, mine, succeeded, trees)
                rehearsal = who in results.rehearsal
                differing.append(msgspec.structs.replace(one, rehearsal=rehearsal))
                combinations += pairs
    return PolarityFindings(
        all_trees=tuple(
            PolarityRow(
                who=who,
                language=language,
                choices=_polarities(choices[who, language]),
                rehearsal=who in results.rehearsal,
            )
            for who in order
            for language in LANGUAGES
            if (who, language) in choices
        ),
        differing=tuple(differing),
        combinations=tuple(combinations),
        missing="" if differing else _missing(theirs, succeeded),
    )


def choices_of(tree: Tree, path: Path) -> Iterator[Choice]:
    """The steps of a walk."""
    polarities = _by_step(tree)
    for at, to in pairwise(path):
        yield Choice(at, to, polarities.get((at, to)))


def successes(tree: Tree) -> int:
    """Endings that achieve the goal and can be reached."""
    return sum(node.kind == "ending" and node.goal == ACHIEVED for node in reachable(tree))


@cached_by_identity(maxsize=512)
def _by_step(tree: Tree) -> Mapping[tuple[int, int], int]:
    """The polarity of each step that has one."""
    found: dict[tuple[int, int], set[int | None]] = defaultdict(set)
    for node in tree.nodes:
        for edge in node.edges:
            found[node.id, edge.to].add(edge.state.polarity if edge.state else None)
    return {step: value for step, (value, *more) in found.items() if value is not None and not more}


def _succeeded(walks: Iterable[Walked], trees: Mapping[str, Tree]) -> dict[str, set[Path]]:
    """By tree with one success, the different paths on which participants reached it."""
    found: dict[str, set[Path]] = defaultdict(set)
    for walk in walks:
        if walk.outcome == "achieved":
            found[walk.tree].add(walk.path)
    return {id_: paths for id_, paths in found.items() if successes(trees[id_]) == 1}


def _beside(
    who: Who,
    language: Language,
    walks: Iterable[Walked],
    succeeded: Mapping[str, set[Path]],
    trees: Mapping[str, Tree],
) -> tuple[Differing, list[Combination]]:
    """One model's walks that missed what people reached."""
    walks = list(walks)
    pairs: Counter[tuple[int | None, int | None]] = Counter()
    for walk in walks:
        tree = trees[walk.tree]
        chosen = list(choices_of(tree, walk.path))
        for path in succeeded[walk.tree]:
            people = {one.at: one for one in choices_of(tree, path)}
            pairs.update(
                (people[one.at].polarity, one.polarity)
                for one in chosen
                if one.at in people and people[one.at].to != one.to
            )
    known = {(a, b): n for (a, b), n in pairs.items() if a is not None and b is not None}
    differ = {(a, b): n for (a, b), n in known.items() if a != b}
    by_people, by_model = Counter[int | None](), Counter[int | None]()
    for (a, b), count in differ.items():
        by_people[a] += count
        by_model[b] += count
    found = Differing(
        who=who,
        language=language,
        trees=len({walk.tree for walk in walks}),
        walks=len(walks),
        people=_polarities(by_people),
        model=_polarities(by_model),
        alike=sum(known.values()) - sum(differ.values()),
        unknown=pairs.total() - sum(known.values()),
    )
    return found, [
        Combination(who=who, language=language, people=a, model=b, count=differ.get((a, b), 0))
        for a in SIGNS
        for b in SIGNS
    ]


def _polarities(counts: Mapping[int | None, int]) -> Polarities:
    return Polarities(
        positive=counts.get(1, 0),
        neutral=counts.get(0, 0),
        negative=counts.get(-1, 0),
        unknown=counts.get(None, 0),
    )


def _missing(theirs: list[Walked], succeeded: Mapping[str, set[Path]]) -> str:
    if not theirs:
        return (
            "There are no walks of people: give them with --people to compare their choices with "
            "the models'."
        )
    if not succeeded:
        return "No participant reached the goal of a tree in which one ending alone achieves it."
    return "No model missed, in a tree with one success, what participants reached there."
