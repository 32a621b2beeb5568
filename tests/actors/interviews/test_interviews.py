"""A researcher asks a character: what it may know, who pays, and what is kept."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.interviews.ask_character import AskedMeanwhile, NotAskable, ask_character, begin
from actors.interviews.character_knowledge import account_of, system_prompt
from actors.interviews.interview import interviews_of, load
from actors.interviews.rehearsal import answer
from actors.models.errors import BudgetSpent, ModelError
from actors.models.limits.budget import BudgetKeeper
from events.agent import ModelAnswered, ModelAsked
from events.interview import InterviewAnswered, InterviewAsked, InterviewBegan
from events.minds import MindSpec, ModelSpec
from events.run import Budget
from gateway.errors import BadArgument
from gateway.services.episodes.interview import begin_interview
from store.log.event_store import NEW, EventStore
from tests.evaluators.scripted import Scripted, caller_of
from tests.properties.test_every_environment import ENVIRONMENTS, plays
from tests.support.builders import act, episode, mind, started
from tests.support.managed_episodes import open_at
from tests.support.runs import events_of

MODEL = MindSpec(name="gpt", kind="model", model=ModelSpec(name="openai/gpt"))
SAID = [(0, "It costs forty."), (1, act("speak", "Not to her.", to=())), (0, "As you like.")]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    opened = open_at(tmp_path)
    opened.append("episode-e1", NEW, episode(started(minds=(MODEL, mind("near"))), SAID))
    yield opened
    opened.close()


def begun(store: EventStore, seat: int = 0, spec: MindSpec = MODEL, at: int = 6) -> int:
    return begin(store, InterviewBegan(episode="e1", seat=seat, at=at, mind=spec, run="r1")).number


def asks(store: EventStore, number: int, question: str, model: Scripted, **more: Any) -> Any:
    return asyncio.run(
        ask_character(store, "e1", number, question, caller=caller_of(model), **more)
    )


def test_a_model_answers_as_the_character_from_what_its_seat_noticed(store):
    number, model = begun(store), Scripted(["I wanted forty.", "Because of the rent."])
    assert asks(store, number, "What did you want?", model).text == "I wanted forty."
    assert asks(store, number, "Why?", model).text == "Because of the rent."
    first, second = model.asked
    system = first.messages[0].content
    assert "You are Ada Reyes" in system
    assert "It costs forty." in system
    assert [message.content for message in second.messages[1:]] == [
        "What did you want?",
        "I wanted forty.",
        "Why?",
    ]
    kinds = [type(event) for event in events_of(store, "interview-e1.1")]
    one = [InterviewAsked, ModelAsked, ModelAnswered, InterviewAnswered]
    assert kinds == [InterviewBegan, *one, *one]
    assert [one.number for one in interviews_of(store, "e1")] == [1]


def test_an_answer_without_a_word_is_asked_for_again(store):
    model = Scripted(["…", "40."])
    assert asks(store, begun(store), "How much?", model).text == "40."
    assert "it has no words" in model.asked[1].messages[-1].content


def test_an_answer_that_was_paid_for_before_a_crash_is_not_asked_for_again(store):
    number, model = begun(store), Scripted(["Forty."])
    asks(store, number, "How much?", model)
    *before, _ = events_of(store, "interview-e1.1")
    again = begun(store)
    store.append("interview-e1.2", 0, before[1:])
    assert asks(store, again, "How much?", model).text == "Forty."
    assert len(model.asked) == 1
    assert len(load(store, "e1", again).exchanges) == 1


def test_what_cannot_be_answered_says_why_and_a_spent_budget_asks_nothing(store):
    model = Scripted([ModelError("filtered", "it was withheld", may_pass=False)])
    number = begun(store)
    failed = asks(store, number, "Well?", model)
    assert failed.text == ""
    assert "withheld" in failed.failure
    keeper = BudgetKeeper("r1", Budget(usd=1.0), usd=1.0)
    with pytest.raises(BudgetSpent):
        asks(store, number, "And now?", model, budget=keeper)
    assert len(model.asked) == 1


def test_of_two_who_ask_at_once_one_is_told(store):
    number = begun(store)

    class Slow(Scripted):
        async def complete(self, request: Any) -> Any:
            store.append("interview-e1.1", 2, [InterviewAsked(number=2, question="Me first.")])
            return await super().complete(request)

    with pytest.raises(AskedMeanwhile):
        asks(store, number, "Well?", Slow(["Yes."]))


@pytest.mark.parametrize("question", ["", "  ", "x" * 4_001])
def test_a_question_has_words_and_not_too_many(store, question):
    with pytest.raises(NotAskable, match="1 to 4,000"):
        asks(store, begun(store), question, Scripted([]))


def test_nobody_answers_for_a_person_but_whom_the_researcher_names(store):
    far = mind("far", kind="remote")
    store.append("episode-e2", NEW, episode(started(minds=(far, far)), SAID[:1]))
    with pytest.raises(BadArgument, match="is of kind remote"):
        begin_interview(store, "e2", 0)
    found = begin_interview(store, "e2", 0, mind="rehearsal:wily", at=1)
    assert found.begun is not None
    assert (found.begun.mind.temper, found.begun.at) == ("wily", 1)
    with pytest.raises(BadArgument, match="seat from 1 to 2"):
        begin_interview(store, "e2", 2, mind="rehearsal:wily")


def test_a_rehearsal_tells_what_has_words_of_the_question_in_it(store):
    number = begun(store, spec=mind("near"))
    assert "It costs forty" in asks(store, number, "What did it cost?", Scripted([])).text


@ENVIRONMENTS
@given(data=st.data())
def test_a_character_of_any_environment_knows_its_seats_account_and_nothing_more(environment, data):
    line = data.draw(plays(environment))
    seat = data.draw(st.integers(0, len(line.started.minds) - 1))
    game = line.game
    account = game.words.account(game.sight.view(line.history, seat))
    system, version = system_prompt(account, seat)
    assert version.startswith("interview-1:")
    assert "«mind" not in system
    for entry in account.entries:
        assert entry.line.splitlines()[0] in system
    assert answer(account, seat, "What did you notice?").strip()


def test_the_interviewed_of_an_episode_under_way_knows_nothing_that_came_later(store):
    for at, known in ((2, True), (1, False)):
        found = account_of(store, InterviewBegan(episode="e1", seat=1, at=at, mind=MODEL))
        assert ("It costs forty." in str(found.entries)) is known
