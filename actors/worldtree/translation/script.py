"""A tree as a translator works through it: its names, its passages, and the tree that comes of
their translations."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from actors.worldtree.translation.setup import Piece, PieceKind
from actors.worldtree.trees.ability_labels import is_rest
from actors.worldtree.trees.tree import (
    AbilityQuestion,
    Edge,
    Entrance,
    Language,
    Line,
    Node,
    Profile,
    Tree,
)
from events.base import replace

OTHER: Final[dict[Language, Language]] = {"zh": "en", "en": "zh"}
_COUNTS: Final = ("state", "goal", "goal achievement")
"""Roles of lines that are none: published files put in them what a line or an ending counts for."""
_LABEL: Final = re.compile(r"#(?:skill|state).*", re.DOTALL)
_OF_PROFILE: Final[tuple[PieceKind, ...]] = ("identity", "public", "private", "goal")


NO_LINE: Final = -1


class ScriptPassage(NamedTuple):
    """What is translated in one turn. The pieces' roles are those of the tree."""

    node: int | None
    """The node's id; None: title, situation and the characters that are known from the beginning.
    """
    pieces: tuple[Piece, ...]
    after: int
    """The number of the passage that it follows from; 0: none."""
    by: int
    """The place among that passage's pieces of the line that leads here; ``NO_LINE``: none does."""


class Script:
    """Made once for an episode. Two of the same digest are equal."""

    def __init__(self, tree: Tree, digest: str) -> None:
        self.tree, self.digest = tree, digest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Script) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All that somebody is called, characters' own names first."""
        return names_in(self.tree)

    @cached_property
    def characters(self) -> int:
        """How many of the names are characters' own."""
        return len(dict.fromkeys(one.name for one in _profiles(self.tree) if one.name))

    @cached_property
    def passages(self) -> tuple[ScriptPassage, ...]:
        """The frame, then nodes, each after the one that leads to it; those that no path leads to
        come last. Passages without any text are left out, but for the frame."""
        tree, by_id = self.tree, {node.id: node for node in reversed(self.tree.nodes)}
        paths = paths_of(tree)
        order = [*paths, *(node.id for node in tree.nodes if node.id not in paths)]
        found = [ScriptPassage(None, tuple(frame(tree)), 0, NO_LINE)]
        numbers: dict[int, int] = {}
        for id_ in order:
            pieces = tuple(pieces_of(by_id[id_]))
            if not pieces:
                continue
            path = paths.get(id_, ())
            parent = path[-2] if len(path) > 1 else None
            after, by = 0, NO_LINE
            if parent is not None and parent in numbers:
                after = numbers[parent]
                by = _place_of_line(by_id[parent], id_, found[after].pieces)
            numbers[id_] = len(found)
            found.append(ScriptPassage(id_, pieces, after, by))
        return tuple(found)


def _place_of_line(node: Node, to: int, pieces: Sequence[Piece]) -> int:
    """Which of a node's pieces is the line that leads to another node."""
    options = (place for place, piece in enumerate(pieces) if piece.kind == "option")
    for edge in node.edges:
        place = next(options) if _is_said(edge.line) else NO_LINE
        if edge.to == to:
            return place
    return NO_LINE


def paths_of(tree: Tree) -> dict[int, tuple[int, ...]]:
    """For each node that can be reached the ids from the root to it, nearest nodes first."""
    by_id = {node.id: node for node in tree.nodes}
    found: dict[int, tuple[int, ...]] = {0: (0,)} if 0 in by_id else {}
    to_do = list(found)
    for id_ in to_do:
        for edge in by_id[id_].edges:
            if edge.to in by_id and edge.to not in found:
                found[edge.to] = (*found[id_], edge.to)
                to_do.append(edge.to)
    return found


def names_in(tree: Tree) -> tuple[str, ...]:
    """All names in a tree, each once: characters' own, then what else they are called, then those
    of whoever else says something."""
    profiles = list(_profiles(tree))
    names = [one.name for one in profiles] + [one.alias for one in profiles]
    for node in tree.nodes:
        names += [one.role for one in node.dialogue if isinstance(one, Line) and _is_said(one)]
        for edge in node.edges:
            lines = [edge.line, *(edge.question.distractors if edge.question else ())]
            lines += [line for other in edge.other_endings for line in other]
            names += [line.role for line in lines if _is_said(line)]
    return tuple(dict.fromkeys(name for name in names if name))


def frame(tree: Tree) -> Iterator[Piece]:
    """What a tree says before its first scene."""
    yield from _pieces("", title=tree.title, scenario=tree.scenario)
    for profile in (tree.protagonist, *tree.cast):
        yield from _of(profile)


def pieces_of(node: Node) -> Iterator[Piece]:
    """All texts of a node, in its order."""
    for beat in node.dialogue:
        if isinstance(beat, Entrance):
            yield from _of(beat.profile)
        elif _is_said(beat):
            kind: PieceKind = "turn" if beat.role else "narration"
            yield Piece(kind=kind, role=beat.role, text=beat.text)
    for edge in node.edges:
        if _is_said(edge.line):
            yield Piece(kind="option", role=edge.line.role, text=edge.line.text)
        if edge.question is not None:
            yield from _pieces("", question=edge.question.text)
            for line in edge.question.distractors:
                if _is_said(line):
                    yield Piece(kind="distractor", role=line.role, text=line.text)
        for line in (line for other in edge.other_endings for line in other if _is_said(line)):
            yield Piece(kind="aside", role=line.role, text=line.text)


