"""How models' and people's answers are read: verbs, names, numbers and words."""

import json

import pytest

from actors.games.answers import act_schema, number_in, seat_named
from actors.games.prompt_writer import PROMPTS, GamePeople
from actors.games.ruleset import PASS
from actors.games.setup import ActOption, Decide, GameAct, NumberRange
from actors.games.sight import SIGHT, GameView
from actors.models.errors import Unreadable
from events.base import replace
from tests.actors.games.play import started
from tests.actors.games.test_minds import hunt
from tests.support.schema_values import faults

NOTHING = ActOption(verb=PASS, text="do nothing")
VOTE = ActOption(verb="vote", text="vote for somebody", targets=(1, 2, 4))
SAY = ActOption(verb="say", text="say something", says=True, direct=(1, 2))
OFFER = ActOption(
    verb="offer", text="offer", numbers=(
        NumberRange(id="apples", text="crates", low=1, high=8),
        NumberRange(id="honey", text="jars", low=0, high=1_000),
    ),
)  # fmt: skip
PRICE = ActOption(
    verb="ask", text="ask", numbers=(NumberRange(id="price", text="coins", low=1, high=30),)
)
NAME = ActOption(verb="name", text="name the word", words=("ice cream", "jelly"))
TELL = ActOption(verb="tell", text="tell somebody something", says=True, targets=(1, 2))


def view() -> GameView:
    begun = started(hunt(1))
    found = SIGHT.background("e", begun, 0, "")
    assert isinstance(found, GameView)
    return found


VIEW = view()
FULL = [one.name for one in VIEW.setup.players]
FIRST = [name.split()[0] for name in FULL]


def asked(*options: ActOption) -> Decide:
    return Decide(phase="p", title="The phase", options=options)


def read(text: object, *options: ActOption) -> GameAct:
    raw = text if isinstance(text, str) else json.dumps(text)
    found = PROMPTS.read(asked(*options), VIEW, raw, "test")
    assert isinstance(found, GameAct)
    return found


def test_a_player_who_is_called_by_a_number_is_meant_by_it():
    players = [
        replace(one, name=name) for one, name in zip(VIEW.setup.players, "34256", strict=False)
    ]
    numbered = replace(VIEW, setup=replace(VIEW.setup, players=tuple(players)))
    found = [seat_named(numbered, text, (1, 2, 3)) for text in ("2", "3", "1", "6", "7")]
    assert found == [2, 0, 0, 4, None]


@pytest.mark.parametrize(
    "given",
    [
        {"verb": "vote", "target": FULL[2]},
        {"verb": "VOTE", "target": FIRST[2].upper()},
        {"answer": {"verb": "vote", "target": FULL[2]}},
        {"action": "vote", "whom": FULL[2], "say": "Out with them!"},
        {"action": f"vote {FULL[2]}"},
        {"action": f"Vote {FIRST[2]}"},
        {"verb": "vote", "target": "3"},
        {"verb": "vote", "target": 3},
        f'I thought.\n```json\n{{"verb": "vote", "target": "{FULL[2]}"}}\n```',
    ],
)
def test_a_vote_is_read_in_each_of_these_forms(given: object):
    assert read(given, VOTE, NOTHING) == GameAct(verb="vote", target=2)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (f"I vote for {FULL[2]}.", "it held no JSON object"),
        ({"verb": f"vote for {FULL[2]}"}, "is vote alone"),
        ({"verb": f"vote {FULL[2]} or {FULL[1]}"}, "is vote alone"),
        ({"verb": "vote", "say": FULL[2]}, "vote needs a name, in the field \"target\""),
        ({"verb": "vote", "target": FULL[3]}, f"vote cannot name '{FULL[3]}' now, but {FULL[1]}"),
        ({"verb": "vote", "target": "Nobody"}, "vote cannot name 'Nobody' now"),
        ({"verb": "hunt", "target": FULL[2]}, "there is no verb 'hunt' now; there is vote or pass"),
        ({"target": FULL[2]}, 'the field "verb" is missing; it is vote or pass'),
        ({"verb": ["vote"]}, 'the field "verb" is missing'),
        ("", "it was empty"),
    ],
)  # fmt: skip
def test_what_names_nobody_is_said_in_a_sentence(given: object, why: str):
    with pytest.raises(Unreadable) as refused:
        read(given, VOTE, NOTHING)
    assert why in refused.value.detail
    assert "\n" not in refused.value.detail


