"""What each module keeps, chooses and tells."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.lifelong.memory.module import Kept
from actors.lifelong.memory.modules import (
    BUILT_IN,
    MODULES,
    module_for,
    problems,
    with_prompt,
)
from actors.models.tokens import count
from events.memory import MemorySpec
from tests.actors.lifelong.memory.memories import CUE, kept, note, sized

SIZES = st.lists(st.integers(0, 500), max_size=40)
"""Tokens of each earlier episode; 0 where nothing is kept of it."""
TEXTS = st.text(min_size=1, max_size=80).filter(str.strip)


def rows(sizes: list[int]) -> list[Kept]:
    return [sized(index, tokens) for index, tokens in enumerate(sizes)]


def spec(module: str, **fields: int) -> MemorySpec:
    return MemorySpec(name="mine", module=module, **fields)  # type: ignore[arg-type]


@settings(deadline=None)
@given(st.sampled_from(sorted(MODULES)), SIZES, st.integers(0, 5000), st.integers(1, 10))
def test_what_is_recalled_never_exceeds_the_limit(
    module: str, sizes: list[int], limit: int, top: int
):
    memories = rows(sizes)
    recall = module_for(spec(module, top=top)).choose(memories, CUE, limit)
    assert recall.tokens == sum(memories[index].tokens for index in recall.recalled)
    assert recall.tokens <= recall.limit == limit
    assert list(recall.recalled) == sorted(set(recall.recalled))
    assert not set(recall.recalled) & set(recall.dropped)
    assert all(memories[index].tokens for index in recall.recalled)


@settings(deadline=None)
@given(st.sampled_from(["full", "summary"]), SIZES, st.integers(0, 5000))
def test_what_is_dropped_is_the_oldest_and_no_more_than_must_be(
    module: str, sizes: list[int], limit: int
):
    memories = rows(sizes)
    there = [index for index, tokens in enumerate(sizes) if tokens]
    recall = module_for(spec(module)).choose(memories, CUE, limit)
    assert [*recall.dropped, *recall.recalled] == there
    if recall.dropped:
        next_oldest = memories[recall.dropped[-1]].tokens
        assert recall.tokens + next_oldest > limit
    else:
        assert recall.tokens == sum(sizes)


@settings(deadline=None)
@given(st.sampled_from(["summary", "retrieval"]), st.lists(TEXTS, max_size=12))
def test_a_text_takes_no_more_tokens_than_were_counted_and_is_always_the_same(
    module: str, texts: list[str]
):
    memories = [kept(index, note(text)) for index, text in enumerate(texts)]
    chosen = module_for(spec(module, top=12)).choose(memories, CUE, 100_000)
    recalled = [memories[index] for index in chosen.recalled]
    text = module_for(spec(module)).text(recalled, str)
    assert count(text) <= chosen.tokens
    assert text == module_for(spec(module)).text(list(recalled), str)


def test_full_memory_tells_the_episodes_in_order():
    memories = rows([10, 0, 20])
    module = module_for(spec("full"))
    recall = module.choose(memories, CUE, 30)
    text = module.text([memories[index] for index in recall.recalled], "Account of {}.".format)
    assert recall.recalled == (0, 2)
    assert text == "Episode 1\nAccount of e0.\n\nEpisode 3\nAccount of e2."


def test_summaries_are_told_with_their_three_parts():
    memories = [kept(0, note("We sold it."))]
    text = module_for(spec("summary")).text(memories, str)
    assert text == (
        "Episode 1\nWhat happened: We sold it.\nStrategies seen: None.\n"
        "Learnt about the others: Nothing."
    )


def test_no_memory_recalls_nothing():
    module = module_for(spec("none"))
    recall = module.choose(rows([1, 1]), CUE, 100)
    assert (recall.recalled, recall.dropped, recall.tokens) == ((), (), 0)
    assert module.text([], str) == ""
    assert not module.writes_notes


def test_only_modules_that_keep_notes_write_them():
    assert {name for name in MODULES if module_for(spec(name)).writes_notes} == {
        "summary",
        "retrieval",
    }


def test_the_built_in_memories_are_sound_and_know_their_prompt():
    assert {"none", "full", "summary", "retrieval"} <= BUILT_IN.keys()
    for name, memory in BUILT_IN.items():
        assert memory.name == name
        assert problems(memory) == []
        assert bool(memory.prompt_version) == (module_for(memory).keeps != "nothing")
    bounds = {name: (memory.words_low, memory.words_high) for name, memory in BUILT_IN.items()}
    assert bounds["summary"] == (200, 300)
    assert [bounds[f"summary-{words}"][1] for words in (50, 300, 1000)] == [50, 300, 1000]


def test_a_memory_keeps_the_prompt_it_was_made_with():
    old = spec("summary")
    named = with_prompt(MemorySpec(name="old", module="summary", prompt_version="note-0:abc"))
    assert named.prompt_version == "note-0:abc"
    assert with_prompt(old).prompt_version.startswith("note-5:")
    assert with_prompt(old, "note-exact").prompt_version == BUILT_IN["summary-exact"].prompt_version
    assert BUILT_IN["summary-exact"].prompt_version == "note-4:d1c9e6702605"
    assert with_prompt(spec("full"), "note-exact") == with_prompt(spec("full"))
    assert with_prompt(spec("full")).prompt_version.startswith("account-2:")
    assert with_prompt(spec("none")).prompt_version == ""


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"words_low": 0}, "words_low"),
        ({"words_low": 300, "words_high": 200}, "words_high"),
        ({"context_tokens": -1}, "context_tokens"),
        ({"top": 0}, "top"),
        ({"parts": ()}, "parts"),
        ({"parts": ("overview", "overview")}, "parts"),
    ],
)
def test_values_that_cannot_be_are_found(fields: dict[str, object], field: str):
    assert [where for where, _ in problems(spec("summary", **fields))] == [field]
