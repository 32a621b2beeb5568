"""The markup inside scenarios, goals and stories: who may read which passage.

``<extra_info>``, ``<strategy_hint>`` and ``<clarification_hint>`` hold what belongs to the owner of
the text alone; ``<p viewer="environment">`` what is for narrator and judge, and
``<p viewer="agent_0">`` what is for the first seat. Passages nest. Everything else, ``<`` and ``&``
included, is text and stays as it stands.
"""

import functools
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Literal

import msgspec

from events.untrusted.safe_text import shortened

ADVICE = ("strategy_hint", "clarification_hint")
"""How to go about it: nothing that is the case."""
HINTS = ("extra_info", *ADVICE)
PASSAGE = "p"

Reader = int | Literal["everything", "public"]
"""A seat, somebody who may read everything, or somebody who may read nothing private."""

_VIEWER = re.compile(r"environment|agent_(\d+)")
_UNFINISHED = re.compile(r"</?[A-Za-z][^>]*\Z")


class BadMarkup(ValueError):
    """A text whose markup cannot be read; ``line`` and ``column`` count from 1."""

    def __init__(self, why: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {shortened(why, 1_000)}")
        self.why, self.line, self.column = why, line, column


class Passage(msgspec.Struct, frozen=True):
    """Part of a text: plain words and passages inside it."""

    tag: str
    """One of ``HINTS``, ``p``, or empty for the whole text."""
    viewer: str = ""
    """For ``p``: ``environment`` or ``agent_<seat>``."""
    parts: "tuple[str | Passage, ...]" = ()


# Kept, because each text of an episode is read once for every viewer and for every judge.
@functools.lru_cache(maxsize=4096)
def parse(text: str) -> Passage:
    """The tree of passages of a text. Raises ``BadMarkup``."""
    if "<" not in text:
        return Passage("", parts=(text,) if text else ())
    reader = _TreeReader(text)
    reader.feed(text)
    reader.close()
    return reader.whole()


def render(text: str, reader: Reader, owner: int | None = None) -> str:
    """The text as ``reader`` may read it. Raises ``BadMarkup``.

    ``owner`` is the seat the text belongs to, as a goal does to its seat; hints in a text that
    belongs to nobody are for those who may read everything. Brackets and spaces that held nothing
    but a passage taken out go with it.
    """
    return _render(parse(text), lambda passage: _may_read(passage, reader, owner)).strip()


def advice(text: str, reader: Reader, owner: int | None = None) -> tuple[str, ...]:
    """The passages of ``render``'s text that are advice, each as it stands there. Raises
    ``BadMarkup``."""
    found = _advice_in(parse(text), lambda passage: _may_read(passage, reader, owner))
    return tuple(filter(str.strip, found))


def _advice_in(passage: Passage, readable: Callable[[Passage], bool]) -> Iterator[str]:
    for part in passage.parts:
        if isinstance(part, str) or not readable(part):
            continue
        if part.tag in ADVICE:
            yield _render(part, readable)
        else:
            yield from _advice_in(part, readable)


def _may_read(passage: Passage, reader: Reader, owner: int | None) -> bool:
    if reader == "everything":
        return True
    if reader == "public":
        return False
    if passage.tag in HINTS:
        return reader == owner
    return passage.viewer == f"agent_{reader}"


def _render(passage: Passage, readable: Callable[[Passage], bool]) -> str:
    text = ""
    hole = False
    for part in passage.parts:
        if isinstance(part, str):
            text = _close_up(text, part) if hole else text + part
            hole = False
        elif readable(part):
            text += _render(part, readable)
            hole = False
        else:
            hole = True
    return text.rstrip() if hole else text


def _close_up(before: str, after: str) -> str:
    """Joins the text around a passage that was taken out."""
    left, right = before.rstrip(), after.lstrip()
    if left.endswith("(") and right.startswith(")"):
        left, right = left[:-1].rstrip(), right[1:]
        return left + right if not right or right[0] in ".,;:!? \n" else f"{left} {right}"
    if before[-1:].isspace() and (not right or after[:1].isspace()):
        return before.rstrip(" ") + (after if right else "")
    return before + after


class _TreeReader(HTMLParser):
    """Builds the tree. Text is cut from the source, so that nothing in it is changed."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=False)
        self._source = source
        self._lines = [0]
        for newline in re.finditer("\n", source):
            self._lines.append(newline.end())
        self._done = 0
        self._open: list[tuple[str, str, list[str | Passage], tuple[int, int]]] = [
            ("", "", [], (1, 0))
        ]

    def whole(self) -> Passage:
        """The tree, once everything was fed."""
        rest = self._source[self._done :]
        unfinished = _UNFINISHED.search(rest)
        if unfinished:
            raise self._fault_at("this tag is not finished", self._done + unfinished.start())
        self._add_text(len(self._source))
        tag, _, parts, where = self._open[-1]
        if tag:
            raise BadMarkup(f"<{tag}> is never closed", where[0], where[1] + 1)
        return Passage("", parts=tuple(parts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in HINTS and tag != PASSAGE:
            known = ", ".join(f"<{name}>" for name in (*HINTS, PASSAGE))
            raise self._fault(f"<{tag}> is unknown; known are {known}")
        viewer = ""
        if tag == PASSAGE:
            viewer = dict(attrs).get("viewer") or ""
            if not _VIEWER.fullmatch(viewer):
                raise self._fault(
                    f'<p> needs viewer="environment" or viewer="agent_<seat>", not {viewer!r}'
                )
        elif attrs:
            raise self._fault(f"<{tag}> has no attributes")
        self._cut(len(self.get_starttag_text() or ""))
        self._open.append((tag, viewer, [], self.getpos()))

    def handle_startendtag(
        self,
        tag: str,
        attrs: list[tuple[str, str | None]],
    ) -> None:
        raise self._fault(f"<{tag}/> holds nothing; write <{tag}>…</{tag}>")

    def handle_endtag(self, tag: str) -> None:
        opened, viewer, parts, where = self._open[-1]
        if tag != opened:
            expected = f"</{opened}> of line {where[0]} is due" if opened else "nothing is open"
            raise self._fault(f"</{tag}> closes nothing: {expected}")
        end = self._source.index(">", self._offset()) + 1
        self._cut(end - self._offset())
        self._open.pop()
        self._open[-1][2].append(Passage(tag, viewer, tuple(parts)))

    def handle_comment(self, data: str) -> None:
        raise self._fault("comments and declarations have no place here")

    def handle_decl(self, decl: str) -> None:
        self.handle_comment(decl)

    def handle_pi(self, data: str) -> None:
        self.handle_comment(data)

    def unknown_decl(self, data: str) -> None:
        self.handle_comment(data)

    def _offset(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def _add_text(self, end: int) -> None:
        if end > self._done:
            self._open[-1][2].append(self._source[self._done : end])
        self._done = end

    def _cut(self, length: int) -> None:
        start = self._offset()
        self._add_text(start)
        self._done = start + length

    def _fault(self, why: str) -> BadMarkup:
        line, column = self.getpos()
        return BadMarkup(why, line, column + 1)

    def _fault_at(self, why: str, offset: int) -> BadMarkup:
        line = self._source.count("\n", 0, offset) + 1
        return BadMarkup(why, line, offset - self._lines[line - 1] + 1)
