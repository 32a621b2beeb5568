"""Facts found by rules: of what kind, by which keys, and what is left alone."""

import pytest

from actors.social.catalog.needed_facts import first_key, says
from actors.social.hard_scenarios.rule_finder import LEAST_ASKED, RuleFinder, find_by_rule
from actors.social.language.utterances import content_stems
from tests.actors.social.hard_scenarios.chains import past_of, rehearsed
from tests.actors.social.meetings import TEACHING
from tests.support.builders import act

FILLER = [(0, "It has been raining all morning here.")]


def facts(*said: str):
    return find_by_rule(past_of([(0, text) for text in said], FILLER)).facts


def only(text: str):
    (found,) = facts(text)
    return found


@pytest.mark.parametrize(
    ("text", "kind", "keys"),
    [
        ("What I mean is: I could give you 1,250 dollars for the oven.", "offer",
         (("1,250", "1250"),)),
        ("I'll bring the ladder round on my bicycle.", "promise",
         (("ladder", "ladders"), ("bicycle", "bicycles"))),
        ("I can't stand coriander in a lentil soup.", "preference",
         (("coriander", "corianders"), ("lentil", "lentils"))),
        ("We'll meet at the pier by the sign of Aurelio, you and I.", "promise",
         (("aurelio", "aurelio's"),)),
        ("You can have the room until the last ferry at 21:30.", "offer", (("21:30",),)),
    ],
)  # fmt: skip
def test_what_binds_the_two_is_found_and_known_by_a_figure_a_name_or_its_rarest_words(
    text, kind, keys
):
    found = only(text)
    assert (found.kind, found.keys, found.quote) == (kind, keys, text)
    assert (found.seat, found.index, found.episode, found.scenario) == (0, 0, "e0", "s0")
    assert found.number == 2


def test_a_secret_that_was_told_is_found_as_one():
    found = only("I stole the oven from my cousin, behind the old bakery in Leiden.")
    assert found.kind == "secret"
    assert found.keys == (("leiden", "leiden's"),)


def test_an_offer_put_as_a_question_binds_once_somebody_else_says_yes_to_it():
    asked = (0, "What if I wrote to the ferryman at Sill by 21:30?")
    assert find_by_rule(past_of([asked, (1, "Perhaps.")], FILLER)).facts == ()
    assert find_by_rule(past_of([asked, (0, "Agreed, says my other half.")], FILLER)).facts == ()
    (found,) = find_by_rule(past_of([asked, (1, "Yes, agreed.")], FILLER)).facts
    assert (found.kind, found.seat, found.quote) == ("offer", 0, asked[1])


def test_what_follows_the_words_that_confide_it_is_a_secret():
    found = only("I've told no one this before. The ferryman at Sill can't swim a yard.")
    assert (found.kind, found.keys) == ("secret", (("sill", "sill's"),))


@pytest.mark.parametrize(
    "text",
    [
        "Would you give me 40 dollars for the oven?",
        "I could give you something for it.",
        "Yes.",
        "40 dollars.",
        "You told me: “I'll bring the ladder round on my bicycle.”",
        "It has been raining all morning here.",
        "Ada and Ben will be sitting here.",
        "My sister used to live with Aurelio above the bakery.",
        "The last ferry from the pier goes at 21:30 every night.",
        "I'll bring the ladder. " + "And so on and so on, " * 20 + "with the bicycle.",
    ],
    ids=[
        "question",
        "vague",
        "short",
        "nothing to ask",
        "quotation",
        "nothing",
        "the cast",
        "a name",
        "a figure",
        "long",
    ],
)
def test_questions_quotations_and_what_says_nothing_in_particular_are_left_alone(text):
    assert all(fact.quote != text for fact in facts(text))


def test_deeds_and_whispers_are_no_facts():
    moves = [(0, act("physical", "I'll bring the ladder round on my bicycle."))]
    assert find_by_rule(past_of(moves)).facts == ()


def test_what_differs_in_nothing_but_its_keys_cannot_be_asked_for():
    many = [(0, "I could give you 40 dollars for the oven.")]
    more = [(1, "I could give you 60 dollars for the oven.")]
    assert find_by_rule(past_of(many, more)).facts == ()


def test_what_is_said_again_stands_for_the_last_time():
    said = [(0, "I could give you 40 dollars for the oven.")]
    (found,) = find_by_rule(past_of(said, FILLER, said)).facts
    assert found.index == 2


async def test_every_fact_of_a_rehearsed_chain_was_said_and_can_be_asked_for():
    past = rehearsed([*TEACHING, "hive_price", "one_van", "corner_stall", "quiz_ham"])
    findings = await RuleFinder().find(past)
    found = findings.facts
    assert len(found) + sum(one.count for one in findings.passed_over) == findings.looked_at
    assert len(found) >= 5
    assert len({fact.kind for fact in found}) >= 2
    by_id = {episode.id: episode for episode in past.episodes}
    for fact in found:
        (line,) = [one for one in by_id[fact.episode].said if one.number == fact.number]
        assert fact.quote in line.text
        assert line.seat == fact.seat
        assert says(fact.quote, fact.keys)
        assert first_key(fact.gapped, fact.keys) is None
        assert len(content_stems(fact.gapped)) >= LEAST_ASKED
    assert len({fact.id for fact in found}) == len(found)
    assert findings == find_by_rule(rehearsed(past.begun.scenarios))
