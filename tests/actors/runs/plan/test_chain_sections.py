"""The sections of a plan that say what chains are played, and what is wrong with them."""

from pathlib import Path

import pytest

from actors.episodes.chain_support import ChainSection
from actors.lifelong.memory.modules import BUILT_IN
from actors.runs.plan.chain_sections import chosen_memories
from actors.runs.plan.plan_file import PlanFile, read_plan_file
from actors.toml_file import BadFile

MINDS = """
[minds.warm]
kind = "rehearsal"
temper = "generous"
"""


def read(folder: Path, text: str) -> PlanFile:
    path = folder / "plan.toml"
    path.write_text(text + MINDS)
    return read_plan_file(path)


def test_chains_have_the_papers_length_and_memory_unless_the_plan_says_otherwise(tmp_path: Path):
    plan = read(tmp_path, "[chains]")
    assert plan.chains is not None
    assert (plan.chains.episodes, plan.chains.seats, plan.chains.memory) == (40, 2, ("summary",))
    assert chosen_memories(plan.chains, plan.memories) == (BUILT_IN["summary"],)
    assert read(tmp_path, "").chains is None


@pytest.mark.parametrize(
    ("chains", "episodes"),
    [
        (ChainSection(scenarios=("a", "b")), 2),
        (ChainSection(scenarios=("a", "b"), hard=("c",)), 2),
        (ChainSection(scenarios=("a", "b"), length=5), 5),
        (ChainSection(hard=("c",)), 40),
    ],
)
def test_a_chain_is_as_long_as_it_says_or_as_what_it_names_before_its_hard_part(
    chains: ChainSection, episodes: int
):
    assert chains.episodes == episodes


def test_a_memory_of_ones_own_is_recorded_with_its_model_and_the_prompts_version(tmp_path: Path):
    plan = read(
        tmp_path,
        """
[chains]
memory = ["short", "summary-50", "summary"]
[memories.short]
module = "summary"
words_low = 20
words_high = 30
[memories.summary]
module = "summary"
model = "openai/some-model"
temperature = 0.1
""",
    )
    assert plan.chains is not None
    short, built_in, mine = chosen_memories(plan.chains, plan.memories)
    assert (short.name, short.words_low, short.words_high, short.model) == ("short", 20, 30, None)
    assert short.prompt_version == BUILT_IN["summary"].prompt_version != ""
    assert built_in == BUILT_IN["summary-50"]
    assert mine.model is not None, "a section goes before a built-in memory of its name"
    assert (mine.model.name, mine.model.temperature) == ("openai/some-model", 0.1)


def test_a_memorys_longest_note_is_what_it_says_or_what_its_words_take(tmp_path: Path):
    plan = read(
        tmp_path,
        """
[chains]
memory = ["said", "alone", "by-words", "summary-50", "full"]
[memories.said]
module = "summary"
model = "openai/some-model"
max_tokens = 120
[memories.alone]
module = "summary"
max_tokens = 90
[memories.by-words]
module = "summary"
words_low = 20
words_high = 30
model = "openai/some-model"
""",
    )
    assert plan.chains is not None
    found = chosen_memories(plan.chains, plan.memories)
    assert [one.max_tokens for one in found] == [120, 90, 260, 300, 0]
    assert [one.model and one.model.max_tokens for one in found[:3]] == [120, None, 260]


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("[chains]\nlenght = 3", "chains", "did you mean 'length'"),
        ("[chains]\nlength = -1", "chains.length", "must be 0 or more"),
        ("[chains]\npairs = -2", "chains.pairs", "must be 0 or more"),
        ("[chains]\nseats = 1", "chains.seats", "must be 2 or more"),
        ("[chains]\npairs = 2\ncharacters = [['a', 'b']]", "chains.pairs", "take one of them out"),
        ("[chains]\ncharacters = [['a']]", "chains.characters", "two characters or more"),
        ("[chains]\ncharacters = [['a', 'a']]", "chains.characters", "a character twice"),
        (
            "[chains]\nlength = 2\nscenarios = ['a', 'b', 'c']",
            "chains.length",
            "must be 3 or more (the scenarios it names), is 2",
        ),
        ("[chains]\nscenarios = ['a']\ntags = ['b']", "chains.tags", "take one out"),
        ("[chains]\nhard = 'some'", "chains.hard", "some"),
        ("[chains]\nmemory = []", "chains.memory", "name at least one"),
        ("[chains]\nmemory = ['full', 'full']", "chains.memory", "'full' is named twice"),
        ("[chains]\nmemory = ['sumary']", "chains.memory", "the nearest is 'summary'"),
        (
            "[chains]\nmemory = ['mien']\n[memories.mine]\nmodule = 'full'",
            "chains.memory",
            "the nearest is 'mine'",
        ),
        ("[chains]\n[tasks]\nlimit = 3", "tasks", "plays no tasks"),
        ("[memories.mine]\nmodule = 'full'", "memories", "add a [chains] section"),
        ("[chains]\n[memories.mine]\nwords_low = 3", "memories", "module"),
        ("[chains]\n[memories.mine]\nmodule = 'ful'", "module", "'ful'"),
        (
            "[chains]\n[memories.mine]\nmodule = 'summary'\nwords_low = 9\nwords_high = 5",
            "memories.mine.words_high",
            "must be words_low (9) or more, is 5",
        ),
        (
            "[chains]\n[memories.mine]\nmodule = 'full'\nprompt = 'note-exact'",
            "memories.mine.prompt",
            "a memory of module 'full' has no notes",
        ),
        ("[chains]\n[memories.mine]\nmodule = 'summary'\nprompt = 'act'", "prompt", "'act'"),
        (
            "[chains]\n[memories.mine]\nmodule = 'retrieval'\ntop = 0",
            "memories.mine.top",
            "must be 1 or more",
        ),
        (
            "[chains]\n[memories.mine]\nmodule = 'summary'\nbase_url = 'http://127.0.0.1/v1'",
            "memories.mine.model",
            "base_url is a model's setting; name the model",
        ),
        (
            "[chains]\n[memories.mine]\nmodule = 'summary'\nmodel = 'm'\nadapter = 'direct'",
            "memories.mine.base_url",
            "needs one",
        ),
    ],
)
def test_wrong_chains_are_refused_with_place_and_reason(
    tmp_path: Path, text: str, where: str, why: str
):
    with pytest.raises(BadFile) as refused:
        read(tmp_path, text)
    assert where in refused.value.where
    assert why in refused.value.why
    assert "plan.toml" in str(refused.value)
