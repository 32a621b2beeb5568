"""A model that is asked several questions about an episode, played by a script."""

import dataclasses
from collections.abc import Sequence

from actors.models.errors import Unreadable
from actors.models.response_formats.schemas import object_schema, text_schema
from evaluators.judges.judge_answer import Outcome
from evaluators.judges.judge_prompts import JudgePrompt, prompt_version
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.judges.make_judge import SeriesJudge
from evaluators.judges.question_series import (
    Answers,
    ExpectedQuestion,
    NotAnswered,
    SeriesQuestion,
)
from evaluators.worldtree.lines.rubric import OF_LINES, SIMILAR
from events.agent import ModelAsked
from events.evaluation import JudgeSpec, Scored, ScoreFailed
from events.minds import ModelSpec
from tests.evaluators.scripted import Scripted, Stream, caller_of
from tests.support.builders import episode, numbered, started

HISTORY = numbered(episode(started(), [(0, "Hello.")]))
SCHEMA = object_schema({"word": text_schema(20)})


def read(text: str, label: str) -> str:
    del label
    if not text.startswith("!"):
        raise Unreadable("it begins with an exclamation mark", text)
    return text[1:]


class Echo:
    """First two words, then one that rests on both."""

    def expected(self) -> Sequence[ExpectedQuestion]:
        return [ExpectedQuestion(text, 0, 10, 5) for text in ("one?", "two?", "both?")]

    def ready(self, answers: Answers) -> Sequence[SeriesQuestion]:
        keys = [key for key in ("one", "two") if key not in answers]
        if not keys and "both" not in answers:
            said = [answers[key] for key in ("one", "two")]
            if any(isinstance(one, NotAnswered) for one in said):
                return ()
            return [SeriesQuestion("both", f"{said[0]} and {said[1]}?", SCHEMA, read)]
        return [SeriesQuestion(key, f"{key}?", SCHEMA, read) for key in keys]

    def outcomes(self, answers: Answers) -> Sequence[Outcome]:
        for answer in answers.values():
            if isinstance(answer, NotAnswered):
                return [
                    ScoreFailed(seat=0, dimension=SIMILAR.name, error=answer.why, raw=answer.raw)
                ]
        said = str(answers["both"])
        return [Scored(seat=0, dimension=SIMILAR.name, value=float(len(said) > 2), reason=said)]


def echo(spec: JudgeSpec, judged: JudgedEpisode, prompt: JudgePrompt) -> Echo:
    assert prompt.version == spec.prompt_version
    assert judged.seats == 2
    return Echo()


RUBRIC = dataclasses.replace(OF_LINES, form=None, series=echo)
MODEL = ModelSpec(name="judge-model", reasks=1)
SPEC = JudgeSpec(
    name="m",
    kind="model",
    dimensions=(SIMILAR,),
    model=MODEL,
    rubric=RUBRIC.name,
    prompt_version=prompt_version(RUBRIC),
)


async def judged(model: Scripted, stream: Stream) -> Sequence[object]:
    return await SeriesJudge(SPEC, MODEL, RUBRIC, caller_of(model)).evaluate(HISTORY, stream)


async def test_a_later_question_rests_on_the_answers_to_earlier_ones() -> None:
    model, stream = Scripted(["!a", "!b", "!yes"]), Stream()
    (found,) = await judged(model, stream)
    assert (found.value, found.reason) == (1, "yes")  # type: ignore[attr-defined]
    assert [one.messages[-1].content for one in model.asked] == ["one?", "two?", "a and b?"]
    asked = [one for one in stream.events if isinstance(one, ModelAsked)]
    # Each question has room for its own attempts.
    assert [(one.turn, one.attempt) for one in asked] == [(0, 0), (0, 2), (0, 4)]
    assert all(one.purpose == "judge" for one in asked)


async def test_what_was_answered_before_a_crash_is_not_asked_again() -> None:
    stream = Stream()
    await judged(Scripted(["!a", "b", "!b", "!yes"]), stream)
    again, kept = Scripted(["!no"]), Stream()
    kept.events = stream.events[:-2]  # without the last question and its answer
    (found,) = await judged(again, kept)
    assert found.reason == "no"  # type: ignore[attr-defined]
    assert len(again.asked) == 1


async def test_an_answer_that_cannot_be_read_is_asked_for_again_and_then_a_failure() -> None:
    model = Scripted(["?", "!a", "?", "??"])
    (found,) = await judged(model, Stream())
    assert isinstance(found, ScoreFailed)
    assert (found.raw, len(model.asked)) == ("??", 4)
    assert "exclamation mark" in found.error
