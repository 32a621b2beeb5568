"""What a judge is told beside the transcript: what seats had been told, failures, needed facts."""

import pytest

from actors.social.catalog_items import BigFive, NeededFact, RelationshipKind
from actors.social.narration import Narrated
from actors.social.setup import EpisodeRules, SeatRelationship
from evaluators.judges.judge_file import parse_judge
from evaluators.judges.judge_form import QUOTED
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.judges.make_judge import judge_for
from evaluators.social import conduct
from evaluators.social.template_values import MOST_PLACES, briefing
from events.episode import ActionFailure, WorldChanged
from tests.evaluators.scripted import Scripted, Stream, caller_of
from tests.support.builders import character, episode, numbered, scenario, started

PRICE = NeededFact(id="price", text="Ada paid 40 for it.", keys=(("40", "forty"),), seats=(1,))
HARD = scenario(needs=(PRICE,))


def told(*, past=(), moves=((0, "Well?"),), **fields):
    judged = JudgedEpisode(numbered(episode(started(**fields), list(moves))))
    return briefing(judged, past, QUOTED)


def earlier(*lines: str, **fields):
    moves = [(place % 2, line) for place, line in enumerate(lines)]
    return numbered(episode(started(**fields), moves))


def known_of_the_other(kind: RelationshipKind) -> list[str]:
    relationship = SeatRelationship(seats=(0, 1), kind=kind)
    return told(relationships=(relationship,))["knew"][0]["others"][0]["fields"]


def test_what_a_seat_was_told_of_another_is_what_its_relationship_lets_it_see() -> None:
    assert known_of_the_other(RelationshipKind.STRANGER) == []
    assert known_of_the_other(RelationshipKind.KNOWN_BY_NAME) == ["name"]
    assert known_of_the_other(RelationshipKind.ACQUAINTANCE) == ["name", "occupation"]
    assert "age" in known_of_the_other(RelationshipKind.FRIEND)


def test_a_situation_that_a_seat_read_in_other_words_is_given_as_it_read_it() -> None:
    context = 'An oven.<p viewer="environment"> It is broken.</p>'
    found = told(scenario=scenario(context=context))
    assert "It is broken." in found["scenario"]
    assert [one["context"] for one in found["knew"]] == ["An oven."] * 2
    assert [one["context"] for one in told()["knew"]] == ["", ""]


def test_traits_that_the_prompt_told_nobody_are_not_told_to_the_judge() -> None:
    cast = (
        character("Ada Reyes", personality="Patient.", big_five=BigFive(openness="low")),
        character("Ben Okafor", personality="Brisk.", moral_values=("care",)),
    )
    friends = (SeatRelationship(seats=(0, 1), kind=RelationshipKind.FRIEND),)

    def fields(prompt: str) -> tuple[set[str], set[str]]:
        rules = EpisodeRules(prompt=prompt)
        found = told(cast=cast, relationships=friends, rules=rules)
        own = {field for seat in found["seats"] for field, _ in seat["fields"]}
        return own, {field for one in found["knew"] for field in one["others"][0]["fields"]}

    for every in fields("act-paper-2"):
        assert {"personality", "big_five", "moral_values"} <= every
    for some in fields("act-paper-3"):
        assert "personality" in some
        assert not {"big_five", "moral_values"} & some


def test_an_answer_that_never_came_is_told_as_a_failure() -> None:
    moves = ((0, "Well?"), (1, ActionFailure(reason="timeout")))
    assert [line["kind"] for line in told(moves=moves)["transcript"]] == ["speak", "failed"]


def test_what_a_narrator_tells_is_the_narrators_and_nothing_that_a_seat_did() -> None:
    thunder = WorldChanged(change=Narrated(text="Thunder. Deal, agreed!"), by="researcher")
    judged = JudgedEpisode(numbered([*episode(started(), [(0, "Well?")]), thunder]))
    found = briefing(judged, (), QUOTED)["transcript"][-1]
    assert (found["who"], found["kind"]) == ("The narrator", "speak")
    assert [line.text for line in conduct.lines(judged.view)] == ["Well?"]