def test_what_the_rules_forbid_is_counted_so():
    for given in ({"verb": "hunt"}, {"verb": "vote", "target": FULL[3]}):
        with pytest.raises(Unreadable) as refused:
            read(given, VOTE, NOTHING)
        assert refused.value.kind == "against_rules"


@pytest.mark.parametrize("verb", ["pass", "Pass", "none", "do nothing"])
def test_doing_nothing_has_several_names(verb: str):
    assert read({"verb": verb, "target": None}, VOTE, NOTHING) == GameAct()


@pytest.mark.parametrize(
    ("value", "number"),
    [(7, 7), (7.0, 7), ("7", 7), ("7 coins", 7), ("seven", 7), ("Twenty-five", 25), ("-3", -3),
     ("a hundred and five", 105), ("1,000", 1_000), (7.5, None), ("7 or 8", None),
     ("seventy one two", None),
     (True, None), (None, None), ("", None), ("some", None), ("7.5", None), ("two hundred", 200),
     ([], None), (float("inf"), None)],
)  # fmt: skip
def test_numbers_are_read_in_digits_and_in_words(value: object, number: int | None):
    assert number_in(value) == number


@pytest.mark.parametrize(
    "given",
    [
        {"verb": "offer", "apples": 3, "honey": 40},
        {"verb": "offer", "numbers": {"apples": "three", "honey": "forty"}},
        {"verb": "offer", "Apples": "3 crates", "honey": 40},
    ],
)
def test_numbers_stand_beside_the_verb_or_together(given: object):
    expected = GameAct(verb="offer", numbers={"apples": 3, "honey": 40})
    assert read(given, OFFER, NOTHING) == expected


@pytest.mark.parametrize(
    "given",
    [{"verb": "ask", "price": 12}, {"verb": "ask", "amount": 12}, {"verb": "ask 12"},
     {"verb": "ask twelve"}, {"verb": "ask", "numbers": 12}],
)  # fmt: skip
def test_of_one_number_the_name_does_not_matter(given: object):
    assert read(given, PRICE) == GameAct(verb="ask", numbers={"price": 12})


def test_a_number_that_is_missing_is_asked_for():
    with pytest.raises(Unreadable, match='offer needs a number in the field "honey": jars, 0 to'):
        read({"verb": "offer", "apples": 3}, OFFER)


def test_words_are_read_in_any_case():
    assert read({"verb": "name", "word": "Ice-Cream"}, NAME).word == "ice cream"
    assert read({"verb": "name jelly"}, NAME).word == "jelly"
    with pytest.raises(Unreadable, match="name cannot name 'pie', but ice cream, jelly"):
        read({"verb": "name", "word": "pie"}, NAME)


def test_words_are_said_to_all_or_to_one():
    said = f"{FULL[0]}: I saw it."
    assert read({"verb": "say", "say": said}, SAY) == GameAct(verb="say", text="I saw it.")
    assert read({"verb": "say", "to": FIRST[1], "text": "Psst."}, SAY).to == 1
    assert read({"verb": "say", "to": "all", "text": "Psst."}, SAY).to is None
    with pytest.raises(Unreadable, match="alone cannot be said now, but to"):
        read({"verb": "say", "to": FULL[5], "text": "Psst."}, SAY)
    with pytest.raises(Unreadable, match='say needs words, in the field "say"'):
        read({"verb": "say", "say": " "}, SAY)


