"""What an act is answered with: its closed schema, and what is taken for it."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from actors.games import render
from actors.games.ruleset import PASS
from actors.games.setup import MOST_WORDS, ActOption, Decide, GameAct, NumberRange
from actors.games.sight import GameView
from actors.models.answers.structured import AnswerReader, Fields, renamed, simple
from actors.models.errors import Unreadable
from actors.models.response_formats.schemas import (
    SAID,
    Schema,
    any_schema,
    choice_schema,
    object_schema,
    or_null,
    text_schema,
)
from actors.text.speech import without_name
from events.untrusted.safe_text import shortened

T = TypeVar("T")
MOST_LISTED: Final = 200
"""Numbers of a range that a schema lists; of a longer one as many, evenly, with both ends."""
AGAINST_RULES: Final = "against_rules"
"""What an answer is counted under that names what cannot be chosen now."""
_READER: Final[AnswerReader[Fields]] = AnswerReader(dict)
_FIELDS: Final = {
    **{name: name for name in ("verb", "target", "word", "say", "to", "numbers")},
    **dict.fromkeys(("action", "act", "do", "move", "kind", "type"), "verb"),
    **dict.fromkeys(("whom", "player", "name", "seat"), "target"),
    **dict.fromkeys(("text", "words", "speech", "message", "said"), "say"),
    **dict.fromkeys(("guess",), "word"),
    **dict.fromkeys(("recipient",), "to"),
}
_NOTHING: Final = ("none", "nothing", "do nothing", "skip", "abstain")
"""Other words for doing nothing."""
_UNIT_WORDS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TEN_WORDS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS: Final = _UNIT_WORDS.split()
_TENS: Final = _TEN_WORDS.split()
_DIGITS: Final = re.compile(r"([+-]?\d+)(?:\.0+)?\b\D*")


def steps(low: int, high: int, most: int) -> Sequence[int]:
    """The whole numbers of a range, or so many of them at most, with both ends."""
    if high - low < most:
        return range(low, high + 1)
    return sorted({low + round(place * (high - low) / (most - 1)) for place in range(most)})


def option_schema(background: GameView, option: ActOption) -> Schema:
    """The closed schema of an act of a verb."""
    fields = {"verb": choice_schema([option.verb])}
    if option.targets:
        fields["target"] = choice_schema(_names(background, option.targets))
    for one in option.numbers:
        fields[one.id] = choice_schema(steps(one.low, one.high, MOST_LISTED))
    if option.words:
        fields["word"] = choice_schema(option.words)
    if option.direct:
        fields["to"] = or_null(choice_schema(_names(background, option.direct)))
    if option.says:
        fields["say"] = text_schema(SAID)
    return object_schema(fields)


def act_schema(background: GameView, question: Decide) -> Schema:
    """The closed schema of all that can be done now: whom nobody can name is not in it."""
    return any_schema([option_schema(background, one) for one in question.options])


def read_act(question: Decide, background: GameView, text: str, label: str) -> GameAct:
    """The act that a model's text means; names are turned into seats. Raises ``Unreadable``."""
    fields = _READER.read(text, label)
    inner = fields.get("answer")
    if fields.keys() == {"answer"} and isinstance(inner, dict):
        fields = inner
    return act_of(question, background, fields, text)


def act_of(question: Decide, background: GameView, given: Fields, raw: str) -> GameAct:
    """The act of an answer's fields. Raises ``Unreadable`` with what is wrong; what else the rules
    do not allow, they say themselves."""
    numbers = {simple(one.id): one.id for option in question.options for one in option.numbers}
    fields = renamed(given, {**_FIELDS, **numbers})
    option, rest = _option(question, fields.get("verb"), raw)
    if rest:
        _put(option, background, fields, rest, raw)
    said = ""
    if option.says:
        said = _text(fields.get("say"), f'{option.verb} needs words, in the field "say"', raw)
        if isinstance(background.viewer, int):
            said = without_name(said, background.setup.players[background.viewer].name)
    return GameAct(
        verb=option.verb,
        target=_target(background, option, fields.get("target"), raw),
        numbers={one.id: _number(option, one, fields, raw) for one in option.numbers},
        word=_word(option, fields.get("word"), raw) if option.words else "",
        text=said.strip()[:MOST_WORDS],
        to=_hearer(background, option, fields.get("to"), raw),
    )


def _option(question: Decide, verb: object, raw: str) -> tuple[ActOption, str]:
    """What is chosen, and what stands behind the verb in the same text."""
    known = " or ".join(one.verb for one in question.options)
    if not isinstance(verb, str) or not verb.strip():
        raise Unreadable(f'the field "verb" is missing; it is {known}', raw)
    wanted = simple(verb)
    head, _, rest = verb.strip().partition(" ")
    by_name = {simple(one.verb): one for one in question.options}
    if wanted in by_name:
        return by_name[wanted], ""
    if simple(head) in by_name and rest.strip():
        return by_name[simple(head)], rest.strip()
    if wanted in _NOTHING and PASS in by_name:
        return by_name[PASS], ""
    raise Unreadable(
        f"there is no verb {shortened(verb, 60)!r} now; there is {known}", raw, kind=AGAINST_RULES
    )


