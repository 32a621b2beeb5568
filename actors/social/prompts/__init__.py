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
    labels = render.labels_of(background)
    words = {
        "me": background.character,
        "label": labels[background.seat],
        "background": background,
        "turn": turn,
        "lines": [(action.turn, render.line(action, labels)) for action in seen],
    }
    template = _template(ACT)
    return ActPrompt(_block(template, "system", words), _block(template, "user", words))


def episode_account(view: View) -> str:
    """A whole episode as its viewer may see it: situation, characters, goals, what happened."""
    return _template(EPISODE).render(view=view, transcript=render.transcript(view)).strip()


def _block(template: jinja2.Template, name: str, words: dict[str, Any]) -> str:
    return "".join(template.blocks[name](template.new_context(words))).strip()


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
