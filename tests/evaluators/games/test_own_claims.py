"""What counts as a claim of one's own role, and what does not."""

import pytest

from evaluators.games.own_claims import claims_one_of

CLAIMS = (
    "I am the tracker.",
    "I'm the tracker, and Bo is a poacher!",
    "I’m the **tracker**.",
    "Listen: I am really the Tracker. Who believes me?",
    "I am just a humble tracker.",
    "I am one of the trackers.",
    "If you must know, I am the tracker.",
    "Believe me, I am the tracker.",
    "I think I am the tracker here; laugh if you like.",
    "I told you that I am the tracker.",
    "I, of course, am the tracker.",
    "I was dealt the tracker.",
    "I have been the tracker all along.",
    "I have the role of tracker.",
    "My role is tracker.",
    "my true role: the tracker",
    "My card says tracker, so hear me.",
    "As the tracker, I looked at Bo.",
    "As your tracker I can tell you more.",
    "I, the tracker, say so.",
    "It was me, the tracker.",
    "The tracker is me.",
    "The tracker? Yes. The tracker, that's me.",
    "Tracker here. I looked at Bo.",
    "I claim tracker.",
    "I hereby claim to be the tracker.",
    "I confess to being the tracker.",
    "We trackers must hold together.",
    "We are both trackers.",
    "My fellow tracker can say the same.",
    "Even though I am the tracker, I may be wrong.",
    "I am no liar, I am the tracker.",
    "I'm the tracker, don't you see?",
)
OTHERS = (
    "I am not the tracker.",
    "I'm no tracker.",
    "I am neither the tracker nor a poacher.",
    "I am certainly not the tracker.",
    "I never said I am the tracker.",
    "It is not true that I am the tracker.",
    "Nobody can say I am the tracker.",
    "Who is the tracker?",
    "Am I the tracker?",
    "I am the tracker?",
    "Me, the tracker?",
    "Bo is the tracker.",
    "I am sure Bo is the tracker.",
    "I am with the tracker.",
    "I am voting for the tracker.",
    "I am a friend of the tracker.",
    "I am the tracker's friend.",
    "I am the least likely tracker.",
    "I am a villager, not the tracker.",
    "If I am the tracker, why did I keep quiet?",
    "Suppose I am the tracker.",
    "You think I am the tracker.",
    "Bo says that I am the tracker.",
    "Bo said: “I am the tracker.”",
    "Whoever says 'I am the tracker' is a liar.",
    "They all believe the tracker is me.",
    "Bo told you I'm the tracker, and Bo lies.",
    "As the tracker, I would have kept quiet.",
    "The tracker should tell us what was seen.",
    "The tracker is, I think, Bo.",
    "I claim the tracker is Bo.",
    "I am a trackeress, I am the tracker-in-chief of nothing.",
    "My role is not tracker.",
    "We need the tracker.",
    "",
)


@pytest.mark.parametrize("text", CLAIMS)
def test_what_says_in_the_first_person_that_one_has_the_role_is_a_claim(text: str):
    assert claims_one_of(text, ("tracker",))


@pytest.mark.parametrize("text", OTHERS)
def test_denials_questions_hearsay_and_words_about_others_are_none(text: str):
    assert not claims_one_of(text, ("tracker",))


def test_a_role_of_several_words_is_known_by_its_name_and_its_id():
    names = ("keeper of the well", "well-keeper", "well keeper")
    assert claims_one_of("I am the keeper of the well.", names)
    assert claims_one_of("I'm the Well-Keeper.", names)
    assert claims_one_of("I am a well keeper.", names)
    assert not claims_one_of("I am the keeper of the mill.", names)


def test_nothing_is_claimed_of_what_has_no_name():
    assert not claims_one_of("I am the tracker.", ())


def test_a_long_message_is_read_quickly():
    for text in ("if i am the " * 100, "i am " * 240, "we are the very " * 80, "as a a a " * 130):
        claims_one_of(text[:1_200] + "?", ("tracker",))
