"""The judge that goes by the words alone."""

import pytest

from actors.sandbox.catalog_items import Case, Goal
from evaluators.sandbox.language.rubric import FIRST_JUDGES, JUDGES
from evaluators.sandbox.language.rule_judge import judge
from evaluators.sandbox.language.talks import talk_of
from events.evaluation import Scored, ScoreFailed
from events.serialization.fingerprints import judge_hash
from tests.evaluators.sandbox.language.made_up import case, history, talk, with_goal

PAPER, PUBLISHED = JUDGES
HASHES = ["501090be727631b06edb11c3c5489819", "8c906615c077eb77c070a0bc5bb41060"]


def met(of: Case, *said: str, summary: str = "nothing", spec=PAPER) -> dict[str, float | None]:  # type: ignore[no-untyped-def]
    found = judge(spec, talk(of, *said, summary=summary))
    return {
        name: one.value if isinstance(one, Scored) else None for (_, name), one in found.items()
    }


def test_a_public_invitation_needs_the_thing_the_day_with_the_hour_and_the_place() -> None:
    found = met(
        case("public"),
        "Bo! I give a garden party. Would you like to come?",
        "When is it?",
        "Tomorrow at seven in the evening, at Hobbs Café.",
        "Lovely, I'll be there.",
        summary="Ada invited me to a feast at Hobbs Cafe on the 14th, 7 pm.",
    )
    assert found == {
        "conversation_invited": 1,
        "conversation_time": 1,
        "conversation_place": 1,
        "summary_invited": 1,
        "summary_time": 1,
        "summary_place": 1,
        "conversation_sr": 1,
        "conversation_gcsr": 1,
        "summary_sr": 1,
        "summary_gcsr": 1,
    }


def test_what_is_not_said_or_said_by_the_other_is_not_met() -> None:
    found = met(
        case("public"),
        "I think of a garden party.",
        "At Hobbs Cafe, tomorrow at 19:00?",
        "Perhaps.",
        summary="Ada will feast at Hobbs Cafe at 19:00.",
    )
    assert (found["conversation_invited"], found["conversation_time"]) == (0, 0)
    assert (found["conversation_place"], found["conversation_sr"]) == (0, 0)
    # The hour without the day.
    assert (found["summary_invited"], found["summary_time"], found["summary_place"]) == (1, 0, 1)
    assert found["summary_gcsr"] == pytest.approx(2 / 3)
    assert found["summary_sr"] == 0


def test_another_hour_is_not_the_hour() -> None:
    assert met(case("online"), "Would you join our online game at 9 pm?", "Sure.") == {
        "conversation_invited": 1,
        "conversation_time": 0,
        "summary_invited": 0,
        "summary_time": 0,
        "conversation_sr": 0,
        "conversation_gcsr": 0.5,
        "summary_sr": 0,
        "summary_gcsr": 0,
    }


@pytest.mark.parametrize(
    ("said", "now", "before"),
    [
        ("Would you join our online game at 8:30 pm?", 0, 1),
        ("Would you join our online game tomorrow at 8:30 pm?", 1, 1),
        ("Would you join our online game tomorrow?", 0, 0),
    ],
)
def test_an_online_activity_needs_the_date_and_the_time_and_what_was_judged_before_does_not(
    said: str, now: int, before: int
) -> None:
    told = f"Ada said: {said}"
    for part in ("conversation", "summary"):
        assert met(case("online"), said, "Sure.", summary=told)[f"{part}_time"] == now
        first = met(case("online"), said, "Sure.", summary=told, spec=FIRST_JUDGES[0])
        assert first[f"{part}_time"] == before


def test_what_was_judged_before_stays_under_its_own_fingerprint() -> None:
    assert [judge_hash(one) for one in FIRST_JUDGES] == HASHES
    assert not set(map(judge_hash, JUDGES)) & set(HASHES)


@pytest.mark.parametrize(
    ("said", "time", "place"),
    [
        (("Can we meet at 10 am in the library?", "Sure, see you there."), 1, 1),
        (("Can we meet at 10 am in the library?", "I'm afraid I can't."), 0, 0),
        (("Can we meet at 10 am in the library?", "Why?"), 0, 0),
        (("Can we meet at 10 am?", "How about 11 am?", "Fine, in the park."), 1, 0),
        (("Can we meet at 10 am?", "10 am, at the Library."), 1, 0),
        (("Can we meet at 10 am?", "At the Library, 10 am.", "In the Library, good."), 1, 1),
        (("Let's say at noon, at my office.", "Great.", "Oh, sorry, I can't."), 0, 0),
        (("Shall we meet?", "Gladly."), 0, 0),
    ],
)
def test_agreed_is_what_one_proposes_and_the_other_takes_up(
    said: tuple[str, ...], time: int, place: int
) -> None:
    found = met(case("appointment"), *said)
    assert (found["conversation_time"], found["conversation_place"]) == (time, place)


