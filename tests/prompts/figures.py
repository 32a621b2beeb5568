"""What the answers to one template are like. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import mean
from typing import Final

import msgspec

GRAM: Final = 8
"""Words in a row that count as said before."""
LONG: Final = 5
"""Letters from which on a goal's word counts as one of its own."""
FROM_TURN: Final = 3
"""From here on a server that remembers prompts has seen what an episode's begin with."""

_WORD: Final = re.compile(r"[\w'’-]+")


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One question to a model, and its answer."""

    template: str
    turn: int
    prompt: str
    """All messages of it."""
    texts: tuple[str, ...]
    """What was understood that is prose; empty where nothing was."""
    usable: bool
    goal: str = ""
    """Of who was asked."""
    input_tokens: int = 0
    cached_tokens: int = 0
    seconds: float = 0.0


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table."""

    template: str
    questions: int
    usable: float
    """The share of answers that could be used, 0 to 1."""
    words: float | None
    """Mean words of a usable answer's texts; None: there is none."""
    repeated: float | None
    """The share of rows of eight words, 0 to 1, that its prompt holds already: said before, or
    copied from the prompt. None: no answer has eight words."""
    goal_words: float | None
    """The share of usable answers, 0 to 1, that say one of the goal's own words; None: there is no
    goal."""
    cached: float | None
    """The share of the prompts' tokens, 0 to 1, that the server remembered, from turn 3 on; None:
    there is no such turn."""


def table(calls: Iterable[Call]) -> list[Row]:
    """A row a template, by name."""
    by_template: dict[str, list[Call]] = {}
    for call in calls:
        by_template.setdefault(call.template, []).append(call)
    return [row(name, by_template[name]) for name in sorted(by_template)]


def row(template: str, calls: Sequence[Call]) -> Row:
    """What some answers are like; at least one call."""
    usable = [call for call in calls if call.usable]
    repeated = [share for call in usable if (share := repetition(call)) is not None]
    pursued = [share for call in usable if (share := goal_said(call)) is not None]
    late = [call for call in calls if call.turn >= FROM_TURN]
    tokens = sum(call.input_tokens for call in late)
    return Row(
        template=template,
        questions=len(calls),
        usable=len(usable) / len(calls),
        words=mean(len(words(" ".join(call.texts))) for call in usable) if usable else None,
        repeated=mean(repeated) if repeated else None,
        goal_words=mean(pursued) if pursued else None,
        cached=sum(call.cached_tokens for call in late) / tokens if tokens else None,
    )


def repetition(call: Call) -> float | None:
    """The share of an answer's rows of eight words that stand in its prompt; None: it has none."""
    known = set(grams(words(call.prompt)))
    said = [gram for text in call.texts for gram in grams(words(text))]
    return sum(gram in known for gram in said) / len(said) if said else None


def goal_said(call: Call) -> bool | None:
    """Whether an answer says a word of the goal; None: the goal has none."""
    wanted = {word for word in words(call.goal) if len(word) >= LONG}
    return bool(wanted & set(words(" ".join(call.texts)))) if wanted else None


def words(text: str) -> list[str]:
    """The words of a text in lower case; each Chinese character is one."""
    spaced = re.sub(r"([\u4e00-\u9fff])", r" \1 ", text.casefold())
    return _WORD.findall(spaced)


def grams(said: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All rows of eight words."""
    return (tuple(said[place : place + GRAM]) for place in range(len(said) - GRAM + 1))


def markdown(rows: Sequence[Row]) -> str:
    """The table as the documentation has it."""
    head = "| template | questions | usable | words | repeated | goal words | cached from turn 3 |"
    lines = [head, "|---|---|---|---|---|---|---|"]
    for one in rows:
        cells: Mapping[str, str] = {
            "template": f"`{one.template}`",
            "questions": f"{one.questions}",
            "usable": _percent(one.usable),
            "words": "" if one.words is None else f"{one.words:.0f}",
            "repeated": _percent(one.repeated),
            "goal_words": _percent(one.goal_words),
            "cached": _percent(one.cached),
        }
        lines.append(f"| {' | '.join(cells.values())} |")
    return "\n".join(lines)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}".replace("%", " %")
