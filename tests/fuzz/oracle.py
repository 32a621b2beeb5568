"""What must hold whatever came in."""

import faulthandler
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from events.untrusted.safe_text import harmless
from gateway.cli.terminal.errors import INTERRUPTED, NOTHING, OK, PAUSED, REFUSED, USAGE
from gateway.error_sentences import sentence_of

LONGEST_SENTENCE = 2_000
"""Characters of an error: some list all there is to choose from; none echoes a page."""
CODES = (OK, REFUSED, USAGE, PAUSED, NOTHING)
CPU_S = 15.0
"""Processor time after which a case hangs."""
WALL_S = 120.0
"""Time after which one hangs that waits for something, on a machine that does much else."""
STUCK_S = 600.0
"""Time after which the process is given up: something holds it that no signal reaches."""


class Fault(Exception):
    """Something that must not be."""


class Hang(BaseException):
    """A case that does not end. Not an ``Exception``: nothing may take it for one of its own."""


def refused(work: Callable[[], object]) -> str:
    """Empty, or the sentence that the work was refused with. Raises what has no sentence."""
    try:
        work()
    except Exception as error:
        sentence = sentence_of(error)
        if sentence is None:
            raise
        check_sentence(sentence)
        return sentence
    return ""


def check_sentence(text: str) -> None:
    """An error as a person may meet it."""
    if not text.strip():
        raise Fault("refused without a word")
    if len(text) > LONGEST_SENTENCE:
        raise Fault(f"refused with {len(text)} characters: {text[:300]!r}…")
    if "Traceback (most recent call last)" in text:
        raise Fault(f"a traceback: {text[-1500:]}")


def check_said(code: int, out: str, err: str) -> None:
    """What a command printed, and how it ended."""
    if code not in CODES and code != INTERRUPTED:
        raise Fault(f"exit code {code}")
    for name, text in (("standard output", out), ("standard error", err)):
        if "Traceback (most recent call last)" in text:
            raise Fault(f"a traceback on {name}: {text[-2000:]}")
        if harmless(text) != text:
            raise Fault(f"{name} holds control characters: {_first_bad(text)!r}")
    if code == REFUSED:
        check_sentence(err)


def _first_bad(text: str) -> str:
    clean = harmless(text)
    at = next(n for n, (one, other) in enumerate(zip(text, clean, strict=False)) if one != other)
    return text[max(at - 30, 0) : at + 30]


@contextmanager
def watch_dog() -> Iterator[None]:
    """Ends what does not end: with ``Hang`` where Python still listens, else with the process."""

    def hang(signal_: int, frame: FrameType | None) -> NoReturn:
        raise Hang("it does not end")

    before = {one: signal.signal(one, hang) for one in (signal.SIGPROF, signal.SIGALRM)}
    timers = {
        timer: signal.setitimer(timer, seconds)
        for timer, seconds in ((signal.ITIMER_PROF, CPU_S), (signal.ITIMER_REAL, WALL_S))
    }
    faulthandler.dump_traceback_later(STUCK_S, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        for timer in timers:
            signal.setitimer(timer, 0)
        for one, handler in before.items():
            signal.signal(one, handler)
        for timer, old in timers.items():
            signal.setitimer(timer, *old)  # pytest's own dog
