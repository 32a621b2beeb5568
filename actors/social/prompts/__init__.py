"""The words shown to a mind and the account of an episode shown to a judge.

One template a file. A file's name carries its version: a template that was used is never changed,
a new version gets a new file. ``version`` adds a fingerprint of the file's bytes, so that results
made with different words can be told apart even if somebody did change one.
"""

import functools
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, NamedTuple

import jinja2

from actors.social import render
from actors.social.views import View
from events.ids import digest_of
from events.messages import Background, SeenAction

ACT = "act-1"
"""The template that asks a mind for an action."""
EPISODE = "episode-1"
"""The template that tells a judge, or any reader, of a whole episode."""


class ActPrompt(NamedTuple):
    """What a language model is shown when its seat is to act."""

    system: str
    """Who it plays and the rules of the game; the same in every turn of an episode."""
    user: str
    """What has happened, and the question."""


@functools.cache
def version(template: str) -> str:
    """Name and fingerprint of a template, for example ``act-1:5f0c…`` with 12 hex digits."""
    return f"{template}:{digest_of(_source(template).encode())[:12]}"


def act_prompt(background: Background, seen: Sequence[SeenAction], turn: int) -> ActPrompt:
    """The prompt for one turn of one seat, from what that seat may know and nothing else."""
    scene = ActScene(background)
    return scene.prompt(seen, turn)


class ActScene:
    """One seat's prompts, turn after turn: what was written once is not written again."""

    def __init__(self, background: Background) -> None:
        self.background = background
        self._labels = render.labels_of(background)
        self._system = ""
        self._lines: list[tuple[int, str]] = []

    def prompt(self, seen: Sequence[SeenAction], turn: int) -> ActPrompt:
        """The prompt for a turn. ``seen`` is all that was noticed so far: what was given before,
        and more."""
        template, words = _template(ACT), self._words(turn)
        if not self._system:
            self._system = _block(template, "system", words)
        for action in seen[len(self._lines) :]:
            self._lines.append((action.turn, render.line(action, self._labels)))
        return ActPrompt(self._system, _block(template, "user", words))

    def _words(self, turn: int) -> dict[str, Any]:
        return {
            "me": self.background.character,
            "label": self._labels[self.background.seat],
            "background": self.background,
            "turn": turn,
            "lines": self._lines,
        }


def episode_account(view: View) -> str:
    """A whole episode as its viewer may see it: situation, characters, goals, what happened."""
    return _template(EPISODE).render(view=view, transcript=render.transcript(view)).strip()


def _block(template: jinja2.Template, name: str, words: dict[str, Any]) -> str:
    # Shared: the words are used as they are, instead of a copy merged with the globals.
    return "".join(template.blocks[name](template.new_context(words, shared=True))).strip()


def _source(template: str) -> str:
    return (files(__name__) / f"{template}.j2").read_text(encoding="utf-8")


@functools.cache
def _template(name: str) -> jinja2.Template:
    # Plain text for models, so nothing is escaped; a name that is misspelt raises.
    environment = jinja2.Environment(
        autoescape=False,  # noqa: S701
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    return environment.from_string(_source(name))
