"""Shared by all tests."""

import gc
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from store.participants import participant_keys

pytest_plugins = [
    "tests.support.compiled_statements",
    "tests.support.migrated_stores",
    "tests.support.servers.nats_server",
    "tests.support.servers.postgres_server",
]

# How many examples a property is tried on, unless it names a share of its own. The quick profile is
# that of `make test`; `make test-long` gives `--hypothesis-profile thorough`. How long it takes to
# draw examples says how busy the machine is.
_slowly = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", _slowly, max_examples=15)
settings.register_profile("thorough", _slowly, max_examples=200)
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

GC_THRESHOLD = 10_000
"""That of the command line."""
LONGEST = ("tests/store/test_verify.py", "tests/store/test_conformance.py", "tests/faults/")
"""Begin first, so that no worker is left alone with one of them at the end."""


def pytest_configure(config: pytest.Config) -> None:
    """Workers begin to collect at different files: what one has compiled the others find."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # So a shell starts what it runs in the background; processes of tests would inherit it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    worker = getattr(config, "workerinput", None)
    if worker is not None and config.args == config.getini("testpaths"):
        files = sorted(str(file) for file in Path(__file__).parent.rglob("test_*.py"))
        number, workers = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
        first = len(files) * number // workers
        config.args[:] = files[first:] + files[:first]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Leave the garbage collector a small heap: what collecting makes stays until the end, and
    looking through it again and again would take a sixth of the time of all tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(GC_THRESHOLD)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order files by how long they take; within each, tests stay as they are."""
    items.sort(key=lambda item: (not item.nodeid.startswith(LONGEST), item.path))


@pytest.fixture(autouse=True)
def keys_are_let_go() -> Iterator[None]:
    """A store that a failed test leaves open keeps its keys in use for none of those after it."""
    before = set(participant_keys._held)
    yield
    for place in set(participant_keys._held) - before:
        while place in participant_keys._held:
            participant_keys.let_go(participant_keys._known[place])
