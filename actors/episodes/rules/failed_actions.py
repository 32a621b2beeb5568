"""Texts about failed actions: a mind gave no usable answer, so the recorded action is nobody's
choice."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import structs

from actors.episodes.port.sight import Viewer
from actors.episodes.port.words import Account, Entry
from events.base import Event, Value
from events.episode import ActionFailure, ActionTaken
from events.untrusted.safe_text import one_line

NO_ANSWER: Final = "gave no answer"
"""What a transcript says of a seat whose mind failed."""
A_FAULT: Final = "a technical failure, no choice of the character's"
"""Why, for those who may not know what plays."""
PROSE: Final = "it wrote prose, not JSON"
SHOWN: Final = 200
"""Of what could not be read, so many characters are shown."""

_REASONS: Final = {
    "unreadable": "not readable",
    "cut_off": "cut off",
    "loop": "in a loop",
    "thoughts_only": "thoughts only",
    "tool_call": "a tool was called",
    "empty": "empty",
    "filtered": "content filter",
    "too_long": "request too long",
    "refused": "request refused",
    "model_error": "error of the model",
    "timeout": "time-out",
    "mind_error": "error of the mind",
}


class FailedAction(Value, frozen=True, kw_only=True):
    """An action that a mind failed to give."""

    number: int
    """The event's number in the history."""
    turn: int
    seat: int
    """From 0."""
    failure: ActionFailure


def reason_words(reason: str) -> str:
    """An ``ActionFailure.reason`` as it is shown: ``time-out``."""
    return _REASONS.get(reason, reason.replace("_", " "))


def failure_words(failure: ActionFailure) -> str:
    """Why a seat gave no answer, for those who may know everything."""
    reason = reason_words(failure.reason)
    return f"{reason}: {failure.detail}" if failure.detail else reason


def failure_told(failure: ActionFailure) -> str:
    """The same with what it said instead, as far as a transcript has room for it."""
    if not failure.raw:
        return failure_words(failure)
    # Details are written for the model that is asked again; people ask what it wrote instead.
    prose = failure.reason == "unreadable" and "JSON" in failure.detail and "{" not in failure.raw
    words = f"{reason_words(failure.reason)}: {PROSE}" if prose else failure_words(failure)
    said = one_line(failure.raw[: 2 * SHOWN])
    more = "…" if len(said) > SHOWN or len(failure.raw) > 2 * SHOWN else ""
    return f"{words.removesuffix('.')}; it said: “{said[:SHOWN].rstrip()}{more}”"


def failure_for(failure: ActionFailure | None, viewer: Viewer) -> str:
    """Why a seat gave no answer, empty where it did: what kind of mind failed, and at what, only
    the narrator may know."""
    if failure is None:
        return ""
    return failure_told(failure) if viewer == "narrator" else A_FAULT


def failed_actions(history: Iterable[Event]) -> tuple[FailedAction, ...]:
    """The actions of a history that failed; event N has number N."""
    found = (failed_action(number, event) for number, event in enumerate(history))
    return tuple(one for one in found if one is not None)


def failed_action(number: int, event: Event) -> FailedAction | None:
    """Event ``number`` of a history, if it is an action that failed."""
    if not isinstance(event, ActionTaken) or event.failure is None:
        return None
    return FailedAction(number=number, turn=event.turn, seat=event.seat, failure=event.failure)


def with_failures(
    account: Account,
    failures: Sequence[FailedAction],
    why: Callable[[ActionFailure], str] = failure_told,
) -> Account:
    """An account that says where there was no answer, and why, whatever its environment says of
    what stands recorded in the answer's place."""
    if not failures:
        return account
    failed = {one.number: one for one in failures}
    found: list[Entry] = []
    for entry in account.entries:
        one = failed.get(entry.number)
        if one is not None and entry.seat in (None, one.seat):
            del failed[one.number]
            if not entry.failed:
                entry = failed_entry(one, account, why)
        found.append(entry)
    found += [failed_entry(one, account, why) for one in failed.values()]
    found.sort(key=lambda entry: entry.number)
    return structs.replace(account, entries=tuple(found))


def failed_entry(
    one: FailedAction, account: Account, why: Callable[[ActionFailure], str] = failure_told
) -> Entry:
    """How an account tells of an action that failed."""
    who = account.portraits[one.seat].name
    return Entry(
        number=one.number,
        turn=one.turn,
        seat=one.seat,
        who=who,
        line=f"{who} {NO_ANSWER}",
        failed=why(one.failure),
        verb=NO_ANSWER,
    )
