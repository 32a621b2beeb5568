"""Facts found in what was said, and the interface of fact finders."""

from typing import Literal, Protocol

from actors.social.catalog.needed_facts import without_keys
from actors.social.catalog_items import NeededFact
from actors.social.hard_scenarios.chain_history import ChainPast
from actors.social.language.utterances import content_stems
from events.base import Value
from events.ids import derived_id

FactKind = Literal["offer", "promise", "preference", "secret", "other"]
SAID_AGAIN = "were said again, or differ from another in nothing but what would be asked for"
"""Why ``deduplicated`` leaves facts out."""


class FoundFact(Value, frozen=True, kw_only=True):
    """Something that a seat of a chain said, so that all heard it, and that can be asked for."""

    kind: FactKind
    seat: int
    """Who said it."""
    index: int
    """The episode's place in the chain."""
    episode: str
    scenario: str
    """The episode's scenario's id."""
    number: int
    """The event's number in the episode's history."""
    quote: str
    """The words, as they stand in the episode."""
    text: str
    """The fact in a sentence."""
    keys: tuple[tuple[str, ...], ...]
    """As in ``NeededFact``."""

    @property
    def id(self) -> str:
        """Follows from where it was said and what of it is asked for."""
        return derived_id("f", self.episode, str(self.number), self.quote, str(self.keys))

    @property
    def gapped(self) -> str:
        """The quote with its keys left out."""
        return without_keys(self.quote, self.keys)

    def needed(self, seat: int) -> NeededFact:
        """The fact as a scenario needs it of a seat."""
        return NeededFact(
            id=self.id,
            text=self.text,
            keys=self.keys,
            seats=(seat,),
            kind=self.kind,
            taught_by=self.scenario,
        )


class PassedOver(Value, frozen=True, kw_only=True):
    """How many of what was looked at are no facts to ask for, and why."""

    count: int
    why: str
    """What they do, or do not, as half a sentence."""


class FoundFacts(Value, frozen=True, kw_only=True):
    """What was found in a chain."""

    facts: tuple[FoundFact, ...]
    """In the order in which they were said."""
    looked_at: int = 0
    """Of how much: sentences that all seats heard, or what a model put forward."""
    unit: str = "sentences"
    """What was looked at, as a plural."""
    passed_over: tuple[PassedOver, ...] = ()
    """What became of the rest; with the facts they make up all that was looked at."""
    rejected: tuple[str, ...] = ()
    """Why something that was put forward is no fact, a sentence each."""


class Finder(Protocol):
    """Finds facts in a chain."""

    async def find(self, past: ChainPast) -> FoundFacts:
        """The facts. The same past, the same facts. What a model may do wrong is no error: it is
        in ``FoundFacts.rejected``."""
        ...


def deduplicated(facts: list[FoundFact]) -> tuple[FoundFact, ...]:
    """Those that a question can be asked about: of what is the same but for its keys, nobody could
    say which is meant. What was said more than once stands for the last time."""
    by_question: dict[frozenset[str], list[FoundFact]] = {}
    for fact in facts:
        by_question.setdefault(content_stems(fact.gapped), []).append(fact)
    clear = [same[-1] for same in by_question.values() if len({fact.keys for fact in same}) == 1]
    return tuple(sorted(clear, key=lambda fact: (fact.index, fact.number, fact.id)))
