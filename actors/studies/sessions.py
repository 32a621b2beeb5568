"""One participant's way through a study: which step comes next, and what each answer leads to."""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from actors.runtime.errors import CommandRefused
from actors.studies.questions import answer_fault, is_right
from actors.studies.state import Place
from events.base import Event, Value
from events.ids import digest_of
from events.study import (
    Answer,
    ConsentAnswered,
    InstructionsRead,
    Outcome,
    Parameter,
    Part,
    QuestionsAnswered,
    SessionBegan,
    Study,
    StudyQuestion,
)

Step = Literal[
    "consent",
    "screening",
    "instructions",
    "comprehension",
    "lobby",
    "playing",
    "questionnaire",
    "end",
]
STEPS: tuple[Step, ...] = (
    "consent",
    "screening",
    "instructions",
    "comprehension",
    "lobby",
    "playing",
    "questionnaire",
    "end",
)


class SessionState(msgspec.Struct, frozen=True, kw_only=True):
    """The fold of a session's stream."""

    study: str
    participant: str
    parameters: tuple[Parameter, ...] = ()
    consent: ConsentAnswered | None = None
    read: bool = False
    """Whether the instructions were read, since ``comprehension`` was last answered wrong."""
    answered: tuple[QuestionsAnswered, ...] = ()
    """Every page of answers, in order."""

    def last(self, part: Part) -> QuestionsAnswered | None:
        """What was answered last to a part's questions."""
        return next((one for one in reversed(self.answered) if one.part == part), None)

    def tries(self, part: Part) -> int:
        """How often a part was answered."""
        return sum(one.part == part for one in self.answered)


class BadAnswers(CommandRefused):
    """Some questions have no answer that could be taken."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__("some answers are missing or cannot be taken")
        self.faults = dict(faults)
        """What is wrong, by the question's id."""


class GiveConsent(Value, frozen=True, kw_only=True):
    """A participant agrees, or does not."""

    hash: str
    """Of the text that they read."""
    agreed: bool


class ReadInstructions(Value, frozen=True, kw_only=True):
    """A participant has read the instructions."""


class AnswerQuestions(Value, frozen=True, kw_only=True):
    """A participant answers a page of questions."""

    part: Part
    values: dict[str, tuple[str, ...]]
    """By the question's id."""


def fold_session(events: Iterable[Event], state: SessionState | None = None) -> SessionState | None:
    """The state after events of a session's stream; None where there are none."""
    for event in events:
        state = _evolve(state, event)
    return state


def _evolve(state: SessionState | None, event: Event) -> SessionState:
    if isinstance(event, SessionBegan):
        return SessionState(
            study=event.study, participant=event.participant, parameters=event.parameters
        )
    if state is None:
        raise TypeError("a session begins with SessionBegan")
    change = msgspec.structs.replace
    match event:
        case ConsentAnswered():
            return change(state, consent=event)
        case InstructionsRead():
            return change(state, read=True)
        case QuestionsAnswered(part=part, passed=passed):
            read = state.read and not (part == "comprehension" and not passed)
            return change(state, read=read, answered=(*state.answered, event))
        case _:
            raise TypeError(f"{type(event).__name__} is not an event of a session")


def consent_hash(study: Study) -> str:
    """Fingerprint of the text that participants agree to."""
    return digest_of(study.consent.text.encode())


def questions(study: Study, part: Part) -> tuple[StudyQuestion, ...]:
    """Those of a part."""
    match part:
        case "screening":
            return study.screening
        case "comprehension":
            return study.comprehension
    return study.questionnaire


def outcome_due(study: Study, state: SessionState, place: Place) -> Outcome | None:
    """How the session is to end now, by what its participant answered; None: it goes on."""
    if place.where == "before":
        if state.consent is not None and not state.consent.agreed:
            return "declined"
        screening = state.last("screening")
        if screening is not None and not screening.passed:
            return "screened_out"
        understood = state.last("comprehension")
        if (
            understood is not None
            and not understood.passed
            and state.tries("comprehension") >= study.tries
        ):
            return "not_understood"
    answered = not study.questionnaire or state.last("questionnaire") is not None
    return "completed" if place.where == "after" and answered else None


def step_of(study: Study, state: SessionState, place: Place) -> Step:
    match place.where:
        case "ended":
            return "end"
        case "waiting":
            return "lobby"
        case "playing":
            return "playing"
        case "after":
            return "questionnaire"
    if state.consent is None:
        return "consent"
    if study.screening and state.last("screening") is None:
        return "screening"
    if study.instructions and not state.read:
        return "instructions"
    understood = state.last("comprehension")
    if study.comprehension and (understood is None or not understood.passed):
        return "comprehension"
    return "lobby"


def decide_session(
    study: Study,
    state: SessionState,
    place: Place,
    command: GiveConsent | ReadInstructions | AnswerQuestions,
) -> tuple[Event, ...]:
    """The events a command leads to; none when it was done before, or is not due. Raises
    ``CommandRefused``, ``BadAnswers``."""
    step = step_of(study, state, place)
    match command:
        case GiveConsent(hash=read, agreed=agreed):
            if step != "consent":
                return ()
            if read != consent_hash(study):
                raise CommandRefused("the text has changed meanwhile; please read it again")
            return (ConsentAnswered(version=study.consent.version, hash=read, agreed=agreed),)
        case ReadInstructions():
            return (InstructionsRead(),) if step == "instructions" else ()
        case AnswerQuestions(part=part, values=values):
            return (_answered(study, part, values),) if step == part else ()


def _answered(study: Study, part: Part, values: Mapping[str, tuple[str, ...]]) -> QuestionsAnswered:
    asked = questions(study, part)
    faults = {one.id: answer_fault(one, values.get(one.id, ())) for one in asked}
    if wrong := {id_: fault for id_, fault in faults.items() if fault is not None}:
        raise BadAnswers(wrong)
    given = {one.id: tuple(v for v in values.get(one.id, ()) if v.strip()) for one in asked}
    return QuestionsAnswered(
        part=part,
        answers=tuple(Answer(question=id_, value="\n".join(value)) for id_, value in given.items()),
        passed=all(is_right(one, given[one.id]) for one in asked),
    )
