"""Which scores belong to which line."""

import pytest

from actors.lifelong.formats import Baseline
from evaluators.scores.score_columns import columns_of
from evaluators.statistics.chain_curves import (
    PEOPLE,
    DimensionCurves,
    ablations,
    memory_names,
    of_columns,
)
from events.memory import MemorySpec
from store.read_model.records import EpisodeRow, ScoreRow
from tests.support.record_rows import chain_row, episode_row

MINDS = ("warm", "cold")
CHAINS = [
    chain_row("h1", minds=MINDS, memory="summary"),
    chain_row("h2", minds=MINDS, memory="none"),
]


def episode(id_: str, chain: str, index: int) -> EpisodeRow:
    return episode_row(id_, chain=chain, index=index, minds=MINDS)


EPISODES = [episode("e0", "h1", 0), episode("e1", "h1", 1), episode("e2", "h2", 0)]


def score(
    episode: str, seat: int, value: float | None, judge: str = "strict", dimension: str = "goal"
) -> ScoreRow:
    return ScoreRow(
        evaluation=f"{judge}-{episode}",
        episode=episode,
        run="r1",
        judge=judge,
        judge_kind="model",
        judge_hash=f"hash-{judge}",
        seat=seat,
        mind=MINDS[seat],
        character="x",
        dimension=dimension,
        status="failed" if value is None else "scored",
        value=value,
        reason="",
        evidence=(),
    )


def figures(scores: list[ScoreRow], episodes: list[EpisodeRow] = EPISODES, **more: object):
    return of_columns(columns_of(scores, episodes, CHAINS), **more)


def lines(found: list[DimensionCurves]) -> dict[str, list[tuple[int, float | None, int]]]:
    (only,) = found
    return {
        curve.label: [(p.index, p.mean.value, p.asked) for p in curve.places]
        for curve in only.curves
    }


def test_each_mind_with_each_memory_has_a_line():
    scores = [score("e0", 0, 4.0), score("e1", 0, 6.0), score("e0", 1, 1.0), score("e2", 0, 9.0)]
    assert lines(figures(scores)) == {
        "cold, summary": [(0, 1.0, 1)],
        "warm, none": [(0, 9.0, 1)],
        "warm, summary": [(0, 4.0, 1), (1, 6.0, 1)],
    }


def test_a_failed_score_is_asked_for_and_has_no_value():
    assert lines(figures([score("e0", 0, None), score("e1", 0, 6.0)])) == {
        "warm, summary": [(0, None, 1), (1, 6.0, 1)]
    }


def test_episodes_of_no_chain_have_no_place_on_a_line():
    assert figures([score("e9", 0, 2.0)], [*EPISODES, episode("e9", "", 0)]) == []


def test_judges_are_never_mixed():
    found = figures([score("e0", 0, 4.0), score("e0", 0, 8.0, judge="mild")])
    assert [(one.judge.name, one.curves[0].places[0].mean.value) for one in found] == [
        ("mild", 8.0),
        ("strict", 4.0),
    ]


def test_people_stand_beside_the_minds_in_their_dimension_only():
    people = [
        Baseline(index=0, dimension="goal", value=7.0, participant="p1"),
        Baseline(index=0, dimension="believability", value=9.0, participant="p1"),
    ]
    found = lines(figures([score("e0", 0, 4.0)], baselines=people))
    assert found[PEOPLE] == [(0, 7.0, 1)]


def test_only_the_dimensions_asked_for_are_drawn():
    both = [score("e0", 0, 4.0), score("e0", 0, 8.0, dimension="believability")]
    found = figures(both, dimensions=["believability"])
    assert [one.dimension for one in found] == ["believability"]


FULL = MemorySpec(name="full", module="full")
SHORT = MemorySpec(name="none", module="summary", words_low=40, words_high=50)
LONG = MemorySpec(name="summary", module="summary", words_low=800, words_high=1000)


BRIEF = MemorySpec(
    name="brief",
    module="summary",
    words_low=40,
    words_high=50,
    parts=("overview", "knowledge"),
)


def test_memories_can_be_told_apart_by_what_their_notes_leave_out():
    assert memory_names([BRIEF, SHORT], "parts") == {
        "none": "whole notes",
        "brief": "without strategies",
    }


def test_memories_that_keep_notes_can_be_told_apart_by_their_length():
    scores = [score("e0", 0, 4.0), score("e2", 0, 9.0)]
    found = figures(scores, memories=[LONG, FULL, SHORT], by="length")
    assert list(lines(found)) == ["warm, up to 50 words", "warm, up to 1,000 words"]
    assert found[0].title == "Goal by index, by length of note, judged by strict"


def test_memories_of_one_length_keep_their_names_beside_it():
    again = MemorySpec(name="mine", module="retrieval", words_low=40, words_high=50)
    assert memory_names([SHORT, again, LONG, FULL], "length") == {
        "mine": "up to 50 words (mine)",
        "none": "up to 50 words (none)",
        "summary": "up to 1,000 words",
    }


@pytest.mark.parametrize(
    ("memories", "by"),
    [
        ([FULL, SHORT], []),
        ([SHORT, LONG], ["length"]),
        ([SHORT, BRIEF], ["parts"]),
        ([LONG, BRIEF], ["length", "parts"]),
        ([], []),
    ],
)
def test_a_run_has_an_ablation_where_its_notes_differ(memories: list[MemorySpec], by: list[str]):
    assert ablations(memories) == by


def test_scores_of_episodes_in_which_an_action_failed_are_asked_for_and_left_out():
    marred = [episode_row("e0", chain="h1", minds=MINDS, failed_actions=1), *EPISODES[1:]]
    scores = [score("e0", 0, 4.0), score("e1", 0, 6.0)]
    found = figures(scores, marred)
    assert lines(found) == {"warm, summary": [(0, None, 1), (1, 6.0, 1)]}
    assert found[0].unclean == 1
    assert lines(figures(scores, marred, unclean=True)) == {
        "warm, summary": [(0, 4.0, 1), (1, 6.0, 1)]
    }
