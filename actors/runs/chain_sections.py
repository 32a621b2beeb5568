"""The sections of a plan file that say what chains are played: ``[chains]``, ``[memories.*]``."""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec
from rapidfuzz import process

from actors.lifelong.memory.modules import BUILT_IN, with_prompt
from actors.lifelong.memory.modules import problems as memory_problems
from actors.models.settings import ModelSettings
from events.memory import MemoryModule, MemorySpec

LENGTH = 40
"""Episodes a chain (LIFELONG-SOTOPIA, Goel and Zhu 2025, section 3)."""

Problem = tuple[str, str]
"""A field's path and what is wrong there."""


class Chains(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ``[chains]`` section: casts that meet again and again."""

    length: int = 0
    """Episodes a chain; 0: as many as ``scenarios`` and ``hard`` name, or 40."""
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
    """Scenarios that end each chain, within its length; ``all``: every scenario of the catalog
    that needs facts of earlier episodes and fits the cast."""
    memory: tuple[str, ...] = ("summary",)
    """Names of ``[memories.*]`` sections or of built-in memories; each has chains of its own."""
    seed: int = 0
    """Decides which casts are drawn and which scenarios they play in which order."""

    @property
    def episodes(self) -> int:
        """Episodes a chain, whatever was left open."""
        named = len(self.scenarios) + (0 if self.hard == "all" else len(self.hard))
        return self.length or (named if self.scenarios else LENGTH)


class MemoryEntry(ModelSettings, frozen=True, forbid_unknown_fields=True):
    """One ``[memories.<name>]`` section. Without a model the one in the seat writes its notes."""

    module: MemoryModule
    words_low: int = 200
    words_high: int = 300
    context_tokens: int = 0
    top: int = 5


def memory_spec(name: str, entry: MemoryEntry) -> MemorySpec:
    """A section as it is recorded with a run."""
    return with_prompt(
        MemorySpec(
            name=name,
            module=entry.module,
            model=entry.spec() if entry.model else None,
            words_low=entry.words_low,
            words_high=entry.words_high,
            context_tokens=entry.context_tokens,
            top=entry.top,
        )
    )


def chosen_memories(chains: Chains, entries: Mapping[str, MemoryEntry]) -> tuple[MemorySpec, ...]:
    """The memories that chains are played with; a section goes before a built-in one of its name.
    Every name is known."""
    return tuple(
        memory_spec(name, entries[name]) if name in entries else BUILT_IN[name]
        for name in chains.memory
    )


def chain_problems(chains: Chains, entries: Mapping[str, MemoryEntry]) -> Iterator[Problem]:
    """What is wrong with the values of ``[chains]``, as far as it shows without a catalog."""
    for field, value, least in (
        ("length", chains.length, 0),
        ("pairs", chains.pairs, 0),
        ("seats", chains.seats, 2),
    ):
        if value < least:
            yield f"chains.{field}", f"must be {least} or more, is {value}"
    if chains.characters and chains.pairs:
        yield "chains.pairs", "casts are either drawn or named in characters; take one of them out"
    for cast in chains.characters:
        if len(cast) < 2:
            yield "chains.characters", f"a cast is two characters or more, not {list(cast)}"
        elif len(set(cast)) < len(cast):
            yield "chains.characters", f"{list(cast)} has a character twice; name each once"
    yield from _length_problems(chains)
    yield from _choice_problems(chains, entries)


def memory_entry_problems(name: str, entry: MemoryEntry) -> Iterator[Problem]:
    """What is wrong with the values of a ``[memories.<name>]`` section."""
    place = f"memories.{name}"
    for field, why in memory_problems(memory_spec(name, entry)):
        yield f"{place}.{field}", why
    if entry.model:
        yield from ((f"{place}.{field}", why) for field, why in entry.problems())
        return
    for setting in msgspec.structs.fields(ModelSettings):
        if getattr(entry, setting.name) != getattr(_NO_MODEL, setting.name):
            yield (
                f"{place}.model",
                f"{setting.name} is a model's setting; name the model, or take {setting.name} out",
            )


def nearest(given: str, known: Mapping[str, object]) -> str:
    """``; the nearest is 'x'`` for the nearest of some names, or nothing where there is none."""
    near = process.extractOne(given, list(known))
    return f"; the nearest is {near[0]!r}" if near else ""


def _length_problems(chains: Chains) -> Iterator[Problem]:
    ending = () if chains.hard == "all" else chains.hard
    before = chains.episodes - len(ending)
    if before < 0:
        yield "chains.length", f"{len(ending)} hard scenarios do not fit into {chains.episodes}"
    elif len(chains.scenarios) > before:
        yield (
            "chains.length",
            f"must be {len(chains.scenarios) + len(ending)} or more (the scenarios it names), "
            f"is {chains.length}",
        )


def _choice_problems(chains: Chains, entries: Mapping[str, MemoryEntry]) -> Iterator[Problem]:
    if chains.scenarios and chains.tags:
        yield "chains.tags", "tags choose what is drawn, and scenarios names all; take one out"
    if not chains.memory:
        yield "chains.memory", 'name at least one; "none" is a memory that keeps nothing'
    known = {**entries, **BUILT_IN}
    for place, name in enumerate(chains.memory):
        if name not in known:
            yield (
                "chains.memory",
                f"there is no memory {name!r}{nearest(name, known)}; there are {', '.join(known)}",
            )
        elif name in chains.memory[:place]:
            yield "chains.memory", f"{name!r} is named twice; once is enough"


_NO_MODEL = MemoryEntry(module="none")
