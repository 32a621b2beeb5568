"""How many tokens of a prompt are free for memories.

A prompt grows until its episode's last turn, so what is left for memories is what remains of the
model's context after the longest prompt that the episode can still come to. Computed before the
episode begins, so that no provider ever has to refuse a prompt for its length.
"""

import math
from typing import Final

from actors.episodes.chain_support import chain_support
from actors.episodes.registry import environment_of, game_of
from actors.models import tokens
from actors.models.listed_abilities import listed_context
from events.episode import EpisodeStarted
from events.memory import MemorySpec
from events.minds import ModelSpec

CONTEXT: Final = 128_000
"""Tokens that fit into a prompt where nothing says how many."""
MARGIN: Final = 0.1
"""Share of the context that is left free: the model's own tokenizer may count more than ours."""
FRAMING: Final = 100
"""Tokens around a prompt's messages, and around the memory in it."""
CORRECTION: Final = 200
"""Tokens of the words that ask a model to answer again."""


async def context_of(memory: MemorySpec, model: ModelSpec | None) -> int:
    """Tokens that fit into a prompt of the mind that remembers, its answer included, beside the
    thoughts before that."""
    listed = await listed_context(model) if model and not memory.context_tokens else None
    context = memory.context_tokens or listed or CONTEXT
    return max(0, context - model.thoughts) if model else context


def token_budget(context: int, prompt: int, answer: int) -> int:
    """Tokens free for memories, 0 or more.

    ``prompt``: tokens of the longest prompt without memories; ``answer``: the longest answer. An
    answer that was cut off is shown to the model once more, to go on with, and what was wrong with
    another one.
    """
    asked_again = answer + CORRECTION
    margin = math.ceil(context * MARGIN) + FRAMING
    return max(0, context - margin - prompt - answer - asked_again)


async def budget_for(memory: MemorySpec, started: EpisodeStarted, episode: str, seat: int) -> int:
    """Tokens free for memories in the prompts of a seat of an episode that is to begin."""
    await tokens.ready()
    support = chain_support(environment_of(started))
    mind = started.minds[seat]
    background = game_of(started).sight.background(episode, started, seat, "")
    return token_budget(
        await context_of(memory, mind.model),
        support.longest_prompt(background, started),
        support.answer_tokens(mind),
    )
