"""Statements compiled once in a process, whichever of its engines carries them out.

SQLAlchemy keeps what it has compiled with an engine; tests open thousands of stores, and compiling
the same few hundred statements anew for each took a quarter of the time of a command.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.util import LRUCache


class _Compiled(LRUCache[Any, Any]):
    """By what decides how a statement is compiled, and not by the dialect object of one engine."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(_of_kind(key), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(_of_kind(key), value)


def _of_kind(key: Any) -> Any:
    dialect, *rest = key
    return (type(dialect), dialect.paramstyle, *rest)


@pytest.fixture(scope="session", autouse=True)
def statements_compiled_once() -> Iterator[None]:
    """For every engine that is made from now on."""
    compiled, really = _Compiled(2_000), sa.create_engine

    def create_engine(*args: Any, **options: Any) -> sa.Engine:
        engine = really(*args, **options)
        engine._compiled_cache = compiled
        return engine

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sa, "create_engine", create_engine)
        yield
