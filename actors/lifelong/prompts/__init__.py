"""The words by which a character is asked to remember, and those it is reminded with.

``actors.templates`` says how templates are kept and what a version is.
"""

from collections.abc import Sequence
from typing import NamedTuple

from actors.social import render
from actors.social.views import Profile, View
from actors.templates import Templates
from events.base import replace
from events.memory import Note

NOTE = "note-1"
"""The template that asks for a note on an episode."""
ACCOUNT = "account-1"
"""The template that tells a seat of an episode as it lived it."""
REMEMBERED = "remembered-1"
"""The template that tells a seat what it noted."""

_templates = Templates(__name__)


class UnknownPrompt(LookupError):
    """Notes are to be asked for with a template that is not here, or that has changed since."""

    def __init__(self, version_: str) -> None:
        super().__init__(
            f"memory prompt {version_!r} is not in this version of Troupe, which has "
            f"{version(NOTE)}; notes made with another prompt would not be comparable"
        )
        self.version = version_


class NotePrompt(NamedTuple):
    """What a language model is shown when its character is to remember."""

    system: str
    user: str


def version(template: str) -> str:
    """Name and fingerprint of a template, for example ``note-1:5f0c…`` with 12 hex digits."""
    return _templates.version(template)


def note_prompt(me: Profile, account: str, low: int, high: int) -> NotePrompt:
    """The request for a note of ``low`` to ``high`` words on an episode."""
    words = {"me": me, "label": me.label, "account": account, "low": low, "high": high}
    return NotePrompt(
        _templates.block(NOTE, "system", words), _templates.block(NOTE, "question", words)
    )


def note_again(problems: Sequence[str]) -> str:
    """The request to mend a note."""
    return _templates.block(NOTE, "again", {"problems": problems})


def account(view: View, *, skipped: int = 0) -> str:
    """An episode as the seat whose view it is lived it, without its first ``skipped`` actions."""
    assert isinstance(view.viewer, int), "memories are a seat's"
    shown = replace(view, lines=view.lines[skipped:]) if skipped else view
    words = {
        "context": view.context,
        "goal": view.profiles[view.viewer].goal,
        "skipped": skipped,
        "transcript": render.transcript(shown),
    }
    return _templates.text(ACCOUNT, words)


def note_text(note: Note) -> str:
    """A note as its writer is reminded of it."""
    return _templates.text(REMEMBERED, {"note": note})


def check_version(asked: str) -> None:
    """Raises ``UnknownPrompt`` where notes cannot be asked for as they were before."""
    if asked and asked != version(NOTE):
        raise UnknownPrompt(asked)
