"""Memories for tests: notes, what is kept, and episodes as a seat saw them."""

from collections.abc import Sequence

from actors.lifelong.memory.module import Kept
from actors.lifelong.memory.prompt_entries import entry, note_text, tokens_of, words_of
from actors.lifelong.memory.recall import SeenEpisode, seen_in
from events.episode import EpisodeStarted
from events.memory import Note
from tests.support.builders import Move, episode, started

CUE = "A harbour at dusk. Sell the boat. Ben Okafor"

HAGGLE: Sequence[Move] = (
    (0, "Good morning. The oven is 300 dollars."),
    (1, "I could give you 180 dollars for it."),
    (0, "That's too low. How about 270?"),
    (1, "My sister Mara has a van on Thursdays. I promise to bring it."),
    (0, "Then let's say 240 dollars."),
    (1, "Deal. I've told no one this: the bakery is closing in May."),
)


def note(text: str = "We met and talked.", importance: float | None = None) -> Note:
    return Note(overview=text, strategies="None.", knowledge="Nothing.", importance=importance)


def kept(index: int, remembered: Note | None = None) -> Kept:
    """A note kept of an episode, counted as it will be recalled."""
    remembered = remembered or note()
    return Kept(
        index=index,
        episode=f"e{index}",
        note=remembered,
        words=words_of(remembered),
        tokens=tokens_of(entry(index, note_text(remembered, ""))),
    )


def sized(index: int, tokens: int) -> Kept:
    """Something kept that takes so many tokens."""
    return Kept(index=index, episode=f"e{index}", note=note(), words=9, tokens=tokens)


def seen(
    moves: Sequence[Move] = HAGGLE, seat: int = 0, first: EpisodeStarted | None = None
) -> SeenEpisode:
    """An episode as one of its seats saw it."""
    found = seen_in(episode(first or started(), moves, "turn_cap"), seat)
    assert found is not None
    return found
