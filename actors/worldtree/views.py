"""What somebody may see of a walk or an inquiry; ``actors.worldtree.sight`` fills it in."""

from typing import Final

from actors.episodes.port.game import Shapes
from actors.episodes.port.sight import Viewer
from actors.worldtree.trees.tree import Beat, Language, Profile
from events.base import Value


class ChoiceBackground(Value, frozen=True, kw_only=True, tag="choosing"):
    """Who the seat is, what it wants, and what it knows before the first turn."""

    episode: str
    seat: int
    language: Language
    """Of the story."""
    prompts: Language
    """Of the prompts that frame it."""
    protagonist: Profile
    """The seat's own, goal and private side included."""
    cast: tuple[Profile, ...] = ()
    """The others that are known from the beginning, as far as everybody may know them."""
    scenario: str = ""
    before: tuple[Beat, ...] = ()
    """What has happened before the one question of an inquiry; empty on a walk, where it comes as
    notices."""
    reasks: int = 2
    """How often an answer that cannot be read is asked for again."""
    seed: int = 0
    """For rehearsal minds."""
    prompt: str = ""
    """The templates by which a language model in the seat is asked."""


class SeenLine(Value, frozen=True, kw_only=True, tag="line"):
    """Something said or told."""

    number: int
    """The event's number in the episode's history."""
    turn: int
    role: str = ""
    """Who says it; empty: it is narration."""
    text: str
    chosen: bool = False
    """The protagonist's mind chose it."""
    votes: int = 0
    """How many of its answers were for it; 0 where the viewer may not know."""


class SeenEntrance(Value, frozen=True, kw_only=True, tag="entrance"):
    """A character enters."""

    number: int
    turn: int
    profile: Profile
    """As far as everybody may know it."""


class SeenVote(Value, frozen=True, kw_only=True, tag="vote"):
    """One answer of the protagonist's mind. Only who has no seat notices it."""

    number: int
    turn: int
    question: int
    """Which of the turn's questions was answered, from 0."""
    text: str = ""
    """The line that was voted for; empty: there was no answer."""
    why: str = ""
    """The explanation that came with it; for narrator and judge."""
    failure: str = ""
    """Why there was no answer."""


Notice = SeenLine | SeenEntrance | SeenVote


class View(Value, frozen=True, kw_only=True):
    """A walk or an inquiry after some event, as one viewer may see it."""

    viewer: Viewer
    language: Language
    protagonist: Profile
    cast: tuple[Profile, ...] = ()
    scenario: str = ""
    before: tuple[Beat, ...] = ()
    """What had happened before an inquiry's question."""
    question: str = ""
    """An inquiry's."""
    right: str = ""
    """The line that is right, for narrator and judge."""
    noticed: tuple[Notice, ...] = ()
    """In order."""
    turn: int = 0
    """The last turn opened."""
    ended: str = ""
    """The ending's name; empty while it goes on."""
    detail: str = ""
    """More about the end; for narrator and judge."""
    outcome: str = ""
    """What came of it; for narrator and judge."""


SHAPES: Final = Shapes(ChoiceBackground, Notice, View)
