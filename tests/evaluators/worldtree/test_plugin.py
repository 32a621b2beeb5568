"""What rules score of walks and of questions about abilities."""

import pytest

from actors.worldtree.setup import Inquiry, Settings
from actors.worldtree.task_setup import walk
from actors.worldtree.tasks import samples_in
from evaluators.judges.make_judge import judge_for
from evaluators.registry import check_fit, judging_of
from events.evaluation import JudgeSpec, ScoreAbstained, Scored, ScoreFailed
from tests.actors.worldtree.example_trees import LAMP
from tests.evaluators.scripted import Stream
from tests.evaluators.worldtree.play import Answer, play
from tests.support.builders import numbered

GOAL, ABILITY, *_ = judging_of("worldtree").judges
ONCE = Settings(shuffles=1)


def way(*letters: str) -> Answer:
    """Who answers with these letters, one a step."""
    return lambda _, step: f'{{"explanation": "so", "choice": "{letters[step]}"}}'


async def scores(judge: JudgeSpec, setup: object, answer: Answer) -> list[object]:
    return list(await judge_for(judge).evaluate(numbered(play(setup, answer)), Stream()))


@pytest.mark.parametrize(("letters", "value"), [("AA", 2), ("AB", 1), ("B", 0)])
async def test_an_ending_is_worth_what_it_says_of_the_goal(letters: str, value: int) -> None:
    (found,) = await scores(GOAL, walk(LAMP, ONCE), way(*letters))
    assert isinstance(found, Scored)
    assert (found.value, len(found.evidence)) == (value, len(letters))


async def test_an_ending_without_a_goal_is_abstained_from() -> None:
    (found,) = await scores(GOAL, walk(LAMP, ONCE), way("C"))
    assert isinstance(found, ScoreAbstained)


async def test_a_walk_that_came_to_nothing_is_a_failed_score_with_the_reason() -> None:
    (found,) = await scores(GOAL, walk(LAMP, ONCE), lambda *_: "I am not sure.")
    assert isinstance(found, ScoreFailed)
    assert "no majority" in found.error


async def test_the_line_that_shows_the_ability_is_worth_one() -> None:
    setup = Inquiry(sample=samples_in(LAMP)[0], settings=ONCE)

    def right(question, _step):
        return f'{{"choice": "{"ABCD"[question.options.index(setup.sample.right)]}"}}'

    def wrong(question, _step):
        return f'{{"choice": "{"ABCD"[question.options.index(setup.sample.distractors[1])]}"}}'

    for answer, value in ((right, 1), (wrong, 0)):
        (found,) = await scores(ABILITY, setup, answer)
        assert isinstance(found, Scored)
        assert found.value == value
    (none,) = await scores(ABILITY, setup, lambda *_: "?")
    assert isinstance(none, ScoreFailed)


async def test_each_judge_leaves_the_others_episodes_alone() -> None:
    assert await scores(ABILITY, walk(LAMP, ONCE), way("B")) == []
    setup = Inquiry(sample=samples_in(LAMP)[0], settings=ONCE)
    assert await scores(GOAL, setup, way("A")) == []


def test_both_fit_their_environment_and_no_other_dimension_has_their_names() -> None:
    for judge in (GOAL, ABILITY):
        check_fit(judge, "worldtree")
    others = {
        dimension.name for rubric in judging_of("social").rubrics for dimension in rubric.dimensions
    }
    assert not others & {one.name for judge in (GOAL, ABILITY) for one in judge.dimensions}