def test_help_needs_both_requests_each_with_its_verb() -> None:
    of = case("help")
    found = met(
        of,
        "I am ill. Could you get me my pills at the Willows Pharmacy and bring them to my house?",
        "Of course.",
        summary="I shall buy medicine at Willows Pharmacy.",
    )
    assert [found[f"conversation_{name}"] for name in ("request_1", "place_1")] == [1, 1]
    assert [found[f"conversation_{name}"] for name in ("request_2", "place_2")] == [1, 1]
    assert [found[f"summary_{name}"] for name in ("request_1", "place_1")] == [1, 1]
    assert [found[f"summary_{name}"] for name in ("request_2", "place_2")] == [0, 0]
    assert (found["summary_sr"], found["summary_gcsr"]) == (0, 0.5)
    leaving = met(of, "Could you buy my pills for me?", "Of course.", "Thanks. Take care, Bo!")
    assert leaving["conversation_request_1"] == 1
    assert leaving["conversation_request_2"] == 0
    nothing = met(of, "My pills are at the pharmacy, I think.", "Poor you.", "Yes.")
    assert nothing["conversation_request_1"] == nothing["conversation_request_2"] == 0


def test_what_is_fetched_may_be_named_by_its_noun_alone() -> None:
    of = with_goal(case("help"), Goal(keyword="restock the bar inventory", place="Market"))
    found = met(of, "Could you pick up the inventory at the Market?", "Sure.")
    assert found["conversation_request_1"] == 1
    nothing = met(of, "Could you pick up the beer at the Market?", "Sure.")
    assert nothing["conversation_request_1"] == 0


def test_companions_are_told_the_place_and_agree_on_a_time() -> None:
    said = ("Will you come for a walk in Johnson Park?", "When?", "At nine tomorrow.", "Deal.")
    found = met(case("companions"), *said, summary="We go for a walk tomorrow at 9.")
    assert found["conversation_sr"] == 1
    assert (found["summary_time"], found["summary_place"]) == (1, 0)


@pytest.mark.parametrize(
    ("summary", "time"),
    [
        ("Ada asked me for a walk at 9. I said that I cannot.", 0),
        ("At 8 I can't, so we agreed on a walk at 9.", 1),
        ("A walk at 9.", 1),
    ],
)
def test_a_summary_that_declines_tells_of_nothing_agreed_on(summary: str, time: int) -> None:
    assert met(case("companions"), "A walk?", "Hm.", summary=summary)["summary_time"] == time


def test_every_yes_quotes_the_words_that_show_it() -> None:
    found = judge(PAPER, talk(case("public"), "Come to my garden party!", "When?", summary="?"))
    invited = found[0, "conversation_invited"]
    assert isinstance(invited, Scored)
    assert (invited.quotes, invited.evidence) == (("Come to my garden party!",), (1,))


@pytest.mark.parametrize("said", [(), ("Come to my garden party tomorrow at 7 pm, Hobbs Cafe!",)])
def test_at_most_one_utterance_is_no_talk_whatever_it_says(said: tuple[str, ...]) -> None:
    found = met(case("public"), *said, summary="A garden party tomorrow at 7 pm, Hobbs Cafe.")
    assert set(found.values()) == {0}
    assert len(found) == 10


def test_where_there_is_no_talk_because_an_answer_failed_the_scores_are_missing() -> None:
    found = judge(PAPER, talk(case("public"), "Come to my garden party!", ""))
    assert all(isinstance(one, ScoreFailed) for one in found.values())
    assert len(found) == 10


def test_where_the_target_told_nothing_the_scores_of_the_summary_are_missing() -> None:
    found = judge(PAPER, talk(case("online"), "Join our online game at 8:30 pm!", "Sure."))
    assert isinstance(found[0, "conversation_sr"], Scored)
    missing = {name for (_, name), one in found.items() if isinstance(one, ScoreFailed)}
    assert missing == {"summary_invited", "summary_time", "summary_sr", "summary_gcsr"}


def test_published_no_summary_of_an_appointment_names_the_place() -> None:
    said = ("Can we meet at 10 am in the library for the essay?", "Sure.")
    summary = "We meet tomorrow at 10 am in the library, to revise the essay."
    assert met(case("appointment"), *said, summary=summary)["summary_sr"] == 1
    found = met(case("appointment"), *said, summary=summary, spec=PUBLISHED)
    assert (found["summary_invited"], found["summary_time"], found["summary_place"]) == (1, 1, 0)
    assert found["summary_sr"] == 0
    assert found["conversation_sr"] == 1


def test_a_window_of_its_own_fixes_the_hour_that_is_to_be_agreed_on() -> None:
    of = with_goal(case("companions"), Goal(keyword="walk", start="2023-02-14 09:00", place="Mill"))
    assert met(of, "A walk at 10 am?", "Sure.")["conversation_time"] == 0
    assert met(of, "A walk at 9 am?", "Sure.")["conversation_time"] == 1


def test_what_is_no_case_is_no_talk() -> None:
    assert talk_of(history(case("public"))[1:]) is None
