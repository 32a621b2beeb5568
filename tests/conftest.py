"""Shared by all tests."""

import structlog

pytest_plugins = ["tests.nats", "tests.postgres"]

# The default traceback, with every frame's variables in a box, takes so long to draw that
# time-outs of some tenths of a second pass meanwhile.
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)
