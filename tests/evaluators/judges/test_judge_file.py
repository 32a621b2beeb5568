"""Judge files: what they may say, and what is answered when they say something else."""

from pathlib import Path

import pytest

from actors.toml_file import BadFile
from evaluators.judges.judge_file import (
    PAST_TOKENS,
    NoJudgeFile,
    UnknownJudge,
    judge_named,
    parse_judge,
    read_judge,
)
from evaluators.registry import built_in
from evaluators.social import sotopia_eval
from evaluators.social.believability import rubric
from events.base import replace
from events.serialization.fingerprints import judge_hash

EXAMPLES = Path(__file__).parents[3] / "examples"
MODEL = 'model = "openai/gpt-4o"\n'
BELEXT = MODEL + 'rubric = "believability"\n'
REHEARSED = 'kind = "rehearsal"\ntemper = "strict"\nrubric = "believability"\n'
OWN = '[[dimension]]\nname = "empathy"\nlow = 0\nhigh = 4\ndescription = "Feels with others."\n'


def test_a_model_judge_needs_no_more_than_its_model() -> None:
    judge = parse_judge(MODEL, "careful.toml")
    assert (judge.name, judge.kind) == ("careful", "model")
    assert judge.dimensions == sotopia_eval.DIMENSIONS
    assert judge.model is not None
    assert (judge.model.name, judge.model.temperature) == ("openai/gpt-4o", 0.0)
    assert judge.prompt_version.startswith("sotopia-v3@")


def test_a_file_may_add_a_dimension_and_choose_the_order() -> None:
    judge = parse_judge(MODEL + 'dimensions = ["empathy", "goal"]\n' + OWN)
    assert [(d.name, d.low, d.high) for d in judge.dimensions] == [
        ("empathy", 0, 4),
        ("goal", 0, 10),
    ]


def test_one_of_the_seven_may_be_put_in_other_words_but_keeps_its_range() -> None:
    judge = parse_judge(MODEL + '[[dimension]]\nname = "goal"\ndescription = "Only results."\n')
    goal = judge.dimensions[0]
    assert (goal.low, goal.high, goal.description) == (0, 10, "Only results.")
    with pytest.raises(BadFile, match=r"range stays 0\.\.10"):
        parse_judge(MODEL + '[[dimension]]\nname = "goal"\nhigh = 5\ndescription = "x"\n')


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("modl = 'x'", "", "did you mean 'model'"),
        ("", "model", "name the model"),
        ("model = 3", "model", "must be text, not 3"),
        (MODEL + "temperature = 3.0", "temperature", "0 to 2"),
        (MODEL + "max_tokens = 0", "max_tokens", "from 1 to "),
        (MODEL + "temper = 'strict'", "temper", "leave it out"),
        (MODEL + "prompt = 'judge-v9'", "prompt", "sotopia-v1, sotopia-v2, sotopia-v3, judge-v1"),
        (MODEL + "dimensions = []", "dimensions", "at least one"),
        (MODEL + "dimensions = ['gaol']", "dimensions[0]", "did you mean 'goal'"),
        (MODEL + "dimensions = ['goal', 'goal']", "dimensions[1]", "twice"),
        (MODEL + OWN + OWN, "dimension[1].name", "declared twice"),
        (MODEL + OWN.replace("empathy", "overall"), "dimension[0].name", "other than 'overall'"),
        (MODEL + OWN.replace("high = 4", "high = 0"), "dimension[0].high", "more than low"),
        (MODEL + OWN.replace("high = 4", "high = inf"), "dimension[0].high", "finite"),
        (MODEL + OWN.replace("high = 4\n", ""), "dimension[0].high", "both ends"),
        (MODEL + OWN.replace("Feels with others.", " "), "dimension[0].description", "look for"),
        ("kind = 'rehearsal'\ntemper = 'mild'", "temper", "strict, lenient"),
        ("kind = 'rehearsal'\ntemper = 'strict'\n" + MODEL, "model", "kind = 'model'"),
        (
            "kind = 'rehearsal'\ntemper = 'strict'\n" + OWN,
            "dimension[0]",
            "dimensions of sotopia only",
        ),
        (BELEXT + "dimensions = ['believability']", "dimensions", "scored as a whole"),
        (BELEXT + OWN, "dimension[0]", "scored as a whole"),
        (
            BELEXT + "prompt = 'judge-v1'",
            "prompt",
            "one of belext-v1, belext-v2, belext-v3, believability-v1",
        ),
        (
            MODEL + "prompt = 'believability-v1'",
            "prompt",
            "one of sotopia-v1, sotopia-v2, sotopia-v3, judge-v1",
        ),
        (BELEXT + "past_tokens = -1", "past_tokens", "from 0 to "),
        (MODEL + "past_tokens = 100", "past_tokens", "does not look back"),
        (REHEARSED + "past_tokens = 100", "past_tokens", "only a model"),
        (REHEARSED + "dimensions = ['goal']", "dimensions", "scored as a whole"),
        (MODEL + "rubric = 'belext'", "rubric", "there is no rubric 'belext'"),
        (MODEL + "rubric = 'facts'", "rubric", "no judge of kind 'model'"),
        (MODEL + "rubric = 'own'", "dimension", "declare one at least"),
        (MODEL + "rubric = 'own'\ndimensions = ['goal']\n" + OWN, "dimensions[0]", "there is no"),
        (REHEARSED.replace("believability", "own"), "rubric", "no judge of kind 'rehearsal'"),
        ("model = ", "", "not valid TOML"),
    ],
)
def test_a_wrong_file_is_refused_with_the_field_and_what_would_be_right(
    text: str, where: str, why: str
) -> None:
    with pytest.raises(BadFile) as refused:
        parse_judge(text, "j.toml")
    assert refused.value.where == where
    assert why in str(refused.value)
    assert str(refused.value).startswith("j.toml")


