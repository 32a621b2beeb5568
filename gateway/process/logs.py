"""Structured logs: one event name a line; JSON where a service writes into a file or a pipe."""

import logging
import sys
import time
from typing import Final

import structlog

from events.untrusted.safe_text import harmless
from gateway.process.safe_output import behind

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
AGAIN_S: Final = 600.0
"""Seconds after which a fault that repeats is logged with its traceback again."""
MOST_TRACED: Final = 1_000
_TRACED: Final[dict[tuple[str | int, ...], float]] = {}
"""When the traceback of a fault was logged last, by its type, text and place."""


class _StandardError:
    """Standard error as it is now: a progress bar puts itself in front of it while it lasts."""

    def write(self, text: str) -> int:
        return behind(sys.stderr).write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def _visible(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Texts without what a terminal obeys: styles are put around them after this."""
    return {
        name: harmless(value) if isinstance(value, str) else value for name, value in event.items()
    }


def _outage_in_a_sentence(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """A database or a NATS server that is away, or has no room, is no fault of the code that meets
    it: a sentence says it, and a traceback of each of a thousand actors would bury it."""
    error = event.get("exc_info")
    if isinstance(error, BaseException):
        from actors.runtime.actors.supervision import OUTAGES

        if isinstance(error, OUTAGES):
            del event["exc_info"]
            event["error"] = str(error)
    return event


def _traceback_once(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """A fault that repeats has its traceback once in ``AGAIN_S``, and then only its text: an actor
    is restarted several times, and a thousand actors may meet the same fault."""
    given = event.get("exc_info")
    error = sys.exception() if given is True else given
    if not isinstance(error, BaseException):
        return event
    frames = error.__traceback__
    while frames is not None and frames.tb_next is not None:
        frames = frames.tb_next
    place = (frames.tb_frame.f_code.co_filename, frames.tb_lineno) if frames else ()
    fault = (type(error).__name__, str(error), *place)
    now = time.monotonic()
    if now - _TRACED.get(fault, -AGAIN_S) < AGAIN_S:
        del event["exc_info"]
        event["error"] = f"{type(error).__name__}: {error}"
        return event
    if len(_TRACED) >= MOST_TRACED:
        _TRACED.clear()
    _TRACED[fault] = now
    return event


def set_up_logs(level: str, *, service: bool = False) -> None:
    """Logs go to standard error, from ``level`` up. Libraries only from warning up.

    ``service``: nothing but logs is written there, so they are JSON unless it is a terminal. A
    command also speaks to people there, who read lines of text wherever these go.
    """
    number = LEVELS.get(level, LEVELS["warning"])
    on_terminal = sys.stderr.isatty()
    as_json = service and not on_terminal
    set_up_structlog(number, as_json=as_json, colors=on_terminal)
    logging.basicConfig(stream=sys.stderr, level=max(number, logging.WARNING))


def set_up_structlog(number: int, *, as_json: bool = False, colors: bool = False) -> None:
    """Our own logs alone, from a level's number up: what a program that imports us needs."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True)
        if as_json
        else structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
        _outage_in_a_sentence,
        _traceback_once,
        structlog.processors.format_exc_info,
        _visible,
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(
            colors=colors,
            pad_event_to=0,
            pad_level=False,
            sort_keys=False,
            exception_formatter=structlog.dev.plain_traceback,
        )
    )
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(_StandardError()),  # type: ignore[arg-type]
        cache_logger_on_first_use=True,
    )
