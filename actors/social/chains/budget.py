"""How long the prompts of a social episode can get, in tokens, before it is played."""

import math
from typing import Final

from actors.models import tokens
from actors.social import prompt_writer, render
from actors.social.actions import LONGEST_TEXT
from actors.social.setup import EpisodeRules
from actors.social.views import Background, SeenAction
from events.base import replace

REHEARSED: Final = 250
"""Tokens of the longest thing that a rehearsal mind says."""
LETTERS_A_TOKEN: Final = 4
"""Of what people write, in English: what a person may say has a limit in letters."""
WRITTEN: Final = LONGEST_TEXT // LETTERS_A_TOKEN
"""Tokens of the longest thing that a person can say."""
LINE: Final = 8
"""Tokens that a line's text may take more between quotation marks than alone, and the line's
end."""


def prompt_tokens(background: Background) -> int:
    """Tokens of a seat's prompt while next to nothing has happened and nothing is remembered."""
    # With a word for a memory and an action, so that what introduces them is counted.
    known, label = replace(background, memory="…"), render.own_label(background)
    idle = SeenAction(number=0, turn=1, seat=background.seat, label=label, kind="none", text="")
    prompt = prompt_writer.act_prompt(known, (idle,), background.turn_cap)
    return tokens.count(prompt.system) + tokens.count(prompt.user)


def growth(background: Background, rules: EpisodeRules, answers: list[int]) -> int:
    """Tokens that an episode can add to a seat's prompt at most: every action as long as the mind
    behind it may make it. ``answers``: tokens of each seat's longest."""
    cap = rules.turn_cap
    line = _line_tokens(background)
    longest = [line + answer for answer in answers]
    match rules.order:
        case "simultaneous":
            return cap * sum(longest)
        case "round_robin" if len(answers) == 2:
            return math.ceil(cap / 2) * sum(longest)
        case _:
            # When others have left, one may have most of the turns.
            return cap * max(longest)


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
