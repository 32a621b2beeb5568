"""Which memories come to mind, on examples worked out by hand."""

import subprocess
import sys

import numpy as np
import pytest

from actors.minds.generative.hashed_vectors import WIDTH, hashed, packed, unpacked
from actors.minds.generative.memory import EVENT, THOUGHT, Memories
from actors.minds.generative.retrieval import best, recency, scaled, scores
from events.thoughts import MemoryAdded

HOUR = 3600.0
EVENTS = np.zeros(3, np.int8)


def memories(*given: tuple[float, float, str], expires: float | None = None) -> Memories:
    """Of when, importance and text each."""
    stream = Memories()
    for id, (at, importance, text) in enumerate(given):
        stream.add(
            MemoryAdded(
                id=id, kind="event", text=text, at=at, importance=importance, expires=expires
            )
        )
    return stream


def test_a_term_that_all_candidates_share_counts_half():
    assert scaled(np.array([3.0, 3.0, 3.0])).tolist() == [0.5, 0.5, 0.5]
    assert scaled(np.array([1.0, 3.0, 2.0])).tolist() == [0.0, 1.0, 0.5]


def test_recency_as_the_paper_has_it_decays_by_hours_since_the_last_access():
    used = np.array([0.0, 10 * HOUR])
    assert recency(used, EVENTS[:2], 10 * HOUR, "ga") == pytest.approx([0.995**10, 1.0])


def test_recency_as_published_favours_what_was_used_longest_ago():
    used = np.array([50.0, 10.0, 90.0])
    assert recency(used, EVENTS, 100.0, "published") == pytest.approx([0.995**2, 0.995, 0.995**3])


def test_of_what_was_used_at_once_the_published_code_lists_new_events_first_and_thoughts_last():
    kinds = np.array([THOUGHT, EVENT, THOUGHT, EVENT], np.int8)
    ranks = np.log(recency(np.zeros(4), kinds, 0.0, "published")) / np.log(0.995)
    assert ranks.round().tolist() == [4, 2, 3, 1]


def test_the_published_code_ranks_neither_talks_nor_what_is_idle():
    stream = Memories()
    for id, (kind, text) in enumerate(
        (
            ("event", "Bo is reading"),
            ("talk", "Ann and Bo talked about Bo"),
            ("event", "Bo is idle"),
            ("thought", "Bo is kind"),
        )
    ):
        stream.add(MemoryAdded(id=id, kind=kind, text=text, at=0.0))  # type: ignore[arg-type]
    query = hashed(["Bo"])[0]
    assert sorted(best(stream, query, 0.0, "published", 9)) == [0, 3]
    assert sorted(best(stream, query, 0.0, "ga", 9)) == [0, 1, 2, 3]


def test_each_way_weighs_its_terms_as_it_says():
    stream = memories((0.0, 1.0, "the cat sleeps"), (HOUR, 10.0, "the boat sinks"))
    query = hashed(["a cat that sleeps"])[0]
    ids, ga = scores(stream, query, HOUR, "ga")
    assert ids.tolist() == [0, 1]
    # Recency 0 and 1, relevance 1 and 0, importance 0 and 1.
    assert ga == pytest.approx([1.0, 2.0])
    # Recency 1 and 0, relevance 1 and 0, importance 0 and 1, with weights 0.5, 3 and 2.
    assert scores(stream, query, HOUR, "published")[1] == pytest.approx([3.5, 2.0])


def test_what_was_thought_of_counts_as_fresh():
    stream = memories((0.0, 1.0, "the cat sleeps"), (HOUR, 1.0, "the cat sleeps"))
    query = hashed(["the cat sleeps"])[0]
    assert best(stream, query, 5 * HOUR, "ga", 2) == [1, 0]
    stream.use([0], 5 * HOUR)
    assert best(stream, query, 5 * HOUR, "ga", 2) == [0, 1]


def test_what_is_forgotten_does_not_come_to_mind():
    stream = memories((0.0, 1.0, "the cat sleeps"), expires=HOUR)
    query = hashed(["the cat sleeps"])[0]
    assert best(stream, query, HOUR - 1, "ga", 5) == [0]
    assert best(stream, query, HOUR, "ga", 5) == []
    assert stream.latest(5, HOUR) == []


def test_of_equal_memories_the_newer_one_comes_first_and_the_number_asked_for_is_kept():
    stream = memories(*[(0.0, 1.0, "the same")] * 5)
    assert best(stream, hashed(["the same"])[0], 0.0, "ga", 3) == [4, 3, 2]


def test_ids_have_no_holes():
    stream = memories((0.0, 1.0, "one"))
    with pytest.raises(ValueError, match="its id must be 1"):
        stream.add(MemoryAdded(id=4, kind="event", text="four", at=0.0))


def test_a_text_is_nearest_to_what_is_about_the_same():
    texts = [
        "Maria plans a picnic by the river on Sunday",
        "Tom is repairing the roof of the chapel",
        "Maria is picnicking at the river",
    ]
    query, roof, picnic = hashed(["a picnic at the river", "who repairs roofs?", texts[2]])
    near = hashed(texts) @ query
    assert near[0] > near[1]
    assert near[2] > near[1]
    assert int(np.argmax(hashed(texts) @ roof)) == 1
    assert hashed(texts)[2] @ picnic == pytest.approx(1.0)


def test_a_text_without_letters_is_like_nothing():
    assert not hashed(["…", ""]).any()
    assert best(memories((0.0, 1.0, "…")), hashed(["?"])[0], 0.0, "ga", 1) == [0]


def test_vectors_are_the_same_in_every_process():
    code = (
        "from actors.minds.generative.hashed_vectors import hashed, packed;"
        "print(packed(hashed(['Ann meets Bo at the café'])[0]).hex())"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert told == packed(hashed(["Ann meets Bo at the café"])[0]).hex()
    assert len(unpacked(bytes.fromhex(told))) == WIDTH


def test_vectors_that_memories_bring_are_used_and_missing_ones_are_told():
    stream = Memories(None)
    stream.add(MemoryAdded(id=0, kind="event", text="a", at=0.0, embedding=packed(np.eye(3)[0])))
    stream.add(MemoryAdded(id=1, kind="event", text="b", at=0.0))
    assert stream.without_vector(3) == [1]
    stream.embedded([1], np.eye(3, dtype=np.float32)[1:2] * 7)
    assert stream.without_vector(3) == []
    assert stream.vectors(3).tolist() == [[1, 0, 0], [0, 1, 0]]
