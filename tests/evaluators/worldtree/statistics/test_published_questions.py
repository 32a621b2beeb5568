"""SocialEval's published questions, merged as its program reads them: what that makes of a model's
answers, and what is made of them here."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from actors.worldtree.catalog_items import Sample
from actors.worldtree.formats.files import FoundTrees, read_path
from actors.worldtree.plan_section import PLANS, Section
from actors.worldtree.setup import Inquiry
from actors.worldtree.trees.abilities import ABILITIES
from evaluators.worldtree.statistics.ability_scores import ability_table
from evaluators.worldtree.values.results import Answered, Results
from tests.evaluators.worldtree import oracle
from tests.evaluators.worldtree.merged import merged_samples, merged_trees
from tests.evaluators.worldtree.play import play, summary_of
from tests.properties.published import WORLD_TREES, needs_world_trees

pytestmark = needs_world_trees

SCRIPT = PLANS.settings(Section(preset="script"), seed=7)
KNOWN = {oracle.key(ability) for ability in ABILITIES}


@cache
def files() -> dict[str, Any]:
    paths = sorted(WORLD_TREES.glob("*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def read(tmp_path: Path, entries: Sequence[Any]) -> FoundTrees:
    path = tmp_path / "merged.json"
    path.write_text(json.dumps(entries, ensure_ascii=False), encoding="utf-8")
    return read_path(path)


def taken(number: int, texts: Sequence[str]) -> str | None:
    """The option that a model takes, whatever the order; None: it says something else."""
    chance = random.Random(number)
    return None if chance.random() < 0.1 else chance.choice(sorted(texts))


def said(number: int, texts: Sequence[str]) -> str:
    text = taken(number, texts)
    return "I would rather not." if text is None else f'{{"choice": "{"ABCD"[texts.index(text)]}"}}'


def test_trees_that_are_merged_are_read_as_each_alone(tmp_path: Path) -> None:
    alone, together = read_path(WORLD_TREES), read(tmp_path, merged_trees(files()))
    assert (together.forms, together.refused) == ({"merged"}, [])
    assert len(together.trees) == len(alone.trees) == 56
    for one, other in zip(together.trees, sorted(alone.trees, key=lambda t: t.source), strict=True):
        assert (one.nodes, one.cast, one.scenario) == (other.nodes, other.cast, other.scenario)


def test_verdicts_and_figures_are_those_of_the_published_program(tmp_path: Path) -> None:
    entries = merged_samples(files())
    found = read(tmp_path, entries)
    assert (found.forms, found.refused) == ({"samples"}, [])
    asked, answers, samples = [], [], {}
    verdicts: Counter[str] = Counter()
    for sample in found.samples:
        number = int(sample.id.partition("-")[0])
        entry = entries[number].get("cn_data") or entries[number]["en_data"]
        published = _published(number, entry)
        verdict = _here(number, sample)
        assert verdict == published, sample.id
        verdicts[verdict] += 1
        if {oracle.key(label) for label in entry["question"]["skills"]} <= KNOWN:
            samples[sample.id] = sample
            answers.append(Answered(who="m", sample=sample.id, verdict=verdict))
            right, texts = _lines(entry)
            answer = said(number, texts)
            asked.append(
                (sample.language, entry["question"]["skills"], "ABCD"[texts.index(right)], answer)
            )
    assert verdicts == {"right": 202, "wrong": 577, "undecided": 101}
    results = Results(trees={}, samples=samples, answers=tuple(answers), minds=("m",))
    row = ability_table(results).rows[0]
    compared = 0
    for language in ("zh", "en"):
        expected = oracle.abilities(one[1:] for one in asked if one[0] == language)
        for scope, figure in expected.items():
            cell = row.cell(language, scope)
            assert cell is not None
            assert cell.script == pytest.approx(figure, abs=1e-9), (language, scope)
            compared += 1
    assert compared > 70


def _lines(entry: Any) -> tuple[str, list[str]]:
    right = next(one["content"] for one in entry["choices"] if one["type"] == "skill choice")
    return right, [one["content"] for one in entry["choices"]]


def _published(number: int, entry: Any) -> str:
    """An answer that is no JSON is dropped; else the letter is that of the right option or not."""
    right, texts = _lines(entry)
    letter = oracle.letter_of(said(number, texts))
    if letter is None:
        return "undecided"
    return "right" if letter == "ABCD"[texts.index(right)] else "wrong"


def _here(number: int, sample: Sample) -> str:
    def take(question: Any, _step: int) -> str:
        return said(number, [line.text for line in question.options])

    return str(summary_of(play(Inquiry(sample=sample, settings=SCRIPT), take))["verdict"])
