"""What models were asked in the seats that are for a trainer, and what they did."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from actors.models import tokens
from actors.models.port import Msg
from actors.social.actions import Action, WholeScript
from actors.social.answers import written
from actors.social.playwright import answers as script_answers
from evaluators.social.training_files.lines import Origin, TrainerAction, TrainerPrompt
from events.privacy.encryption import ERASED
from gateway.services.calls.first_questions import ERASED_SINCE, FirstQuestion, first_questions
from store.log.event_store import EventStore

TOO_LONG: Final = "the prompt is too long even with the last thing alone that was said"


class EpisodeActions(NamedTuple):
    """The actions of an episode."""

    actions: Sequence[TrainerAction]
    models: frozenset[str]
    """That were asked for them."""
    left_out: Counter[str]
    """By reason; none: nothing more was done."""


def actions_of(
    store: EventStore, episode: str, seats: frozenset[int], prompt_tokens: int, *, after: int = -1
) -> EpisodeActions:
    """What some seats (from 0) of an episode did, behind event ``after``, with what models were
    asked for it. ``prompt_tokens``: the longest prompt, 0: any."""
    asked, missing = first_questions(store, episode, after=after)
    left_out = Counter[str]()
    for (seat, why), count in missing.items():
        if seat in seats:
            left_out[why] += count
    found: list[TrainerAction] = []
    models: set[str] = set()
    for one in asked:
        if one.scene.seat not in seats:
            continue
        action = _action(one, episode, prompt_tokens)
        if action is None:
            left_out[TOO_LONG] += 1
        elif ERASED in action.output:
            left_out[ERASED_SINCE] += 1
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
    prompt = TrainerPrompt(system, user)
    if isinstance(action, WholeScript):
        script = script_answers.written(action, one.scene.seat)
        return TrainerAction(origin, one.number, prompt, script, of_all=True)
    return TrainerAction(origin, one.number, prompt, written(action, one.scene.background))


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
    return sum(tokens.count_by_line(one.content) for one in messages) <= most
