"""The texts that the model reads: a question and its right line, for each sample that counts for
one ability alone."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from actors.worldtree.catalog_items import Sample
from actors.worldtree.trees.abilities import ASPECT_OF
from actors.worldtree.trees.tree import Language
from evaluators.worldtree.internals.errors import NothingToRead
from events.ids import digest_of


class Text(msgspec.Struct, frozen=True):
    """What is read of a sample."""

    sample: str
    language: Language
    ability: str
    text: str
    """The question, a line break, and the right line without who says it. Nothing of what happened
    before, no other option, no template of a chat."""

    @property
    def aspect(self) -> str:
        return ASPECT_OF[self.ability]


class Material(NamedTuple):
    """What is read, and what is not."""

    texts: tuple[Text, ...]
    """In the order of their ids."""
    several: int
    """Samples that count for several abilities, or for none: left out."""

    @property
    def digest(self) -> str:
        """A fingerprint of all that is read."""
        return digest_of(msgspec.json.encode(self.texts))


def material_of(samples: Iterable[Sample], language: Language | None = None) -> Material:
    """The texts of the samples of a language, or of all. Raises ``NothingToRead``."""
    found = [one for one in samples if language in (None, one.language)]
    single = [one for one in found if len(set(one.abilities)) == 1]
    if not single:
        why = "there is none in that language" if language else "the catalog has none"
        if found:
            why = "each counts for several abilities or for none, and one is what it has to be"
        raise NothingToRead(len(found), why)
    texts = (
        Text(one.id, one.language, one.abilities[0], f"{one.question}\n{one.right.text}")
        for one in single
    )
    ordered = tuple(sorted(texts, key=lambda text: text.sample))
    return Material(ordered, len(found) - len(single))
