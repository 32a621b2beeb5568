"""How a character behaves: a handful of numbers, from the words they are described with."""

import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple


class Traits(NamedTuple):
    """Each lies between 0.05 and 0.95."""

    sociable: float
    """How readily they begin a talk, and how long it gets."""
    agreeable: float
    """How readily they say yes."""
    reliable: float
    """How well they remember what they promised, and when they are to be where."""
    curious: float
    """How readily they ask when something is left open."""
    lively: float
    """How readily they go out."""

    @property
    def gruff(self) -> bool:
        """Whether they put things curtly."""
        return self.agreeable < 0.42

    @property
    def warm(self) -> bool:
        """Whether they put things kindly."""
        return self.agreeable > 0.7


_PLAIN: Final = (0.55, 0.58, 0.62, 0.45, 0.5)
TEMPERS: Final = ("ga", "ga+tdp", "forgetful", "homebody")
"""How a rehearsal mind plays. ``ga``: a performer who has the goal in mind and no plan for it;
``ga+tdp``: one with a plan and a checklist. They say nothing of a character without a task, who is
as described. ``forgetful`` and ``homebody`` are ``ga``, and everybody more so than described."""


@cache
def _changes() -> dict[str, list[float]]:
    """What each word changes."""
    lines = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {word: changes for words, changes in lines.items() for word in words.split()}


@lru_cache(maxsize=4096)
def traits_of(innate: str, temper: str) -> Traits:
    """The numbers of somebody described with ``innate``, traits with commas between, and with
    ``temper``, further words of the kind."""
    figures = list(_PLAIN)
    words = f"{innate},{temper}".replace(",", " ").lower().split()
    for word in words:
        for place, change in enumerate(_changes().get(word, ())):
            figures[place] += change
    return Traits(*(min(0.95, max(0.05, figure)) for figure in figures))
