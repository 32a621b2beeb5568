"""Troupe from Python, for scripts and notebooks. See ``docs/how-to/python.md``.

    import troupe

    episode = troupe.play("social")
    print(episode.transcript())

``run``, ``resume``, ``play``, ``score`` and ``fork`` do what the commands do and return when it is
done; ``troupe.aio`` has the same to be awaited. ``open_store`` reads what is there. What a person
can act on is a ``troupe.Error``, with the sentence that the command line would print.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from actors.runs.execution.work import Progress
    from gateway.errors import GatewayError as Error
    from gateway.errors import Unfinished
    from gateway.notebook.analysis_store import Store
    from gateway.notebook.comparison import Comparison
    from gateway.notebook.episodes import Episode, Transcript
    from gateway.notebook.frames import Table
    from gateway.notebook.runs import Run
    from troupe import aio
    from troupe.models import Model
    from troupe.sync import fork, open_store, play, resume, run, score

__all__ = [
    "Comparison",
    "Episode",
    "Error",
    "Model",
    "Progress",
    "Run",
    "Store",
    "Table",
    "Transcript",
    "Unfinished",
    "aio",
    "fork",
    "open_store",
    "play",
    "resume",
    "run",
    "score",
]

_WHERE = {
    "Comparison": "gateway.notebook.comparison",
    "Episode": "gateway.notebook.episodes",
    "Error": "gateway.errors:GatewayError",
    "Model": "troupe.models",
    "Progress": "actors.runs.execution.work",
    "Run": "gateway.notebook.runs",
    "Store": "gateway.notebook.analysis_store",
    "Table": "gateway.notebook.frames",
    "Transcript": "gateway.notebook.episodes",
    "Unfinished": "gateway.errors",
    **dict.fromkeys(("fork", "open_store", "play", "resume", "run", "score"), "troupe.sync"),
}
"""Nothing is loaded before it is used: a store's and a run's libraries take most of a second."""


def __getattr__(name: str) -> Any:
    if name == "aio":
        return import_module("troupe.aio")
    if name not in _WHERE:
        if not name.startswith("_") and name in _added():
            globals()[name] = added = import_module("troupe.extensions").extension(name)
            return added
        raise AttributeError(f"module 'troupe' has no attribute {name!r}")
    module, _, other = _WHERE[name].partition(":")
    globals()[name] = found = getattr(import_module(module), other or name)
    return found


def _added() -> list[str]:
    """What installed environments add, such as ``sotopia`` (``troupe.extensions``)."""
    from importlib.metadata import entry_points

    return [entry.name for entry in entry_points(group="troupe.python")]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_added()})
