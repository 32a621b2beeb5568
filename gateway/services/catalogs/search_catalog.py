"""Searching a catalog by words, and finding one thing in it by id."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from rapidfuzz import fuzz, process

from actors.episodes.catalogs.entries import CatalogEntry, flat
from store.id_lookup import AmbiguousId, UnknownId, nearest

_EXCERPT: Final = 100
"""Characters of an excerpt."""
_LIKE_ENOUGH: Final = 80.0
"""Of 100: a word spelt this much alike is taken for it."""


class Found(NamedTuple):
    """A thing in the catalog that has the words looked for."""

    entry: CatalogEntry
    field: str
    """Where the first of the words was found."""
    excerpt: str
    """The text around it."""


def search(entries: Sequence[CatalogEntry], words: str) -> list[Found]:
    """Everything in which each of the words occurs somewhere, whatever its case.

    Where nothing has the words as they are spelt, those whose titles are nearly spelt so.
    No words find everything. Secrets and goals are searched too: this is for the designer.
    """
    wanted = words.casefold().split()
    hits = ((entry, _hit(entry, wanted)) for entry in entries)
    return [Found(entry, *hit) for entry, hit in hits if hit] or _nearly(entries, wanted)


def find_entry(entries: Sequence[CatalogEntry], given: str) -> CatalogEntry:
    """The thing with an id, or the only one whose id begins so.

    Raises ``UnknownId``, ``AmbiguousId``.
    """
    for match in (
        [entry for entry in entries if entry.id == given],
        [entry for entry in entries if given and entry.id.startswith(given)],
    ):
        if len(match) == 1:
            return match[0]
        if match:
            ids = [f"{entry.kind} {entry.id}" for entry in match]
            raise AmbiguousId("catalog item", given, ids[:5], len(ids))
    raise UnknownId("catalog item", given, nearest(given, [entry.id for entry in entries]))


def _hit(entry: CatalogEntry, wanted: Sequence[str]) -> tuple[str, str] | None:
    if not wanted:
        return "title", entry.title
    fields = msgspec.structs.asdict(entry.item).items()
    texts = {"title": entry.title, **{name: flat(value) for name, value in fields if value}}
    folded = {field: text.casefold() for field, text in texts.items()}
    if not all(any(word in text for text in folded.values()) for word in wanted):
        return None
    field = next(field for field, text in folded.items() if wanted[0] in text)
    return field, _excerpt(texts[field], folded[field].index(wanted[0]))


def _excerpt(text: str, at: int) -> str:
    begin = max(0, min(at - _EXCERPT // 3, len(text) - _EXCERPT))
    end = begin + _EXCERPT
    return ("…" if begin else "") + text[begin:end].strip() + ("…" if end < len(text) else "")


def _nearly(entries: Sequence[CatalogEntry], wanted: Sequence[str]) -> list[Found]:
    likely = process.extract(
        " ".join(wanted),
        [entry.title.casefold() for entry in entries],
        scorer=fuzz.partial_ratio,
        score_cutoff=_LIKE_ENOUGH,
        limit=10,
    )
    return [Found(entries[index], "title", entries[index].title) for _, _, index in likely]
