"""How one remembered episode is rendered in a prompt, and how many tokens that takes.

An entry begins with a letter and ends with an empty line. A token never continues from a line's end
into a letter, so the token count of several entries is the sum of their counts.
"""

from collections.abc import Iterable

from actors.lifelong import prompts
from actors.models import tokens
from events.memory import Note


def entry(index: int, body: str) -> str:
    """An episode's entry: its number in the chain, counted from 1, and what is remembered."""
    body = body.strip()
    return f"Episode {index + 1}\n{body}\n\n" if body else ""


def joined(entries: Iterable[str]) -> str:
    """Entries as they stand in a prompt."""
    return "".join(entries).strip()


def tokens_of(entry: str) -> int:
    """Tokens an entry takes, at the end of a memory or before another."""
    return max(tokens.count(entry), tokens.count(entry.strip())) if entry else 0


def note_text(note: Note, asked: str = prompts.NOTE) -> str:
    """A note as the character reads it; ``asked``: the memory's ``prompt_version``."""
    return prompts.note_text(note, prompts.remembered_template(asked))


def words_of(note: Note) -> int:
    """Words of a note: of its three parts, as whitespace separates them."""
    return sum(len(part.split()) for part in (note.overview, note.strategies, note.knowledge))
