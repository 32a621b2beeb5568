"""What trees are called: ids, languages and pairs, from files' names and from what is in them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from actors.worldtree.catalog_items import Sample
from actors.worldtree.trees.chance_level import reachable
from actors.worldtree.trees.tree import Language, Line, Node, Tree
from events.base import replace
from events.untrusted.limits import MOST_ID

K = TypeVar("K", Tree, Sample)

_PUBLISHED: Final = re.compile(r"\[\s*-?\d\s*,\s*-?\d\s*\]_(cn|zh|en)_example_(\d+)")
"""``[1,0]_en_example_9``."""
LANGUAGES: Final[dict[str, Language]] = {"cn": "zh", "zh": "zh", "en": "en"}
"""By how files call them."""
_NO_ID: Final = re.compile(r"[^A-Za-z0-9_-]+")
_CHINESE: Final = re.compile("[\u4e00-\u9fff]")
_LOOKED_AT: Final = 4_000
"""Characters by which a language is told."""


def language_of_name(name: str) -> Language | None:
    """The language that a file's name says, as ``_cn_`` or ``-en`` does."""
    for part in reversed(re.split(r"[^a-z]+", name.lower())):
        if part in LANGUAGES:
            return LANGUAGES[part]
    return None


def language_in(nodes: Sequence[Node]) -> Language:
    """The language of what is said."""
    text = ""
    for node in nodes:
        said = [beat for beat in node.dialogue if isinstance(beat, Line)]
        text += " ".join(line.text for line in (*said, *(edge.line for edge in node.edges)))
        if len(text) > _LOOKED_AT:
            break
    return language_of_text(text)


def language_of_text(text: str) -> Language:
    """The language of a text: Chinese, where a fifth of it is."""
    return "zh" if len(_CHINESE.findall(text)) * 5 > len(text) else "en"


def tree_id(own: str, name: str, orientation: str, language: Language) -> str:
    """A tree's id: its own, or from its file's name: ``negotiation-en-9``."""
    if id_ := slug(own):
        return id_
    if found := _PUBLISHED.fullmatch(name):
        return f"{orientation.lower()}-{language}-{int(found[2])}"
    return slug(name) or f"{orientation.lower()}-{language}"


def slug(text: str) -> str:
    """Letters, digits, ``_`` and ``-`` alone."""
    return _NO_ID.sub("-", text)[: MOST_ID // 2].strip("-")


def unique(items: Iterable[K]) -> list[K]:
    """Each with an id of its own: a second one of an id has a number behind it."""
    taken: dict[str, int] = {}
    found = []
    for item in items:
        id_ = item.id
        while id_ in taken:
            taken[item.id] += 1
            id_ = f"{item.id}-{taken[item.id]}"
        taken[id_] = 1
        found.append(item if id_ == item.id else replace(item, id=id_))
    return found


def shape(tree: Tree) -> tuple[object, ...]:
    """What a tree and its translation have in common: nodes and options in their order, whatever
    the ids."""
    order = {node.id: number for number, node in enumerate(reachable(tree))}
    return tuple(
        (node.kind, tuple((edge.kind, order.get(edge.to)) for edge in node.edges))
        for node in reachable(tree)
    )


def paired(trees: Sequence[Tree]) -> list[Tree]:
    """The trees, those that say the same in both languages with a ``pair`` in common.

    Published files do not pair by number. What pairs has the same orientation and shape, and no
    other of its language has both. What files say themselves holds: a translation names the tree
    that it is of.
    """
    alike: dict[tuple[str, tuple[object, ...]], list[Tree]] = defaultdict(list)
    said = {tree.pair: tree.language for tree in trees if tree.pair}
    pairs = {}
    for tree in trees:
        if tree.pair:
            continue
        if said.get(tree.id, tree.language) != tree.language:
            pairs[tree.id] = tree.id
        else:
            alike[tree.orientation, shape(tree)].append(tree)
    for group in alike.values():
        if sorted(tree.language for tree in group) == ["en", "zh"]:
            first, second = sorted(group, key=lambda tree: tree.language)
            name = common_name(first.id, second.id)
            pairs[first.id] = pairs[second.id] = name
    return [replace(tree, pair=pairs[tree.id]) if tree.id in pairs else tree for tree in trees]


def pairs_in(trees: Sequence[Tree]) -> int:
    """How many are there in both languages."""
    zh, en = ({tree.pair for tree in trees if tree.language == one} - {""} for one in ("zh", "en"))
    return len(zh & en)


def common_name(first: str, second: str) -> str:
    """What a pair is called: ``crossing`` for ``crossing-en`` and ``crossing-zh``, else both."""
    stem = re.sub(r"[-_]en$", "", first)
    return stem if stem == re.sub(r"[-_]zh$", "", second) else f"{first}+{second}"