def test_a_schema_lists_numbers_however_long_their_range():
    schema = act_schema(VIEW, asked(OFFER, VOTE, SAY, NAME, TELL, NOTHING))
    assert faults(schema) == []
    offers = schema["properties"]["answer"]["anyOf"][0]["properties"]
    assert offers["apples"]["enum"] == list(range(1, 9))
    honey = offers["honey"]["enum"]
    assert (honey[0], honey[-1], len(honey)) == (0, 1_000, 200)


@pytest.mark.parametrize(
    ("typed", "options", "act"),
    [
        (f"vote {FULL[1]}", (VOTE, NOTHING), GameAct(verb="vote", target=1)),
        (f" Vote  {FIRST[1].lower()} ", (VOTE, NOTHING), GameAct(verb="vote", target=1)),
        ("pass", (VOTE, NOTHING), GameAct()),
        ("offer 3 40", (OFFER,), GameAct(verb="offer", numbers={"apples": 3, "honey": 40})),
        ("offer honey 40 apples=3", (OFFER,),
         GameAct(verb="offer", numbers={"apples": 3, "honey": 40})),
        ("ask twelve", (PRICE,), GameAct(verb="ask", numbers={"price": 12})),
        ("name ice cream", (NAME,), GameAct(verb="name", word="ice cream")),
        ("Listen: I saw it.", (SAY, NOTHING), GameAct(verb="say", text="Listen: I saw it.")),
        ("say: Good evening.", (SAY, NOTHING), GameAct(verb="say", text="Good evening.")),
        ("say what you like", (SAY, NOTHING), GameAct(verb="say", text="say what you like")),
        ("pass the salt", (SAY, NOTHING), GameAct(verb="say", text="pass the salt")),
        (f"say to {FIRST[1]}: Psst.", (SAY, NOTHING), GameAct(verb="say", text="Psst.", to=1)),
        (f"tell {FIRST[2]}: Psst.", (TELL, NOTHING), GameAct(verb="tell", target=2, text="Psst.")),
        ('{"verb": "pass"}', (SAY, NOTHING), GameAct()),
    ],
)  # fmt: skip
def test_people_type_a_verb_and_what_it_takes(typed: str, options: tuple, act: GameAct):
    assert GamePeople(PROMPTS).typed(asked(*options), VIEW, typed) == act


@pytest.mark.parametrize(
    ("typed", "options", "why"),
    [
        ("hunt Mara", (VOTE, NOTHING), "there is no verb 'hunt' now; there are vote, pass"),
        ("vote", (VOTE, NOTHING), 'vote needs a name'),
        ("vote Nobody", (VOTE, NOTHING), "vote cannot name 'Nobody' now"),
        ("vote: You are wrong", (VOTE, NOTHING), "vote takes no words; type vote NAME"),
        ("offer 3 40 5", (OFFER,), "what is '5'? Type offer APPLES HONEY"),
        ("offer 3", (OFFER,), 'offer needs a number in the field "honey"'),
        ("pass now", (VOTE, NOTHING), "what is 'now'? Type pass"),
        ("say to Nobody: Psst.", (SAY, NOTHING), "there is no 'Nobody' to speak to; there are"),
        ("x" * 1_300, (SAY, NOTHING), "you say 1,300 characters; at most 1,200 are taken"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_explained(typed: str, options: tuple, why: str):
    with pytest.raises(ValueError, match=r".") as refused:
        GamePeople(PROMPTS).typed(asked(*options), VIEW, typed)
    assert why in str(getattr(refused.value, "detail", refused.value))


def test_a_person_is_told_how_it_is_typed():
    wording = GamePeople(PROMPTS).wording(asked(SAY, VOTE, OFFER, NOTHING), VIEW)
    assert wording.lead.endswith(
        "All learn what you do. Words to one alone are heard by nobody else."
    )
    assert "vote NAME" in wording.hint
    assert "offer APPLES HONEY" in wording.hint
    assert "your words as they are" in wording.hint
    assert wording.options[1] == (
        "vote", f"vote for somebody; {FULL[1]}, {FULL[2]}, {FULL[4]}"
    )  # fmt: skip
