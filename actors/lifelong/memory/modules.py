"""The memory modules there are: ``none``, ``full``, ``summary`` and ``retrieval``.

LIFELONG-SOTOPIA (Goel and Zhu 2025), section 3, describes ``full`` and ``summary``; the lengths
other than 200 to 300 words are its ablation's. ``none`` and ``retrieval`` are our addition.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from actors.lifelong import prompts
from actors.lifelong.memory.module import Keeps, Kept, MemoryModule, Recall
from actors.lifelong.memory.prompt_entries import entry, joined, note_text
from actors.lifelong.memory.retrieval import Retrieval
from events.base import replace
from events.memory import NOTE_PARTS, MemorySpec
from events.minds import ModelSpec


class Nothing:
    """Keeps nothing: every episode is the first."""

    keeps: Keeps = "nothing"
    writes_notes = False

    def __init__(self, spec: MemorySpec) -> None:
        self.spec = spec

    def choose(self, kept: Sequence[Kept], cue: str, limit: int) -> Recall:
        """Nothing."""
        return Recall(limit=limit)

    def text(self, recalled: Sequence[Kept], retell: Callable[[str], str]) -> str:
        """Nothing."""
        return ""


class Full:
    """Every earlier episode as the seat saw it, oldest first. What does not fit is forgotten, the
    oldest first."""

    keeps: Keeps = "episodes"
    writes_notes = False

    def __init__(self, spec: MemorySpec) -> None:
        self.spec = spec

    def choose(self, kept: Sequence[Kept], cue: str, limit: int) -> Recall:
        """The latest episodes that fit, without a gap."""
        return latest_that_fit(kept, limit)

    def text(self, recalled: Sequence[Kept], retell: Callable[[str], str]) -> str:
        """Each told again."""
        return joined(entry(one.index, retell(one.episode)) for one in recalled)


class Summary:
    """A note on every earlier episode, oldest first. What does not fit is forgotten, the oldest
    first."""

    keeps: Keeps = "notes"
    writes_notes = True

    def __init__(self, spec: MemorySpec) -> None:
        self.spec = spec

    def choose(self, kept: Sequence[Kept], cue: str, limit: int) -> Recall:
        """The latest notes that fit, without a gap."""
        return latest_that_fit(kept, limit)

    def text(self, recalled: Sequence[Kept], retell: Callable[[str], str]) -> str:
        """The notes."""
        return joined(
            entry(one.index, note_text(one.note, self.spec.prompt_version))
            for one in recalled
            if one.note
        )


def latest_that_fit(kept: Sequence[Kept], limit: int) -> Recall:
    """The longest unbroken row of the latest of ``kept`` that fits; the others are dropped."""
    there = [one for one in kept if one.tokens > 0]
    tokens, first = 0, len(there)
    while first > 0 and tokens + there[first - 1].tokens <= limit:
        first -= 1
        tokens += there[first].tokens
    return Recall(
        recalled=tuple(one.index for one in there[first:]),
        dropped=tuple(one.index for one in there[:first]),
        tokens=tokens,
        limit=limit,
    )


MODULES: Final[Mapping[str, Callable[[MemorySpec], MemoryModule]]] = {
    "none": Nothing,
    "full": Full,
    "summary": Summary,
    "retrieval": Retrieval,
}
"""By ``MemorySpec.module``."""


TOKENS_A_WORD: Final = 2
"""For the longest answer: English takes about 1.4."""
AROUND: Final = 200
"""Tokens of an answer around its note's words."""


def note_tokens(words: int) -> int:
    """Tokens of an answer that has room for a note of so many words."""
    return TOKENS_A_WORD * words + AROUND


def longest_note(memory: MemorySpec, writer: ModelSpec) -> int:
    """Tokens of the longest answer that has a note."""
    return memory.max_tokens or max(writer.max_tokens, note_tokens(memory.words_high))


def module_for(spec: MemorySpec) -> MemoryModule:
    """The module that a specification configures."""
    return MODULES[spec.module](spec)


def with_prompt(spec: MemorySpec, prompt: prompts.PromptName = "note") -> MemorySpec:
    """``spec`` with a template's version, where it keeps anything and names none: of notes the
    newest of ``prompt``."""
    notes = prompts.NEWEST[prompt]
    template = {"notes": notes, "episodes": prompts.ACCOUNT}.get(module_for(spec).keeps)
    if spec.prompt_version or template is None:
        return spec
    return replace(spec, prompt_version=prompts.version(template))


def problems(spec: MemorySpec) -> list[tuple[str, str]]:
    """What is wrong with the values, as (field, reason)."""
    found = []
    if spec.words_low < 1:
        found.append(("words_low", f"must be 1 or more, is {spec.words_low}"))
    if spec.words_high < spec.words_low:
        found.append(
            ("words_high", f"must be words_low ({spec.words_low}) or more, is {spec.words_high}")
        )
    if not spec.parts:
        found.append(("parts", f"must name one or more of {', '.join(NOTE_PARTS)}"))
    elif len(set(spec.parts)) < len(spec.parts):
        found.append(("parts", "has a part twice; once is enough"))
    if spec.context_tokens < 0:
        found.append(
            ("context_tokens", f"must be 0 (what the model has) or more, is {spec.context_tokens}")
        )
    if spec.top < 1:
        found.append(("top", f"must be 1 or more, is {spec.top}"))
    return found


BUILT_IN: Final[Mapping[str, MemorySpec]] = {
    spec.name: with_prompt(
        replace(spec, max_tokens=note_tokens(spec.words_high))
        if module_for(spec).writes_notes
        else spec,
        "note-exact" if spec.name == "summary-exact" else "note",
    )
    for spec in (
        MemorySpec(name="none", module="none"),
        MemorySpec(name="full", module="full"),
        MemorySpec(name="summary", module="summary"),
        MemorySpec(name="summary-50", module="summary", words_low=40, words_high=50),
        MemorySpec(name="summary-300", module="summary", words_low=250, words_high=300),
        MemorySpec(name="summary-1000", module="summary", words_low=800, words_high=1000),
        MemorySpec(name="summary-exact", module="summary"),
        MemorySpec(name="retrieval", module="retrieval"),
    )
}
"""What a plan may name without configuring it."""