def translated(
    script: Script,
    to: Language,
    names: Mapping[str, str],
    passages: Mapping[int, Sequence[Line]],
) -> Tree:
    """The tree in the other language. ``names``: what each becomes; ``passages``: by number the
    translation of each passage."""
    tree = script.tree
    texts: dict[int | None, Iterator[str]] = {
        passage.node: (line.text for line in passages[number])
        for number, passage in enumerate(script.passages)
    }
    head = texts[None]
    title, scenario = _next(head, tree.title), _next(head, tree.scenario)
    protagonist = _profile(tree.protagonist, names, head)
    cast = tuple([_profile(one, names, head) for one in tree.cast])
    return replace(
        tree,
        id=id_in(tree.id, tree.language, to),
        title=title,
        language=to,
        protagonist=protagonist,
        cast=cast,
        scenario=scenario,
        nodes=tuple([_node(node, names, texts.get(node.id, iter(()))) for node in tree.nodes]),
        pair=tree.pair or tree.id,
        source="",
    )


def id_in(id_: str, language: Language, to: Language) -> str:
    """What a tree is called in the other language: ``negotiation-en-9`` becomes
    ``negotiation-zh-9``."""
    parts = id_.split("-")
    if language in parts:
        return "-".join(to if part == language else part for part in parts)
    return f"{id_}-{to}"


def _is_said(line: Line) -> bool:
    """Whether a line says anything, and not what something counts for."""
    return bool(line.text.strip()) and line.role.strip().lower() not in _COUNTS


def _profiles(tree: Tree) -> Iterator[Profile]:
    yield from (tree.protagonist, *tree.cast)
    for node in tree.nodes:
        for beat in node.dialogue:
            if isinstance(beat, Entrance):
                yield beat.profile


def _of(profile: Profile) -> Iterator[Piece]:
    for kind in _OF_PROFILE:
        if (text := getattr(profile, kind)).strip():
            yield Piece(kind=kind, role=profile.name, text=text)


def _pieces(role: str, **texts: str) -> Iterator[Piece]:
    for kind, text in texts.items():
        if text.strip():
            yield Piece(kind=kind, role=role, text=text)  # type: ignore[arg-type]


def _next(texts: Iterator[str], was: str) -> str:
    """A text's translation; what is empty stays so."""
    return next(texts) if was.strip() else was


def _profile(profile: Profile, names: Mapping[str, str], texts: Iterator[str]) -> Profile:
    found = {kind: _next(texts, getattr(profile, kind)) for kind in _OF_PROFILE}
    alias = names.get(profile.alias, profile.alias)
    name = names.get(profile.name, profile.name)
    return replace(profile, name=name, alias=alias, **found)


def _line(line: Line, names: Mapping[str, str], texts: Iterator[str]) -> Line:
    if not _is_said(line):
        return line
    return Line(role=names.get(line.role, line.role), text=next(texts))


def _node(node: Node, names: Mapping[str, str], texts: Iterator[str]) -> Node:
    dialogue = [
        Entrance(profile=_profile(beat.profile, names, texts))
        if isinstance(beat, Entrance)
        else _line(beat, names, texts)
        for beat in node.dialogue
    ]
    edges = [_edge(edge, names, texts) for edge in node.edges]
    return replace(node, dialogue=tuple(dialogue), edges=tuple(edges))


def _edge(edge: Edge, names: Mapping[str, str], texts: Iterator[str]) -> Edge:
    line = _line(edge.line, names, texts)
    question = edge.question and _question(edge.question, names, texts)
    others = [tuple([_line(one, names, texts) for one in other]) for other in edge.other_endings]
    return replace(edge, line=line, question=question, other_endings=tuple(others))


def _question(
    asked: AbilityQuestion, names: Mapping[str, str], texts: Iterator[str]
) -> AbilityQuestion:
    text = _next(texts, asked.text)
    distractors = tuple([_line(one, names, texts) for one in asked.distractors])
    pieces = _question_pieces(asked, text)
    return replace(asked, text=text, pieces=pieces, distractors=distractors)


def _question_pieces(asked: AbilityQuestion, text: str) -> tuple[str, ...]:
    """The pieces as published, with the translated question in the place of the question; markers
    and labels stay."""
    if asked.text and any(asked.text in piece for piece in asked.pieces):
        return tuple(piece.replace(asked.text, text) for piece in asked.pieces)
    if not text:
        return asked.pieces
    # It was cut in pieces, or spaced otherwise.
    first, *others = asked.pieces or ("",)
    label = _LABEL.search(first)
    kept = [one for one in others if is_rest(one) or _LABEL.match(one.lstrip()) or not one.strip()]
    return (f"#question#{text}{label[0] if label else ''}", *kept)
