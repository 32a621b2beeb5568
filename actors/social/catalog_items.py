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


class Kinship(StrEnum):
    """What a character is to another of the same family."""

    PARENT = "parent"
    CHILD = "child"
    GRANDPARENT = "grandparent"
    GRANDCHILD = "grandchild"
    SIBLING = "sibling"
    SPOUSE = "spouse"
    AUNT_OR_UNCLE = "aunt_or_uncle"
    NIECE_OR_NEPHEW = "niece_or_nephew"
    COUSIN = "cousin"
    STEP_PARENT = "step_parent"
    STEP_CHILD = "step_child"
    PARENT_IN_LAW = "parent_in_law"
    CHILD_IN_LAW = "child_in_law"
    SIBLING_IN_LAW = "sibling_in_law"


class InteractionKind(StrEnum):
    """What the seats of a scenario do with each other: the six kinds that SOTOPIA's cover."""

    NEGOTIATION = "negotiation"
    """Both want to agree, on terms that they want differently."""
    EXCHANGE = "exchange"
    """Each has something that the other could use."""
    COLLABORATION = "collaboration"
    """They want the same, and need each other for it."""
    COMPETITION = "competition"
    """What one of them gets the other does not."""
    ACCOMMODATION = "accommodation"
    """They live or work side by side, and what suits one is in the other's way."""
    PERSUASION = "persuasion"
    """One wants the other to do, to think or to say something."""


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
    """What relationships and tasks call them; no other character has it."""
    first_name: str
    last_name: str = ""
    age: int
    """Years, 0 to 150."""
    gender: str = ""
    """In a word: ``woman``, ``man``, ``nonbinary``."""
    pronouns: str = ""
    """Such as ``she/her``."""
    occupation: str = ""
    public_info: str = ""
    """What an acquaintance may know."""
    big_five: BigFive = BigFive()
    """Each ``high``, ``medium`` or ``low``."""
    moral_values: tuple[str, ...] = ()
    """Such as ``care``, ``fairness``, ``loyalty``, ``authority``, ``purity``."""
    schwartz_values: tuple[str, ...] = ()
    """Such as ``achievement``, ``benevolence``, ``security``, ``self-direction``."""
    decision_style: str = ""
    """How they make up their mind: ``directive``, ``analytical``, ``conceptual`` or
    ``behavioral``, and more if there is more to say."""
    personality: str = ""
    """Personality and values in prose; friends and closer may know it."""
    secret: str = ""
    """Known to nobody but the character (and the narrator and the judge)."""
    mbti: str = ""
    """Four letters of the Myers-Briggs type."""
    tags: tuple[str, ...] = ()
    """Words to find them by."""

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first_name} {self.last_name}".strip()


class Relationship(Value, frozen=True, kw_only=True):
    """How two characters of the catalog know each other. A pair may have several."""

    id: str
    """What tasks call it; no other relationship has it."""
    characters: tuple[str, str]
    """Ids of the two characters."""
    kind: RelationshipKind
    """How they stand to each other; decides what each sees of the other."""
    kin: Kinship | None = None
    """What the first of them is to the second, where they are family: ``parent``, ``sibling``.
    Their ages are held to it; absent: not said."""
    story: str = ""
    """The background both share; ``<p viewer="environment">`` passages are for narrator and
    judge."""
    tags: tuple[str, ...] = ()
    """Words to find it by."""


class NeededFact(Value, frozen=True, kw_only=True):
    """Something said in an earlier episode of a chain that a scenario's goal rests on."""

    id: str
    """A short name; no other fact of the scenario has it."""
    text: str
    """The fact in a sentence."""
    keys: tuple[tuple[str, ...], ...]
    """How it is recognised: in each group at least one of the spellings, whole words, in any
    case; all groups. Absent from the scenario's own text, present in the past."""
    seats: tuple[int, ...] = ()
    """Seats whose goal needs it; empty: all."""
    kind: Literal["offer", "promise", "preference", "secret", "other"] = "other"
    """What kind of thing was said."""
    taught_by: str = ""
    """The scenario (or episode) in which it comes up; empty: any."""


class Scenario(Value, frozen=True, kw_only=True):
    """A situation and a private goal for each seat."""

    id: str
    """What tasks call it; no other scenario has it."""
    codename: str = ""
    """Its title in lists."""
    context: str
    """What everybody sees; ``<p viewer="environment">`` passages are for narrator and judge."""
    kind: InteractionKind | None = None
    """What the seats do with each other, for the most part; absent: not said."""
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
    """Where it is from; tables can be filtered by it."""
    tags: tuple[str, ...] = ()
    """Words to filter tables by."""
    needs: tuple[NeededFact, ...] = ()
    """What of earlier episodes the goals cannot be reached without; empty: nothing."""


class Task(Value, frozen=True, kw_only=True):
    """A scenario cast with characters: what one episode plays."""

    id: str
    """What plans choose it by; no other task has it. Follows from scenario and cast where a file
    leaves it out."""
    scenario: str
    """The scenario's id."""
    characters: tuple[str, ...]
    """Ids, in the order of the seats."""
    relationships: tuple[str, ...] = ()
    """Ids of the relationships between the cast; unnamed pairs are strangers. Follow from the cast
    where a file leaves them out."""
    tags: tuple[str, ...] = ()
    """What plans choose tasks by, several at once."""


class Catalog(environments.Catalog, frozen=True, kw_only=True, tag="social.Catalog"):
    """Who can be played, in which situations, and the tasks that bring the two together."""

    characters: tuple[Character, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    tasks: tuple[Task, ...] = ()
