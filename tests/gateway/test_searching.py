"""Searching a catalog by words, and finding one thing in it by id."""

import pytest

from actors.social.catalog_items import Character
from actors.social.environment import SOCIAL
from events.base import replace
from gateway.services.catalogs.search_catalog import find_entry, search
from store.id_lookup import AmbiguousId, UnknownId
from tests.store.histories import BEN, CATALOG

ENTRIES = SOCIAL.authoring.entries(CATALOG)


def found(words: str) -> list[tuple[str, str, str]]:
    return [(hit.entry.kind, hit.entry.id, hit.field) for hit in search(ENTRIES, words)]


def test_a_search_finds_all_words_whatever_their_case_and_place():
    assert found("BEEKEEPER moor") == [("character", "ada", "occupation")]
    assert found("owes ada") == [("character", "ben", "secret")]
    assert found("share stall") == [("scenario", "stall", "context")]
    assert found("beekeeper baker") == []


def test_a_search_knows_relationships_and_tasks_by_whom_they_are_about():
    assert ("relationship", "ada-ben", "title") in found("okoye")
    assert ("task", "stall-1", "title") in found("market okoye")


def test_a_search_without_words_lists_everything():
    assert [(kind, id_) for kind, id_, _ in found("")] == [
        ("character", "ada"),
        ("character", "ben"),
        ("scenario", "stall"),
        ("relationship", "ada-ben"),
        ("task", "stall-1"),
    ]


def test_a_name_nearly_spelt_right_is_found():
    assert ("character", "ben", "title") in found("okoie")


def test_an_excerpt_shows_the_word_in_its_surroundings():
    wordy = Character(
        id="c", first_name="C", age=1, public_info="x " * 200 + "needle " + "y " * 200
    )
    (hit,) = search(SOCIAL.authoring.entries(replace(CATALOG, characters=(wordy,))), "needle")
    assert "needle" in hit.excerpt
    assert hit.excerpt.startswith("…")
    assert hit.excerpt.endswith("…")
    assert len(hit.excerpt) <= 102


def test_a_thing_in_a_catalog_is_found_by_the_beginning_of_its_id():
    assert find_entry(ENTRIES, "be").item == BEN
    assert find_entry(ENTRIES, "stall").kind == "scenario"
    with pytest.raises(AmbiguousId, match="character ada or relationship ada-ben"):
        find_entry(ENTRIES, "ad")
    with pytest.raises(UnknownId, match="no catalog item 'bem'; did you mean ben"):
        find_entry(ENTRIES, "bem")
