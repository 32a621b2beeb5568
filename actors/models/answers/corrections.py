"""The request for a corrected answer: what was wrong, and the expected format.

The rejected answer is not shown, because small models tend to repeat it.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from actors.models.replies.faults import Language
from actors.models.response_formats.schemas import Schema

MOST_VALUES: Final = 8
"""Values of a field that are named."""

_WORDS: Final[Mapping[str, Mapping[Language, str]]] = {
    "one": {
        "en": "An answer to this could not be used: {problems}.",
        "zh": "对此的一个回答无法使用：{problems}。",
    },
    "more": {
        "en": "{again} answers to this could not be used; wrong with the last one: {problems}.",
        "zh": "对此的 {again} 个回答都无法使用；最近一个的问题是：{problems}。",
    },
    "request": {
        "en": " Answer again from the beginning: {form}, and nothing else.",
        "zh": "请从头重新作答：只输出{form}，不要输出其他内容。",
    },
    "form": {"en": "the JSON object asked for", "zh": "所要求的 JSON 对象"},
    "fields": {"en": "one JSON object with {fields}", "zh": "一个 JSON 对象，包含 {fields}"},
    "between": {"en": "; ", "zh": "；"},
    "and": {"en": ", ", "zh": "、"},
    "or": {"en": " or ", "zh": " 或 "},
}


def correction(
    problems: Sequence[str],
    again: int = 1,
    language: Language = "en",
    schema: Schema | None = None,
) -> str:
    """The request for a corrected answer. ``problems``: what was wrong with the last one, a
    sentence each; ``schema``: the JSON Schema of the answer, if there is one; ``again``: how many
    answers were rejected. The number is part of the text, because at temperature 0 the same text
    would bring the same answer."""
    wrong = _WORDS["one" if again == 1 else "more"][language]
    told = _WORDS["between"][language].join(problems)
    return (wrong + _WORDS["request"][language]).format(
        problems=told, again=again, form=_form(schema, language)
    )


def _form(schema: Schema | None, language: Language) -> str:
    """The form in words: ``one JSON object with "kind" ("speak" or "leave"), "text"``."""
    fields = (schema or {}).get("properties")
    if not fields:
        return _WORDS["form"][language]
    told = [f'"{name}"{_values(of, language)}' for name, of in fields.items()]
    return _WORDS["fields"][language].format(fields=_WORDS["and"][language].join(told))


def _values(schema: Schema, language: Language) -> str:
    """What a field may be, where those are few."""
    values = schema.get("enum", ())
    if not 0 < len(values) <= MOST_VALUES:
        return ""
    told = [f'"{one}"' if isinstance(one, str) else f"{one}" for one in values]
    return f" ({_WORDS['or'][language].join(told)})"
