"""Which notes are retrieved, and why."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.lifelong.memory.module import Kept
from actors.lifelong.memory.retrieval import DECAY, Retrieval, scaled, scores, similarities
from events.memory import MemorySpec
from tests.actors.lifelong.memory.memories import CUE, kept, note, sized


def retrieval(top: int) -> Retrieval:
    return Retrieval(MemorySpec(name="r", module="retrieval", top=top))


def test_the_note_about_what_is_at_hand_is_recalled_before_a_newer_one():
    memories = [
        kept(0, note("Ben wants a boat for the harbour and has 900 dollars.")),
        kept(1, note("We argued about a garden fence.")),
        kept(2, note("We planned a birthday.")),
        kept(3, note("We shared a recipe for bread.")),
    ]
    cue = "A harbour at dusk. Sell the boat."
    assert retrieval(2).choose(memories, cue, 10_000).recalled == (0, 3)


def test_of_notes_that_differ_in_nothing_else_the_newest_are_recalled():
    memories = [kept(index) for index in range(6)]
    assert retrieval(3).choose(memories, CUE, 10_000).recalled == (3, 4, 5)


def test_what_must_not_be_forgotten_outlasts_what_is_newer():
    memories = [kept(index, note(importance=0.1)) for index in range(1, 8)]
    memories.insert(0, kept(0, note(importance=1.0)))
    assert retrieval(2).choose(memories, CUE, 10_000).recalled == (0, 7)


def test_a_note_without_importance_counts_as_middling():
    least, unrated, most = (kept(0, note(importance=rated)) for rated in (0.0, None, 1.0))
    assert scores([least, unrated, most], CUE) == [0.0, 0.5, 1.0]


def test_recency_halves_within_seven_episodes_and_never_ends():
    memories = [kept(0), kept(7), kept(14)]
    old, middle, new = scores(memories, CUE)
    assert (old, new) == (0.0, 1.0)
    assert middle == pytest.approx((DECAY**7 - DECAY**14) / (1 - DECAY**14))


def test_notes_that_do_not_fit_are_dropped_and_smaller_ones_take_their_place():
    memories = [sized(0, 40), sized(1, 40), sized(2, 500), sized(3, 40)]
    recall = retrieval(4).choose(memories, CUE, 100)
    assert recall.recalled == (1, 3)
    assert recall.dropped == (0, 2)


def test_what_was_not_among_the_best_is_not_called_dropped():
    recall = retrieval(1).choose([kept(0), kept(1)], CUE, 10_000)
    assert (recall.recalled, recall.dropped) == ((1,), ())


def test_similarity_is_one_for_the_same_words_and_nought_for_none_shared():
    texts = ["Selling boats in a harbour", "A garden fence"]
    assert similarities(texts, texts[0]) == [pytest.approx(1.0), 0.0]
    forms_of_a_word = similarities(texts, "The boat is sold in harbours")
    assert forms_of_a_word[0] > 0.5
    assert forms_of_a_word[1] == 0


def test_a_word_that_few_notes_share_says_more_than_one_of_all():
    texts = ["market oven", "market fence", "market garden"]
    oven, fence, _ = similarities(texts, "oven market")
    assert oven > fence > 0


@settings(deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_scaled_values_reach_from_nought_to_one_and_keep_their_order(values: list[float]):
    out = scaled(values)
    assert all(0 <= value <= 1 for value in out)
    if min(values) < max(values):
        assert (min(out), max(out)) == (0, 1)
        ordered = sorted(range(len(values)), key=values.__getitem__)
        assert sorted(out) == [out[place] for place in ordered]


@settings(deadline=None)
@given(st.permutations(range(8)))
def test_scores_do_not_depend_on_the_order_of_the_memories(order: list[int]):
    memories: list[Kept] = [kept(i, note(f"harbour {'boat ' * (i % 3)}")) for i in range(8)]
    known = dict(enumerate(scores(memories, CUE)))
    assert scores([memories[i] for i in order], CUE) == [known[i] for i in order]


def test_nothing_kept_nothing_recalled():
    assert scores([], CUE) == []
    assert retrieval(3).choose([], CUE, 100).recalled == ()
