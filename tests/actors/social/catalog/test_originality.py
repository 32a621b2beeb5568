"""The starter catalog has nothing word for word from the published one."""

import re
from collections.abc import Iterator

from actors.social.catalog.starter import starter_catalog
from actors.social.catalog_items import Catalog
from actors.social.formats.catalog_reader import read_published
from tests.properties.published import SOTOPIA, needs_sotopia

pytestmark = needs_sotopia
RUN = 8
"""Words in a row."""


def texts(catalog: Catalog) -> Iterator[str]:
    """All that is told in a catalog."""
    for who in catalog.characters:
        yield from (who.public_info, who.personality, who.secret, who.decision_style)
    for tie in catalog.relationships:
        yield tie.story
    for scenario in catalog.scenarios:
        yield from (scenario.codename, scenario.context, *scenario.goals)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", re.sub(r"<[^>]*>", " ", text).lower())


def sentences(catalog: Catalog) -> set[tuple[str, ...]]:
    """Those of more than two words."""
    parts = (part for text in texts(catalog) for part in re.split(r"[.!?]\s+|<[^>]*>", text))
    return {tuple(found) for part in parts if len(found := words(part)) > 2}


def runs(catalog: Catalog) -> set[tuple[str, ...]]:
    found = (words(text) for text in texts(catalog))
    return {tuple(row[at : at + RUN]) for row in found for at in range(len(row) - RUN + 1)}


def test_no_sentence_and_no_eight_words_in_a_row_are_shared_with_the_published_catalog() -> None:
    own, published = starter_catalog(), read_published(SOTOPIA)
    assert len(sentences(published)) > 500
    assert len(runs(published)) > 5_000
    assert sentences(own) & sentences(published) == set()
    assert runs(own) & runs(published) == set()
