"""What a judge's schema allows is read, whatever the rubric; copied forms aside."""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from actors.models.errors import Unreadable
from evaluators.judges.judge_answer import Judgement, Outcomes
from evaluators.judges.judge_prompts import JudgePrompt, prompt_version
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.plugin import Rubric
from evaluators.registry import judgings
from events.evaluation import Dimension, JudgeSpec, ScoreFailed
from events.minds import ModelSpec
from tests.evaluators.sandbox.language.made_up import case
from tests.evaluators.sandbox.language.made_up import history as talk
from tests.evaluators.sandbox.language.test_talk_form import SAID, TOLD
from tests.evaluators.sandbox.language.test_talk_form import numbered as numbered_talk
from tests.evaluators.worldtree.test_line_judge import judged as lines
from tests.support.builders import act, episode, numbered, started
from tests.support.schema_values import value_of
from tests.support.servers.stub_answers import open_place

OWN = (
    Dimension(name="warmth", low=-3, high=3, integer=True),
    Dimension(name="points", low=0, high=100, integer=True),
    Dimension(name="ease", low=0, high=1),
)
MEETING = JudgedEpisode(
    numbered(
        episode(
            started(),
            [
                (0, 'Hello. Would you "sell" it?\nFor 200?'),
                (1, act("speak", "Only to you.", to=(0,))),
                (0, act("non_verbal", "…")),
                (1, "No."),
                (0, act("leave")),
            ],
        )
    )
)
SILENCE = JudgedEpisode(numbered(episode(started(), [(0, act("none"))])))
LONG = JudgedEpisode(
    numbered(episode(started(), [(n % 2, f"This is offer number {n} of mine.") for n in range(40)]))
)
NOBODY = JudgedEpisode(numbered_talk(talk(case("public"), summary="")))
EPISODES: Mapping[str, Sequence[JudgedEpisode]] = {
    "": (MEETING, SILENCE, LONG),
    "social": (MEETING, SILENCE),
    "sandbox": (JudgedEpisode(numbered_talk(talk(case("public"), *SAID, summary=TOLD))), NOBODY),
    "worldtree": (lines("I shall pay for it."),),
}
ASKED = [
    pytest.param(environment, edition, id=edition.prompt)
    for environment, judging in judgings().items()
    for rubric in judging.rubrics
    for edition in (rubric, *rubric.editions)
    if edition.form is not None
]


def spec_of(rubric: Rubric) -> JudgeSpec:
    return JudgeSpec(
        name="m",
        kind="model",
        dimensions=rubric.dimensions or OWN,
        model=ModelSpec(name="judge-model"),
        rubric=rubric.name,
        prompt_version=prompt_version(rubric, rubric.prompt),
    )


def put(rubric: Rubric, judged: JudgedEpisode, longest: int = 4000) -> tuple[Judgement, Any]:
    """A judgement to come, and the schema that its answer is held to."""
    spec = spec_of(rubric)
    assert rubric.form is not None
    form = rubric.form(spec, judged, ())
    phrases = JudgePrompt(rubric, spec.prompt_version).phrases
    judgement = Judgement(form.asked, form.seats or judged.seats, form.read, phrases)
    return judgement, judgement.schema(form.schema, longest)


@pytest.mark.parametrize(("environment", "rubric"), ASKED)
def test_whatever_the_schema_of_a_rubric_allows_is_read(environment: str, rubric: Rubric) -> None:
    for number, judged in enumerate(EPISODES[environment]):
        random = Random(f"{rubric.prompt} {number}")
        for longest in (300, 4000):
            for _ in range(25):
                judgement, schema = put(rubric, judged, longest)
                answer = value_of(schema, random)
                judgement.read(json.dumps(answer))


@pytest.mark.parametrize(("environment", "rubric"), ASKED)
def test_a_schema_is_closed_and_has_one_entry_a_seat_and_dimension(
    environment: str, rubric: Rubric
) -> None:
    for judged in EPISODES[environment]:
        _judgement, schema = put(rubric, judged)
        assert open_place(schema) == ""
        assert _written_out(schema) <= 1000
        for seat in schema["properties"].values():
            for entry in seat["properties"].values():
                assert next(iter(entry["properties"])) == "reason"


def _written_out(schema: Any) -> int:
    """Values of all enums together."""
    if isinstance(schema, list):
        return sum(map(_written_out, schema))
    if not isinstance(schema, dict):
        return 0
    return len(schema.get("enum", ())) + sum(map(_written_out, schema.values()))


def test_whole_scores_and_the_numbers_of_what_happened_are_named_one_by_one() -> None:
    _judgement, schema = put(judgings()["social"].rubrics[0], MEETING)
    secret = schema["properties"]["seat_2"]["properties"]["secret"]["properties"]
    score, null = secret["score"]["anyOf"]
    assert score == {"type": "integer", "enum": [*range(-10, 1)]}
    assert null == {"type": "null"}
    happened = [line.number for line in MEETING.view.lines]
    assert secret["evidence"]["items"] == {"type": "integer", "enum": happened}
    assert secret["reason"]["pattern"].endswith("{0,399}$")


def test_where_the_longest_answer_is_short_reasons_are_shorter() -> None:
    # As in the recorded meeting with a small model: 700 tokens for two seats in 7 dimensions.
    _, schema = put(judgings()["social"].rubrics[0], MEETING, 700)
    goal = schema["properties"]["seat_1"]["properties"]["goal"]["properties"]
    assert goal["reason"]["pattern"].endswith("{0,59}$")


def _copied(reason: str, score: Any = 0) -> str:
    rubric = judgings()["social"].rubrics[0]
    entry = {"reason": reason, "evidence": [], "score": score}
    dimensions = [one.name for one in rubric.dimensions]
    return json.dumps({f"seat_{n}": dict.fromkeys(dimensions, entry) for n in (1, 2)})


@pytest.mark.parametrize(
    "reason",
    [
        "…",  # the recorded answer of a small model that was held to the schema
        "...",
        "<reason>",
        " — ",
        "0",
        "reason",
        "The analysis that its line asks for, in a few sentences.",
    ],
)
@pytest.mark.parametrize("score", [0, None])
def test_a_reason_copied_from_the_form_is_no_score(reason: str, score: Any) -> None:
    judgement, _ = put(judgings()["social"].rubrics[0], MEETING)
    found = _read(judgement, _copied(reason, score))
    assert len(found) == 14
    assert all(isinstance(one, ScoreFailed) for one in found.values())


def _read(judgement: Judgement, text: str) -> Outcomes:
    with pytest.raises(Unreadable, match="reason"):
        judgement.read(text)
    return judgement.found


@pytest.mark.parametrize("reason", ["He lied.", "他说谎。", "Reason enough: he lied", "No. 3"])
def test_a_short_reason_of_its_own_is_one(reason: str) -> None:
    judgement, _ = put(judgings()["social"].rubrics[0], MEETING)
    assert len(judgement.read(_copied(reason))) == 14
