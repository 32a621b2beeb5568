"""The judge's templates: found, fingerprinted and filled in.

A template is a file ``prompts/<name>.j2`` with three macros: ``system()``, ``question()`` and
``again(problems)``. Its name and fingerprint go into every judge made with it.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from events.ids import digest_of

_FOLDER = Path(__file__).with_name("prompts")
TEMPLATES: tuple[str, ...] = tuple(sorted(path.stem for path in _FOLDER.glob("*.j2")))
"""Names of the templates there are."""


class UnknownPrompt(LookupError):
    """A judge was made with a template that is not here, or that has changed since."""

    def __init__(self, version: str) -> None:
        super().__init__(
            f"judge prompt {version!r} is not in this version of Troupe, which has "
            f"{', '.join(prompt_version(name) for name in TEMPLATES)}; scores made with another "
            "prompt would not be comparable"
        )
        self.version = version


@cache
def prompt_version(name: str) -> str:
    """``<name>@<fingerprint>`` of a template, as ``JudgeSpec.prompt_version`` holds it."""
    return f"{name}@{digest_of((_FOLDER / f'{name}.j2').read_bytes())[:12]}"


class JudgePrompt:
    """One template, ready to be filled in."""

    def __init__(self, version: str) -> None:
        name = version.partition("@")[0]
        if name not in TEMPLATES or prompt_version(name) != version:
            raise UnknownPrompt(version)
        self.version = version
        self._template = _environment().get_template(f"{name}.j2")

    @cached_property
    def system(self) -> str:
        """What the model is told it is."""
        return self._fill({}, "system")

    def question(self, **values: Any) -> str:
        """The episode, the rubric and the form of the answer."""
        return self._fill(values, "question")

    def again(self, problems: Sequence[str]) -> str:
        """The request to mend an answer that could not be read."""
        return self._fill({}, "again", problems)

    def _fill(self, values: dict[str, Any], macro: str, *arguments: Any) -> str:
        module = self._template.make_module(values)
        return str(getattr(module, macro)(*arguments)).strip()


@cache
def judge_prompt(version: str) -> JudgePrompt:
    """The template of that version. Raises ``UnknownPrompt``."""
    return JudgePrompt(version)


@cache
def _environment() -> Environment:
    # Plain text for a model, so nothing is escaped; the HTML report has an environment of its own.
    return Environment(  # noqa: S701
        loader=FileSystemLoader(_FOLDER), undefined=StrictUndefined, keep_trailing_newline=True
    )
