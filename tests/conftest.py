"""Shared by all tests."""

import structlog
from hypothesis import settings

pytest_plugins = ["tests.nats", "tests.postgres"]

# How many examples a property is tried on, unless it names a share of its own. The quick profile is
# that of `make test`; `make test-long` gives `--hypothesis-profile thorough`.
settings.register_profile("quick", max_examples=25, deadline=None)
settings.register_profile("thorough", max_examples=200, deadline=None)
settings.load_profile("quick")

# The default traceback, with every frame's variables in a box, takes so long to draw that
# time-outs of some tenths of a second pass meanwhile.
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)
