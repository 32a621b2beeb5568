"""The sections of a plan that play chains: every setting is taken, every wrong value refused."""

from pathlib import Path
from typing import Any

import pytest

from store.log.event_store import EventStore
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused
from tests.support.runs import REHEARSAL_MINDS, state_of

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "plan.md"
CHAINS = "length = 4\npairs = 2\n"
MINE = '\n[memories.mine]\nmodule = "retrieval"\n'


def plan(chains: str = CHAINS, memories: str = "", top: str = "") -> str:
    return f"""
name = "chains"
seed = 3
{top}
[chains]
{chains}
{memories}
{REHEARSAL_MINDS}
[seats]
pairings = [["generous", "stubborn"]]
"""


def planned(desk: Desk, text: str) -> Any:
    """The state of a run of this plan that nobody carries out."""
    desk.does("run", desk.file("plan.toml", text), "--detach")
    store: EventStore = desk.open()
    try:
        return state_of(store, desk.does("runs", "--json").json[0]["id"])
    finally:
        store.close()


def scenarios_of(state: Any) -> list[list[str]]:
    by_id = {episode.id: episode.scenario for episode in state.episodes}
    return [[by_id[id_] for id_ in chain.episodes] for chain in state.chains]


def test_length_pairs_and_memory_make_the_chains(desk: Desk) -> None:
    state = planned(desk, plan('length = 3\npairs = 2\nmemory = ["full", "none"]'))
    assert [chain.memory for chain in state.chains] == ["full", "none"] * 2
    assert {len(chain.episodes) for chain in state.chains} == {3}
    first, second, third, fourth = scenarios_of(state)
    assert (first, third) == (second, fourth), "a cast plays the same with every memory"
    assert len({chain.characters for chain in state.chains}) == 2


def test_characters_and_scenarios_can_be_named_and_a_longer_chain_plays_them_again(
    desk: Desk,
) -> None:
    named = '["lent_coat", "nothing_but_bread"]'
    cast = '[["june_halloran", "tomasz_wrobel"]]'
    state = planned(desk, plan(f"length = 5\ncharacters = {cast}\nscenarios = {named}"))
    (chain,) = state.chains
    assert chain.characters == ("june_halloran", "tomasz_wrobel")
    assert scenarios_of(state) == [["lent_coat", "nothing_but_bread"] * 2 + ["lent_coat"]]


def test_hard_ends_the_chain_and_without_a_length_it_is_as_long_as_what_is_named(
    desk: Desk,
) -> None:
    state = planned(desk, plan('scenarios = ["lent_coat"]\nhard = ["coat_returned"]'))
    assert scenarios_of(state) == [["lent_coat", "coat_returned"]]


def test_all_hard_scenarios_come_last_and_what_they_need_before(desk: Desk) -> None:
    state = planned(desk, plan('length = 20\nhard = "all"'))
    (played,) = scenarios_of(state)
    hard = {row["id"]: row for row in desk.does("memory-scenarios", "list", "--json").json}
    ending = [id_ for id_ in played if id_ in hard]
    assert ending
    assert len(played) == 20 + len(ending)
    assert played[-len(ending) :] == ending
    for id_ in ending:
        assert {fact["taught_by"] for fact in hard[id_]["needs"]} < {*played[: -len(ending)]}


def test_tags_and_seed_decide_what_is_drawn(desk: Desk) -> None:
    tagged = planned(desk, plan('length = 2\npairs = 1\ntags = ["memory-teaching"]'))
    assert {*scenarios_of(tagged)[0]} < {
        "lent_coat",
        "nothing_but_bread",
        "pavement_piano",
        "the_medal",
        "before_the_storm",
    }
    drawn = {
        tuple(
            map(tuple, scenarios_of(planned(desk, plan(f"length = 4\npairs = 1\nseed = {seed}"))))
        )
        for seed in (1, 1, 2)
    }
    assert len(drawn) == 2


def test_a_memory_of_one_s_own_is_recorded_with_all_its_settings(desk: Desk) -> None:
    memories = """
[memories.mine]
module = "retrieval"
words_low = 80
words_high = 120
top = 3
context_tokens = 9000
prompt = "note-exact"
model = "openai/gpt-4o-mini"
temperature = 0.2
"""
    state = planned(desk, plan(f'{CHAINS}memory = ["mine"]', memories, "priority = 7"))
    (mine,) = state.plan.memories
    assert (mine.name, mine.module, mine.words_low, mine.words_high) == (
        "mine",
        "retrieval",
        80,
        120,
    )
    assert (mine.top, mine.context_tokens) == (3, 9000)
    assert mine.prompt_version.startswith("note-4:")
    assert (mine.model.name, mine.model.temperature) == ("openai/gpt-4o-mini", 0.2)
    assert state.plan.priority == 7


