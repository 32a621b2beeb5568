"""The prompts with which a character is asked to write notes, and the texts in which memories are
shown to it.

``actors.templates`` says how templates are kept and what a version is.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, Literal, NamedTuple

from actors.episodes.port.words import Account, Portrait
from actors.models.answers.copied_phrases import phrases_in
from actors.templates import Templates
from actors.text.quotes import continued, nonce_for
from events.memory import NOTE_PARTS, MemoryModule, Note, NotePart
from events.untrusted.safe_text import shortened

PromptName = Literal["note", "note-exact"]
"""What a plan may say of how notes are asked for."""
NOTE = "note-5"
"""The template that asks for a note on an episode."""
NEWEST: Final = {"note": NOTE, "note-exact": "note-4"}
"""By what a plan may say. ``note-exact`` has every number, offer, promise, preference and secret
kept as it was said."""
FIRST_NOTE = "note-2"
"""The one that memories were written by which record none."""
SAME_WORDS = frozenset({"note-1:2524392a23d1"})
"""Earlier versions of that by which the same words were asked, of whom they could be asked."""
ACCOUNT = "account-2"
"""The template that tells a seat of an episode as it lived it."""
REMEMBERED = "remembered-2"
"""The template that tells a seat what it noted."""

_AROUND: Final = {
    "note-5": (ACCOUNT, REMEMBERED),
    "note-4": (ACCOUNT, REMEMBERED),
    "note-3": ("account-1", "remembered-1"),
}
"""What else goes into a template's version: how the episode is told to the writer, and how the note
is told later. What note-2 recorded did not cover it."""
_TOLD_BY: Final = _AROUND | {ACCOUNT: (ACCOUNT, REMEMBERED)}
"""By which templates a memory is told that records one of these; all others are told by the
first."""

_UNQUOTED: Final = "account-1"
"""The one that tells what was said as it was said, line breaks and all."""

_templates = Templates(__name__)


class UnknownPrompt(LookupError):
    """Notes are to be asked for with a template that is not here, or that has changed since."""

    def __init__(self, version_: str) -> None:
        super().__init__(
            f"memory prompt {shortened(version_)!r} is not in this version of Troupe, which has "
            f"{version(NOTE)}; notes made with another prompt would not be comparable"
        )
        self.version = version_


class NotePrompt(NamedTuple):
    """What a language model is shown when its character is to remember."""

    system: str
    user: str


def version(template: str) -> str:
    """Name and fingerprint of a template, for example ``note-2:5f0c…`` with 12 hex digits."""
    return _templates.version(template, *_AROUND.get(template, ()))


def templates() -> list[str]:
    """The templates there are, old ones included."""
    return _templates.names()


def note_prompt(
    me: Portrait,
    retelling: str,
    low: int,
    high: int,
    parts: Sequence[NotePart] = NOTE_PARTS,
    template: str = NOTE,
    *,
    rated: bool = True,
) -> NotePrompt:
    """The request for a note of ``low`` to ``high`` words on an episode. ``rated``: as
    ``asks_importance`` says."""
    words = {"me": me, "account": retelling, "low": low, "high": high, "parts": parts}
    words |= {"nonce": nonce_for(retelling), "rated": rated}
    return NotePrompt(
        _templates.block(template, "system", words), _templates.block(template, "question", words)
    )


@cache
def asks_importance(template: str, module: MemoryModule) -> bool:
    """Whether a note's writer is asked how much the episode matters: where that is used, and by
    templates that always ask."""
    return module == "retrieval" or not _templates.takes(template, "rated")


@cache
def phrases(template: str) -> frozenset[str]:
    """What stands in a template and is no note (``actors.models.answers.copied_phrases``)."""
    return phrases_in(_templates.source(template))


def retelling(account: Account, seat: int, *, skipped: int = 0, template: str = ACCOUNT) -> str:
    """An episode told to the seat whose account it is, without its first ``skipped`` entries."""
    lines = [f"Turn {entry.turn}. {entry.line}" for entry in account.entries[skipped:]]
    if template != _UNQUOTED:
        lines = [continued(line) for line in lines]
    if account.ended:
        lines.append(f"The episode ended after turn {account.turn}: {account.ending}.")
    words = {
        "context": account.situation,
        "goal": account.portraits[seat].goal,
        "skipped": skipped,
        "transcript": "\n".join(lines),
    }
    return _templates.text(template, words)


def note_text(note: Note, template: str = REMEMBERED) -> str:
    """A note as its writer is reminded of it."""
    return _templates.text(template, {"note": note})


def account_template(asked: str) -> str:
    """The template by which a memory tells episodes, from its version as it was recorded."""
    return _told_by(asked)[0]


def remembered_template(asked: str) -> str:
    """The same by which it tells notes."""
    return _told_by(asked)[1]


def _told_by(asked: str) -> tuple[str, str]:
    return _TOLD_BY.get(asked.partition(":")[0], _AROUND["note-3"])


def note_template(asked: str) -> str:
    """The template by which a memory's notes are asked for, from its version as it was recorded.

    Raises ``UnknownPrompt`` where they cannot be asked for as they were before.
    """
    if not asked or asked in SAME_WORDS:
        return FIRST_NOTE
    for template in (*_AROUND, FIRST_NOTE):
        if asked == version(template):
            return template
    raise UnknownPrompt(asked)
