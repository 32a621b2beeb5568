"""What an episode of world trees begins with, what is asked, answered, and what follows from it."""

from collections.abc import Mapping
from typing import Final, Literal

from actors.worldtree.catalog_items import Sample
from actors.worldtree.trees.tree import Language, Line, Tree
from events import environments

NAME: Final = "worldtree"
"""The environment's name."""
ENDINGS: Final = {
    "ended": "an ending was reached",
    "dead_end": "the tree goes no further here",
    "undecided": "the answers found no majority",
    "answered": "the question was answered",
    "written": "the line was written",
    "translated": "all was translated",
}
"""Why an episode is over, in words."""

Outcome = Literal["achieved", "partly", "not", "unscored", "undecided"]
"""What came of a walk. ``unscored``: the tree does not say, for it has a dead end there or an
ending without a goal; ``undecided``: no option won a majority of the mind's answers. Older episodes
say ``failed`` for it."""
Verdict = Literal["right", "wrong", "undecided"]
"""What came of a sample; ``undecided`` as above."""


def came_of(summary: Mapping[str, str | int | float | bool]) -> str:
    """What an episode's summary says of its walk or sample: an ``Outcome``, a ``Verdict``, or
    nothing."""
    said = str(summary.get("outcome") or summary.get("verdict") or "")
    return "undecided" if said == "failed" else said


class Settings(environments.Settings, frozen=True, kw_only=True, tag="worldtree.Settings"):
    """How trees are walked and samples asked (SocialEval, section 4)."""

    shuffles: int = 3
    """How often each question is asked, the options in another order each time; the majority
    decides. 1: once, a walk's options as the file has them, a sample's in one seeded order."""
    prompts: Literal["own", "zh", "en"] = "own"
    """The language of the prompts; ``own``: that of the tree."""
    reasks: int = 2
    """How often an answer that cannot be read is asked for again."""
    told: bool = True
    """Whether the lines that were chosen are part of what is told afterwards."""
    seed: int = 0
    """Decides the orders, and rehearsal minds' choices."""
    prompt: str = ""
    """The templates by which language models are asked."""


class Walk(environments.Setup, frozen=True, kw_only=True, tag="worldtree.Walk"):
    """One walk through a tree, from its root towards an ending. One seat, the protagonist's."""

    tree: Tree
    """What is needed to walk it: questions about abilities may be left out."""
    digest: str
    """The whole tree's fingerprint."""
    settings: Settings = Settings()


class Inquiry(environments.Setup, frozen=True, kw_only=True, tag="worldtree.Inquiry"):
    """One question about an ability. One seat; one turn."""

    sample: Sample
    settings: Settings = Settings()


class Choose(environments.Question, frozen=True, kw_only=True, tag="worldtree.Choose"):
    """Which line does the protagonist say? Shown to the seat as it is: it holds no id."""

    options: tuple[Line, ...]
    """In the order in which they are shown."""
    told: str = ""
    """The question about an ability; empty: it is a step of a walk."""


class Chose(environments.Action, frozen=True, kw_only=True, tag="worldtree.Chose"):
    """An option."""

    option: int
    """Its place among the question's options, from 0."""
    why: str = ""
    """The explanation that came with it."""


class NoChoice(environments.Action, frozen=True, kw_only=True, tag="worldtree.NoChoice"):
    """What is recorded for a mind that gave no answer."""


class Stepped(environments.Change, frozen=True, kw_only=True, tag="worldtree.Stepped"):
    """The votes agreed, and the protagonist said a line."""

    edge: int
    """The line's place among the node's edges, in the file's order, from 0."""
    votes: int
    """How many were for it."""


LANGUAGES: Final[tuple[Language, ...]] = ("zh", "en")