def _put(option: ActOption, background: GameView, fields: Fields, rest: str, raw: str) -> None:
    """Take what stands behind the verb for the one thing that the verb takes, where it is exactly
    that."""
    if option.targets and not fields.get("target"):
        if seat_named(background, rest, option.targets) is not None:
            fields["target"] = rest
            return
    elif option.words and not fields.get("word"):
        if _alike(rest, option.words) is not None:
            fields["word"] = rest
            return
    elif len(option.numbers) == 1 and number_in(rest) is not None:
        fields.setdefault(option.numbers[0].id, rest)
        return
    raise Unreadable(
        f'the field "verb" is {option.verb} alone, not {shortened(rest, 60)!r} too', raw
    )


def _names(background: GameView, seats: Sequence[int]) -> list[str]:
    return [render.name_of(background.setup, seat) for seat in seats]


def seat_named(background: GameView, named: str, among: Sequence[int]) -> int | None:
    """The seat of a name, of a first name that only one of some seats has, or of a seat's number
    from 1; None: there is none."""
    wanted = " ".join(named.split()).casefold()
    names = {seat: player.name.casefold() for seat, player in enumerate(background.setup.players)}
    # Somebody may be called by a number.
    seats = {name: seat for seat, name in names.items()}
    seats = {str(seat + 1): seat for seat in names} | seats
    if wanted in seats:
        return seats[wanted]
    first = [seat for seat in among if names[seat].split()[0] == wanted]
    return first[0] if len(first) == 1 else None


def _target(background: GameView, option: ActOption, named: object, raw: str) -> int | None:
    if not option.targets:
        return None
    known = ", ".join(_names(background, option.targets))
    if named is None or named == "":
        raise Unreadable(f'{option.verb} needs a name, in the field "target": {known}', raw)
    seat = seat_named(background, str(named), option.targets)
    if seat not in option.targets:
        said = shortened(str(named), 60)
        raise Unreadable(
            f"{option.verb} cannot name {said!r} now, but {known}", raw, kind=AGAINST_RULES
        )
    return seat


def _hearer(background: GameView, option: ActOption, named: object, raw: str) -> int | None:
    if not option.direct or named is None or simple(str(named)) in ("", "all", "everybody", "null"):
        return None
    seat = seat_named(background, str(named), option.direct)
    if seat not in option.direct:
        known = ", ".join(_names(background, option.direct))
        said = shortened(str(named), 60)
        raise Unreadable(f"words to {said!r} alone cannot be said now, but to {known}", raw)
    return seat


def _number(option: ActOption, one: NumberRange, fields: Fields, raw: str) -> int:
    numbers = fields.get("numbers")
    inner = numbers if isinstance(numbers, Mapping) else {}
    value = fields.get(one.id, inner.get(one.id))
    if value is None and len(option.numbers) == 1:
        # One number is asked for, and one is given: what it is called does not matter.
        others = [*inner.values(), *[fields[key] for key in fields.keys() - _FIELDS.values()]]
        others += [numbers] if not isinstance(numbers, Mapping) else []
        found = [found for found in map(number_in, others) if found is not None]
        value = found[0] if len(found) == 1 else None
    number = number_in(value)
    if number is None:
        wanted = f"{one.text}, {one.low} to {one.high}"
        raise Unreadable(f'{option.verb} needs a number in the field "{one.id}": {wanted}', raw)
    return number


def number_in(value: object) -> int | None:
    """The whole number that a value is: a number, digits with a unit behind them, or a number in
    English words below a thousand; None: it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if not isinstance(value, str):
        return int(value) if float(value).is_integer() else None
    text = value.strip().replace(",", "")
    if found := _DIGITS.fullmatch(text):
        return int(found[1])
    return _in_words(simple(text))


def _in_words(text: str) -> int | None:
    whole, last = 0, ""
    words = [one for one in text.split() if one not in ("and", "a")] or [""]
    for word in words:
        if word in _UNITS and last in ("", "tens", "hundred"):
            whole, last = whole + _UNITS.index(word), "unit"
        elif word in _TENS and last in ("", "hundred"):
            whole, last = whole + 10 * (_TENS.index(word) + 2), "tens"
        elif word == "hundred" and last in ("", "unit") and whole < len(_UNITS):
            whole, last = 100 * (whole or 1), "hundred"
        else:
            return None
    return whole


def _alike(named: str, among: Sequence[str]) -> str | None:
    wanted = simple(named)
    return next((one for one in among if simple(one) == wanted), None)


def _word(option: ActOption, named: object, raw: str) -> str:
    known = ", ".join(option.words)
    text = _text(named, f'{option.verb} needs a word, in the field "word": {known}', raw)
    found = _alike(text, option.words)
    if found is None:
        raise Unreadable(
            f"{option.verb} cannot name {shortened(text, 60)!r}, but {known}",
            raw,
            kind=AGAINST_RULES,
        )
    return found


def _text(value: object, why: str, raw: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Unreadable(why, raw)
    return value
