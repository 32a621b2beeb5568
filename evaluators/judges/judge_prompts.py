"""The templates by which rubrics ask a language model.

A template is a file ``<stem>-v<N>.j2`` with three macros: ``system()``, ``question()`` and
``again(problems)``. Its name and fingerprint go into every judge made with it.
"""

from functools import cache
from typing import Any, Final, NamedTuple

from actors.models.answers.copied_phrases import phrases_in
from actors.templates import Templates
from actors.text.quotes import nonce_for, texts_in
from evaluators.plugin import Rubric
from events.untrusted.safe_text import shortened

AS_IT_WAS: Final = "the rest as it was."
"""The last words of templates' requests to mend an answer."""


class UnknownPrompt(LookupError):
    """A judge was made with a template that is not here, or that has changed since."""

    def __init__(self, version: str, rubric: Rubric) -> None:
        known = ", ".join(prompt_version(rubric, name) for name in prompt_names(rubric))
        super().__init__(
            f"judge prompt {shortened(version)!r} is not in this version of Troupe, which has "
            f"{known} for the rubric {rubric.name}; scores made with another prompt would not be "
            "comparable"
        )
        self.version = version


def prompt_names(rubric: Rubric) -> list[str]:
    """The templates that a rubric can be asked by, those of its own first."""
    found = _templates(rubric.prompts).names()
    editions = (rubric, *rubric.editions)
    return list(dict.fromkeys(n for edition in editions for n in found if edition.asks_by(n)))


def prompt_version(rubric: Rubric, name: str = "") -> str:
    """``<name>@<fingerprint>`` of a template, as ``JudgeSpec.prompt_version`` holds it; of the
    rubric's newest where none is named."""
    name = name or rubric.prompt
    return f"{name}@{_templates(rubric.prompts).fingerprint(name)}"


class JudgePrompt:
    """One template, ready to be filled in. Raises ``UnknownPrompt``."""

    def __init__(self, rubric: Rubric, version: str) -> None:
        name = version.partition("@")[0]
        if not _asks(rubric, name) or prompt_version(rubric, name) != version:
            raise UnknownPrompt(version, rubric)
        self.version = version
        self._name, self._templates = name, _templates(rubric.prompts)
        self.system, self.hint, self.phrases = _fixed_words(rubric.prompts, name)

    @property
    def fenced(self) -> bool:
        """Whether tags with a nonce stand around what it shows, so that all of it is to be quoted
        (``actors.text.quotes``). Templates from before that show texts as they always did."""
        return self._templates.takes(self._name, "nonce")

    def question(self, **values: Any) -> str:
        """The episode, the rubric and the form of the answer."""
        if self.fenced:
            values["nonce"] = nonce_for(*texts_in(values))
        return self._templates.call(self._name, "question", values)

    def part(self, macro: str, *arguments: Any) -> str:
        """What a macro of the template's own writes."""
        return self._templates.call(self._name, macro, {}, *arguments)


def _asks(rubric: Rubric, name: str) -> bool:
    """Whether ``name`` is among ``prompt_names``."""
    editions = (rubric, *rubric.editions)
    return name in _templates(rubric.prompts).names() and any(e.asks_by(name) for e in editions)


class _FixedWords(NamedTuple):
    """What a template says whatever it is filled in with."""

    system: str
    """What the model is told it is."""
    hint: str
    """What stands behind the request to mend an answer. The request itself is for an answer that is
    shown, which none is any more."""
    phrases: frozenset[str]
    """What stands in it and is no answer."""


@cache
def _fixed_words(package: str, name: str) -> _FixedWords:
    templates = _templates(package)
    mend = templates.call(name, "again", {}, ())
    return _FixedWords(
        system=templates.call(name, "system", {}),
        hint=mend.rpartition(AS_IT_WAS)[2].strip() if AS_IT_WAS in mend else "",
        phrases=phrases_in(templates.source(name)),
    )


@cache
def _templates(package: str) -> Templates:
    # They say themselves where a line ends.
    return Templates(package, trim=False)
