"""What a session is made of: settings, setup, questions, actions, and how it can end."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from actors.episodes.port.plans import PlainPlans
from actors.tabletop.catalog_items import NAME, CharacterSheet, Kind, KnowledgeSheet, OpeningScene
from actors.tabletop.skills import Skill
from events.base import Value
from events.environments import Action, Question, Setup
from events.environments import Settings as AnySettings

ENDINGS: Final = {"played": "all turns were played"}
MOST_WORDS: Final = 1_200
"""Characters of what is said or done in a turn."""
MOST_LEARNED: Final = 3_000


class Settings(AnySettings, frozen=True, kw_only=True, tag=f"{NAME}.Settings"):
    """How sessions are played: a plan's section ``[tabletop]``. Defaults are those of AntEval where
    the paper gives them."""

    turns: Annotated[int, Meta(ge=1, le=1_000)] = 30
    """The turns of a session (section 5.1)."""
    turn: Literal["move", "round"] = "move"
    """Whether a turn is one seat's move, or a move of every seat; the paper leaves it open."""
    baseline: bool = False
    """Whether players are asked what they know before the first turn, too: what they guess."""
    reuse: bool = False
    """Whether sessions may share a sheet of knowledge."""
    wording: Literal["named", "hidden"] = "named"
    """How a player is told an intention: by the name of the skill check (section 3.2), or as a want
    that never names it."""
    without: Annotated[float, Meta(ge=0, le=1)] = 0.0
    """The share of players who have no intention; at least one of a session has."""
    one_intention: bool = False
    """Whether just one player of a session has an intention, as in most real calls, whatever
    ``without`` says."""


class SessionPlans(PlainPlans[Settings]):
    """The section is recorded as it stands."""

    def for_review(self) -> Settings:
        """A catalog may have more sessions than sheets: plans say whether they share them."""
        return Settings(reuse=True)


PLANS: Final = SessionPlans(Settings)


class Intention(Value, frozen=True, kw_only=True):
    """What a player means to do: one skill check."""

    skill: Skill
    text: str
    """As the player is told."""


class Session(Setup, frozen=True, kw_only=True, tag=f"{NAME}.Session"):
    """A table: the players in their order, the non-player character in the last seat."""

    kind: Kind
    scene: OpeningScene
    characters: tuple[CharacterSheet, ...]
    sheet: KnowledgeSheet | None = None
    """What the non-player character knows; None: nothing, or the viewer does not know it."""
    sheet_uses: int = 1
    """The how many-th session of the catalog has this sheet."""
    topic: str = ""
    """What the players are to find out about."""
    points: int = 0
    """How many key points there are to be found out."""
    intentions: tuple[Intention | None, ...] = ()
    """One a player, where there are any."""
    settings: Settings = Settings()
    seed: int = 0

    @property
    def players(self) -> int:
        """How many seats are players."""
        return len(self.characters) - 1

    @property
    def moves(self) -> int:
        """How many moves there are in all."""
        each = len(self.characters) if self.settings.turn == "round" else 1
        return self.settings.turns * each


class Move(Question, frozen=True, kw_only=True, tag=f"{NAME}.Move"):
    """What does the seat say and do?"""

    move: int
    """From 1 on."""
    of: int


class AskLearned(Question, frozen=True, kw_only=True, tag=f"{NAME}.AskLearned"):
    """What does the player know of what the non-player character knows?"""

    moment: Literal["before", "after"]
    topic: str


class Played(Action, frozen=True, kw_only=True, tag=f"{NAME}.Played"):
    """Words, a deed, both, or neither: the seat passes."""

    said = ("text", "deed")

    text: Annotated[str, Meta(max_length=MOST_WORDS)] = ""
    """What is said."""
    deed: Annotated[str, Meta(max_length=MOST_WORDS)] = ""
    """What is done."""


class Recalled(Action, frozen=True, kw_only=True, tag=f"{NAME}.Recalled"):
    """What a player knows; others do not see it."""

    text: Annotated[str, Meta(max_length=MOST_LEARNED)] = ""
