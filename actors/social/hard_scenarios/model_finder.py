"""Facts found by a language model; each is taken only where its quote was really said."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import get_args

import msgspec

from actors.models.answers.recorded_questions import Asking, NoUsableAnswer, StoredCalls
from actors.models.answers.structured import AnswerReader
from actors.models.caller import ModelCaller
from actors.models.response_formats.schemas import Schema, list_schema, object_schema, wording
from actors.social.catalog.needed_facts import plain, says
from actors.social.hard_scenarios import prompts
from actors.social.hard_scenarios.chain_history import ChainPast, PastEpisode
from actors.social.hard_scenarios.found_facts import (
    SAID_AGAIN,
    FactKind,
    FoundFact,
    FoundFacts,
    PassedOver,
    deduplicated,
)
from actors.social.views import SeenAction
from events.minds import ModelSpec

SHORTEST = 8
"""Characters of a quote; a shorter one could stand anywhere."""


class FactAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One fact as a model answers it."""

    number: int
    kind: FactKind
    quote: str
    fact: str
    keys: tuple[tuple[str, ...], ...]


class FactsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A model's whole answer."""

    facts: tuple[FactAnswer, ...]


READER = AnswerReader(FactsAnswer)
MOST_LINES = 100
"""Lines whose numbers are written out in a schema."""
MOST_FACTS = 12
"""Of one episode, that a model is held to."""


def schema(numbers: Sequence[int]) -> Schema:
    """The JSON Schema of the facts in lines with these numbers."""
    number: Schema = {"type": "integer", "enum": list(numbers)}
    if len(numbers) > MOST_LINES:
        number = {"type": "integer", "minimum": min(numbers), "maximum": max(numbers)}
    fact = object_schema(
        {
            "number": number,
            "kind": {"type": "string", "enum": list(get_args(FactKind))},
            "quote": wording(300),
            "fact": wording(300),
            "keys": list_schema(list_schema(wording(40), 4, 1), 3, 1),
        }
    )
    return object_schema({"facts": list_schema(fact, MOST_FACTS)})


class ModelFinder:
    """``found.Finder`` that asks a model about each episode."""

    def __init__(self, model: ModelSpec, caller: ModelCaller, calls: StoredCalls) -> None:
        self._asking = Asking(prompts.version(prompts.FIND), READER, model, caller, calls)

    async def find(self, past: ChainPast) -> FoundFacts:
        """The facts that can be verified; why the others, or a whole episode's, cannot be."""
        read = await asyncio.gather(*(self._read(episode) for episode in past.episodes))
        facts = [fact for found, _ in read for fact in found]
        rejected = tuple(why for _, reasons in read for why in reasons)
        clear = deduplicated(facts)
        return FoundFacts(
            facts=clear,
            looked_at=len(facts) + len(rejected),
            unit="findings of the model",
            passed_over=(
                PassedOver(count=len(rejected), why="were rejected, each with its reason"),
                PassedOver(count=len(facts) - len(clear), why=SAID_AGAIN),
            ),
            rejected=rejected,
        )

    async def _read(self, episode: PastEpisode) -> tuple[list[FoundFact], list[str]]:
        if not episode.said:
            return [], []
        lines = [(line.number, line.label, line.text) for line in _heard(episode)]
        try:
            answer = await self._asking.ask(
                episode.index,
                prompts.question(prompts.FIND, {"lines": lines}),
                schema([number for number, _, _ in lines]),
                lambda given: given,
            )
        except NoUsableAnswer as none:
            return [], [f"episode {episode.id}: {none}"]
        facts, rejected = [], []
        for given in answer.facts:
            try:
                facts.append(verified(given, episode))
            except ValueError as why:
                rejected.append(f"episode {episode.id}: {why}")
        return facts, rejected


def verified(given: FactAnswer, episode: PastEpisode) -> FoundFact:
    """A fact whose quote was said in the episode and holds its keys. Raises ``ValueError``."""
    shown = given.quote if len(given.quote) <= 80 else f"{given.quote[:80]}…"
    quote = plain(given.quote)
    if len(quote) < SHORTEST:
        raise ValueError(f"the quote {shown!r} is too short to be a fact")
    lines = sorted(episode.said, key=lambda line: line.number != given.number)
    line = next((line for line in lines if quote in plain(line.text)), None)
    if line is None:
        raise ValueError(f"the quote {shown!r} does not occur in the episode")
    keys = tuple(
        spellings
        for group in given.keys
        if (spellings := tuple(dict.fromkeys(filter(None, (plain(key) for key in group)))))
    )
    if not keys or not says(given.quote, keys):
        raise ValueError(f"the quote {shown!r} does not hold all keys of the fact")
    return FoundFact(
        kind=given.kind,
        seat=line.seat,
        index=episode.index,
        episode=episode.id,
        scenario=episode.scenario,
        number=line.number,
        quote=given.quote.strip(),
        text=given.fact.strip() or f"{line.label} said: “{given.quote.strip()}”",
        keys=keys,
    )


def _heard(episode: PastEpisode) -> Iterator[SeenAction]:
    """What all seats heard, each line with its speaker's name."""
    for line in episode.said:
        name = episode.started.setup.cast[line.seat].name
        yield msgspec.structs.replace(line, label=name)
