"""Both scorers as judges of stored towns: scores of the performer alone, with the events behind."""

import pytest

from actors.sandbox.formats.movement_events import history_of
from actors.sandbox.setup import Happened
from evaluators.judged_episode import JudgedEpisode
from evaluators.registry import built_in, rubric_named
from events.base import Event
from events.episode import EpisodeEnded, WorldChanged
from events.evaluation import Scored, ScoreFailed
from store.history import Numbered
from tests.actors.sandbox.wandering import started, task, wandering


def judged(judge: str, history: list[Event]) -> dict[str, Scored | ScoreFailed]:
    spec = built_in()[judge]
    rule = rubric_named(judge).rule
    assert rule is not None
    numbered = [Numbered(n, None, event) for n, event in enumerate(history)]  # type: ignore[arg-type]
    outcomes = rule(spec, JudgedEpisode(numbered), ())
    assert {outcome.seat for outcome in outcomes} == {0}
    return {outcome.dimension: outcome for outcome in outcomes}  # type: ignore[misc]


def town(kind: str = "public") -> list[Event]:
    lived = wandering(1)
    return list(history_of(started(task(kind), lived), lived))


@pytest.mark.parametrize("judge", ["stss-paper", "stss-published"])
def test_a_score_names_the_events_in_which_what_counts_began(judge: str) -> None:
    history = town()
    score = judged(judge, history)["action_level"]
    assert isinstance(score, Scored)
    assert score.value > 0
    assert score.evidence
    for number in score.evidence:
        event = history[number]
        assert isinstance(event, WorldChanged)
        assert isinstance(event.change, Happened)
        texts = [getattr(fact, "text", "") for fact in event.change.facts]
        assert any("dance" in text for text in texts)
    assert "keyword 'dance'" in score.reason


def test_the_published_scorer_has_a_second_figure_and_the_papers_one_for_help() -> None:
    assert set(judged("stss-published", town())) == {"action_level", "contacts"}
    assert set(judged("stss-paper", town())) == {"action_level"}
    assert set(judged("stss-paper", town("help"))) == {"action_level", "pooled_help"}


@pytest.mark.parametrize("judge", ["stss-paper", "stss-published"])
def test_a_town_that_was_stopped_has_no_score(judge: str) -> None:
    history = [*town()[:-1], EpisodeEnded(reason="stopped", turn=1)]
    score = judged(judge, history)["action_level"]
    assert isinstance(score, ScoreFailed)
    assert "did not live to its end" in score.error
