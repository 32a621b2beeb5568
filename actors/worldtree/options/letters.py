"""The letters that options are shown with, and which option a text names."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from string import ascii_uppercase
from typing import Final

from actors.worldtree.options.order import MOST_OPTIONS
from actors.worldtree.trees.tree import Language, Line
from events.untrusted.safe_text import shortened


class NoOption(ValueError):
    """A text names no option, or more than one: half a sentence for its author."""

    def __init__(self, why: str, zh: str) -> None:
        super().__init__(shortened(why, 1_000))
        self.told: Mapping[Language, str] = {"en": why, "zh": zh}
        """The same by language."""


def letters(count: int) -> str:
    """Those of so many options. Raises ``ValueError`` above ``MOST_OPTIONS``."""
    if count > MOST_OPTIONS:
        raise ValueError(f"{MOST_OPTIONS} letters cannot tell {count} options apart")
    return ascii_uppercase[:count]


def option_named(text: str, options: Sequence[Line]) -> int:
    """The place, from 0, of the one option that a text names: by its letter, of any width and case,
    alone, marked or announced; else by its own text.

    A number is no name: it may count from 0 or from 1. Nor is a letter that is only mentioned
    (``A would be rude``) or ruled out (``not A``). What a text takes back (``A… no, B``) does not
    count. Raises ``NoOption``.
    """
    flat = unicodedata.normalize("NFKC", text).strip()
    texts = [_own_texts(option) for option in options]
    if alone := _letters_alone(flat):
        return _one(alone, len(options))
    own = _folded(flat)
    if same := [place for place, one in enumerate(texts) if own and own in one]:
        return _only(same)
    if (last := _after_change(flat, options)) is not None:
        try:
            return option_named(last, options)
        except NoOption as error:
            raise NoOption(
                "it takes an option back and names no other; name one",
                "收回了一个选项，又没有说清改选哪一个；请只选一个",
            ) from error
    for found in (list(_announced(flat)), list(_marked(flat))):
        if found:
            place = _one({letter for letter, _ in found}, len(options))
            longest = max(len(option.role + option.text) for option in options)
            for after in dict.fromkeys(after[: 2 * longest + 40] for _, after in found):
                _check_text_after(_folded(after), place, texts)
            return place
    if _NUMBER.fullmatch(flat.strip(_DECORATION)):
        raise NoOption(*A_NUMBER)
    if re.search(_NOT, _without_options(flat, options)):
        texts = []  # words that are ruled out choose nothing
    inside: dict[int, str] = {}
    for place, one in enumerate(texts):
        longest_own = max((each for each in one if each in own), key=len, default="")
        if len(longest_own) > 1:
            inside[place] = longest_own
    # An option whose whole text stands in another's is not meant by that.
    meant = [
        place
        for place, words in inside.items()
        if not any(words != other and words in other for other in inside.values())
    ]
    if meant:
        return _only(meant)
    named, zh = _range(len(options))
    raise NoOption(f"it names no option; they are {named}", f"没有选出选项；选项是 {zh}")


A_NUMBER: Final = (
    "an option is named by its letter, not by a number",
    "请用字母表示选项，不要用数字",
)
_DECORATION: Final = " \t\r\n*_`~#>\"'“”‘’()[]{}<>【】「」『』《》.。:,、!;"
_WORDS: Final = (
    r"(?:(?:my |the )?(?:final )?(?:option|choice|answer|letter)|i (?:choose|pick|select)"
    r"|我?选择?项?|答案|选项)"
)
# Bounded: what a model says must not take seconds to be found no answer.
_SPACE: Final = r"\s{0,8}"
_IS: Final = rf"(?:{_SPACE}(?:is|=|:|是|为)){{0,3}}{_SPACE}"
_QUOTE: Final = r"[(\[{<「『【《\"'“‘*_`\s]{0,8}"
_UNQUOTE: Final = r"[)\]}>」』】》\"'”’*_`\s.。:]{0,8}"
_INTRODUCED = re.compile(rf"{_WORDS}{_IS}", re.IGNORECASE)
_BETWEEN = re.compile(
    rf"[,/&+|、{re.escape(_DECORATION)}]+|\b(?:and|or)\b|和|或者|或|与|及|还是", re.IGNORECASE
)
"""What stands around and between letters."""
_NUMBER = re.compile(
    r"(?:option|choice|answer|选项|选择|答案|第)?\s*:?\s*[\d一二三四五六七八九]+\s*个?(?:选项)?",
    re.IGNORECASE,
)
_NOT: Final = (
    r"\b(?i:not|never|\w+n't|cannot|avoid|rather than|instead of|refuse|nobody|no one|no way|worst"
    r"|wrong|bad|incorrect|least|almost|nearly|if)\s+(?:\w+\s+){0,4}"
    r"|(?:不(?!如)|别|非|与其|并未|没|如果|要是|假如|最差|错误)[^,。!?\n]{0,6}?"
)
_DECIDED: Final = (
    r"\b(?:(?:answer|choice|decision|response|reply)(?:\s+(?:is|would be|should be|will be))?"
    r"|choose|chose|pick(?:ed)?|select(?:ed)?|opt for|go(?:ing)? (?:with|for)"
    r"|decided? (?:on|for))(?:\s+(?:the\s+)?(?:option|choice|letter|answer))?"
    r"|(?:答案|选择|选|回答|决定)(?:了|的?选?项|的?回答|的?答案|应该|应当|应|会){0,3}"
)
_LOOSE: Final = (
    r"(?<![A-Za-z])(?:[B-HJ-Z]|[AI](?!\s+[a-z])|[AI](?=\s+(?:because|since|as|for|and|or|it|this)\b)"
    r"|[a-z](?=\s{0,8}(?:[^\sa-zA-Z0-9'’-]|$)))(?![A-Za-z'’])"
)
"""A letter within a sentence. In English ``a`` and ``I`` are words, too."""
_ANNOUNCED = re.compile(
    rf"(?P<not>{_NOT})?(?i:{_DECIDED})[\"”’*]{{0,8}}{_IS}{_QUOTE}(?P<letter>{_LOOSE})"
    rf"(?P<more>(?:{_UNQUOTE}(?:[,、/&+]|\band\b|\bor\b|和|或者|或|与|及)"
    rf"{_SPACE}{_QUOTE}{_LOOSE}){{0,{MOST_OPTIONS}}})(?!{_SPACE}\?)",
    re.MULTILINE,
)
"""What says that a letter was chosen."""
_CHANGE = re.compile(
    r"(?:^|(?<=[\s.,;:!?(\"*。…—–-]))(?i:(?:no|nope)(?=\s{0,2}[,.!;:—–-])|wait\b|actually\b|sorry\b"
    r"|on second thoughts?\b|scratch that\b|correction\b|i mean\b|make that\b|or rather\b)"
    r"|不对|不是(?=[,.。!;])|等等|等一下|更正|改选|改为|改成|(?<=[,.。!;])其实"
)
"""What takes back the letter before it."""
_LEAD = re.compile(
    r"[\s,.!;:。—–-]{0,8}(?i:(?:so|then|it's|it is|that's|i'd say|let me say|i'll take)\s)?"
    r"(?:应该是|应该选|应当是|还是|是|选)?"
)
_MARKED = re.compile(
    r"(?:^[ \t>*#-]{0,16}(?P<first>[A-Za-z])(?=[*_`\"' \t]{0,8}(?:[.:、)\]】]|[-–—]\s|$)|\s?[(（])"
    r"|(?<=[.!?。]\s)(?P<next>[A-Z])(?=\))"
    r"|[(\[{「『【《*`\"“](?P<within>[A-Za-z])(?=[)\]}」』】》*`\"”])"
    r"|(?:\b[Oo]ption|选项)\s*(?P<named>[A-Z]))(?![A-Za-z'’])",
    re.MULTILINE,
)
"""A letter that begins its line, stands in brackets or quotes, or is called an option."""


def _letters_alone(text: str) -> set[str]:
    """The letters of a text in which there is nothing else; empty: there is."""
    bare = text.strip(_DECORATION)
    introduced = _INTRODUCED.match(bare)
    parts = _BETWEEN.split(bare[introduced.end() :] if introduced else bare)
    found = {part.upper() for part in parts if part}
    return found if all(len(part) == 1 and part in ascii_uppercase for part in found) else set()


def _after_change(text: str, options: Sequence[Line]) -> str | None:
    """What follows the last change of mind between two letters; None: there is none. Words of the
    options are no change of mind."""
    text = _without_options(text, options)
    *_, last = (None, *_CHANGE.finditer(text))
    if last is None or not re.search(_LOOSE, text[: last.start()]):
        return None
    after = text[last.end() :]
    return _LEAD.sub("", after, count=1) if re.search(_LOOSE, after) else None


def _without_options(text: str, options: Sequence[Line]) -> str:
    """A text without the words of the options, as they stand."""
    for option in options:
        if own := unicodedata.normalize("NFKC", option.text).strip():
            text = re.sub(re.escape(own), " ", text, flags=re.IGNORECASE)
    return text


def _announced(text: str) -> Iterator[tuple[str, str]]:
    """Letters that are said to be chosen, each with what follows it."""
    for found in _ANNOUNCED.finditer(text):
        if found["not"]:
            continue
        for letter in (found["letter"], *re.findall(_LOOSE, found["more"])):
            yield letter.upper(), text[found.end() :]


def _marked(text: str) -> Iterator[tuple[str, str]]:
    """Letters that stand out, each with what follows it."""
    for found in _MARKED.finditer(text):
        letter = found["first"] or found["next"] or found["within"] or found["named"]
        yield letter.upper(), text[found.end() :]


def several(named: Sequence[str]) -> NoOption:
    """More than one letter was given."""
    return NoOption(
        f"it names several options, {', '.join(named)}; name one",
        f"选出了多个选项：{'、'.join(named)}；请只选一个",
    )


def _one(named: set[str], count: int) -> int:
    """The place of the one letter that was named."""
    if len(named) > 1:
        raise several(sorted(named))
    (letter,) = named
    place = ascii_uppercase.index(letter)
    if place >= count:
        there, zh = _range(count)
        raise NoOption(
            f"there is no option {letter}; they are {there}", f"没有选项 {letter}；选项是 {zh}"
        )
    return place


def _only(places: Sequence[int]) -> int:
    if len(places) > 1:
        named = [ascii_uppercase[place] for place in places]
        raise NoOption(
            f"its words are those of options {', '.join(named)}; give the letter of one",
            f"它的文字与选项 {'、'.join(named)} 相同；请给出其中一个的字母",
        )
    return places[0]


def _check_text_after(after: str, place: int, texts: Sequence[Sequence[str]]) -> None:
    """A letter and another option's text contradict each other."""
    if any(own and after.startswith(own) for own in texts[place]):
        return
    for other, one in enumerate(texts):
        if other != place and any(len(own) > 1 and after.startswith(own) for own in one):
            letter, words = ascii_uppercase[place], ascii_uppercase[other]
            raise NoOption(
                f"it gives the letter {letter} and the words of option {words}; name one",
                f"给出的字母是 {letter}，文字却是选项 {words} 的；请只选一个",
            )


def _own_texts(option: Line) -> tuple[str, ...]:
    """An option's text as it is compared, alone and behind who says it."""
    return tuple({_folded(option.text), _folded(option.role + option.text)})


def _folded(text: str) -> str:
    """A text as it is compared: whatever its width and case, its letters and digits alone."""
    flat = unicodedata.normalize("NFKC", text).casefold()
    return "".join([character for character in flat if character.isalnum()])


def _range(count: int) -> tuple[str, str]:
    last = letters(count)[-1]
    return (f"A to {last}", f"A 到 {last}") if count > 1 else ("A alone", "A")
