"""The published scripts of SocialEval restated: what they print for the same answers.

Goals: every tree is walked some times, its options as filed. An answer that cannot be read, or that
names no option, drops the walk; so does a dead end. An ending counts where it has a goal, and only
2 is a success. A category's figure is successes / endings; overall is the plain mean of categories.

Abilities: each sample is asked once, in one order. An answer that cannot be read drops it. A label
is told by its letters alone: lower case, without blanks and hyphens. A label's figure is right /
read; of an aspect and overall the plain mean of labels that have one.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from actors.worldtree.trees.abilities import ASPECTS
from actors.worldtree.trees.tree import Tree

Figures = dict[str, float]
Answers = Mapping[tuple[str, int, int], str]
"""By tree, repeat and step."""


def letter_of(answer: str) -> str | None:
    """The letter that an answer gives; None: it cannot be read."""
    try:
        return str(json.loads(answer.replace("```json", "").replace("```", ""))["choice"])
    except (ValueError, KeyError, TypeError):
        return None


def goals(trees: Iterable[Tree], answers: Answers, times: int) -> Figures:
    """By orientation and ``overall``, in percent."""
    endings: dict[str, int] = defaultdict(int)
    successes: dict[str, int] = defaultdict(int)
    for tree in trees:
        nodes = {node.id: node for node in tree.nodes}
        for repeat in range(times):
            at = nodes[0]
            step = 0
            while at.edges:
                letter = letter_of(answers[tree.id, repeat, step])
                place = -1 if letter is None or len(letter) != 1 else ord(letter) - ord("A")
                if not 0 <= place < len(at.edges):
                    break
                at = nodes[at.edges[place].to]
                step += 1
            if at.kind == "ending" and at.goal is not None:
                endings[tree.orientation] += 1
                successes[tree.orientation] += at.goal == 2
    found = {name: 100 * successes[name] / count for name, count in endings.items()}
    return {**found, "overall": _mean(found.values())}


def abilities(asked: Iterable[tuple[Sequence[str], str, str]]) -> Figures:
    """By ability, aspect and ``overall``, in percent. ``asked``: a sample's labels, the letter of
    the right line, and the answer."""
    read: dict[str, int] = defaultdict(int)
    right: dict[str, int] = defaultdict(int)
    for labels, correct, answer in asked:
        letter = letter_of(answer)
        if letter is None:
            continue
        for label in map(key, labels):
            read[label] += 1
            right[label] += letter == correct
    by_label = {label: 100 * right[label] / count for label, count in read.items()}
    found = dict(_named(by_label))
    for aspect, names in ASPECTS.items():
        if there := [by_label[key(name)] for name in names if key(name) in by_label]:
            found[aspect] = _mean(there)
    return {**found, "overall": _mean(by_label.values())}


def _named(by_label: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    for names in ASPECTS.values():
        yield from ((name, by_label[key(name)]) for name in names if key(name) in by_label)


def key(label: str) -> str:
    """What tells a label."""
    return label.lower().replace(" ", "").replace("-", "")


def _mean(values: Iterable[float]) -> float:
    there = list(values)
    return sum(there) / len(there)
