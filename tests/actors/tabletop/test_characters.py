"""Characters drawn at random: their descriptions, whatever lists they are drawn from."""

import pytest

from actors.tabletop.characters import (
    CharacterBackground,
    Class,
    Lists,
    Race,
    draw_character,
    own_lists,
    words_of,
)
from actors.tabletop.formats.srd import read_lists
from tests.properties.published import DATA

SRD = DATA / "srd"
SEEDS = range(8)


def counts(lists: Lists) -> set[int]:
    return {
        words_of(draw_character(lists, number, seed).description)
        for seed in SEEDS
        for number in range(1, 151)
    }


def lists_with(text: str) -> Lists:
    past = CharacterBackground(
        name="Clerk", traits=(text, f"{text}!"), ideals=(text,), bonds=(text,), flaws=(text,)
    )
    return Lists(
        races=(Race(name="Elf"),),
        classes=(Class(name="Bard", choose=1, skills=("Arcana",)),),
        backgrounds=(past,),
        alignments=("neutral",),
        languages=("Common", "Orc"),
        first_names=("Ada",),
        last_names=("Orr",),
    )


def test_descriptions_of_our_lists_have_80_to_150_words() -> None:
    assert counts(own_lists()) <= set(range(80, 151))


@pytest.mark.parametrize("words", [1, 5, 40])
def test_so_have_those_of_lists_with_short_or_long_sentences(words: int) -> None:
    assert counts(lists_with(" ".join(words * ["so"]))) <= set(range(80, 151))


@pytest.mark.published
@pytest.mark.skipif(not SRD.exists(), reason=f"the SRD's lists are not in {SRD}")
def test_so_have_those_of_the_srd() -> None:
    assert counts(read_lists(SRD)) <= set(range(80, 151))
