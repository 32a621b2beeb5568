"""What an environment must provide so that its episodes can be played in chains.

In a chain the same characters meet again and again and remember (``actors.lifelong``). How memories
are stored, selected and recalled is the same for all environments; this module declares what
differs: which characters meet, in which tasks, and how an episode is put into words.
"""

import abc
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from actors.episodes.catalogs.entries import Beginning, Meeting
from events.environments import Catalog, Settings
from events.episode import EpisodeStarted
from events.memory import Note, NotePart
from events.minds import MindSpec, ModelSpec
from events.untrusted.safe_text import shortened

if TYPE_CHECKING:
    from actors.episodes.port.environment import Environment
    from actors.episodes.port.words import Portrait

C = TypeVar("C", bound=Catalog)
T = TypeVar("T", bound=Settings)
B = TypeVar("B")
V = TypeVar("V")

LENGTH: Final = 40
"""Episodes a chain (LIFELONG-SOTOPIA, Goel and Zhu 2025, section 3)."""
ANSWER_TOKENS: Final = 500
"""The longest answer of a mind that is no model, where an environment does not say."""


class ChainSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ``[chains]`` section of a plan: casts that meet again and again."""

    length: int = 0
    """Episodes a chain, without the hard ones that end it; 0: as many as ``scenarios`` names, or
    40."""
    pairs: int = 0
    """How many casts are drawn; 0: one, or those in ``characters``."""
    characters: tuple[tuple[str, ...], ...] = ()
    """The casts themselves, by their characters' ids, instead of drawn ones."""
    seats: int = 2
    """Characters in a drawn cast."""
    scenarios: tuple[str, ...] = ()
    """Ids in the order they are played, from the first again where the chain is longer; empty:
    drawn from those that fit the cast."""
    tags: tuple[str, ...] = ()
    """Only scenarios that carry all of these are drawn."""
    hard: Literal["all"] | tuple[str, ...] = ()
    """Scenarios that end each chain, beyond its length (LIFELONG-SOTOPIA, section 5: 40 episodes,
    and then the hard ones); ``all``: every scenario of the catalog that needs facts of earlier
    episodes and fits the cast."""
    memory: tuple[str, ...] = ("summary",)
    """Names of ``[memories.*]`` sections or of built-in memories; each has chains of its own."""
    seed: int = 0
    """Decides which casts are drawn and which scenarios they play in which order."""

    @property
    def episodes(self) -> int:
        """Episodes a chain before its hard part, whatever was left open."""
        return self.length or len(self.scenarios) or LENGTH


class Meetings(NamedTuple):
    """Who meets, and over what: what all chains of a cast share, so that they differ by their
    minds and memories alone."""

    characters: tuple[str, ...]
    """Ids, in the order of the seats."""
    relationships: tuple[str, ...]
    """Ids of the relationships between them."""
    scenarios: tuple[str, ...]
    """Ids, one an episode."""
    hard: int = 0
    """How many of them, at the end, need what came up in earlier ones."""


class ChainSupport(abc.ABC, Generic[C, T, B, V]):
    """What chains need of an environment. A ``view`` is what its game's ``sight.view`` gives a
    seat, a ``background`` what ``sight.background`` does."""

    # ------------------------------------------------------------ planning

    @abc.abstractmethod
    def meetings(self, chains: ChainSection, catalog: C, path: str) -> Sequence[Meetings]:
        """The casts of a plan's chains, and what they play. The same arguments, the same answer.
        Raises ``BadFile`` for the plan at ``path`` where the catalog does not have it."""

    @abc.abstractmethod
    def begin(self, catalog: C, meeting: Meeting, settings: T, seed: int) -> Beginning:
        """How an episode of a chain begins, which is no task of the catalog. Raises
        ``MissingItem``."""

    # ------------------------------------------------------------ remembering

    @abc.abstractmethod
    def cue(self, background: B) -> str:
        """What a seat knows of an episode before it begins, in words: notes on earlier ones that
        have words in common with it are recalled first."""

    def writer(self, view: V, portrait: "Portrait") -> "Portrait":
        """The seat whose view it is, as a model that writes its note is told whose note it is.
        ``portrait`` is the seat's in the account of the view. ``name``: how the account calls it;
        ``facts``: what the model is told."""
        del view
        return portrait

    @abc.abstractmethod
    def note_by_rule(self, view: V, low: int, high: int, parts: Sequence[NotePart]) -> Note:
        """A note of ``low`` to ``high`` words on an episode, as the seat whose view it is saw it,
        written without a model; shorter only where the episode gives no more. It has these parts
        and no others. The same view, bounds and parts give the same note."""

    # ------------------------------------------------------------ token budget

    @abc.abstractmethod
    def longest_prompt(self, background: B, started: EpisodeStarted) -> int:
        """Tokens, as ``actors.models.tokens`` counts, of the longest prompt that the seat can come
        to before the episode is over, what introduces its memories included, the memories not.
        Every answer is as long as ``answer_tokens`` says."""

    def answer_tokens(self, mind: MindSpec) -> int:
        """Tokens of the longest answer that a mind can give."""
        if mind.asks:
            return (mind.model or ModelSpec(name="")).max_tokens
        return ANSWER_TOKENS


AnyChains: TypeAlias = ChainSupport[Catalog, Settings, object, object]


class NoChains(LookupError):
    """An environment whose episodes cannot be played in chains."""

    def __init__(self, environment: str) -> None:
        super().__init__(
            f"environment {shortened(environment)!r} plays no chains: it does not say how its "
            "episodes are remembered"
        )
        self.environment = environment


def chain_support(environment: "Environment") -> "AnyChains":
    """What an environment has for chains. Raises ``NoChains``."""
    support = environment.chains
    if support is None:
        raise NoChains(environment.name)
    return support
