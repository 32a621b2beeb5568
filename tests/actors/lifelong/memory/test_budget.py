"""How much of a prompt is free for memories, held against the prompts that minds are really
shown."""

import asyncio
import functools
import itertools
from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from actors.lifelong.memory import budget as budgets
from actors.lifelong.memory.budget import context_of, token_budget
from actors.lifelong.memory.module import Kept
from actors.lifelong.memory.modules import module_for
from actors.lifelong.memory.prompt_entries import note_text
from actors.lifelong.memory.recall import choose
from actors.models.tokens import count
from actors.social import prompt_writer
from actors.social.setup import EpisodeRules, TurnOrder
from actors.social.sight import background, labels
from actors.social.views import SeenAction
from events.episode import EpisodeStarted
from events.memory import MemorySpec
from events.minds import MindSpec, ModelSpec
from tests.actors.lifelong.memory.memories import kept, note
from tests.support.builders import character, scenario, started

WORDS = " and another offer that nobody would ever take, not even for 1,000 euros"
MOST = 1_000_000
"""More than any of the contexts here."""
KINDS = ("speak", "non_verbal", "physical", "leave")


def model_mind(max_tokens: int) -> MindSpec:
    model = ModelSpec(name="stub", adapter="direct", base_url="http://x/v1", max_tokens=max_tokens)
    return MindSpec(name="model", kind="model", model=model)


@functools.cache
def of_length(tokens: int) -> str:
    """A text of so many tokens."""
    text = WORDS
    while count(text) < tokens:
        text += WORDS
    while count(text) > tokens:
        text = text[:-1]
    return text


def more_than(tokens: int, lengths: Sequence[int]) -> list[Kept]:
    """Memories, of these lengths in turn, that do not all fit into so many tokens."""
    memories: list[Kept] = []
    for index, length in enumerate(itertools.cycle(lengths)):
        if tokens < 0:
            break
        memories.append(kept(index, note(of_length(length))))
        tokens -= memories[-1].tokens
    return memories


def longest(first: EpisodeStarted, answer: int, kind: str) -> list[SeenAction]:
    """An episode in which everybody always says as much as they can, to some of the others."""
    called = labels(first.setup, 0)
    seats = range(len(called))
    at_once = first.setup.rules.order == "simultaneous"
    return [
        SeenAction(
            number=turn,
            turn=turn,
            seat=seat,
            label=called[seat],
            kind=kind,
            text=of_length(answer),
            whisper=True,
            to=tuple(other for other in seats if other != seat),
        )
        for turn in range(1, first.setup.rules.turn_cap + 1)
        for seat in (seats if at_once else [turn % len(called)])
    ]


@settings(deadline=None)
@given(
    context=st.integers(1_500, 9_000),
    goal=st.integers(10, 1_500),
    answer=st.integers(1, 120),
    turns=st.integers(1, 20),
    order=st.sampled_from(["round_robin", "simultaneous", "random"]),
    seats=st.integers(2, 4),
    kind=st.sampled_from(KINDS),
    module=st.sampled_from(["full", "summary", "retrieval"]),
    lengths=st.lists(st.integers(1, 120), min_size=1, max_size=5),
)
def test_no_prompt_of_a_model_mind_ever_exceeds_its_context(
    context: int,
    goal: int,
    answer: int,
    turns: int,
    order: TurnOrder,
    seats: int,
    kind: str,
    module: str,
    lengths: list[int],
):
    first = started(
        cast=tuple(character(f"Name{n} Family{n}") for n in range(seats)),
        scenario=scenario(goals=(of_length(goal),) * seats),
        minds=(model_mind(answer),) * seats,
        rules=EpisodeRules(turn_cap=turns, order=order),
    )
    memory = MemorySpec(name="m", module=module, context_tokens=context, top=1000)  # type: ignore[arg-type]
    memories = more_than(context, lengths)
    recall = asyncio.run(choose(memory, memories, first, "e1", 0, most=MOST))
    assume(recall.recalled)
    assert len(recall.recalled) < len(memories)
    text = module_for(memory).text(
        [memories[index] for index in recall.recalled],
        # Stands for the account of an episode: as long as the note on it.
        lambda id_: note_text(memories[int(id_[1:])].note or note()),
    )
    known = background("e1", first, 0, text)
    prompt = prompt_writer.act_prompt(known, longest(first, answer, kind), turns)
    assert text in prompt.system
    # An answer that was cut off is shown again, to be gone on with.
    answers = 2 * answer
    assert count(prompt.system) + count(prompt.user) + answers <= context


def test_where_the_episode_alone_fills_the_context_nothing_is_recalled():
    memory = MemorySpec(name="m", module="summary", context_tokens=800)
    first = started(minds=(model_mind(500), model_mind(500)))
    recall = asyncio.run(choose(memory, [kept(0), kept(1)], first, "e1", 0, most=MOST))
    assert (recall.recalled, recall.dropped, recall.limit) == ((), (0, 1), 0)


def test_a_small_context_recalls_the_latest_and_a_large_one_everything():
    memories = [kept(index, note(of_length(90))) for index in range(12)]
    first = started(minds=(model_mind(20), model_mind(20)), rules=EpisodeRules(turn_cap=4))
    small, large = (
        asyncio.run(
            choose(
                MemorySpec(name="m", module="summary", context_tokens=context),
                memories,
                first,
                "e1",
                1,
                most=MOST,
            )
        )
        for context in (2_500, 20_000)
    )
    assert 0 < len(small.recalled) < 12
    assert small.recalled == tuple(range(12 - len(small.recalled), 12))
    assert small.dropped == tuple(range(12 - len(small.recalled)))
    assert (large.recalled, large.dropped) == (tuple(range(12)), ())


def test_no_more_is_recalled_than_can_be_sent():
    memories = [kept(index, note(of_length(90))) for index in range(12)]
    memory = MemorySpec(name="m", module="full")
    recall = asyncio.run(choose(memory, memories, started(), "e1", 0, most=250))
    assert recall.limit == 250
    assert recall.recalled == (10, 11)


def test_the_budget_is_what_remains_and_never_less_than_nothing():
    free = token_budget(10_000, prompt=3_000, answer=100)
    assert token_budget(10_000, prompt=3_500, answer=100) == free - 500
    # An answer is waited for, and one that was cut off is shown again.
    assert token_budget(10_000, prompt=3_000, answer=110) == free - 20
    assert token_budget(1_000, prompt=1_000, answer=1) == 0


async def test_a_memorys_own_context_comes_before_the_price_list():
    memory = MemorySpec(name="m", module="full", context_tokens=5_000)
    assert await context_of(memory, ModelSpec(name="openai/gpt-4o")) == 5_000


@pytest.mark.parametrize(
    ("model", "context"),
    [
        (None, budgets.CONTEXT),
        (ModelSpec(name="openai/gpt-4", adapter="direct", base_url="http://x/v1"), budgets.CONTEXT),
        (ModelSpec(name="openai/gpt-4"), 8_192),
        (ModelSpec(name="openai/nobody-knows-it"), budgets.CONTEXT),
        (ModelSpec(name="nobody-knows-it"), budgets.CONTEXT),
    ],
)
async def test_a_context_is_looked_up_where_the_model_is_in_the_list(
    model: ModelSpec | None, context: int
):
    memory = MemorySpec(name="m", module="full")
    assert await context_of(memory, model) == context
