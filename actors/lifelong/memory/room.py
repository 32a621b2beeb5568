"""How many tokens of a prompt are free for memories.

A prompt grows until its episode's last turn, so what is left for memories is what remains of the
model's context after the longest prompt that the episode can still come to. Computed before the
episode begins, so that no provider ever has to refuse a prompt for its length.
"""

import math
from typing import Final

from actors.lifelong.memory import tokens
from actors.models.abilities import listed_context
from actors.models.asking import REASKS
from actors.social import prompts, render
from actors.social.actions import LONGEST_TEXT
from actors.social.setup import EpisodeRules
from actors.social.sight import background as background_of
from actors.social.views import Background, SeenAction
from events.base import replace
from events.episode import EpisodeStarted
from events.memory import MemorySpec
from events.minds import MindSpec, ModelSpec

CONTEXT: Final = 128_000
"""Tokens that fit into a prompt where nothing says how many."""
MARGIN: Final = 0.1
"""Share of the context that is left free: the model's own tokenizer may count more than ours."""
FRAMING: Final = 100
"""Tokens around a prompt's messages, and around the memory in it."""
CORRECTION: Final = 200
"""Tokens of the words that ask a model to mend an answer."""
REHEARSED: Final = 250
"""Tokens of the longest thing that a rehearsal mind says."""
LETTERS_A_TOKEN: Final = 4
"""Of what people write, in English: what a person may say has a limit in letters."""
LINE: Final = 8
"""Tokens that a line's text may take more between quotation marks than alone, and the line's
end."""


async def context_of(memory: MemorySpec, model: ModelSpec | None) -> int:
    """Tokens that fit into a prompt of the mind that remembers, its answer included."""
    if memory.context_tokens:
        return memory.context_tokens
    return (await listed_context(model) if model else None) or CONTEXT


def room(context: int, prompt: int, growth: int, answer: int) -> int:
    """Tokens free for memories, 0 or more.

    ``prompt``: tokens of the first turn's prompt without memories; ``growth``: what the episode
    may add to it; ``answer``: the longest answer. An answer that cannot be read is shown to the
    model again, so there has to be room for as many of them as it is asked to mend.
    """
    asked_again = REASKS * (answer + CORRECTION)
    margin = math.ceil(context * MARGIN) + FRAMING
    return max(0, context - margin - prompt - growth - answer - asked_again)


async def room_for(memory: MemorySpec, started: EpisodeStarted, episode: str, seat: int) -> int:
    """Tokens free for memories in the prompts of a seat of an episode that is to begin."""
    await tokens.ready()
    mind = started.minds[seat]
    background = background_of(episode, started, seat)
    context = await context_of(memory, mind.model)
    return room(context, prompt_tokens(background), growth(background, started), _answer(mind))


def prompt_tokens(background: Background) -> int:
    """Tokens of a seat's prompt while nothing has happened and nothing is remembered."""
    # With a word for a memory, so that what introduces memories is counted.
    prompt = prompts.act_prompt(replace(background, memory="…"), (), background.turn_cap)
    return tokens.count(prompt.system) + tokens.count(prompt.user)


def growth(background: Background, started: EpisodeStarted) -> int:
    """Tokens that an episode can add to a seat's prompt at most: every action as long as the mind
    behind it may make it."""
    rules: EpisodeRules = started.setup.rules
    cap, seats = rules.turn_cap, len(started.minds)
    line = _line_tokens(background)
    longest = [line + _answer(mind) for mind in started.minds]
    match rules.order:
        case "simultaneous":
            return cap * sum(longest)
        case "round_robin" if seats == 2:
            return math.ceil(cap / 2) * sum(longest)
        case _:
            # When others have left, one may have most of the turns.
            return cap * max(longest)


def _answer(mind: MindSpec) -> int:
    """Tokens of the longest thing a mind can say."""
    match mind.kind:
        case "model":
            return (mind.model or ModelSpec(name="")).max_tokens
        case "rehearsal":
            return REHEARSED
        case _:
            return LONGEST_TEXT // LETTERS_A_TOKEN


def _line_tokens(background: Background) -> int:
    """Tokens of an action's line without what is said: turn, names, and who else notices it."""
    labels = render.labels_of(background)
    lines = (
        SeenAction(number=0, turn=1, seat=seat, label=label, kind=kind, text="", to=tuple(labels))
        for seat, label in labels.items()
        for kind in ("speak", "non_verbal")
    )
    begin = tokens.count(f"Turn {background.turn_cap}. ")
    return LINE + begin + max(tokens.count(render.line(line, labels)) for line in lines)
