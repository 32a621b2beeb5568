"""What an agent keeps of earlier episodes of a chain. Stream ``memory-<chain>.<seat>``.

LIFELONG-SOTOPIA (Goel and Zhu 2025), section 3, describes full and summarised memory.

The calls a memory's writer makes are events of the same stream, with purpose ``remember``; their
``turn`` is the episode's index in the chain.
"""

from typing import Final, Literal

from events.base import Event, Value
from events.minds import ModelSpec

MemoryModule = Literal["none", "full", "summary", "retrieval"]
MemoryStep = Literal["recall", "remember"]
"""``recall``: before an episode, what the seat is reminded of is chosen; ``remember``: after it,
it becomes part of what is remembered."""


NotePart = Literal["overview", "strategies", "knowledge"]
NOTE_PARTS: Final[tuple[NotePart, ...]] = ("overview", "strategies", "knowledge")


class MemorySpec(Value, frozen=True, kw_only=True):
    """A configured memory module."""

    name: str
    """How tables and curves call it; unique in a plan."""
    module: MemoryModule
    """What is kept: nothing, whole episodes, notes, or the notes that matter most now."""
    model: ModelSpec | None = None
    """Writes the notes; None: the seat's own model, or fixed rules where it has none."""
    words_low: int = 200
    """The shortest note, in words."""
    words_high: int = 300
    """The longest note, in words."""
    parts: tuple[NotePart, ...] = NOTE_PARTS
    """What notes have (LIFELONG-SOTOPIA, appendix H, leaves one out at a time). The bounds of a
    note's length are the same without it."""
    context_tokens: int = 0
    """What fits into a prompt of the mind that remembers, in tokens, its answer included; 0: what
    the price list says of its model, else 128,000."""
    max_tokens: int = 0
    """The longest answer that has a note, in tokens; 0: the writer's ``max_tokens`` or as many as
    ``words_high`` takes, as for memories that were recorded before there was a choice."""
    top: int = 5
    """For ``retrieval``: how many notes are recalled."""
    prompt_version: str = ""
    """Name and fingerprint of the template that asks for a note or, where episodes are kept
    whole, of the one that tells them."""


class Note(Value, frozen=True, kw_only=True):
    """What is kept of one episode, in the words of who remembers."""

    overview: str = ""
    """What happened and how it ended."""
    strategies: str = ""
    """Negotiation strategies observed."""
    knowledge: str = ""
    """What was learnt about the others."""
    importance: float | None = None
    """0 (nothing) to 1 (must not be forgotten)."""


class MemoryOpened(Event, frozen=True, kw_only=True):
    """A character begins a chain with nothing to remember."""

    chain: str
    """The chain's id."""
    seat: int
    """From 0."""
    character: str
    """The character's id."""
    memory: MemorySpec
    """The whole specification."""
    run: str = ""
    """The run it is played for."""


class MemoryWritten(Event, frozen=True, kw_only=True):
    """An episode has become part of what is remembered."""

    index: int
    """The episode's place in the chain: 0, 1, 2, …"""
    episode: str
    """The episode's id."""
    note: Note | None = None
    """None where the module keeps the episode itself (``full``) or nothing (``none``)."""
    words: int = 0
    """Words of the note."""
    tokens: int
    """Tokens it takes in a prompt, as counted here."""
    writer: str = ""
    """The model that wrote it, or ``rehearsal`` for fixed rules; empty where nobody had to."""
    attempts: int = 0
    """Questions put to the writer."""
    within_bounds: bool = True
    """False where no answer kept to the length, or none could be read, after all attempts."""
    cost_usd: float | None = None
    """Of all attempts; None where the price is not known or nobody was paid."""
    input_tokens: int = 0
    """Of all attempts, as the server counts."""
    output_tokens: int = 0
    """Of all attempts, as the server counts."""


class MemoryRecalled(Event, frozen=True, kw_only=True):
    """What the seat is reminded of before an episode. Recorded before the episode begins, so that
    the words can be put together again from the store, the same each time."""

    index: int
    """The episode that is about to begin."""
    episode: str
    """Its id."""
    recalled: tuple[int, ...]
    """Indices of the earlier episodes that are in the prompt, in the prompt's order."""
    dropped: tuple[int, ...] = ()
    """Indices of those that were left out because they did not fit, oldest first."""
    tokens: int
    """Tokens of what is recalled, as counted here."""
    limit: int
    """Tokens there was room for."""


class MemoryFailed(Event, frozen=True, kw_only=True):
    """An episode goes on without its memories, or will not be remembered: what was to be done
    failed again and again."""

    index: int = 0
    """The episode's place in the chain."""
    during: MemoryStep = "remember"
    """What was not done."""
    reason: str
    """What went wrong, as a sentence."""
    attempts: int
    """How often it was tried."""
