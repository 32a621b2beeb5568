"""Searching a catalog by words, and finding one thing in it by id."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from rapidfuzz import fuzz, process

from events.catalog import Catalog, Character, Relationship, Scenario, Task
from store.lookup import AmbiguousId, UnknownId, nearest

ItemKind = Literal["character", "scenario", "relationship", "task"]
Item = Character | Scenario | Relationship | Task

_EXCERPT = 100
"""Characters of an excerpt."""
_LIKE_ENOUGH = 80.0
"""Of 100: a word spelt this much alike is taken for it."""


class Found(NamedTuple):
    """A thing in the catalog that has the words looked for."""

    kind: ItemKind
    id: str
    title: str
    field: str
    """Where the first of the words was found."""
    excerpt: str
    """The text around it."""
    item: Item


def search(catalog: Catalog, words: str, kind: ItemKind | None = None) -> list[Found]:
    """Everything in which each of the words occurs somewhere, whatever its case.

    Where nothing has the words as they are spelt, those whose titles are nearly spelt so.
    No words find everything. Secrets and goals are searched too: this is for the designer.
    """
    wanted = words.casefold().split()
    titles = title_of(catalog)
    items = [(name, item) for name, item in _items(catalog) if kind in (None, name)]
    found = [
        Found(name, item.id, titles[name, item.id], *hit, item)
        for name, item in items
        if (hit := _hit(item, titles[name, item.id], wanted)) is not None
    ]
    return found or _nearly(items, titles, wanted)


def title_of(catalog: Catalog) -> dict[tuple[ItemKind, str], str]:
    """What to call each thing of a catalog in a list."""
    names = {character.id: character.name for character in catalog.characters}
    scenarios = {item.id: item.codename or item.id for item in catalog.scenarios}
    titles: dict[tuple[ItemKind, str], str] = {}
    for kind, item in _items(catalog):
        match item:
            case Character():
                title = item.name
            case Scenario():
                title = scenarios[item.id]
            case Relationship():
                pair = " and ".join(names.get(id_, id_) for id_ in item.characters)
                title = f"{pair}, {item.kind.value.replace('_', ' ')}"
            case Task():
                cast = ", ".join(names.get(id_, id_) for id_ in item.characters)
                title = f"{scenarios.get(item.scenario, item.scenario)}: {cast}"
        titles[kind, item.id] = title
    return titles


def find_item(catalog: Catalog, given: str, kind: ItemKind | None = None) -> tuple[ItemKind, Item]:
    """The thing with an id, or the only one whose id begins so.

    Raises ``UnknownId``, ``AmbiguousId``.
    """
    what = kind or "catalog item"
    items = [(name, item) for name, item in _items(catalog) if kind in (None, name)]
    for match in (
        [pair for pair in items if pair[1].id == given],
        [pair for pair in items if given and pair[1].id.startswith(given)],
    ):
        if len(match) == 1:
            return match[0]
        if match:
            ids = [f"{name} {item.id}" for name, item in match]
            raise AmbiguousId(what, given, ids[:5], len(ids))
    raise UnknownId(what, given, nearest(given, [item.id for _, item in items]))


def _items(catalog: Catalog) -> Iterator[tuple[ItemKind, Item]]:
    for character in catalog.characters:
        yield "character", character
    for scenario in catalog.scenarios:
        yield "scenario", scenario
    for relationship in catalog.relationships:
        yield "relationship", relationship
    for task in catalog.tasks:
        yield "task", task


def _hit(item: Item, title: str, wanted: Sequence[str]) -> tuple[str, str] | None:
    texts = {"title": title, **_texts(item)}
    if not wanted:
        return "title", title
    folded = {field: text.casefold() for field, text in texts.items()}
    if not all(any(word in text for text in folded.values()) for word in wanted):
        return None
    field = next(field for field, text in folded.items() if wanted[0] in text)
    return field, _excerpt(texts[field], folded[field].index(wanted[0]))


def _texts(item: Item) -> dict[str, str]:
    return {name: _flat(value) for name, value in msgspec.structs.asdict(item).items() if value}


def _flat(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " · ".join(_flat(part) for part in value)
    if isinstance(value, msgspec.Struct):
        return " · ".join(f"{k} {v}" for k, v in msgspec.structs.asdict(value).items() if v)
    return str(value)


def _excerpt(text: str, at: int) -> str:
    begin = max(0, min(at - _EXCERPT // 3, len(text) - _EXCERPT))
    end = begin + _EXCERPT
    return ("…" if begin else "") + text[begin:end].strip() + ("…" if end < len(text) else "")


def _nearly(
    items: Sequence[tuple[ItemKind, Item]],
    titles: dict[tuple[ItemKind, str], str],
    wanted: Sequence[str],
) -> list[Found]:
    names = [titles[name, item.id].casefold() for name, item in items]
    likely = process.extract(
        " ".join(wanted), names, scorer=fuzz.partial_ratio, score_cutoff=_LIKE_ENOUGH, limit=10
    )
    return [
        Found(name, item.id, title, "title", title, item)
        for _, _, index in likely
        for name, item in (items[index],)
        for title in (titles[name, item.id],)
    ]
