"""Prompts for a plain model in a town: what the seat is shown, without plans or memories."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Final

from actors.episodes.port.prompts import Prompt, Prompts
from actors.models.response_formats.schemas import Schema
from actors.sandbox import answers
from actors.sandbox.catalog_items import Inhabitant
from actors.sandbox.clock import clock_from
from actors.sandbox.prompt_names import UNSTEADY
from actors.sandbox.render import RenderedWords
from actors.sandbox.rules import Asked
from actors.sandbox.setup import WhatToDo, WhatToSay, WhatWasAgreed
from actors.sandbox.times_and_places import long, place
from actors.sandbox.views import Did, Notice, Perceived, Resident, Speaker, TalkBegun
from actors.templates import Templates
from actors.text.quotes import continued, nonce_for, nonce_from
from events.environments import Action
from events.untrusted.safe_text import one_line

LATELY: Final = 60
"""Lines of what happened that a prompt tells at most."""
DROPPED: Final = 20
"""Lines that are dropped at a time where there are more: a prompt's beginning stays the same for as
many, and a server that remembers it need not read it again. Templates up to say-2 drop one."""
MOST_PLACES: Final = 400
"""Places that a prompt lists; a model may name others that it knows."""
_templates = Templates("actors.sandbox.prompts")
_KINDS: Final[dict[type, str]] = {WhatToDo: "do", WhatToSay: "say", WhatWasAgreed: "recap"}


def templates() -> list[str]:
    """The templates there are, parts of others among them."""
    return _templates.names()


def parts(template: str) -> Iterator[str]:
    """A template and whatever it includes."""
    return _templates.parts(template)


class TownPromptWriter:
    """Writes the prompts of one seat."""

    def __init__(self, background: Resident | Speaker) -> None:
        self._background = background
        resident = isinstance(background, Resident)
        step_s = background.step_s if isinstance(background, Resident) else 60
        self._clock = clock_from(background.start, step_s)
        self._words = RenderedWords(background.names, background.start, step_s, resident)
        self._lines: deque[str] = deque()
        self._steady = background.prompt not in UNSTEADY
        self._known = dict.fromkeys(background.known) if isinstance(background, Resident) else {}
        self._doing: Did | None = None
        self._noticed = 0
        self._system: dict[str, str] = {}

    def prompt(self, question: Any, noticed: Sequence[Notice], turn: int) -> Prompt:
        del turn
        for notice in noticed[self._noticed :]:
            self._happens(notice)
        self._noticed = len(noticed)
        background = self._background
        template = f"{_KINDS[type(question)]}-{background.prompt.rpartition('-')[2]}"
        names = [one_line(name) for name in background.names]
        if template not in self._system:
            words = {"me": background.me, "background": background, "task": background.task}
            self._system[template] = _templates.block(template, "system", words)
        lines = list(self._lines)
        told: dict[str, Any] = {
            "name": one_line(background.me.id),
            "now": long(self._clock.moment(question.at)),
            "lines": lines,
            "nonce": nonce_from(self._system[template], *lines)
            if self._steady
            else nonce_for(*lines),
            "question": question,
            "names": names,
        }
        known: Sequence[str] = ()
        if isinstance(question, WhatToDo) and isinstance(background, Resident):
            doing = self._doing
            known = self._places(background.me, question.place or background.place)
            told |= {
                "places": [place(one) for one in known],
                "here": place(question.place or background.place),
                "doing": continued(doing.text) if doing else "",
                "until": long(self._clock.moment(doing.until)) if doing else "",
            }
        user = _templates.block(template, "user", told)
        schema = answers.held_schema(question, background, known)
        version = _templates.version(template)
        return Prompt(self._system[template], user, version, schema=schema)

    def _places(self, me: Inhabitant, here: str) -> Sequence[str]:
        """The places known, in the order in which they came to be known. Of too many: all of home,
        of where one works and of where one is, then sectors, arenas, and things in them."""
        known: Sequence[str] = tuple(self._known)
        if len(known) > MOST_PLACES:
            near = {one.split(":")[1] for one in (me.home, me.workplace, here) if ":" in one}

            def rank(address: str) -> int:
                parts = address.split(":")
                return 0 if len(parts) > 1 and parts[1] in near else len(parts)

            chosen = frozenset(sorted(known, key=rank)[:MOST_PLACES])
            known = [one for one in known if one in chosen]
        return known

    def _happens(self, notice: Notice) -> None:
        if isinstance(notice, Did):
            self._doing = notice
        if isinstance(notice, Perceived):
            self._known.update(dict.fromkeys(notice.learned))
        if isinstance(notice, Perceived) and not notice.seen:
            return
        if isinstance(notice, TalkBegun) and self._background.seat not in notice.seats:
            return
        self._lines.append(continued(self._words.entry(notice).line))
        if len(self._lines) > LATELY:
            for _ in range(DROPPED if self._steady else 1):
                self._lines.popleft()


class SandboxPrompts(Prompts[Asked, Action, Resident | Speaker, Notice]):
    """How a plain model is asked."""

    def writer(self, background: Resident | Speaker) -> TownPromptWriter:
        """Tells what happened lately."""
        return TownPromptWriter(background)

    def read(
        self, question: Asked, background: Resident | Speaker, text: str, label: str
    ) -> Action:
        """Unknown places are refused with what is known."""
        return answers.read(question, background, text, label)

    def schema(self, question: Asked, background: Resident | Speaker) -> Schema:
        """What is done, where and for how long; or what is said."""
        return answers.schema(question)


PROMPTS: Final = SandboxPrompts()
