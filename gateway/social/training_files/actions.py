"""What models were asked in the seats that are for a trainer, and what they did."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from actors.models import tokens
from actors.models.port import Msg
from actors.social.actions import Action
from actors.social.answers import written
from evaluators.social.training_files.lines import Origin, TrainerAction, TrainerPrompt
from gateway.services.calls.first_questions import FirstQuestion, first_questions
from store.log.event_store import EventStore

TOO_LONG: Final = "the prompt is too long even with the last thing alone that was said"


class EpisodeActions(NamedTuple):
    """The actions of an episode."""

    actions: Sequence[TrainerAction]
    models: frozenset[str]
    """That were asked for them."""
    left_out: Counter[str]
    """By reason."""


def actions_of(
    store: EventStore, episode: str, seats: frozenset[int], prompt_tokens: int, *, after: int = -1
) -> EpisodeActions:
    """What some seats (from 0) of an episode did, behind event ``after``, with what models were
    asked for it. ``prompt_tokens``: the longest prompt, 0: any."""
    asked, missing = first_questions(store, episode)
    left_out = Counter[str]()
    for (seat, why), count in missing.items():
        if seat in seats:
            left_out[why] += count
    found: list[TrainerAction] = []
    models: set[str] = set()
    for one in asked:
        if one.scene.seat not in seats or one.number <= after:
            continue
        action = _action(one, episode, prompt_tokens)
        if action is None:
            left_out[TOO_LONG] += 1
        else:
            found.append(action)
            models.add(one.model)
    return EpisodeActions(found, frozenset(models), left_out)


def _action(one: FirstQuestion, episode: str, most: int) -> TrainerAction | None:
    cut, messages = shortest_cut(len(one.scene.seen), one.messages, one.without, most)
    if messages is None:
        return None
    action = one.action
    assert isinstance(action, Action), "who reads social episodes alone looked"
    system, user = (message.content for message in messages)
    origin = Origin(
        episode=episode,
        seat=one.scene.seat + 1,
        turn=one.scene.turn,
        request_hash=one.request_hash,
        cut=cut,
    )
    output = written(action, one.scene.background)
    return TrainerAction(origin, one.number, TrainerPrompt(system, user), output)


def shortest_cut(
    seen: int,
    messages: Sequence[Msg],
    without: Callable[[int], Sequence[Msg]],
    most: int,
) -> tuple[int, Sequence[Msg] | None]:
    """How many of the oldest of ``seen`` things a prompt of at most ``most`` tokens leaves out, and
    that prompt; the last one stays, and where it is too long even so there is none. ``without``:
    the prompt without so many."""
    if _fits(messages, most):
        return 0, messages
    low, high, found = 1, seen - 1, None
    cut = 0
    while low <= high:
        middle = (low + high) // 2
        shorter = without(middle)
        if _fits(shorter, most):
            cut, found, high = middle, shorter, middle - 1
        else:
            low = middle + 1
    return cut, found


def _fits(messages: Sequence[Msg], most: int) -> bool:
    """Whether a prompt has at most so many tokens; 0: any has. Counted only where it may not: a
    byte is a token at most."""
    if not most or sum(len(one.content.encode(errors="replace")) for one in messages) <= most:
        return True
    first, *rest = messages
    return _count(first.content) + sum(tokens_of(one.content) for one in rest) <= most


def tokens_of(text: str) -> int:
    """``tokens.count``, line by line: a prompt has nearly all of the one of the turn before, and
    what was counted once is not counted again."""
    *lines, last = _ENDS.split(text)
    return sum(map(_count_line, lines)) + _count(last)


_ENDS: Final = re.compile(r"\n(?=\S)")
"""No token goes over the end of a line, unless the next line begins with a blank."""


@lru_cache(maxsize=4096)
def _count_line(text: str) -> int:
    return tokens.count(f"{text}\n")


@lru_cache(maxsize=512)
def _count(text: str) -> int:
    # What the system says is the same in all turns of a seat.
    return tokens.count(text)