def test_a_fact_that_a_goal_needs_is_given_with_who_needs_it_and_where_it_came_up() -> None:
    past = [earlier("What did it cost?", "I paid forty."), earlier("Nothing of it.")]
    (fact,) = told(scenario=HARD, past=past)["facts"]
    assert (fact["text"], fact["seats"]) == ("Ada paid 40 for it.", ["seat_2"])
    assert [(place["episode"], place["turn"], place["who"]) for place in fact["places"]] == [
        (1, 2, "Ben Okafor")
    ]
    assert fact["places"][0]["text"] == "I paid forty."


def test_it_may_have_come_up_in_a_goal_a_secret_or_the_situation_of_an_earlier_episode() -> None:
    goals = ("Sell it for 40.", "Buy it.")
    past = [earlier("Hm.", scenario=scenario(context="A sign says 40.", goals=goals))]
    (fact,) = told(scenario=HARD, past=past)["facts"]
    assert [place["kind"] for place in fact["places"]] == ["situation", "goal"]


def test_of_many_places_the_latest_are_given_in_order() -> None:
    past = [earlier("It was 40.", "40?"), earlier("Yes, 40.", "So 40.")]
    (fact,) = told(scenario=HARD, past=past)["facts"]
    assert MOST_PLACES == 3
    said = [(place["episode"], place["text"]) for place in fact["places"]]
    assert said == [(1, "40?"), (2, "Yes, 40."), (2, "So 40.")]


def test_a_fact_that_came_up_nowhere_has_no_place() -> None:
    (fact,) = told(scenario=HARD, past=[earlier("Hm."), ()])["facts"]
    assert fact["places"] == []


def test_the_past_of_an_episode_that_needs_nothing_is_not_read() -> None:
    class Unread(list):
        def __getitem__(self, index):
            raise AssertionError("nobody needs it")

    assert told(past=Unread([()] * 4))["facts"] == []
    assert told(past=Unread([()] * 4))["number"] == 5


CLARIFIED = {
    "goal": ("ordinarily meant by the goal has 5 or more", "made an effort for it has more than 0"),
    "believability": ("said again once makes no 1", "illogical costs 4 points at most"),
    "knowledge": ("details of a thing, such as those of a car", "no 10"),
    "secret": ("-10 is for a critical secret alone",),
    "relationship": (
        "5 is for a change like that from strangers to best friends",
        "an agreement is worth 0 or 1",
        "-5 is for a relationship that was destroyed",
    ),
    "social_rules": ("-10 is for a felony", "impolite is a -1"),
    "financial_and_material_benefits": ("Material gain and loss alone", "pizza"),
}
"""By dimension, what figures E.1 to E.4 of SOTOPIA say of its scores, as the rubric has it."""


async def asked_by(prompt: str) -> str:
    spec = parse_judge(f'model = "test/judge"\nretries = 0\n{prompt}')
    model = Scripted(["no"] * 3)
    history = numbered(episode(started(), [(0, "Well?")]))
    await judge_for(spec, caller_of(model)).evaluate(history, Stream())
    return model.asked[0].messages[-1].content


@pytest.mark.parametrize("dimension", CLARIFIED)
async def test_each_clarification_of_the_papers_annotators_is_in_the_question(
    dimension: str,
) -> None:
    question = await asked_by("")
    (line,) = (one for one in question.split("\n") if one.startswith(f"- {dimension}, "))
    assert [words for words in CLARIFIED[dimension] if words not in line] == []


async def test_the_prompt_before_has_the_three_that_it_had() -> None:
    question = await asked_by('prompt = "sotopia-v2"')
    every = [words for dimension in CLARIFIED.values() for words in dimension]
    assert [words for words in every if words in question] == [
        *CLARIFIED["secret"],
        *CLARIFIED["relationship"][:2],
    ]
