"""Keeps numerical libraries on one thread."""

from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from pkgutil import resolve_name


def one_thread() -> AbstractContextManager[object]:
    """While it lasts, numerical libraries work on one thread, where they are there at all. The
    problems are so small that several threads wait for each other, up to twenty times as long; and
    several add up in another order."""
    if find_spec("threadpoolctl") is None:
        return nullcontext()
    limited: AbstractContextManager[object] = resolve_name("threadpoolctl:threadpool_limits")(1)
    return limited
