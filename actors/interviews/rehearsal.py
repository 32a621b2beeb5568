"""A rehearsal mind's answers in an interview: it lists notices that share words with the question.
Fixed rules without a language model, for trying the machinery; the answers are not findings."""

import re
from typing import Final

from actors.episodes.port.words import Account, Entry
from actors.text.stems import content_stems

_AFTER: Final = re.compile(r"\b(want|goal|after|aim|try|why)", re.IGNORECASE)
MOST: Final = 2
"""So many things that it noticed are told at most."""


def answer(account: Account, seat: int, question: str) -> str:
    """The same account and question, the same answer."""
    own = account.portraits[seat]
    # Everybody's name is in every line.
    names = content_stems(" ".join(one.name for one in account.portraits))
    asked = content_stems(question) - names
    about = [(len(asked & content_stems(entry.line)), entry) for entry in account.entries]
    near = sorted((one for one in about if one[0]), key=lambda one: (-one[0], one[1].number))[:MOST]
    parts = [_told(entry, seat) for _, entry in sorted(near, key=lambda one: one[1].number)]
    if own.goal and _AFTER.search(question):
        parts.insert(0, f"What I wanted: {own.goal}")
    if not parts and account.entries:
        parts.append(f"Of that I noticed nothing. {_told(account.entries[-1], seat)}")
    return " ".join(parts) or "Nothing has happened yet that I could tell of."


def _told(entry: Entry, seat: int) -> str:
    who = "I remember what I did" if entry.seat == seat else "I remember"
    return f"{who}, in turn {entry.turn}: {entry.line}."
