"""Cyclic garbage collection, and suspending it where it costs too much."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """Without cyclic garbage collection: events and rows hold no cycles, and looking for some among
    so many objects takes a sixth of the time or more."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
