"""Preset ``script`` prints what the published scripts print for the same answers: more than 200 of
walks and 800 of samples, a tenth of them broken."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from actors.worldtree.plan_section import PLANS, Section
from actors.worldtree.setup import Inquiry
from actors.worldtree.task_setup import walk
from actors.worldtree.trees.abilities import ABILITIES
from actors.worldtree.trees.orientations import ORIENTATIONS
from actors.worldtree.trees.tree import Line, Tree
from evaluators.worldtree.statistics.ability_scores import ability_table
from evaluators.worldtree.statistics.goal_scores import goal_table
from evaluators.worldtree.values.results import Answered, Results, Walked
from tests.evaluators.worldtree import oracle
from tests.evaluators.worldtree.made_up import graph, sample
from tests.evaluators.worldtree.play import play, summary_of

TIMES = 10
SCRIPT = PLANS.settings(Section(preset="script"), seed=7)
BROKEN = ("", "I would take the first.", '{"choice": ', '{"explanation": "none"}', "```json\n```")
"""Neither reads a letter in them. Answers that are read here and dropped there, for they are no
JSON, are not among them."""


def said(chance: random.Random, options: int) -> str:
    """What a model says: one of ten cannot be read."""
    if chance.random() < 0.1:
        return chance.choice(BROKEN)
    answer = f'{{"explanation": "so", "choice": "{chance.choice("ABCDE"[:options])}"}}'
    return chance.choice((answer, f"```json\n{answer}\n```"))


def forest() -> Iterator[Tree]:
    """Two trees an orientation: one deep with a dead end, one with an ending without a goal."""
    for one in ORIENTATIONS:
        deep = {0: (1, 2), 1: (3, 4, 5), 2: (6, 7), 3: (8, 9), 7: ()}
        yield graph(f"{one.name}-1", deep, (1, 0, 2, 2, 0), orientation=one.name)
        yield graph(
            f"{one.name}-2", {0: (1, 2, 3), 3: (4, 5)}, (2, None, 2, 0), orientation=one.name
        )


def test_goals_to_the_digit() -> None:
    chance = random.Random(11)
    trees = list(forest())
    answers = {
        (tree.id, repeat, step): said(chance, 3)
        for tree in trees
        for repeat in range(TIMES)
        for step in range(3)
    }
    used: set[tuple[str, int, int]] = set()
    walks = []
    for tree in trees:
        for repeat in range(TIMES):

            def answer(_, step: int, at: tuple[str, int] = (tree.id, repeat)) -> str:
                used.add((*at, step))
                return answers[*at, step]

            summary = summary_of(play(walk(tree, SCRIPT), answer))
            path = tuple(map(int, str(summary["path"]).split()))
            outcome = summary["outcome"]
            walks.append(Walked(who="m", tree=tree.id, outcome=outcome, path=path))
    assert len(used) > 200
    assert {one.outcome for one in walks} == {"achieved", "partly", "not", "unscored", "undecided"}
    by_id = {tree.id: tree for tree in trees}
    row = goal_table(Results(trees=by_id, samples={}, walks=tuple(walks), minds=("m",))).rows[0]
    expected = oracle.goals(trees, answers, TIMES)
    assert len(expected) == 1 + len(ORIENTATIONS)
    for scope, figure in expected.items():
        cell = row.cell("zh", scope)
        assert cell is not None
        assert cell.script == pytest.approx(figure, abs=1e-9), scope


def test_abilities_to_the_digit() -> None:
    chance = random.Random(13)
    asked, answered, samples = [], [], {}
    for number in range(800):
        labels = chance.sample(ABILITIES[:-1], chance.choice((1, 1, 2, 3)))
        lines = [Line(role="Ada", text=f"{number} {place}") for place in range(4)]
        one = replace(sample(f"s{number}", *labels), right=lines[0], distractors=tuple(lines[1:]))
        samples[one.id] = one
        answer = said(chance, 4)
        order: list[str] = []

        def take(question, _step, answer: str = answer, order: list[str] = order) -> str:
            order[:] = [line.text for line in question.options]
            return answer

        setup = Inquiry(sample=one, settings=SCRIPT)
        verdict = summary_of(play(setup, take))["verdict"]
        answered.append(Answered(who="m", sample=one.id, verdict=verdict))
        asked.append((labels, "ABCD"[order.index(lines[0].text)], answer))
    assert {one.verdict for one in answered} == {"right", "wrong", "undecided"}
    results = Results(trees={}, samples=samples, answers=tuple(answered), minds=("m",))
    row = ability_table(results).rows[0]
    expected = oracle.abilities(asked)
    assert len(expected) == len(row.cells)
    for scope, figure in expected.items():
        cell = row.cell("zh", scope)
        assert cell is not None
        assert cell.script == pytest.approx(figure, abs=1e-9), scope
