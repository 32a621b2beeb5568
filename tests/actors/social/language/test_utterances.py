"""Reading: what an utterance does, by its words."""

import pytest

from actors.social.language.utterances import amounts_in, leak, leaks, read
from actors.social.rehearsal.grammar import confession, first_person, spoken_to
from actors.social.rehearsal.improvised_parts import wants_of


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("How about €40 for the lot?", "offer question"),
        ("I could do 35, if you carry it.", "offer"),
        ("All right, it's a deal. I'll see to it tomorrow.", "agreement promise"),
        ("Deal?", "question"),
        ("Is it a deal? Yes: agreed.", "agreement question"),
        ("No deal.", "refusal"),
        ("I can't accept that.", "refusal"),
        ("I don't agree with any of it.", ""),
        ("We had a great deal of rain.", ""),
        ("I suppose you are right.", ""),
        ("You're such a liar.", "insult"),
        ("I was a coward about it.", ""),
        ("That is a silly idea.", ""),
        ("I'm sorry. Thank you for waiting. Goodbye.", "apology thanks goodbye"),
        ("I've never told anyone, but I sold the boat.", "confides"),
        ("Fine, I'd settle for half.", "offer concession"),
        ("", ""),
    ],
)
def test_an_utterance_does_what_its_words_say(text, does):
    reading = read(text)
    found = {
        field
        for field in reading.__struct_fields__
        if field not in ("words", "terms", "amounts") and getattr(reading, field)
    }
    assert found == set(does.split())


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("€1,250.50 or 40", (1250.5, 40.0)),
        ("at 3:30, not 4:15", (3.5, 4.25)),
        ("version 2b of the 1990s", ()),
        ("none at all", ()),
    ],
)
def test_numbers_are_found_with_times_in_hours(text, amounts):
    assert amounts_in(text) == amounts


def test_an_offer_s_terms_begin_where_the_offer_does():
    reading = read("Saturdays are dear to me. What if you had the mornings?")
    assert "mornings" in reading.terms
    assert "saturdays" not in reading.terms
    assert "saturdays" in reading.words


SECRET = "She faked her diploma from the agricultural college and runs the dairy's laboratory."


def test_a_secret_is_out_when_its_content_is_said_in_any_form():
    assert leaks("The diploma is fake, I never went to that college.", SECRET)
    assert not leaks("I work in the dairy.", SECRET)
    assert not leaks("College was a long time ago.", SECRET)


def test_what_everybody_knows_gives_no_secret_away():
    said = "I run the laboratory of the dairy."
    assert leak(said, SECRET) > 0
    assert leak(said, SECRET, public="Runs the laboratory at a dairy.") == 0
    assert leak(said, "") == 0
    assert not leaks(said, "")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("you need your sleep and it costs you money", "I need my sleep and it costs me money"),
        ("You're late, aren't you", "I'm late, aren't I"),
        ("they gave you a week for yourself", "they gave me a week for myself"),
    ],
)
def test_what_is_said_about_you_becomes_what_i_say(told, said):
    assert first_person(told) == said


def test_the_other_is_spoken_to_and_not_about():
    assert spoken_to("help your friend with your friend's debts") == "help you with your debts"
    assert spoken_to("sell your bicycle to your friend") == "sell my bicycle to you"


@pytest.mark.parametrize(
    ("secret", "told"),
    [
        ("Secretly funds a rival team", "I secretly fund a rival team."),
        ("He has never learned to read.", "I have never learned to read."),
        ("She's hiding her brother", "I'm hiding my brother."),
        ("Once stole his neighbour's goat", "I once stole my neighbour's goat."),
        ("In debt to her landlord", "I'm in debt to my landlord."),
        ("A long story. It has two sentences.", ""),
    ],
)
def test_a_short_secret_can_be_told_in_the_first_person(secret, told):
    said = confession(secret)
    assert said.replace("I am ", "I'm ") == told


@pytest.mark.parametrize(
    ("goal", "request_", "wish", "facts"),
    [
        ("Convince your friend to lend you the car (Extra information: you have to be in court "
         "by nine. Hint: offer petrol.)", "lend me the car", "",
         ("I have to be in court by nine.",)),
        ("Keep the window open but also stay polite", "", "keep the window open", ()),
        ("You want to go home early without hurting the other person", "", "go home early", ()),
        ("Something nobody could parse", "", "", ()),
        ("", "", "", ()),
    ],
)  # fmt: skip
def test_a_goal_comes_down_to_a_request_or_a_wish_and_some_facts(goal, request_, wish, facts):
    assert wants_of(goal) == (request_, wish, facts)
