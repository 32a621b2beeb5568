"""A social catalog: characters, their relationships, scenarios, and the tasks that cast them.

SOTOPIA (Zhou et al. 2024), sections 2 and 3.1, describes what each of them holds.
"""

from enum import StrEnum
from typing import Literal

from events import environments
from events.base import Value


class RelationshipKind(StrEnum):
    """How two characters stand to each other; decides what each sees of the other."""

    STRANGER = "stranger"
    KNOWN_BY_NAME = "known_by_name"
    ACQUAINTANCE = "acquaintance"
    FRIEND = "friend"
    ROMANTIC = "romantic"
    FAMILY = "family"


class BigFive(Value, frozen=True, kw_only=True):
    """The five personality traits, each as a word such as ``high`` or ``low``; empty if unknown."""

    openness: str = ""
    conscientiousness: str = ""
    extraversion: str = ""
    agreeableness: str = ""
    neuroticism: str = ""


class Character(Value, frozen=True, kw_only=True):
    """Somebody who can be played."""

    id: str
    first_name: str
    last_name: str = ""
    age: int
    """Years, 0 to 150."""
    gender: str = ""
    pronouns: str = ""
    occupation: str = ""
    public_info: str = ""
    """What an acquaintance may know."""
    big_five: BigFive = BigFive()
    moral_values: tuple[str, ...] = ()
    schwartz_values: tuple[str, ...] = ()
    decision_style: str = ""
    personality: str = ""
    """Personality and values in prose; friends and closer may know it."""
    secret: str = ""
    """Known to nobody but the character (and the narrator and the judge)."""
    mbti: str = ""
    tags: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first_name} {self.last_name}".strip()


class Relationship(Value, frozen=True, kw_only=True):
    """How two characters of the catalog know each other. A pair may have several."""

    id: str
    characters: tuple[str, str]
    """Ids of the two characters."""
    kind: RelationshipKind
    story: str = ""
    """The background both share. May hold the markup that ``actors.social.markup`` reads."""
    tags: tuple[str, ...] = ()


class NeededFact(Value, frozen=True, kw_only=True):
    """Something said in an earlier episode of a chain that a scenario's goal rests on."""

    id: str
    text: str
    """The fact in a sentence."""
    keys: tuple[tuple[str, ...], ...]
    """How it is recognised: in each group at least one of the spellings, whole words, in any
    case; all groups. Absent from the scenario's own text, present in the past."""
    seats: tuple[int, ...] = ()
    """Seats whose goal needs it; empty: all."""
    kind: Literal["offer", "promise", "preference", "secret", "other"] = "other"
    taught_by: str = ""
    """The scenario (or episode) in which it comes up; empty: any."""


class Scenario(Value, frozen=True, kw_only=True):
    """A situation and a private goal for each seat."""

    id: str
    codename: str = ""
    context: str
    """What everybody sees; ``<p viewer="environment">`` passages are for narrator and judge."""
    goals: tuple[str, ...]
    """One private goal a seat; may hold ``<extra_info>``, ``<strategy_hint>`` and
    ``<clarification_hint>``."""
    relationships: tuple[RelationshipKind, ...] = ()
    """The relationship kinds a pair may have to be cast; empty: any."""
    ages: tuple[tuple[int, int], ...] = ()
    """For each seat the youngest and oldest age that may be cast; empty: any."""
    occupations: tuple[str, ...] = ()
    """For each seat a word the occupation must contain; empty: any."""
    source: str = ""
    tags: tuple[str, ...] = ()
    needs: tuple[NeededFact, ...] = ()
    """What of earlier episodes the goals cannot be reached without; empty: nothing."""


class Task(Value, frozen=True, kw_only=True):
    """A scenario cast with characters: what one episode plays."""

    id: str
    scenario: str
    characters: tuple[str, ...]
    """Ids, in the order of the seats."""
    relationships: tuple[str, ...] = ()
    """Ids of the relationships between the cast; unnamed pairs are strangers."""
    tags: tuple[str, ...] = ()


class Catalog(environments.Catalog, frozen=True, kw_only=True, tag="social.Catalog"):
    """Who can be played, in which situations, and the tasks that bring the two together."""

    characters: tuple[Character, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    tasks: tuple[Task, ...] = ()
