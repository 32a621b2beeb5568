"""The words shown to a model in the seat: the templates of ``prompts/``, filled in.

There is one a kind of question and language. What they hold is that of SocialEval's Tables 8 and 9:
the protagonist, the others, what has happened so far, the question, the options. Nothing that a
tree says begins a line of a prompt or ends the story in it (``actors.text.quotes``).
"""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from actors.episodes.port.prompts import Prompt, Prompts
from actors.models.response_formats.schemas import Schema
from actors.templates import Templates
from actors.text.quotes import continued, nonce_for, nonce_from
from actors.worldtree.answers import answer_schema, read_choice
from actors.worldtree.options.letters import letters
from actors.worldtree.setup import Choose, Chose
from actors.worldtree.trees.tree import Beat, Entrance, Language, Line, Profile
from actors.worldtree.views import ChoiceBackground, Notice, SeenEntrance, SeenLine
from events.environments import Action
from events.untrusted.safe_text import one_line

FIRST: Final = "1"
"""The version of the templates that a setup means which names none."""
_TOLD: Final[dict[Language, str]] = {"zh": "（旁白）{text}", "en": "(Narration) {text}"}
_SAID: Final[dict[Language, str]] = {"zh": "{who}：{text}", "en": "{who}: {text}"}
_ENTERS: Final[dict[Language, str]] = {"zh": "（{who}登场）", "en": "({who} enters)"}

_templates = Templates("actors.worldtree.prompts")


class StoryBackground(Protocol):
    """The background of a seat whose prompts tell a story; as those of ``ChoiceBackground``."""

    @property
    def prompts(self) -> Language: ...
    @property
    def prompt(self) -> str: ...
    @property
    def protagonist(self) -> Profile: ...
    @property
    def cast(self) -> tuple[Profile, ...]: ...
    @property
    def scenario(self) -> str: ...
    @property
    def before(self) -> tuple[Beat, ...]: ...


def templates() -> list[str]:
    """The templates there are, parts of others among them."""
    return _templates.names()


class StoryWriter:
    """What all prompts tell: who the protagonist is, who else is there, and what has happened. What
    was written once is not written again."""

    def __init__(self, background: StoryBackground) -> None:
        self._background = background
        self._language = background.prompts
        self._version = background.prompt or FIRST
        self._others: dict[str, str] = {}
        """Names and what everybody knows of them."""
        self._lines: list[str] = []
        self._noticed = 0
        """Notices among the lines."""
        self._system: dict[str, str] = {}
        """By template."""
        for profile in background.cast:
            self._meet(profile)
        for beat in background.before:
            self._happens(beat)

    def written(self, kind: str, noticed: Sequence[Notice], words: Mapping[str, object]) -> Prompt:
        """The prompt of a kind, from what the seat may know and nothing else. ``words``: those
        of the question; what of them the system's words hold is the same all through an
        episode."""
        for notice in noticed[self._noticed :]:
            self._happens(notice)
        self._noticed = len(noticed)
        template = f"{kind}-{self._language}-{self._version}"
        told = {**words, "me": self._background.protagonist}
        if template not in self._system:
            self._system[template] = _templates.block(template, "system", told)
        lines = [*self._scenario(), *self._lines]
        story = {"others": list(self._others.items()), "lines": lines, "nonce": self._nonce(lines)}
        user = _templates.block(template, "user", {**told, **story})
        version = _templates.version(template)
        return Prompt(self._system[template], user, version, self._language)

    def _nonce(self, lines: Sequence[str]) -> str:
        """Of the tags around the story."""
        if self._version == FIRST:
            return nonce_for(*lines)
        me = self._background.protagonist
        return nonce_from(f"{me.name}\0{me.private}\0{me.goal}", *lines)

    def _scenario(self) -> Sequence[str]:
        """Where the story does not begin with the same words: published trees often say it
        twice."""
        told = self._told(self._background.scenario.strip())
        return () if told == self._told("") or told in self._lines[:1] else (told,)

    def _told(self, text: str) -> str:
        return _TOLD[self._language].format(text=continued(text.strip()))

    def _meet(self, profile: Profile) -> None:
        self._others[_name(profile.name)] = continued(profile.public)

    def _happens(self, beat: Line | Entrance | Notice) -> None:
        """One more line of the story. Who speaks is on the line with it, so that narration which
        reads like somebody's words is none of theirs."""
        match beat:
            case Line(role=role, text=text) | SeenLine(role=role, text=text) if role:
                said = _SAID[self._language].format(who=_name(role), text=continued(text))
                self._lines.append(said)
            case Line(text=text) | SeenLine(text=text):
                self._lines.append(self._told(text))
            case Entrance(profile=profile) | SeenEntrance(profile=profile):
                self._meet(profile)
                self._lines.append(_ENTERS[self._language].format(who=_name(profile.name)))


class ChoiceWriter(StoryWriter):
    """Asks which line the protagonist says, or which shows an ability."""

    def prompt(self, question: Choose, noticed: Sequence[Notice], turn: int) -> Prompt:
        options = [continued(line.text) for line in question.options]
        words = {
            "question": continued(question.told),
            "options": list(zip(letters(len(options)), options, strict=True)),
        }
        return self.written("ask" if question.told else "walk", noticed, words)


def _name(name: str) -> str:
    """Of one line and without a colon, behind which its words would seem to begin."""
    return one_line(name).replace(":", " ").replace("：", " ")


class ChoicePrompts(Prompts[Choose, Action, ChoiceBackground, Notice]):
    """Which line does the protagonist say?"""

    def writer(self, background: ChoiceBackground) -> ChoiceWriter:
        """Tells the story so far."""
        return ChoiceWriter(background)

    def read(self, question: Choose, background: ChoiceBackground, text: str, label: str) -> Chose:
        """The option that a model means."""
        return read_choice(question.options, text, label, background.prompts)

    def schema(self, question: Choose, background: ChoiceBackground) -> Schema:
        """An explanation, then a letter."""
        return answer_schema(len(question.options), background.prompts)


PROMPTS: Final = ChoicePrompts()
