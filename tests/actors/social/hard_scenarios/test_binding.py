"""What a sentence binds the two to, held to sentences with labels: ``sentences.toml``."""

import tomllib
from pathlib import Path

import pytest

from actors.social.language.commitments import bond

LABELLED = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))
NONE = LABELLED.pop("none")
HALVES = {"by which the rules were made": 0, "held out": 1}


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
def test_what_binds_is_told_from_what_does_not(half):
    binding = [(kind, text) for kind, texts in LABELLED.items() for text in texts[half::2]]
    idle = [text for texts in NONE.values() for text in texts[half::2]]
    assert len(binding) + len(idle) >= 110
    found = [kind for kind, text in binding if bond(text) is not None]
    wrong = [text for text in idle if bond(text) is not None]
    assert len(found) / (len(found) + len(wrong)) >= 0.95, wrong
    assert len(found) / len(binding) >= 0.8
    assert sum(bond(text) == kind for kind, text in binding) >= 0.95 * len(found)


@pytest.mark.parametrize("kind", NONE)
def test_every_sort_of_idle_talk_is_mostly_left_alone(kind):
    assert sum(bond(text) is None for text in NONE[kind]) >= 0.9 * len(NONE[kind])


def test_a_sentence_is_read_the_same_with_any_apostrophe_and_in_any_case():
    assert bond("I’ll fetch you from the station.") == "promise"
    assert bond("I'LL FETCH YOU FROM THE STATION.") == "promise"
