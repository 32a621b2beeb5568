"""What things of a catalog have to do with each other, by the names of their fields: one that is
called as a kind is (``scenario``, ``characters``) holds ids of that kind."""

from collections.abc import Mapping, Sequence

import msgspec

from actors.episodes.catalogs.entries import CatalogEntry

Key = tuple[str, str]
"""A thing's kind and id."""


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """A thing that is between two others, such as a relationship."""

    entry: Key
    title: str
    ends: tuple[str, str]
    """Ids of the others."""


class Graph(msgspec.Struct, frozen=True, kw_only=True):
    """Things of one kind, and what is between two of them each."""

    kind: str
    """Of the things."""
    between: str
    """The kind of what is between them."""
    names: Mapping[str, str]
    """Titles by id; of those alone that something joins to another."""
    edges: tuple[Edge, ...]


def references(entry: CatalogEntry, known: Mapping[Key, CatalogEntry]) -> list[Key]:
    """What a thing names, each once."""
    kinds = {kind for kind, _ in known}
    found: dict[Key, None] = {}
    for field, value in _fields(entry.item).items():
        kind = field if field in kinds else field.removesuffix("s")
        if kind not in kinds:
            continue
        ids = (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()
        found |= {(kind, one): None for one in ids if isinstance(one, str) and (kind, one) in known}
    return [key for key in found if key != (entry.kind, entry.id)]


def graphs(entries: Sequence[CatalogEntry]) -> list[Graph]:
    """Every kind whose things are between two of another kind, and nothing else."""
    known = {(entry.kind, entry.id): entry for entry in entries}
    by_kind: dict[str, list[CatalogEntry]] = {}
    for entry in entries:
        by_kind.setdefault(entry.kind, []).append(entry)
    found = []
    for between, things in by_kind.items():
        ends = [(entry, references(entry, known)) for entry in things]
        of = {kind for _, keys in ends for kind, _ in keys}
        if len(of) != 1 or of == {between} or any(len(keys) != 2 for _, keys in ends):
            continue
        (kind,) = of
        edges = tuple(
            Edge(
                entry=(entry.kind, entry.id),
                title=entry.glance or entry.title,
                ends=(keys[0][1], keys[1][1]),
            )
            for entry, keys in ends
        )
        joined = dict.fromkeys(end for edge in edges for end in edge.ends)
        names = {id_: known[kind, id_].title for id_ in joined}
        found.append(Graph(kind=kind, between=between, names=names, edges=edges))
    return found


def _fields(item: object) -> dict[str, object]:
    return msgspec.structs.asdict(item) if isinstance(item, msgspec.Struct) else {}
