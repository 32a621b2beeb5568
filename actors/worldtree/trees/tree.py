"""A world tree: scenes, the lines that lead from one to another, and endings.

Everything here is a value; walking through a tree is in ``actors.worldtree.rules``. What a
published file says is kept, dirty labels, too, so that it can be written again and looked into;
what cannot be read is a ``defects.Defect``.
"""

from collections.abc import Iterable
from typing import Literal

from events.base import Value

Language = Literal["zh", "en"]

ACHIEVED, PARTLY, NOT = 2, 1, 0
"""What ``Node.goal`` says of an ending."""


class State(Value, frozen=True, kw_only=True):
    """What a line does, or where an ending leaves everybody. Each is 1, 0 or -1."""

    self_interest: int
    altruism: int
    polarity: int
    """The published files do not say what their third number is; it is read as the polarity of
    behaviour of SocialEval, section 4.2: 1 positive, 0 neutral, -1 negative."""


class Profile(Value, frozen=True, kw_only=True):
    """A character."""

    name: str
    alias: str = ""
    """How others call it in the dialogue; empty: by its name."""
    identity: str = ""
    public: str = ""
    """What everybody may know."""
    private: str = ""
    """What it alone knows."""
    goal: str = ""
    orientation: tuple[int, int] | None = None
    """Self-interest and altruism, each 1, 0 or -1."""
    behavior: int | None = None
    """As published, undocumented."""
    state: State | None = None
    """As published of characters who enter, undocumented."""


class Line(Value, frozen=True, kw_only=True, tag="line"):
    """Something said, or told."""

    role: str = ""
    """Who says it; empty: it is narration."""
    text: str


def said_by(who: str, lines: Iterable[Line]) -> tuple[Line, ...]:
    """Lines as ``who`` says them. Files spell a speaker differently, or put what no speaker is in
    the place of one; which line that is of must tell nothing."""
    return tuple([Line(role=who, text=line.text) for line in lines])


class Entrance(Value, frozen=True, kw_only=True, tag="entrance"):
    """A character enters: from here on its public profile is known."""

    profile: Profile


Beat = Line | Entrance


def says_something(beat: Beat) -> bool:
    """Published files have lines without text."""
    return isinstance(beat, Entrance) or bool(beat.text.strip())


class AbilityQuestion(Value, frozen=True, kw_only=True):
    """What an edge asks: which line shows these abilities? The edge's own does."""

    pieces: tuple[str, ...]
    """The question as published: pieces of text with the markers ``#question#``, ``#skill#`` and
    ``#state#``."""
    text: str
    """The question without markers and labels, as it is asked."""
    labels: tuple[str, ...] = ()
    """Abilities as the file spells them."""
    distractors: tuple[Line, ...] = ()
    """Other lines, none of which shows them."""


class Edge(Value, frozen=True, kw_only=True):
    """A line that the protagonist can say, and where it leads."""

    to: int
    """The target's id."""
    line: Line
    kind: Literal["skill", "situation"] = "skill"
    """``situation``: it can be walked, and nobody is asked what it shows."""
    abilities: tuple[str, ...] = ()
    """Those of ``abilities.ABILITIES`` that it shows, resolved; the question's where the edge has
    none."""
    labels: tuple[str, ...] = ()
    """The edge's own abilities as the file spells them."""
    state: State | None = None
    """None: it has none, or none that is sound."""
    question: AbilityQuestion | None = None
    other_endings: tuple[tuple[Line, ...], ...] = ()
    """As published (``ending confusion``), never asked: other lines into an ending, each followed
    by lines whose role is ``state`` or ``goal achievement``."""


class Node(Value, frozen=True, kw_only=True):
    """A scene, and what can be said at its end."""

    id: int
    """0 is the root."""
    kind: Literal["beginning", "choice", "ending"]
    dialogue: tuple[Beat, ...] = ()
    edges: tuple[Edge, ...] = ()
    """In the file's order."""
    goal: int | None = None
    """Of an ending ``ACHIEVED``, ``PARTLY`` or ``NOT``; None: the file does not say."""
    state: State | None = None
    """Of an ending."""


class Tree(Value, frozen=True, kw_only=True):
    """A whole tree."""

    id: str
    """Its own in a catalog: letters, digits, ``_`` and ``-``."""
    title: str = ""
    language: Language
    orientation: str
    """One of ``orientations.ORIENTATIONS``, by name."""
    protagonist: Profile
    cast: tuple[Profile, ...] = ()
    """The others that are known from the beginning."""
    scenario: str = ""
    nodes: tuple[Node, ...]
    """In the file's order."""
    pair: str = ""
    """What it has in common with the tree that says the same in the other language; empty: there is
    none."""
    source: str = ""
    """The file it is from."""
