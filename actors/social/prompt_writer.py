"""The words shown to a model in a seat: the templates of ``prompts/``, filled in.

``actors.templates`` says how templates are kept and what a version is.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from actors.episodes.environment import Prompt
from actors.social import render
from actors.social.actions import ACT as QUESTION
from actors.social.actions import Act
from actors.social.prompt_names import FIRST, UNQUOTED
from actors.social.views import Background, SeenAction
from actors.templates import Templates
from actors.text.quoting import continued, nonces

ACT_REMEMBERING = "act-2"
"""What was put around act-1 for a seat that remembers earlier episodes. Who remembers nothing is
asked as ever: answers recorded before there were memories are found again. Later templates tell of
memories themselves."""

_MARK = "\0"

_templates = Templates("actors.social.prompts")


def version(template: str) -> str:
    """Name and fingerprint of a template, for example ``act-1:5f0c…`` with 12 hex digits."""
    if template == ACT_REMEMBERING:
        return _templates.version(template, FIRST)
    return _templates.version(template)


def templates() -> list[str]:
    """The templates there are, old ones included."""
    return _templates.names()


def parts(template: str) -> Iterator[str]:
    """A template and all that it includes."""
    return _templates.parts(template)


def act_prompt(background: Background, seen: Sequence[SeenAction], turn: int) -> Prompt:
    """The prompt for one turn of one seat, from what that seat may know and nothing else."""
    scene = ActScene(background)
    return scene.prompt(QUESTION, seen, turn)


class ActScene:
    """One seat's prompts, turn after turn: what was written once is not written again."""

    def __init__(self, background: Background) -> None:
        self.background = background
        self._asking = background.prompt
        """The template that asks for an action."""
        around = self._asking == FIRST and background.memory
        self.template = ACT_REMEMBERING if around else self._asking
        """The one that the prompts are of."""
        self._labels = render.labels_of(background)
        self._system = ""
        self._frame: list[str] = []
        """What stands around what has happened: see ``_framed``."""
        self._told = 0
        """Actions in the history."""
        self._history = ""
        """Their lines, with what stands between them."""
        self._quoted = self._asking not in UNQUOTED
        self._nonces: Iterator[str] = iter(())
        self._nonce = ""
        """Of the tags around the history."""

    def prompt(self, question: Act, noticed: Sequence[SeenAction], turn: int) -> Prompt:
        """The prompt for a turn. ``noticed`` is all that was noticed so far: what was given before,
        and more."""
        if not self._system:
            # One for all who are this character in this scenario: repeats, and other minds.
            self._system = sys.intern(self._system_prompt())
        if not noticed:
            user = _templates.block(self._asking, "user", self._words(turn))
            return Prompt(self._system, user, version(self.template))
        if not self._frame:
            # Of what only this seat knows; the same from one turn to the next, so that servers that
            # remember a prompt's beginning need not read it again.
            self._nonces = nonces(self._system)
            self._choose_nonce()
        between, dot = self._frame[2], self._frame[1]
        for action in noticed[self._told :]:
            line = render.line(action, self._labels)
            if self._quoted:
                line = continued(line)
            self._history += f"{between if self._told else ''}{action.turn}{dot}{line}"
            self._told += 1
            if self._nonce in line.casefold():
                self._choose_nonce()
        before, _, _, _, after, end = self._frame
        user = f"{before}{self._history}{after}{turn}{end}"
        return Prompt(self._system, user, version(self.template))

    def _choose_nonce(self) -> None:
        """The first that nobody has written yet."""
        known = f"{self._system}{self._history}".casefold()
        self._nonce = next(nonce for nonce in self._nonces if nonce not in known)
        self._frame = self._framed()

    def _framed(self) -> list[str]:
        """The user's block in parts, cut where the numbers of two turns, their lines and the number
        of the turn to act in stand. Filled in every turn, the template would take ten times as
        long as putting these together."""
        words = self._words(_MARK) | {"lines": [(_MARK, _MARK), (_MARK, _MARK)]}
        parts = _templates.block(self._asking, "user", words).split(_MARK, 5)
        return [sys.intern(part) for part in parts]  # most are the same for everybody

    def _system_prompt(self) -> str:
        system = _templates.block(self._asking, "system", self._words(0))
        if self.template == self._asking:
            return system
        remembering = {"system": system, "memory": self.background.memory}
        return _templates.block(self.template, "system", remembering)

    def _words(self, turn: int | str) -> dict[str, Any]:
        return {
            "me": self.background.character,
            "label": self._labels[self.background.seat],
            "background": self.background,
            "turn": turn,
            "lines": [],
            "nonce": self._nonce,
        }
