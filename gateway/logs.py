"""Structured logs: one event name a line; for people on a terminal, JSON otherwise."""

import logging
import sys

import structlog

from events.harmless import harmless
from gateway.streams import behind

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


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
        from actors.runtime.supervision import OUTAGES

        if isinstance(error, OUTAGES):
            del event["exc_info"]
            event["error"] = str(error)
    return event


def set_up_logs(level: str) -> None:
    """Logs go to standard error, from ``level`` up. Libraries only from warning up."""
    number = LEVELS.get(level, LEVELS["warning"])
    on_terminal = sys.stderr.isatty()
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False)
        if on_terminal
        else structlog.processors.TimeStamper(fmt="iso", utc=True),
        _outage_in_a_sentence,
        structlog.processors.format_exc_info,
        _visible,
    ]
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(
            pad_event_to=0,
            pad_level=False,
            sort_keys=False,
            exception_formatter=structlog.dev.plain_traceback,
        )
        if on_terminal
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(_StandardError()),  # type: ignore[arg-type]
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(stream=sys.stderr, level=max(number, logging.WARNING))
