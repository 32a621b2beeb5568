"""What a language model is asked that is a virtual game master, and how its answer is read."""

from collections.abc import Callable, Sequence
from typing import Final, Literal

import msgspec

from actors.models.answers.structured import AnswerReader
from actors.models.errors import Unreadable
from actors.models.port import Msg
from actors.models.response_formats.schemas import (
    Schema,
    choice_schema,
    list_schema,
    object_schema,
    wording,
)
from actors.tabletop.skills import SKILLS, skill_of
from actors.templates import Templates
from actors.text.quotes import nonce_for
from evaluators.tabletop.calls.samples import CallSample, Label, SpokenLine

Variant = Literal["direct", "three-step"]

MOST_CHECKS: Final = 12
"""In one answer."""
_INTENTION: Final = 200
"""Characters of an intention that a model is held to; it is read at any length."""
_templates: Final = Templates("evaluators.tabletop.virtual_dms.prompts", trim=False)


class _Check(msgspec.Struct, frozen=True):
    character: str
    skill: str


class _Answer(msgspec.Struct, frozen=True):
    checks: list[_Check]


_READER: Final = AnswerReader(_Answer)


def prompt_version(variant: Variant) -> str:
    """Name and fingerprint of a variant's template."""
    return _templates.version(_name(variant))


def messages(
    variant: Variant,
    lines: Sequence[SpokenLine],
    cast: Sequence[str],
    examples: Sequence[CallSample] = (),
) -> tuple[Msg, ...]:
    """The question, behind examples with their answers. An example's answer has the checks alone:
    nobody wrote down what its characters wanted."""
    told = [Msg("system", _templates.call(_name(variant), "system", {}))]
    for one in examples:
        told.append(Msg("user", _question("direct", one.lines, one.cast)))
        told.append(Msg("assistant", answer_of(one.labels)))
    told.append(Msg("user", _question(variant, lines, cast)))
    return tuple(told)


def answer_of(labels: Sequence[Label]) -> str:
    """The answer that says these labels."""
    checks = [_Check(label.who, label.skill) for label in labels]
    return msgspec.json.encode(_Answer(checks)).decode()


def answer_schema(variant: Variant, cast: Sequence[str]) -> Schema:
    """The shape of the answer; characters and skills are listed."""
    who = choice_schema(cast) if cast else {"type": "string", "enum": []}
    fields = {
        "checks": list_schema(
            object_schema({"character": who, "skill": choice_schema(SKILLS)}),
            MOST_CHECKS if cast else 0,
        )
    }
    if variant == "three-step":
        most = len(cast)
        intention = object_schema({"character": who, "intention": wording(_INTENTION)})
        fields = {
            "acting": list_schema(who, most),
            "intentions": list_schema(intention, most),
            **fields,
        }
    return object_schema(fields)


def reader(cast: Sequence[str]) -> Callable[[str, str], frozenset[Label]]:
    """Reads an answer about a cast. What it gives raises ``Unreadable`` where the answer is no list
    of checks, or names somebody else or no skill."""

    def read(text: str, label: str) -> frozenset[Label]:
        found, problems = set(), []
        for check in _READER.read(text, label).checks:
            who, skill = _member(check.character, cast), skill_of(check.skill)
            if who is None:
                problems.append(f"{check.character!r} is none of the characters")
            if skill is None:
                problems.append(f"{check.skill!r} is none of the skills")
            if who is not None and skill is not None:
                found.add(Label(who, skill))
        if problems:
            raise Unreadable(problems, text)
        return frozenset(found)

    return read


def _member(named: str, cast: Sequence[str]) -> str | None:
    """Who of a cast is meant by a whole name, or by a first name that nobody else has."""
    given = " ".join(named.casefold().split())
    whole = [who for who in cast if who.casefold() == given]
    first = [who for who in cast if who.casefold().split()[:1] == [given]]
    return next((meant[0] for meant in (whole, first) if len(meant) == 1), None)


def _question(variant: Variant, lines: Sequence[SpokenLine], cast: Sequence[str]) -> str:
    words = {
        "lines": lines,
        "cast": cast,
        "skills": SKILLS,
        "nonce": nonce_for(*[part for line in lines for part in (line.who, line.text)], *cast),
    }
    return _templates.call(_name(variant), "question", words)


def _name(variant: Variant) -> str:
    return f"dm-{variant}-v1"
