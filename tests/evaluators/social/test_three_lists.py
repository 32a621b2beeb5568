"""The three lists of believability beside each other, as ``docs/reference/judge.md`` shows them:
what each makes of the same answers about the same episode. The answers are written by hand."""

import json
from pathlib import Path
from statistics import fmean
from typing import Any

from evaluators.judges.judge_file import parse_judge
from evaluators.judges.make_judge import judge_for
from evaluators.registry import rubric_named
from events.evaluation import Scored
from tests.evaluators.scripted import Scripted, Stream, caller_of
from tests.support.builders import Move, episode, numbered, started

DOCUMENT = Path(__file__).parents[3] / "docs" / "reference" / "judge.md"
MOVES: list[Move] = [
    (0, "I have always loved this oven. Will you take it?"),
    (1, "For 200, perhaps."),
    (0, "I have always loved this oven."),
]
HISTORY = numbered(episode(started(), MOVES))
RUBRICS = ("believability", "believability-lenient", "believability-strict")
PASSED = {"reason": "Nothing.", "quotes": [], "evidence": [], "passed": True}


def fault(*quotes: str) -> dict[str, Any]:
    return {"reason": "Twice.", "quotes": [*quotes], "evidence": [6], "passed": False}


ANSWERS: dict[str, list[dict[str, Any]]] = {
    "fails it and quotes what was said": [fault("I have always loved this oven")],
    "fails it and quotes it in other words": [fault("She says that the oven is dear to her")] * 3,
    "fails it and quotes nothing": [fault()] * 3,
    "fails it and quotes nothing; asked again, passes it": [fault(), PASSED],
    "passes it": [PASSED],
}
"""What the judge's model says of ``no_repetition``, each time it is asked."""


def answer(rubric: str, repeated: dict[str, Any]) -> str:
    checkpoints = dict.fromkeys(rubric_named(rubric).checkpoints, PASSED)
    score = {"believability": {"reason": "Mostly.", "evidence": [2], "score": 8}}
    first = {**score, **checkpoints, "no_repetition": repeated}
    return json.dumps({"seat_1": first, "seat_2": {**score, **checkpoints}})


async def belext(rubric: str, answers: list[dict[str, Any]]) -> tuple[str, float | None]:
    """How the first seat's checkpoint came out, and what its believability came to."""
    spec = parse_judge(f'model = "test/judge"\nrubric = "{rubric}"\nretries = 0\n')
    model = Scripted([answer(rubric, one) for one in answers])
    found = await judge_for(spec, caller_of(model)).evaluate(HISTORY, Stream())
    first = {score.dimension: score for score in found if score.seat == 0}  # type: ignore[attr-defined]
    verdict = first["no_repetition"]
    extended = next(first[name] for name in ("belext", "believability_extended") if name in first)
    if not isinstance(verdict, Scored) or not isinstance(extended, Scored):
        return "no score", None
    marked = ", marked" if verdict.evidence_missing else ""
    return ("passed" if verdict.value else f"failed{marked}"), extended.value


async def test_the_document_shows_what_each_list_makes_of_the_same_answers() -> None:
    heads = " | ".join(f"`{rubric}`" for rubric in RUBRICS)
    lines = [f"| the model | {heads} |", "|---|---|---|---|"]
    values: dict[str, list[float]] = {rubric: [] for rubric in RUBRICS}
    for what, answers in ANSWERS.items():
        cells = []
        for rubric in RUBRICS:
            verdict, value = await belext(rubric, answers)
            cells.append(verdict if value is None else f"{verdict}: {value:g}")
            if value is not None:
                values[rubric].append(value)
        lines.append(f"| {what} | {' | '.join(cells)} |")
    means = [f"{fmean(values[r]):.1f} of {len(values[r])}" for r in RUBRICS]
    lines.append(f"| mean | {' | '.join(means)} |")
    assert "\n".join(lines) in DOCUMENT.read_text(encoding="utf-8")
