"""The scenarios of the starter catalog and the list of vignettes: enough of each kind, none alike,
and nothing in them from the published catalog."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from actors.social.catalog.starter import HERE, starter_catalog
from actors.social.catalog_items import InteractionKind, RelationshipKind
from actors.social.language.utterances import sentences
from actors.social.markup import advice, render
from actors.social.rehearsal.grammar import first_person
from actors.social.rehearsal.improvised_parts import improvised_part
from actors.social.rehearsal.improvised_tasks import bargain_part, mutual_friend_part

PUBLISHED = Path(__file__).parents[5] / "shared" / "data" / "sotopia"
SCENARIOS = starter_catalog().scenarios
VIGNETTES = tomllib.loads((HERE.parent / "sources" / "vignettes.toml").read_text(encoding="utf-8"))[
    "vignette"
]
RUN = 8
"""Words in a row that two texts may not have in common."""
MOST_ALIKE = 0.5
"""TF-IDF cosine."""
_TAG = re.compile(r"<[^>]*>")
_LISTED = re.compile(r"^ ([A-Z][a-z]+): ((?:School|Company|Major|Hobby): .*)$", re.MULTILINE)
_TARGET = re.compile(r"target price[^€]{0,30}€(\d+)")

bargains = [s for s in SCENARIOS if "bargain" in s.tags]
searches = [s for s in SCENARIOS if "mutual-friend" in s.tags]
own_texts = [
    pytest.param(
        {s.id: "\n".join((s.codename, s.context, *s.goals)) for s in SCENARIOS}, id="scenarios"
    ),
    pytest.param({one["id"]: one["text"] for one in VIGNETTES}, id="vignettes"),
]


def words(text: str) -> list[str]:
    """In lower case, without markup and punctuation."""
    return re.findall(r"[\w']+", _TAG.sub(" ", text).lower().replace("’", "'"))


def runs(text: str) -> Iterator[tuple[str, ...]]:
    said = words(text)
    return (tuple(said[at : at + RUN]) for at in range(len(said) - RUN + 1))


def texts_in(value: object) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts_in(one)


def test_there_are_ninety_and_at_least_ten_of_each_kind():
    kinds = Counter(scenario.kind for scenario in SCENARIOS)
    assert len(SCENARIOS) >= 90
    assert set(kinds) == set(InteractionKind)
    assert min(kinds.values()) >= 10


def test_every_relationship_is_asked_for_by_at_least_eight():
    asked = Counter(kind for scenario in SCENARIOS for kind in scenario.relationships)
    assert all(asked[kind] >= 8 for kind in RelationshipKind), asked


def test_a_pair_of_neither_lovers_nor_relatives_has_forty_scenarios_to_play():
    playable = [s for s in SCENARIOS if len(s.goals) == 2 and not s.needs]
    for kind in set(RelationshipKind) - {RelationshipKind.ROMANTIC, RelationshipKind.FAMILY}:
        fitting = [s for s in playable if not s.relationships or kind in s.relationships]
        assert len(fitting) >= 40, kind


@pytest.mark.parametrize("texts", own_texts)
def test_no_two_are_alike(texts: Mapping[str, str]) -> None:
    extraction = pytest.importorskip("sklearn.feature_extraction.text")
    plain = [_TAG.sub(" ", text) for text in texts.values()]
    weights = extraction.TfidfVectorizer().fit_transform(plain)
    cosines = np.triu((weights @ weights.T).toarray(), k=1)
    one, other = np.unravel_index(cosines.argmax(), cosines.shape)
    ids = list(texts)
    assert cosines.max() < MOST_ALIKE, (ids[one], ids[other])


@pytest.mark.parametrize("texts", own_texts)
def test_few_pairs_of_words_are_there_twice(texts: Mapping[str, str]) -> None:
    pairs = [pair for said in map(words, texts.values()) for pair in pairwise(said)]
    assert len(set(pairs)) / len(pairs) > 0.6


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published catalog is not beside us")
@pytest.mark.parametrize("texts", own_texts)
def test_no_run_of_eight_words_is_from_the_published_catalog(texts: Mapping[str, str]) -> None:
    published = {
        run
        for file in PUBLISHED.glob("*_profiles.jsonl")
        for line in file.read_text(encoding="utf-8").splitlines()
        for text in texts_in(json.loads(line))
        for run in runs(text)
    }
    assert published
    for id_, text in texts.items():
        assert published.isdisjoint(runs(text)), id_


def test_cooperative_scenarios_are_searches_for_a_friend_and_competitive_ones_bargains():
    assert [s for s in SCENARIOS if "cooperative" in s.tags] == searches
    assert [s for s in SCENARIOS if "competitive" in s.tags] == bargains
    assert len(searches) >= 6
    assert len(bargains) >= 7


@pytest.mark.parametrize("scenario", searches, ids=lambda scenario: scenario.id)
def test_a_search_has_exactly_one_friend_to_find_and_only_the_narrator_is_told_who(scenario):
    lists = [dict(_LISTED.findall(render(goal, seat, seat))) for seat, goal in
             enumerate(scenario.goals)]  # fmt: skip
    assert all(len(friends) >= 5 for friends in lists)
    shared = lists[0].keys() & lists[1].keys()
    assert len(shared) == 1
    [friend] = shared
    assert lists[0][friend] == lists[1][friend]
    assert friend in render(scenario.context, "everything")
    for seat, goal in enumerate(scenario.goals):
        assert friend not in render(scenario.context, seat)
        assert friend not in render(goal, 1 - seat, seat)
        part = mutual_friend_part(render(scenario.context, seat), render(goal, seat, seat))
        assert part is not None
        assert len(part.ask) == len(lists[seat])


@pytest.mark.parametrize("scenario", bargains, ids=lambda scenario: scenario.id)
def test_both_sides_of_a_bargain_have_a_target_below_the_price_that_is_asked(scenario):
    asked = re.search(r"€([\d,]+)", scenario.context)
    assert asked
    for seat, goal in enumerate(scenario.goals):
        target = _TARGET.search(goal.replace(",", ""))
        assert target
        assert 0.5 < int(target[1]) / int(asked[1].replace(",", "")) < 0.95
        part = bargain_part(render(scenario.context, seat), render(goal, seat, seat))
        assert part is not None
        assert part.price


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_a_mind_that_has_no_script_can_improvise_every_seat(scenario):
    for seat, goal in enumerate(scenario.goals):
        part = improvised_part(render(scenario.context, seat), render(goal, seat, seat))
        lines = [*part.open, *part.argue, *part.offer]
        assert lines
        assert not any(set("{}<>") & set(line) for line in lines)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_nobody_says_aloud_what_a_goal_advises(scenario):
    for seat, goal in enumerate(scenario.goals):
        counsel = advice(goal, seat, seat)
        shown = render(scenario.context, seat), render(goal, seat, seat)
        part = improvised_part(*shown, counsel)
        lines = " ".join((*part.open, *part.argue, *part.ask, *part.tell, *part.offer))
        for passage in counsel:
            for one in sentences(passage):
                assert first_person(one.strip(" .")) not in lines


def test_there_are_vignettes_of_each_kind_in_one_or_two_sentences():
    kinds = Counter(one["kind"] for one in VIGNETTES)
    assert len({one["id"] for one in VIGNETTES}) == len(VIGNETTES) >= 120
    assert set(kinds) == set(InteractionKind)
    assert min(kinds.values()) >= 15
    for one in VIGNETTES:
        assert set(one) == {"id", "kind", "text"}
        assert len(re.findall(r"[.!?]['”]?(?:\s|$)", one["text"])) in (1, 2), one["id"]