def test_a_section_goes_before_the_built_in_memory_of_its_name(desk: Desk) -> None:
    memories = '[memories.summary]\nmodule = "summary"\nwords_low = 10\nwords_high = 20\n'
    (memory,) = planned(desk, plan(CHAINS, memories)).plan.memories
    assert (memory.words_low, memory.words_high) == (10, 20)


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        (plan("length = -1"), "chains.length", "must be 0 or more, is -1"),
        (plan('length = "long"'), "chains.length", "must be a whole number"),
        (plan("pairs = -1"), "chains.pairs", "must be 0 or more, is -1"),
        (plan("pairs = 2_000"), "chains.pairs", "2000 casts of 2 characters are asked for"),
        (plan("seats = 1"), "chains.seats", "must be 2 or more, is 1"),
        (plan('characters = [["ravi_menon"]]'), "chains.characters", "two characters or more"),
        (
            plan('characters = [["ravi_menon", "ravi_menon"]]'),
            "chains.characters",
            "has a character twice",
        ),
        (
            plan('characters = [["ravi_menn", "noor_aziz"]]'),
            "chains.characters",
            "no character 'ravi_menn'; the nearest is 'ravi_menon'",
        ),
        (
            plan('pairs = 1\ncharacters = [["ravi_menon", "noor_aziz"]]'),
            "chains.pairs",
            "either drawn or named",
        ),
        (plan('scenarios = ["two_kyes"]'), "chains.scenarios", "the nearest is 'two_keys'"),
        (
            plan('length = 1\nscenarios = ["one_van", "two_keys"]'),
            "chains.length",
            "must be 2 or more (the scenarios it names), is 1",
        ),
        (plan('tags = ["knitting"]'), "chains.tags", "their tags are: "),
        (
            plan('scenarios = ["one_van"]\ntags = ["exchange"]'),
            "chains.tags",
            "scenarios names all",
        ),
        (plan('hard = "some"'), "chains.hard", "must be all"),
        (plan('hard = ["coat_returnd"]'), "chains.hard", "the nearest is 'coat_returned'"),
        (
            plan('length = 1\nhard = ["coat_returned", "piano_again"]'),
            "chains.pairs",
            "1 episodes have no room for what 'piano_again' needs",
        ),
        (
            plan('pairs = 1\nscenarios = ["one_van"]\nhard = ["coat_returned"]'),
            "chains.pairs",
            "needs what comes up in 'lent_coat', which they do not play before it",
        ),
        (plan("memory = []"), "chains.memory", '"none" is a memory that keeps nothing'),
        (plan('memory = ["mine"]'), "chains.memory", "there is no memory 'mine'"),
        (plan('memory = ["none", "none"]'), "chains.memory", "named twice"),
        (plan("lenght = 4"), "chains", "did you mean 'length'"),
        (plan(CHAINS, '[memories.mine]\nmodule = "sumary"'), "memories.mine.module", "'summary'?"),
        (plan(CHAINS, "[memories.mine]\ntop = 1"), "memories.mine", "'module' is missing"),
        (plan(CHAINS, f"{MINE}words_low = 0"), "memories.mine.words_low", "1 or more, is 0"),
        (
            plan(CHAINS, f"{MINE}words_high = 20"),
            "memories.mine.words_high",
            "must be words_low (200) or more, is 20",
        ),
        (plan(CHAINS, f"{MINE}top = 0"), "memories.mine.top", "must be 1 or more, is 0"),
        (plan(CHAINS, f"{MINE}context_tokens = -1"), "memories.mine.context_tokens", "is -1"),
        (plan(CHAINS, f"{MINE}temperature = 1.0"), "memories.mine.model", "temperature is a mod"),
        (
            plan(CHAINS, f'{MINE}model = "m"\ntemperature = 3.0'),
            "memories.mine.temperature",
            "3.0",
        ),
        (plan(CHAINS, "[tasks]\nlimit = 2"), "tasks", "a plan with [chains] plays no tasks"),
        (plan(top="priority = 0"), "priority", "from 1 to 100, not 0"),
        (plan(top="priority = 101"), "priority", "from 1 to 100, not 101"),
        (
            plan().replace("[chains]\n" + CHAINS, MINE),
            "memories",
            "only chains have memories; add a [chains] section",
        ),
    ],
)
def test_a_wrong_value_is_refused_with_where_it_is_and_what_would_be_right(
    desk: Desk, text: str, where: str, why: str
) -> None:
    desk.does("catalog", "list")
    sentence = refused(desk, "run", desk.file("plan.toml", text), "--dry-run")
    assert f"plan.toml, {where}: " in sentence
    assert why in sentence


def test_every_setting_is_documented_and_every_documented_setting_is_there() -> None:
    import re

    import msgspec

    from actors.episodes.chain_support import ChainSection
    from actors.models.settings import ModelSettings
    from actors.runs.plan.chain_sections import MemoryEntry

    def documented(heading: str) -> set[str]:
        table = DOCS.read_text(encoding="utf-8").split(f"| `{heading}` |")[1].split("\n\n")[0]
        cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
        return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}

    def settings(kind: type) -> set[str]:
        return {field.name for field in msgspec.structs.fields(kind)}

    assert documented("[chains]") == settings(ChainSection)
    # Which has a row of its own: a note's longest answer.
    model = settings(ModelSettings) - {"model", "max_tokens"}
    assert documented("[memories.NAME]") == settings(MemoryEntry) - model
