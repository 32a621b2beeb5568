"""The templates by which rubrics ask a language model.

A template is a file ``<stem>-v<N>.j2`` with three macros: ``system()``, ``question()`` and
``again(problems)``. Its name and fingerprint go into every judge made with it.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

from actors.templates import Templates
from actors.text.quoting import nonce_for, texts_in
from evaluators.judging import Rubric, stem_of
from events.harmless import shortened


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
    stems = [stem_of(edition.prompt) for edition in (rubric, *rubric.editions)]
    return [name for stem in stems for name in found if name.startswith(f"{stem}-v")]


def prompt_version(rubric: Rubric, name: str = "") -> str:
    """``<name>@<fingerprint>`` of a template, as ``JudgeSpec.prompt_version`` holds it; of the
    rubric's newest where none is named."""
    name = name or rubric.prompt
    return f"{name}@{_templates(rubric.prompts).fingerprint(name)}"


class JudgePrompt:
    """One template, ready to be filled in. Raises ``UnknownPrompt``."""

    def __init__(self, rubric: Rubric, version: str) -> None:
        name = version.partition("@")[0]
        if name not in prompt_names(rubric) or prompt_version(rubric, name) != version:
            raise UnknownPrompt(version, rubric)
        self.version = version
        self._name, self._templates = name, _templates(rubric.prompts)

    @cached_property
    def system(self) -> str:
        """What the model is told it is."""
        return self._templates.call(self._name, "system", {})

    @cached_property
    def fenced(self) -> bool:
        """Whether tags with a nonce stand around what it shows, so that all of it is to be quoted
        (``actors.text.quoting``). Templates from before that show texts as they always did."""
        return self._templates.takes(self._name, "nonce")

    def question(self, **values: Any) -> str:
        """The episode, the rubric and the form of the answer."""
        if self.fenced:
            values["nonce"] = nonce_for(*texts_in(values))
        return self._templates.call(self._name, "question", values)

    def part(self, macro: str, *arguments: Any) -> str:
        """What a macro of the template's own writes."""
        return self._templates.call(self._name, macro, {}, *arguments)

    def again(self, problems: Sequence[str]) -> str:
        """The request to mend an answer that could not be read."""
        return self._templates.call(self._name, "again", {}, problems)


@cache
def _templates(package: str) -> Templates:
    # They say themselves where a line ends.
    return Templates(package, trim=False)
