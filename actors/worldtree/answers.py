"""Finds the option that a model's text chose. The text is never executed."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from actors.models.answers.structured import HALF_PAIR, LONGEST, encodable, objects_in, renamed
from actors.models.completion import encodable as storable
from actors.models.errors import Unreadable
from actors.models.metrics import PARSE_FAILURES
from actors.models.response_formats.schemas import (
    DENSER,
    EXPLAINED,
    Schema,
    choice_schema,
    object_schema,
    text_schema,
)
from actors.worldtree.options.letters import A_NUMBER, NoOption, letters, option_named, several
from actors.worldtree.setup import Chose
from actors.worldtree.trees.tree import Language, Line
from events.serialization.struct_types import decodable

LONGEST_WHY: Final = 4_000
"""Characters of an explanation that are kept beside the choice; the record of the call has all."""


class ChoiceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a model answers."""

    explanation: str = ""
    choice: str


_FIELDS: Final = {
    **dict.fromkeys(("choice", "choose", "chosen", "选择", "选项"), "choice"),
    **dict.fromkeys(("option", "answer", "letter", "答案", "回答"), "answer"),
    **dict.fromkeys(
        ("explanation", "explaination", "reason", "reasoning", "why", "解释", "理由", "原因"),
        "explanation",
    ),
}
"""Other names of the two fields, the misspelt one of the published prompts among them. What may be
a letter or the words of it counts where nothing is called a choice."""
_NO_LETTER: Final = ('the field "choice" holds no letter', '"choice" 一项里没有字母')
_decode = msgspec.json.Decoder(decodable(ChoiceAnswer)).decode


def answer_schema(count: int, language: Language = "en") -> Schema:
    """The JSON Schema of an answer to a question with so many options, put in a language: the
    explanation first."""
    longest = EXPLAINED if language == "en" else EXPLAINED // DENSER
    fields = {"explanation": text_schema(longest), "choice": choice_schema(letters(count))}
    return object_schema(fields)


def read_choice(options: Sequence[Line], text: str, label: str, language: Language = "en") -> Chose:
    """The option that a model's text, without its thoughts, chooses. ``label`` is the model's in
    the metrics. Raises ``Unreadable`` with what is wrong, to the model in the ``language`` that it
    was asked in."""
    text = storable(text)
    try:
        answer = _decode(text)
        place = letters(len(options)).index(answer.choice) if len(answer.choice) == 1 else -1
    except (msgspec.MsgspecError, ValueError, RecursionError):
        place = -1
    if place >= 0:
        return Chose(option=place, why=_kept(answer.explanation))
    PARSE_FAILURES.labels(label, "decode").inc()
    try:
        return _chosen(options, text)
    except NoOption as error:
        PARSE_FAILURES.labels(label, "repair").inc()
        raise Unreadable(error.told[language], text, str(error)) from error


def _chosen(options: Sequence[Line], text: str) -> Chose:
    """What the objects in the text agree on; where there are none, what its words say."""
    if not text.strip():
        raise NoOption("it was empty", "回答是空的")
    if len(text) > LONGEST:
        raise NoOption(
            f"it was longer than {LONGEST:,} characters", f"回答超过了 {LONGEST:,} 个字符"
        )
    objects = list(objects_in(text))
    if not objects:
        return Chose(option=option_named(text, options), why=_kept(text))
    found: dict[int, str] = {}
    faults: list[NoOption] = []
    for fields in objects:
        try:
            known = renamed(encodable(fields), _FIELDS)
            place = _named_in(known, options)
        except UnicodeEncodeError:
            faults.append(NoOption(HALF_PAIR, "回答中有不完整的字符"))
        except RecursionError:
            faults.append(NoOption(*_NO_LETTER))
        except NoOption as error:
            faults.append(error)
        else:
            found.setdefault(place, _words(known.get("explanation")))
    if len(found) > 1:
        raise several([letters(len(options))[place] for place in sorted(found)])
    if not found:
        raise faults[0]
    ((place, why),) = found.items()
    return Chose(option=place, why=_kept(why))


def _named_in(fields: Mapping[str, object], options: Sequence[Line]) -> int:
    """The option that an object's field for it names."""
    if "choice" in fields or "answer" in fields:
        return _named_by(fields.get("choice", fields.get("answer")), options)
    if len(fields) == 1:  # {"B": "because …"}
        (name,) = fields
        if len(name.strip()) == 1:
            return option_named(name, options)
    raise NoOption('the JSON object has no field "choice"', 'JSON 对象里没有 "choice" 一项')


def _named_by(value: object, options: Sequence[Line]) -> int:
    match value:
        case str() if value.strip():
            return option_named(value, options)
        case bool() | None | "" | str():
            raise NoOption('the field "choice" is empty', '"choice" 一项是空的')
        case int() | float():
            raise NoOption(*A_NUMBER)
        case list() if len(value) == 1:
            return _named_by(value[0], options)
        case list():
            count = len(value)
            raise NoOption(
                f"it names {count} options; name one", f"选出了 {count} 个选项；请只选一个"
            )
        case dict():
            return _named_in(renamed(value, _FIELDS), options)
    raise NoOption(*_NO_LETTER)


def _words(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _kept(why: str) -> str:
    why = why.strip()
    return why if len(why) <= LONGEST_WHY else f"{why[: LONGEST_WHY - 1]}…"