def test_a_judge_is_named_by_its_file_or_built_in(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(MODEL)
    assert judge_named("rehearsal-strict") is built_in()["rehearsal-strict"]
    assert judge_named("mine.toml", beside=tmp_path) == read_judge(tmp_path / "mine.toml")


def test_a_model_judge_may_be_given_the_believability_rubric() -> None:
    judge = parse_judge(BELEXT)
    assert judge.rubric == "believability"
    assert judge.dimensions == rubric.PAPER.dimensions
    assert judge.prompt_version.startswith("belext-v3@")
    assert judge.past_tokens == PAST_TOKENS
    assert parse_judge(BELEXT + "past_tokens = 0").past_tokens == 0


def test_the_rehearsal_of_believability_may_have_a_seed_and_a_temper_of_its_own() -> None:
    judge = parse_judge(REHEARSED + "seed = 3\n", "belext-rehearsal.toml")
    assert judge == replace(built_in()["belext-rehearsal"], seed=3)


def test_every_example_that_is_a_judge_can_be_read() -> None:
    judges = [
        read_judge(EXAMPLES / f"{name}.toml")
        for name in ("judge", "judge-anchored", "believability", "judge-pairs")
    ]
    assert [judge.rubric for judge in judges] == [
        "sotopia",
        "sotopia-anchored",
        "believability",
        "information-pairs",
    ]


def test_judges_of_earlier_versions_keep_their_fingerprints() -> None:
    # Scores in old stores were made by these: another hash, and they would be made again.
    older = {
        "rehearsal-strict": "d9b361329ab114a6be3a39449dc44ba7",
        "rehearsal-lenient": "c1ca8dfac3b10c7d3dee0c4b8cc28ee1",
    }
    assert {name: judge_hash(built_in()[name]) for name in older} == older
    example = (EXAMPLES / "judge.toml").read_text().replace("sotopia-v3", "judge-v1")
    assert judge_hash(parse_judge(example)) == "847f3885bac6fefce7a1e54f2322b27e"
    plain = parse_judge(MODEL + 'prompt = "judge-v1"', "careful.toml")
    assert judge_hash(plain) == "51fb7353bc39c812881bcb2a11d9f356"
    belext = parse_judge(BELEXT + 'prompt = "believability-v1"', "belext.toml")
    assert judge_hash(belext) == "16a72e3597ce530c3aadf1ecad8767c6"


def test_a_name_that_is_no_judge_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownJudge, match="did you mean 'rehearsal-strict'"):
        judge_named("rehearsal-strickt")


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(NoJudgeFile, match=rf"'gone.toml' \(looked for as {tmp_path}/gone.toml\)$"):
        judge_named("gone.toml", beside=tmp_path)
    with pytest.raises(NoJudgeFile, match="is named without"):
        judge_named("rehearsal-strict.toml")


def test_other_words_in_the_rubric_make_another_judge() -> None:
    plain = parse_judge(MODEL)
    reworded = parse_judge(MODEL + '[[dimension]]\nname = "goal"\ndescription = "Only results."\n')
    assert judge_hash(plain) == judge_hash(parse_judge(MODEL))
    assert judge_hash(plain) != judge_hash(reworded)
