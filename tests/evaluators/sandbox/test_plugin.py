"""Both scorers as judges of stored towns: scores of the performer alone, with the events behind."""

import pytest

from actors.sandbox.catalog_items import Goal
from actors.sandbox.formats.movement_events import history_of
from actors.sandbox.setup import Happened
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.registry import built_in, rubric_of
from evaluators.sandbox.dimensions import PAPER, PUBLISHED, PUBLISHED_1
from evaluators.sandbox.results import values_of
from events.base import Event, replace
from events.episode import EpisodeEnded, WorldChanged
from events.evaluation import EvaluationStarted, JudgeSpec, Scored, ScoreFailed
from events.serialization.codec import decode_event, encode
from events.serialization.fingerprints import judge_hash
from store.read_model.episode_history import Numbered
from store.read_model.records import ScoreRow
from tests.actors.sandbox.wandering import started, task, wandering


def judged(
    judge: str, history: list[Event], spec: JudgeSpec | None = None
) -> dict[str, Scored | ScoreFailed]:
    spec = spec or built_in()[judge]
    rule = rubric_of(spec).rule
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


def test_a_judge_that_was_stored_before_is_carried_out_by_the_rules_of_then() -> None:
    lived = wandering(1, start="2023-02-19 12:00")
    of = replace(task(), goals=(Goal(keyword="dance", start="2023-02-22 19:00", minutes=4),))
    history = list(history_of(started(of, lived), lived))
    told = []
    for spec in (PUBLISHED, PUBLISHED_1):
        begun = EvaluationStarted(episode="e", upto=1, judge=spec, judge_hash=judge_hash(spec))
        stored = decode_event("EvaluationStarted", begun.SCHEMA, encode(begun))
        assert isinstance(stored, EvaluationStarted)
        told.append(judged("", history, stored.judge)["contacts"])
    newest, first = told
    assert isinstance(newest, Scored)
    assert isinstance(first, Scored)
    assert (newest.value, newest.reason) == (0, "talked to nobody before 14 February 2023")
    assert (first.value, first.reason) == (0.5, "talked to Bo before the task's day")


def test_what_was_scored_before_stays_under_its_own_fingerprint() -> None:
    assert judge_hash(PUBLISHED_1) == "c9ed8fed50b17113c0f8f1c262bb641f"
    assert judge_hash(PAPER) == "29951ca07c9a2c1936d64f90d9690381"
    assert judge_hash(PUBLISHED) not in (judge_hash(PUBLISHED_1), judge_hash(PAPER))


def test_tables_take_the_newest_edition_that_scored_anything_and_never_two() -> None:
    def row(spec: JudgeSpec, episode: str, value: float) -> ScoreRow:
        return ScoreRow(
            evaluation=f"{episode}-{spec.name}",
            episode=episode,
            run="r",
            judge=spec.name,
            judge_kind="rule",
            judge_hash=judge_hash(spec),
            seat=0,
            mind="ga",
            character="Ann",
            dimension="action_level",
            status="scored",
            value=value,
            reason="",
            evidence=(),
        )

    first = [row(PUBLISHED_1, "e1", 0.5), row(PUBLISHED_1, "e2", 0.5)]
    assert {e: v["published"]["score"].value for e, v in values_of(first).items()} == {
        "e1": 0.5,
        "e2": 0.5,
    }
    both = [*first, row(PUBLISHED, "e1", 1.0)]
    assert {e: v["published"]["score"].value for e, v in values_of(both).items()} == {"e1": 1.0}
