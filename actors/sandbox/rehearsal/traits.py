"""How a character behaves: a handful of numbers, from the words they are described with."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
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
_WORDS: Final[Mapping[str, tuple[float, ...]]] = MappingProxyType(
    {
        word: changes
        for words, changes in (
            ("friendly warm hospitable welcoming cheerful sunny", (0.2, 0.15, 0, 0.05, 0.1)),
            ("outgoing gregarious sociable talkative chatty charming", (0.3, 0.08, 0, 0.1, 0.2)),
            ("energetic enthusiastic lively loud adventurous", (0.12, 0.05, -0.03, 0.05, 0.25)),
            ("kind generous helpful nurturing caring gentle obliging", (0.1, 0.25, 0.03, 0, 0)),
            ("patient thoughtful wise experienced calm steady", (-0.02, 0.1, 0.1, 0.05, -0.05)),
            ("curious inquisitive open-minded nosy", (0.12, 0.08, 0, 0.35, 0.1)),
            ("organized reliable punctual attentive conscientious", (0, 0.02, 0.25, 0.15, 0)),
            ("detail-oriented orderly precise diligent hardworking", (0, 0, 0.25, 0.2, -0.08)),
            ("dedicated determined driven pragmatic resourceful", (0, -0.02, 0.15, 0.08, 0)),
            ("analytical logical intellectual reflective studious", (-0.1, -0.02, 0.1, 0.15, -0.1)),
            ("passionate musical humorous witty imaginative creative", (0.1, 0.06, -0.05, 0.05, 0)),
            ("independent proud stubborn ambitious busy", (-0.05, -0.18, 0, 0, 0)),
            ("shy quiet reserved withdrawn solitary introverted", (-0.35, -0.05, 0, -0.1, -0.2)),
            ("rude aggressive toxic grumpy grouchy sour gruff", (-0.1, -0.3, -0.03, -0.1, 0)),
            ("blunt cynical sceptical skeptical wary suspicious", (-0.1, -0.22, 0, 0.15, 0)),
            ("forgetful absent-minded scatterbrained dreamy", (0, 0.03, -0.45, -0.05, -0.05)),
            ("eccentric chaotic impulsive messy lazy easygoing", (0, 0.03, -0.25, -0.05, 0)),
            ("homebody tired worn weary", (-0.15, 0, -0.05, -0.1, -0.35)),
            ("honest loyal trustworthy", (0, 0.05, 0.15, 0, 0)),
        )
        for word in words.split()
    }
)
"""What a word changes: sociable, agreeable, reliable, curious, lively."""
TEMPERS: Final = ("ga", "ga+tdp", "forgetful", "homebody")
"""How a rehearsal mind plays. ``ga``: a performer who has the goal in mind and no plan for it;
``ga+tdp``: one with a plan and a checklist. They say nothing of a character without a task, who is
as described. ``forgetful`` and ``homebody`` are ``ga``, and everybody more so than described."""


@lru_cache(maxsize=4096)
def traits_of(innate: str, temper: str) -> Traits:
    """The numbers of somebody described with ``innate``, traits with commas between, and with
    ``temper``, further words of the kind."""
    figures = list(_PLAIN)
    words = f"{innate},{temper}".replace(",", " ").lower().split()
    for word in words:
        for place, change in enumerate(_WORDS.get(word, ())):
            figures[place] += change
    return Traits(*(min(0.95, max(0.05, figure)) for figure in figures))
