"""The sections of a plan file about chains: ``[chains]`` and ``[memories.*]``."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from actors.episodes.chain_support import ChainSection
from actors.lifelong.memory.modules import BUILT_IN, module_for, note_tokens, with_prompt
from actors.lifelong.memory.modules import problems as memory_problems
from actors.lifelong.prompts import PromptName
from actors.models.settings import ModelSettings, NotNegative
from actors.toml_file import nearest
from events.base import replace
from events.memory import NOTE_PARTS, MemoryModule, MemorySpec, NotePart

MOST_DRAWN: Final = 8
"""Characters in a cast that is drawn: all orders in which they can sit are looked at."""
Problem = tuple[str, str]
"""A field's path and what is wrong there."""


class MemoryEntry(ModelSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ``[memories.<name>]`` section. Without a model the one in the seat writes its notes."""

    module: MemoryModule
    max_tokens: NotNegative = 0
    """0: as many as ``words_high`` takes."""
    words_low: int = 200
    words_high: int = 300
    parts: tuple[NotePart, ...] = NOTE_PARTS
    prompt: PromptName = "note"
    context_tokens: int = 0
    top: int = 5


def memory_spec(name: str, entry: MemoryEntry) -> MemorySpec:
    """A section as it is recorded with a run."""
    longest = entry.max_tokens or note_tokens(entry.words_high)
    spec = with_prompt(
        MemorySpec(
            name=name,
            module=entry.module,
            model=replace(entry.spec(), max_tokens=longest) if entry.model else None,
            words_low=entry.words_low,
            words_high=entry.words_high,
            parts=entry.parts,
            context_tokens=entry.context_tokens,
            top=entry.top,
        ),
        entry.prompt,
    )
    return replace(spec, max_tokens=longest) if module_for(spec).writes_notes else spec


def chosen_memories(
    chains: ChainSection, entries: Mapping[str, MemoryEntry]
) -> tuple[MemorySpec, ...]:
    """The memories that chains are played with; a section goes before a built-in one of its name.
    Every name is known."""
    return tuple(
        memory_spec(name, entries[name]) if name in entries else BUILT_IN[name]
        for name in chains.memory
    )


def chain_problems(chains: ChainSection, entries: Mapping[str, MemoryEntry]) -> Iterator[Problem]:
    """What is wrong with the values of ``[chains]``, as far as it shows without a catalog."""
    for field, value, least in (
        ("length", chains.length, 0),
        ("pairs", chains.pairs, 0),
        ("seats", chains.seats, 2),
    ):
        if value < least:
            yield f"chains.{field}", f"must be {least} or more, is {value}"
    if chains.seats > MOST_DRAWN:
        yield (
            "chains.seats",
            f"must be {MOST_DRAWN} or fewer, is {chains.seats}; name a larger cast in characters",
        )
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
    if entry.prompt != "note" and entry.module not in ("summary", "retrieval"):
        yield f"{place}.prompt", f"a memory of module {entry.module!r} has no notes; leave it out"
    if entry.model:
        yield from ((f"{place}.{field}", why) for field, why in entry.problems())
        return
    for setting in msgspec.structs.fields(ModelSettings):
        if setting.name == "max_tokens":
            continue  # a note's, whose model writes it all the same
        if getattr(entry, setting.name) != getattr(_NO_MODEL, setting.name):
            yield (
                f"{place}.model",
                f"{setting.name} is a model's setting; name the model, or take {setting.name} out",
            )


def _length_problems(chains: ChainSection) -> Iterator[Problem]:
    if len(chains.scenarios) > chains.episodes:
        yield (
            "chains.length",
            f"must be {len(chains.scenarios)} or more (the scenarios it names), is {chains.length}",
        )


def _choice_problems(chains: ChainSection, entries: Mapping[str, MemoryEntry]) -> Iterator[Problem]:
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
