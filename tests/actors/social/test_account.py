"""What pages, terminals and judges read of a social episode."""

from actors.social.plan_section import PLANS
from actors.social.render import account
from actors.social.setup import EpisodeRules
from actors.social.sight import view
from tests.support.builders import act, character, episode, started

PLAYED = episode(
    started(),
    [
        (0, "Two hundred?"),
        (1, act("speak", "Just for you.", to=(0,))),
        (0, act("physical", "counts the money")),
        (1, act("none")),
    ],
)


def test_it_tells_who_is_there_and_what_is_between_them() -> None:
    told = account(view(PLAYED, "narrator"))
    ada, ben = told.portraits
    assert (ada.name, ben.name) == ("Ada Reyes", "Ben Okafor")
    assert ben.secret == "He was fired for drinking."
    assert "cook" in ben.brief[0]
    assert ("Occupation", "cook") in ben.facts
    assert told.relationships == ("Ada Reyes and Ben Okafor: acquaintance. They met once.",)


def test_it_tells_what_was_said_from_what_was_done() -> None:
    said, whispered, did, idle, *_ = account(view(PLAYED, "judge")).entries
    assert (said.verb, said.text, said.to) == ("", "Two hundred?", ())
    assert whispered.to == (0,)
    assert (did.verb, did.text) == ("does", "counts the money")
    assert (idle.verb, idle.idle, did.idle) == ("does nothing", True, False)
    assert did.line == "Ada Reyes [action] counts the money"


def test_a_seat_reads_no_goal_or_secret_but_its_own() -> None:
    told = account(view(PLAYED, 0))
    assert [bool(portrait.goal) for portrait in told.portraits] == [True, False]
    assert [bool(portrait.secret) for portrait in told.portraits] == [True, False]


def test_two_of_one_name_are_told_apart() -> None:
    both = (character("Ada Reyes"), character("Ada Reyes"))
    told = account(view([started(cast=both)], "narrator"))
    assert [portrait.name for portrait in told.portraits] == [
        "Ada Reyes (Person 1)",
        "Ada Reyes (Person 2)",
    ]


def test_a_plans_rules_are_put_into_words() -> None:
    assert PLANS.describe(
        EpisodeRules(turn_cap=9, stale_turns=0, stories=False, prompt="act-3")
    ) == (
        ("Order of turns", "round robin"),
        ("Ends", "after 9 turns, when fewer than two are left"),
        ("Background stories", "not told"),
        ("Prompt", "act-3"),
    )
    assert PLANS.describe(EpisodeRules())[1][1].endswith("2 turns in which nobody does anything")
