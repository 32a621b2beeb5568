"""The words shown to a model in a seat: the templates of ``prompts/``, filled in.

``actors.templates`` says how templates are kept and what a version is.
"""

import sys
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

from actors.episodes.port.prompts import Prompt, Prompts
from actors.models.response_formats.schemas import Schema
from actors.social import answers, render
from actors.social.actions import ACT as QUESTION
from actors.social.actions import Act, Action, WriteScript
from actors.social.playwright import answers as script_answers
from actors.social.playwright.scene import PlaywrightScene
from actors.social.prompt_names import FIRST, UNQUOTED
from actors.social.views import Background, SeenAction
from actors.templates import Templates
from actors.text.quotes import continued, folded, nonces
from events.base import replace

ACT_REMEMBERING = "act-2"
"""What was put around act-1 for a seat that remembers earlier episodes. Who remembers nothing is
asked as ever: answers recorded before there were memories are found again. Later templates tell of
memories themselves."""

_MARK = "\0"
SHARED: Final = 256
"""Seats in scenarios whose words are kept, the latest ones."""

_templates = Templates("actors.social.prompts")


@cache
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
        self._frame: Sequence[str] = ()
        """What stands around what has happened: see ``_framed``."""
        self._told = 0
        """Actions in the history."""
        self._history = ""
        """Their lines, with what stands between them."""
        self._quoted = self._asking not in UNQUOTED
        self._nonces: Iterator[str] = iter(())
        self._nonce = ""
        """Of the tags around the history."""
        self._schema = answers.held_schema(background)

    def prompt(self, question: Act, noticed: Sequence[SeenAction], turn: int) -> Prompt:
        """The prompt for a turn. ``noticed`` is all that was noticed so far: what was given before,
        and more."""
        if not self._system:
            self._system = _system_prompt(_shared(self.background), self.template)
        if not self._frame:
            # Of what only this seat knows; the same from one turn to the next, so that servers that
            # remember a prompt's beginning need not read it again.
            self._nonces = nonces(self._system)
            self._choose_nonce()
        if not noticed:
            user = _templates.block(self._asking, "user", self._words(turn))
            return self._prompt(user)
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
        return self._prompt(user)

    def _prompt(self, user: str) -> Prompt:
        return Prompt(self._system, user, version(self.template), schema=self._schema)

    def _choose_nonce(self) -> None:
        """The first that nobody has written yet."""
        known = folded(f"{self._system}{self._history}")
        self._nonce = next(nonce for nonce in self._nonces if nonce not in known)
        self._frame = self._framed()

    def _framed(self) -> Sequence[str]:
        """The user's block in parts, cut where the numbers of two turns, their lines and the number
        of the turn to act in stand. Filled in every turn, the template would take ten times as
        long as putting these together."""
        return _frame(_shared(self.background), self._nonce)

    def _words(self, turn: int) -> dict[str, object]:
        return _words(self.background, turn, self._nonce)


def _shared(background: Background) -> Background:
    """The same for all who are this character in this scenario: repeats, and other minds. No
    template tells which episode it is."""
    return replace(background, episode="", seed=0)


@lru_cache(maxsize=SHARED)
def _system_prompt(background: Background, template: str) -> str:
    asking = background.prompt
    system = _templates.block(asking, "system", _words(background, 0))
    if template != asking:
        remembering = {"system": system, "memory": background.memory}
        system = _templates.block(template, "system", remembering)
    return sys.intern(system)


@lru_cache(maxsize=SHARED)
def _frame(background: Background, nonce: str) -> Sequence[str]:
    words = _words(background, _MARK, nonce) | {"lines": [(_MARK, _MARK), (_MARK, _MARK)]}
    parts = _templates.block(background.prompt, "user", words).split(_MARK, 5)
    return [sys.intern(part) for part in parts]  # most are the same for everybody


def _words(background: Background, turn: int | str, nonce: str = "") -> dict[str, object]:
    return {
        "me": background.character,
        "label": render.labels_of(background)[background.seat],
        "background": background,
        "turn": turn,
        "lines": [],
        "nonce": nonce,
    }


class SocialPrompts(Prompts[Act, Action, Background, SeenAction]):
    """How a model is asked for an action: kind, text and recipients."""

    form = answers.READER

    def writer(self, background: Background) -> ActScene | PlaywrightScene:
        """Shows the scene so far."""
        return ActScene(background) if background.play is None else PlaywrightScene(background)

    def read(self, question: Act, background: Background, text: str, label: str) -> Action:
        """The action a model means, with the spellings that models use."""
        if question.__class__ is WriteScript:
            return script_answers.read(text, background, label)
        return answers.read(text, background, label)

    def schema(self, question: Act, background: Background) -> Schema | None:
        """That of an action, or of a script."""
        if question.__class__ is WriteScript:
            return script_answers.held_schema(background)
        return super().schema(question, background)


PROMPTS: Final = SocialPrompts()
