"""What a translation begins with, what is asked, and what is answered."""

from typing import Final, Literal

from actors.worldtree.setup import Settings
from actors.worldtree.translation.draft import Kept, Refusal
from actors.worldtree.trees.tree import Language, Line, Tree
from events import environments
from events.base import Value

MOST_CHARACTERS: Final = 20_000
"""Of one translated text."""

PieceKind = Literal[
    "title", "scenario", "identity", "public", "private", "goal", "narration", "turn", "option",
    "question", "distractor", "aside",
]  # fmt: skip
"""``option``: a line that the protagonist may choose; ``question``: which line shows an ability;
``distractor``: a line that does not; ``aside``: a line that the tree keeps and nobody is shown;
``turn`` and ``narration``: what is said and told; the others
are of the tree or of a character."""


class Piece(Value, frozen=True, kw_only=True):
    """A text that is translated in one piece."""

    kind: PieceKind
    role: str = ""
    """Who says it, or whom it is about, as the glossary calls them; empty: nobody."""
    text: str


class Translation(environments.Setup, frozen=True, kw_only=True, tag="worldtree.Translation"):
    """One translation of a tree. One seat, the translator's; a turn a passage."""

    tree: Tree
    digest: str
    """The tree's fingerprint."""
    to: Language
    names: tuple[str, ...] = ()
    """The glossary where it stands already: for each of ``script.names_in(tree)`` what it becomes.
    """
    kept: tuple[Kept, ...] = ()
    """Passages that are not translated again."""
    refused: tuple[Refusal, ...] = ()
    """What is wrong with earlier translations of others."""
    settings: Settings = Settings()


class NameThem(environments.Question, frozen=True, kw_only=True, tag="worldtree.NameThem"):
    """What are these called in the other language?"""

    names: tuple[str, ...]
    characters: int
    """So many of them, the first, are different characters, who must be told apart."""


class Named(environments.Action, frozen=True, kw_only=True, tag="worldtree.Named"):
    """The glossary."""

    names: tuple[str, ...]
    """One for each that was asked for, in the same order."""


class Render(environments.Question, frozen=True, kw_only=True, tag="worldtree.Render"):
    """How does this passage read in the other language?"""

    scene: int
    """Its number in the order of translation: 0 is the tree's title, situation and characters;
    scenes count from 1. It is no node's id."""
    pieces: tuple[Piece, ...]
    after: int = 0
    """The scene that it follows from; 0: none."""
    by: int = -1
    """The place among that scene's pieces of the line that leads here; -1: none does."""
    comment: str = ""
    """What a reader found wrong with an earlier translation; empty: there was none."""
    refused: tuple[Line, ...] = ()
    """That translation."""


class Rendered(environments.Action, frozen=True, kw_only=True, tag="worldtree.Rendered"):
    """A passage's translation."""

    lines: tuple[Line, ...]
    """One a piece, in the same order, of the same roles."""


class NoTranslation(environments.Action, frozen=True, kw_only=True, tag="worldtree.NoTranslation"):
    """What is recorded for a mind that gave none."""


class SeenNames(Value, frozen=True, kw_only=True, tag="names"):
    """The glossary was made."""

    number: int
    turn: int
    names: tuple[tuple[str, str], ...]
    """Each with what it becomes."""


class SeenPassage(Value, frozen=True, kw_only=True, tag="passage"):
    """A passage was translated."""

    number: int
    turn: int
    scene: int
    after: int
    by: int
    pieces: tuple[Piece, ...]
    lines: tuple[Line, ...]


class SeenFailure(Value, frozen=True, kw_only=True, tag="untranslated"):
    """There was no answer; the same is asked again."""

    number: int
    turn: int


Seen = SeenNames | SeenPassage | SeenFailure


class TranslationView(Value, frozen=True, kw_only=True, tag="translation"):
    """A translation as somebody may see it; of a seat, its background. Nothing in it is secret:
    what a translator needs not know is in none of the pieces."""

    language: Language
    to: Language
    title: str
    names: tuple[tuple[str, str], ...] = ()
    """The glossary, where it stood from the beginning."""
    kept: tuple[SeenPassage, ...] = ()
    """What stood from the beginning; of number -1 and turn 0."""
    seen: tuple[Seen, ...] = ()
    turn: int = 0
    ended: str = ""
