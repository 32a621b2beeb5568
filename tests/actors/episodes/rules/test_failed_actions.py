from typing import get_args, get_type_hints

from actors.episodes.port.words import Account, Entry, Portrait
from actors.episodes.rules.failed_actions import (
    failed_actions,
    failure_told,
    reason_words,
    with_failures,
)
from events.episode import ActionFailure
from tests.support.builders import episode, started

LATE = ActionFailure(reason="timeout", detail="no answer within 60 s")


def account(*entries: Entry) -> Account:
    return Account(
        situation="A stall.",
        portraits=(Portrait(seat=0, name="Ada"), Portrait(seat=1, name="Ben")),
        entries=entries,
        turn=2,
    )


def told(*entries: Entry) -> list[tuple[int, str, str]]:
    failures = failed_actions(episode(started(), [(0, "Well?"), (1, LATE)]))
    shown = with_failures(account(*entries), failures).entries
    return [(entry.number, entry.line, entry.failed) for entry in shown]


HELLO = Entry(number=2, turn=1, seat=0, line="Ada said: Well?")
NO_ANSWER = (4, "Ben gave no answer", "time-out: no answer within 60 s")


def test_a_failed_action_reads_as_no_answer_whatever_its_environment_makes_of_it():
    idle = Entry(number=4, turn=2, seat=1, who="Ben", line="Ben did nothing", idle=True)
    assert told(HELLO, idle) == told(HELLO) == [(2, HELLO.line, ""), NO_ANSWER]


def test_what_an_environment_says_of_a_failure_itself_stays():
    own = Entry(number=4, turn=2, seat=1, line="Ben's clock ran out", failed="too late")
    assert told(HELLO, own)[1] == (4, "Ben's clock ran out", "too late")


def test_what_another_seat_notices_of_the_same_event_stays():
    seen = Entry(number=4, turn=2, seat=0, line="Ada waits")
    assert told(seen) == [(4, "Ada waits", ""), NO_ANSWER]


def test_every_reason_has_words_of_its_own():
    reasons = get_args(get_type_hints(ActionFailure)["reason"])
    words = [reason_words(reason) for reason in reasons]
    assert len(set(words)) == len(words)
    assert not any("_" in word for word in words)


def test_what_was_said_instead_is_told_in_its_first_200_characters():
    prose = ActionFailure(
        reason="unreadable", detail="JSON is malformed.", raw="Well,\n" + "o" * 999
    )
    words, _, said = failure_told(prose).partition("; it said: ")
    assert words == "not readable: it wrote prose, not JSON"
    assert said == f"“Well, {'o' * 194}…”"
    broken = ActionFailure(reason="unreadable", detail="JSON is malformed.", raw='{"kind": "sp')
    assert failure_told(broken) == 'not readable: JSON is malformed; it said: “{"kind": "sp”'
    assert failure_told(LATE) == "time-out: no answer within 60 s", "nothing was said"
