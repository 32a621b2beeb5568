"""Separates what a model thought from its answer.

Models that reason write their thoughts between marks (``actors.models.replies.thought_tags``). A
thought is private: what stands in one is never part of an answer, and an answer whose thought does
not end is none.

A mark counts in whatever form it is written: with JSON's escapes or HTML's, in wide letters, with
blanks in it or characters that nobody sees. One that is *spoken of* does not count: it has no
other half, and stands as a word in a line, behind a word and a blank or a quotation mark and
before a word in lower case or the sentence's punctuation ("Write <think> please."). In a text that
is no JSON object that holds for ends ("close it with </think> and go on") and for names that are
everyday words ("the <reason> is"), but not for other beginnings: their thought may have been cut
off. There a mark alone in quotation marks is spoken of, too, and "5 < think > 3" compares.

An end without a beginning ends a thought that the prompt began. Where nothing follows it, all is a
thought if a chat template has the mark (``Marks.templated``); else the end is a stray one, and what
stands before it is the answer.
"""

import json
import re
from bisect import bisect_right
from functools import cached_property
from typing import Final, NamedTuple

from actors.models.replies.thought_tags import TABLE

_INVISIBLE: Final = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff"
_ODD: Final = re.compile(
    rf"""\\{{1,4}}u(?P<escaped>[0-9a-fA-F]{{4}})
    |\\{{1,4}}(?P<blank>[nrt])
    |\\{{1,4}}(?P<slash>/)
    |&(?:amp;){{0,2}}(?:(?P<less>lt|LT|\#0{{0,4}}60|\#[xX]0{{0,4}}3[cC])
        |(?P<more>gt|GT|\#0{{0,4}}62|\#[xX]0{{0,4}}3[eE]));
    |(?P<other>[\uff01-\uff5e◁▷〈〉{_INVISIBLE}])""",
    re.VERBOSE,
)
"""What is not written as itself, or not to be seen."""
_UNSEEN: Final = re.compile(f"[{_INVISIBLE}]")
_DISGUISED: Final = re.compile(rf"[＜［／Ａ-Ｚａ-ｚ◁〈{_INVISIBLE}ıſİ\u212a]")
"""What beyond ASCII may be part of a mark. The last four are letters of names to an expression that
ignores case."""
_OF_BRACKETS: Final = ("[\\", "[think", "[/think", "[unused")
_PLAIN: Final = str.maketrans(
    {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    | dict(zip("◁▷〈〉", "<><>", strict=True))
)


def _of(kind: str, place: int) -> str:
    """An expression for the opening (0) or closing (1) texts of a kind, the longest first."""
    found = {(marks.opens, marks.closes)[place] for marks in TABLE if marks.kind == kind}
    # Marks of harmony are read below; what is found has been folded.
    texts = {one.translate(_PLAIN) for one in found if "|channel|" not in one and one != "<|end|>"}
    return "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))


def _names(kind: str) -> str:
    found = (marks.opens[1:-1] for marks in TABLE if marks.kind == kind)
    return "|".join(map(re.escape, sorted(found, key=len, reverse=True)))


_TAG: Final = re.compile(
    rf"""
    # <think>, <think a='b'>, < think >, <|think|>, <think/> and, as nobody says it otherwise,
    # <think without its end.
    <\|?\s{{0,8}}(?P<end>/?)\s{{0,8}}(?:(?P<name>{_names("tag")})
        (?:\s{{0,8}}(?P<empty>/?)\|?>|[ ][^<>{{}}\n]{{0,200}}>|(?=\s|\Z))
        |(?P<word>{_names("word")})\s{{0,8}}\|?>)
    # OpenAI's "harmony": a channel, what is said in it, and its end.
    |<\|channel\|>\s{{0,2}}(?P<channel>\w{{1,40}})\b[^<]{{0,100}}(?:<\|constrain\|>\s?\w*\s?)?<\|message\|>
    |<\|(?P<over>end|return|call)\|>
    # The same without its tokens. Between channels nothing else is written so.
    |(?-i:assistant(?:(?P<later>analysis|commentary)|(?P<final>final))(?![a-z]))
    |(?-i:(?P<begun>\A\s{{0,8}}|"\s{{0,8}})(?P<first>analysis|commentary))
    |(?P<opens>{_of("mark", 0)})
    |(?P<closes>{_of("mark", 1)})
    |\A\s{{0,8}}(?P<process>Here(?:'s|\ is)\ my\ thought\ process:)
    |(?P<response>Here(?:'s|\ is)\ my\ response:)""",
    re.IGNORECASE | re.VERBOSE,
)
_PAIRS: Final = {
    one.translate(_PLAIN).casefold(): marks.opens.casefold()
    .strip("<>[]|")
    .removeprefix("begin_of_")
    for marks in TABLE
    if marks.kind == "mark"
    for one in (marks.opens, marks.closes)
}
"""By either mark, what the thought is called."""
_STRAY: Final = {marks.opens[1:-1].casefold() for marks in TABLE if not marks.templated}
"""The thoughts whose beginning no prompt has."""
_CHANNEL: Final = "|channel|"
_PROCESS: Final = "thought process"
_BEFORE: Final = re.compile(r"""[\w,;)](?:[^\S\r\n]|\\?["'`“‘(\[])+\Z""")
_AFTER: Final = re.compile(r"""(?:\\?["'`”’)\]])?(?:[^\S\r\n]+[a-z]|[,.;:!?…])|\\?["'`”’)\]]\s""")
"""How a sentence goes on around a mark that stands in it as a word."""
_COMPARED: Final = re.compile(r"[^\S\r\n]+[a-z\d]")
"""What follows on ``5 < think >``."""
_QUOTED: Final = (
    re.compile(r"""(?:\A|[\s(\[:,])["'`“‘«「]\Z"""),
    re.compile(r"""["'`”’»」](?:[\s,.;:!?…)\]]|\Z)"""),
)
"""What stands around a mark that is all of a quotation. A thought that ends with a quotation has a
word before its quotation mark, and an answer that begins with one has a word behind it."""
_NEAR: Final = 20
"""Characters that are looked at for that."""
_FENCED: Final = re.compile(r"\s*```\w*\s*(\{.*\})\s*```\s*", re.DOTALL)
_QUOTE: Final = re.compile(r'(?<!\\)"')


class Parted(NamedTuple):
    """A model's text in its two parts."""

    answer: str
    thoughts: str
    unclosed: str
    """The tag of a thought that does not end; empty: there is none. All after it is a thought."""


class _Mark(NamedTuple):
    """One, where it was found."""

    name: str
    """Of the thought that it begins or ends."""
    closes: bool
    start: int
    end: int
    """In the text as it was written."""
    often: bool = False
    """People write it, too."""
    paired: bool = False
    """It counts only with its other half."""
    over: bool = False
    """It ends whatever is said in a channel, also what is said to the person."""
    empty: bool = False
    """It is a whole thought, of nothing."""
    spaced: bool = False
    """There is a blank before its name."""


class _Text:
    """A reply, and the marks in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        pieces: list[str] = []
        self._folded, self._written = [0], [0]
        length = place = 0
        for odd in _ODD.finditer(text):
            plain = _plain(odd)
            pieces += (text[place : odd.start()], plain)
            length += odd.start() - place
            if plain:
                self._folded.append(length)
                self._written.append(odd.start())
                length += len(plain)
            self._folded.append(length)
            self._written.append(odd.end())
            place = odd.end()
        self.folded = "".join((*pieces, text[place:])) if pieces else text
        self.marks = [self._mark(found) for found in _TAG.finditer(self.folded)]
        self._length = len(text.rstrip())
        self._last = {mark.name: mark.start for mark in self.marks if mark.closes}

    def _mark(self, found: re.Match[str]) -> _Mark:
        tag = found.groupdict()
        start, end = self._place(found.start()), self._place(found.end())
        if (name := tag["name"] or tag["word"]) is not None:
            empty = bool(tag["empty"]) and not tag["end"]
            often = tag["word"] is not None
            return _Mark(
                name.casefold(),
                bool(tag["end"]),
                start,
                end,
                often=often,
                empty=empty,
                spaced=found[0][1].isspace(),
            )
        if tag["first"]:
            start = self._place(found.end("begun"))
            glued = self.folded[found.end() : found.end() + 1].isalnum()
            return _Mark(_CHANNEL, False, start, end, paired=not glued)
        if tag["process"] or tag["response"]:
            return _Mark(_PROCESS, bool(tag["response"]), start, end, paired=True)
        if mark := tag["opens"] or tag["closes"]:
            return _Mark(_PAIRS[mark.casefold()], bool(tag["closes"]), start, end)
        final = tag["final"] or (tag["channel"] or "").casefold() == "final"
        over = bool(tag["over"])
        often = bool(tag["later"])
        return _Mark(_CHANNEL, bool(final) or over, start, end, often=often, over=over)

    def _place(self, folded: int) -> int:
        """Where a place of the folded text is in the text as it was written."""
        known = bisect_right(self._folded, folded) - 1
        return self._written[known] + folded - self._folded[known]

    @cached_property
    def is_object(self) -> bool:
        """Whether this is one JSON object and nothing else but a fence around it."""
        fenced = _FENCED.fullmatch(self.text)
        try:
            return isinstance(json.loads(fenced[1] if fenced else self.text, strict=False), dict)
        except (ValueError, RecursionError):
            return False

    def counts(self, mark: _Mark) -> bool:
        """Whether a mark outside a thought is one, and not spoken of."""
        if not mark.closes and self._last.get(mark.name, -1) > mark.start:
            return True
        if mark.paired or mark.over:
            return False
        before = self.text[max(0, mark.start - _NEAR) : mark.start]
        after = self.text[mark.end : mark.end + _NEAR]
        if _BEFORE.search(before):
            if mark.spaced and _COMPARED.match(after):
                return False
            if _AFTER.match(after) and (mark.closes or mark.often or self.is_object):
                return False
        quoted = _QUOTED[0].search(before) and _QUOTED[1].match(after)
        # In an object the quotation marks may be the string's own.
        return not quoted or self.is_object

    def is_stray(self, mark: _Mark) -> bool:
        """Whether an end without a beginning ends nothing."""
        return mark.end >= self._length and mark.name in _STRAY

    def before(self, place: int, mark: _Mark) -> int:
        """Where the thought begins that only its end is marked of: in a JSON object with the
        string that it stands in, else at ``place``."""
        if not self.is_object:
            return place
        quotes = [quote.end() for quote in _QUOTE.finditer(self.text, place, mark.start)]
        return quotes[-1] if quotes else place


def parted(text: str) -> Parted:
    """The answer and the thoughts of a text, in time that grows with its length alone.

    Some servers put the opening tag into the prompt, so all before a closing tag that nothing
    opened is a thought, too; in a JSON object, all before it in the same string.
    """
    if _has_no_mark(text):
        return Parted(text, "", "")
    read = _Text(text)
    answer: list[str] = []
    thoughts: list[str] = []
    inside, place = "", 0
    for mark in read.marks:
        if inside:
            # Another tag's name in a thought is part of the thought.
            if mark.closes and mark.name == inside:
                thoughts.append(text[place : mark.start])
                inside, place = "", mark.end
        elif mark.start < place or not read.counts(mark):
            continue
        elif mark.closes:
            begins = mark.start if read.is_stray(mark) else read.before(place, mark)
            if not (read.is_object or read.is_stray(mark)):
                thoughts += answer
                answer = []
            answer.append(text[place:begins])
            thoughts.append(text[begins : mark.start])
            place = mark.end
        else:
            answer.append(text[place : mark.start])
            inside, place = "" if mark.empty else mark.name, mark.end
    (thoughts if inside else answer).append(text[place:])
    return Parted("".join(answer), "".join(thoughts), f"<{inside}>" if inside else "")


def _has_no_mark(text: str) -> bool:
    """Whether a text, as most are, has nothing that a mark needs. The expressions that find marks
    take a hundred times as long."""
    if not text.isascii() and _DISGUISED.search(text):
        return False
    small = text.lower()
    return not (
        "<" in text
        or "&" in text
        or "\\u" in small
        or "analysis" in text
        or "commentary" in text
        or "assistantfinal" in text
        or "process:" in small
        or "response:" in small
        or "process：" in small
        or "response：" in small
        # Not every list of an answer in JSON begins one.
        or ("[" in text and any(map(small.__contains__, _OF_BRACKETS)))
    )


def _plain(odd: re.Match[str]) -> str:
    """What is meant by something odd; empty: nothing that could be seen."""
    if odd["escaped"]:
        character = chr(int(odd["escaped"], 16))
    elif odd["blank"]:
        character = " " if odd["blank"] == "t" else "\n"
    else:
        character = odd["slash"] or odd["other"] or ("<" if odd["less"] else ">")
    return _UNSEEN.sub("", character.translate(_PLAIN))
