"""One participant's way: which page comes when, and what answers lead to."""

import pytest

from actors.runtime.errors import CommandRefused
from actors.studies.questions import answer_fault, is_right
from actors.studies.sessions import (
    AnswerQuestions,
    BadAnswers,
    GiveConsent,
    ReadInstructions,
    SessionState,
    consent_hash,
    decide_session,
    fold_session,
    outcome_due,
    step_of,
)
from actors.studies.state import Place, Where
from events.base import Event
from events.study import InstructionPage, SessionBegan, StudyQuestion
from tests.actors.studies.test_rules import a_study

AGE = StudyQuestion(id="age", text="How old?", kind="number", low=18, high=99)
GOAL = StudyQuestion(id="goal", text="Who?", kind="choice", options=("I", "All"), right=("I",))
SEVERAL = StudyQuestion(
    id="all", text="Which?", kind="several", options=("a", "b", "c"), right=("a", "b")
)
STUDY = a_study(
    screening=(AGE,),
    instructions=(InstructionPage(title="You talk", text="Talk."),),
    comprehension=(GOAL,),
    questionnaire=(StudyQuestion(id="why", text="Why?"),),
    tries=2,
)


class Way:
    """A session and where the study has it."""

    def __init__(self) -> None:
        self.events: list[Event] = [SessionBegan(study="s1", participant="p-1")]
        self.place = Place(session="p-1", participant="p-1", admitted_at=0)

    @property
    def state(self) -> SessionState:
        found = fold_session(self.events)
        assert found is not None
        return found

    @property
    def step(self) -> str:
        return step_of(STUDY, self.state, self.place)

    def does(self, command: GiveConsent | ReadInstructions | AnswerQuestions) -> str:
        self.events += decide_session(STUDY, self.state, self.place, command)
        return self.step

    def is_(self, where: Where) -> str:
        self.place = Place(session="p-1", participant="p-1", admitted_at=0, where=where)
        return self.step


def answers(part: str, **values: str) -> AnswerQuestions:
    return AnswerQuestions(part=part, values={name: (one,) for name, one in values.items()})  # type: ignore[arg-type]


AGREES = GiveConsent(hash=consent_hash(STUDY), agreed=True)


def test_the_way_leads_from_consent_to_the_end() -> None:
    way = Way()
    assert way.step == "consent"
    assert way.does(AGREES) == "screening"
    assert way.does(answers("screening", age="30")) == "instructions"
    assert way.does(ReadInstructions()) == "comprehension"
    assert way.does(answers("comprehension", goal="I")) == "lobby"
    assert way.is_("playing") == "playing"
    assert way.is_("after") == "questionnaire"
    assert outcome_due(STUDY, way.state, way.place) is None
    way.does(answers("questionnaire", why="So."))
    assert outcome_due(STUDY, way.state, way.place) == "completed"
    assert way.is_("ended") == "end"


def test_what_is_sent_twice_or_too_late_changes_nothing() -> None:
    way = Way()
    way.does(AGREES)
    before = list(way.events)
    way.does(AGREES)
    way.does(ReadInstructions())
    way.does(answers("questionnaire", why="So."))
    assert way.events == before


def test_who_reads_another_text_than_is_asked_about_is_asked_again() -> None:
    with pytest.raises(CommandRefused):
        Way().does(GiveConsent(hash="00", agreed=True))


def test_a_wrong_answer_brings_the_instructions_again_and_the_last_try_ends_it() -> None:
    way = Way()
    for step in (AGREES, answers("screening", age="30"), ReadInstructions()):
        way.does(step)
    assert way.does(answers("comprehension", goal="All")) == "instructions"
    assert outcome_due(STUDY, way.state, way.place) is None
    way.does(ReadInstructions())
    way.does(answers("comprehension", goal="All"))
    assert outcome_due(STUDY, way.state, way.place) == "not_understood"


def test_who_does_not_agree_or_fit_goes() -> None:
    way = Way()
    way.does(GiveConsent(hash=consent_hash(STUDY), agreed=False))
    assert outcome_due(STUDY, way.state, way.place) == "declined"


@pytest.mark.parametrize("given", ["", "seventeen", "17", "nan", "1e999"])
def test_what_is_no_answer_is_refused_with_the_reason(given: str) -> None:
    way = Way()
    way.does(AGREES)
    with pytest.raises(BadAnswers) as bad:
        way.does(answers("screening", age=given))
    assert set(bad.value.faults) == {"age"}


def test_several_right_answers_are_needed_together() -> None:
    assert is_right(SEVERAL, ("b", "a"))
    assert not is_right(SEVERAL, ("a",))
    assert not is_right(SEVERAL, ("a", "b", "c"))
    assert answer_fault(SEVERAL, ("a", "z")) is not None


def test_numbers_are_right_however_they_are_written() -> None:
    question = StudyQuestion(id="n", text="?", kind="number", right=("7",))
    assert is_right(question, ("7,0",))
    assert not is_right(question, ("8",))
