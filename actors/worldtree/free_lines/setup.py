"""What an episode of a free line begins with, what is asked, and what is answered."""

from typing import Final

from actors.worldtree.setup import Settings
from actors.worldtree.trees.tree import Beat, Language, Line, Profile
from events import environments
from events.base import Value

MOST_CHARACTERS: Final = 2_000
"""Of a line."""


class Writing(environments.Setup, frozen=True, kw_only=True, tag="worldtree.Writing"):
    """All that leads to a node, whose options its protagonist is not shown. One seat; one turn."""

    tree: str
    """The tree's id."""
    node: int
    """The node at whose end the line is said."""
    language: Language
    orientation: str
    protagonist: Profile
    """With what it alone knows, and its goal."""
    cast: tuple[Profile, ...] = ()
    """The others that are known from the beginning, as anybody may know them."""
    scenario: str = ""
    before: tuple[Beat, ...] = ()
    """What happened from the root on, the lines that were chosen on the way to the node among it;
    who enters, as anybody may know them."""
    candidates: tuple[Line, ...]
    """The lines that the tree has there, in the file's order: what the free line is compared with
    afterwards. The seat is not shown them."""
    length: int
    """Their mean length: words, of a Chinese line characters."""
    settings: Settings = Settings()


class WriteLine(environments.Question, frozen=True, kw_only=True, tag="worldtree.WriteLine"):
    """What does the protagonist say now?"""

    length: int
    """About how long the line is to be: words, in Chinese characters."""


class Wrote(environments.Action, frozen=True, kw_only=True, tag="worldtree.Wrote"):
    """A line."""

    text: str
    """At most ``MOST_CHARACTERS``."""
    abilities: tuple[str, ...] = ()
    """Those of ``abilities.ABILITIES`` that it is meant to show."""
    why: str = ""
    """The explanation that came with it."""


class NoLine(environments.Action, frozen=True, kw_only=True, tag="worldtree.NoLine"):
    """What is recorded for a mind that gave no line."""


class Written(Value, frozen=True, kw_only=True, tag="written"):
    """What is noticed of a line, or that there is none."""

    number: int
    turn: int
    text: str
    """Empty: there is none."""
    why: str = ""
    """For whoever may know everything; else empty."""
    abilities: tuple[str, ...] = ()
    """As ``why``."""


class WritingView(Value, frozen=True, kw_only=True, tag="writing"):
    """An episode as somebody may see it; of a seat, its background."""

    language: Language
    """That of the story, in which the line is to be."""
    prompts: Language
    """Of the prompts that frame it."""
    prompt: str = ""
    """The templates by which a language model in the seat is asked."""
    protagonist: Profile
    """As the viewer may know it."""
    cast: tuple[Profile, ...] = ()
    scenario: str = ""
    before: tuple[Beat, ...] = ()
    reasks: int = 2
    """How often an answer that cannot be read is asked for again."""
    seed: int = 0
    """For rehearsal minds."""
    orientation: str = ""
    """Empty for the seat."""
    candidates: tuple[Line, ...] = ()
    """For whoever may know everything; else none."""
    whole: bool = False
    """The viewer may know everything."""
    written: tuple[Written, ...] = ()
    turn: int = 0
    ended: str = ""
