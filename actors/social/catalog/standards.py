"""What a catalog of a benchmark is held to, beyond that it can be played: enough scenarios of each
kind, enough pairs for each, characters whom nobody takes for each other, and texts that differ."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from actors.episodes.catalogs.entries import Standard
from actors.social.catalog.diversity import distinct_2, neighbours
from actors.social.catalog.pair_table import PairTable
from actors.social.catalog.sampling import PAIRS
from actors.social.catalog_items import Catalog, InteractionKind, Scenario

PER_KIND: Final = 10
"""Scenarios of each kind of interaction."""
ALIKE: Final = 2
"""Characters with the same first name, or the same occupation."""
NEAREST: Final = 0.5
"""No text is as near to another as this, by the cosine of their words."""
DISTINCT: Final = 0.5
"""Of the pairs of neighbouring words in all texts of a kind at least this share are different
ones."""
_MANY: Final = 500
"""Characters whose pairs are counted; of more there are pairs enough."""
_COMPARED: Final = 3_000
"""Texts that are compared with each other."""
_GENDERED: Final = re.compile(
    r"\b(he|she|him|her|his|hers|himself|herself|man|woman|boy|girl|husband|wife|boyfriend|"
    r"girlfriend|gentleman|lady|mr|mrs|ms|sir|madam)\b",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"<[^>]*>")


def standards(catalog: Catalog) -> Iterator[Standard]:
    """Each of them, and how far the catalog is from it; those that have nothing to measure are
    left out."""
    if catalog.scenarios:
        yield _kinds(catalog)
        if len(catalog.characters) <= _MANY:
            yield _pairs(catalog)
        yield _neutral(catalog)
    if catalog.characters:
        yield _alike("first names", [who.first_name for who in catalog.characters])
        yield _alike("occupations", [who.occupation for who in catalog.characters])
    for kind, ids, texts in _texts(catalog):
        if len(texts) > 1:
            share = distinct_2(texts)
            yield Standard(f"distinct-2 of {kind}", f"{share:.2f}, at least {DISTINCT}",
                           share >= DISTINCT)  # fmt: skip
            if len(texts) <= _COMPARED:
                yield _nearest(kind, ids, texts)


def _kinds(catalog: Catalog) -> Standard:
    counts = Counter(scenario.kind for scenario in catalog.scenarios)
    few = [kind for kind in InteractionKind if counts[kind] < PER_KIND]
    said = [f"{counts[kind]} {kind}" for kind in InteractionKind]
    said += [f"{counts[None]} do not say"] if counts[None] else []
    value = f"{', '.join(said)}; at least {PER_KIND} of each"
    return Standard("kinds of interaction", value, not few, tuple(map(str, few)))


def _pairs(catalog: Catalog) -> Standard:
    table = PairTable(catalog)
    found = {
        scenario.id: table.pairs(table.fitting(scenario))
        for scenario in catalog.scenarios
        if len(scenario.goals) == 2
    }
    few = tuple(f"{id_} ({count})" for id_, count in found.items() if count < PAIRS)
    counted = f"{min(found.values())} to {max(found.values())}" if found else "none"
    return Standard("pairs for a scenario", f"{counted}; at least {PAIRS}", not few, few)


def _neutral(catalog: Catalog) -> Standard:
    gendered = tuple(
        f"{scenario.id} ({', '.join(words)})"
        for scenario in catalog.scenarios
        if (words := gendered_words(scenario))
    )
    value = f"{len(catalog.scenarios) - len(gendered)} of {len(catalog.scenarios)}"
    return Standard("contexts without a gender", value, not gendered, gendered)


def gendered_words(scenario: Scenario) -> tuple[str, ...]:
    """Words of a scenario's situation that give somebody a gender. Whoever is cast may have
    another; somebody else in it is better called by a name or a role."""
    found = _GENDERED.findall(_TAG.sub(" ", scenario.context))
    return tuple(dict.fromkeys(word.lower() for word in found))


def _alike(what: str, values: Sequence[str]) -> Standard:
    counts = Counter(value.strip().casefold() for value in values if value.strip())
    often = tuple(f"{value} ({n})" for value, n in counts.items() if n > ALIKE)
    value = f"{len(counts)} different ones; each at most {ALIKE} times"
    return Standard(what, value, not often, often)


def _nearest(kind: str, ids: Sequence[str], texts: Sequence[str]) -> Standard:
    found = neighbours(texts)
    near = dict.fromkeys(frozenset((one.one, one.other)) for one in found if one.cosine >= NEAREST)
    alike = tuple(
        " and ".join(ids[place] for place in sorted(two)) for two in sorted(near, key=min)
    )
    value = f"{max(found).cosine:.2f}, below {NEAREST}"
    return Standard(f"nearest two {kind}", value, not near, alike)


def _texts(catalog: Catalog) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    """The catalog's texts by what they are of, and whose they are."""
    people, ties, scenarios = catalog.characters, catalog.relationships, catalog.scenarios
    told = [tie for tie in ties if tie.story.strip()]
    yield "characters", [who.id for who in people], [
        " ".join((who.public_info, who.personality, who.secret)) for who in people
    ]  # fmt: skip
    yield "stories", [tie.id for tie in told], [_TAG.sub(" ", tie.story) for tie in told]
    yield "scenarios", [one.id for one in scenarios], [
        _TAG.sub(" ", " ".join(chain([one.context], one.goals))) for one in scenarios
    ]  # fmt: skip
