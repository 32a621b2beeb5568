"""What environments add to ``troupe``: ``troupe.sotopia.tables(run)``.

An entry of the group ``troupe.python`` is a mapping of functions by name, which appear under the
entry's name. Each takes the store first. Coroutine functions may write in it; the others read.
"""

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import entry_points
from typing import Any, Final

from gateway.models.writer_models import spec_from
from gateway.notebook import analysis_store
from gateway.notebook.episodes import Episode
from gateway.notebook.runs import Run
from troupe.arguments import Where, store_of
from troupe.errors import in_sentences
from troupe.models import Model
from troupe.sessions import session
from troupe.worker_thread import Call, blocking

GROUP: Final = "troupe.python"
PROGRESS: Final = "progress"
"""A parameter that is called with how far it is, on the caller's side."""


class Extension:
    """Functions of an installed environment, under one name: ``help(troupe.sotopia.tables)``."""

    def __init__(self, name: str, operations: Mapping[str, Callable[..., Any]]) -> None:
        self._name = name
        self.__dict__.update({key: _front(name, one) for key, one in operations.items()})

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"troupe.{self._name} has no {name!r}")

    def __repr__(self) -> str:
        names = (name for name in vars(self) if not name.startswith("_"))
        return f"troupe.{self._name}: {', '.join(names)}"


def extension(name: str) -> Extension:
    """That of the entry point of this name. Raises ``LookupError``."""
    (entry,) = entry_points(group=GROUP, name=name)
    return Extension(name, entry.load())


def _front(of: str, operation: Callable[..., Any]) -> Callable[..., Any]:
    """The operation for callers, who say where the store is instead of giving one."""

    def reads(*args: Any, where: Where = None, **kwargs: Any) -> Any:
        place = _place((*args, *kwargs.values()), where)
        with in_sentences():
            if isinstance(place, analysis_store.Store):
                return operation(place.log, *args, **kwargs)
            with analysis_store.open_store(place) as opened:
                return operation(opened.log, *args, **kwargs)

    def works(call: Call, /, *args: Any, where: Where = None, **kwargs: Any) -> Any:
        given = [_plain(one) for one in args]
        named = {name: _plain(one) for name, one in kwargs.items()}
        if callable(told := named.get(PROGRESS)):
            named[PROGRESS] = lambda *now: call.tell_of(partial(told, *now))
        with session(where) as (_, store):
            return call.wait_for(operation(store, *given, **named))

    waits = blocking(works) if inspect.iscoroutinefunction(operation) else reads
    signature = inspect.signature(operation)
    _, *rest = signature.parameters.values()
    keyword = inspect.Parameter.KEYWORD_ONLY
    here = inspect.Parameter("where", keyword, default=None, annotation=Where)
    shown = signature.replace(parameters=[*rest, here])

    @functools.wraps(operation)
    def front(*args: Any, **kwargs: Any) -> Any:
        try:
            shown.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"troupe.{of}.{operation.__name__}: {error}") from None
        return waits(*args, **kwargs)

    del front.__wrapped__
    front.__signature__ = shown  # type: ignore[attr-defined]
    return front


def _plain(given: object) -> object:
    """A model as its settings; everything else as it is."""
    if isinstance(given, Model):
        return spec_from({"model": given.name, **given.options})
    return given


def _place(args: Sequence[object], where: Where) -> Where:
    """Where the store is: as it is said, or where a run among the arguments is
    kept."""
    found = (part for one in args for part in (one if isinstance(one, list | tuple) else [one]))
    here = next((one for one in found if isinstance(one, Run | Episode)), None)
    return where if here is None else store_of(here, where)
