"""What participants do on their way through a study: their sessions in the store, step by step."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from actors.studies.rules import Admit, EndSession, Wait
from actors.studies.sessions import (
    AnswerQuestions,
    GiveConsent,
    ReadInstructions,
    SessionState,
    Step,
    consent_hash,
    decide_session,
    outcome_due,
    step_of,
)
from actors.studies.state import Place, StudyState
from events.base import Event
from events.study import SessionBegan
from gateway.errors import GatewayError
from gateway.services.access.roles import Principal
from gateway.services.studies.completion_codes import new_code
from gateway.services.studies.recruitment import fingerprint, kept
from gateway.services.studies.study_repository import Sessions, now
from gateway.services.studies.supervisor import StudySupervisor
from store.participants.shared_key_store import require_keys


class Visit(NamedTuple):
    """A participant who comes back."""

    study: str
    state: StudyState
    place: Place
    session: SessionState

    @property
    def step(self) -> Step:
        return step_of(self.state.study, self.session, self.place)


class UnknownStudy(GatewayError):
    """A link to nowhere."""

    def __init__(self) -> None:
        super().__init__("there is no such study; please check the link")


async def state_of(caring: StudySupervisor, study: str) -> StudyState:
    """A study (id in full) as it is now. Raises ``UnknownStudy``."""
    try:
        return (await asyncio.to_thread(caring.studies.load, study)).state
    except LookupError:
        raise UnknownStudy from None


def visit_of(
    caring: StudySupervisor, study: str, state: StudyState, visitor: Principal | None
) -> Visit | None:
    """Who comes back to a study; None: somebody new, or a stranger. Blocking."""
    if visitor is None or visitor.role != "participant" or visitor.study != study:
        return None
    place = state.places.get(visitor.name)
    session = Sessions(caring.studies.store).get(visitor.name)
    if place is None or session is None:
        return None
    return Visit(study, state, place, session.state)


async def required(caring: StudySupervisor, study: str, principal: Principal) -> Visit:
    """The same. Raises ``UnknownStudy`` where it is nobody."""
    state = await state_of(caring, study)
    visit = await asyncio.to_thread(visit_of, caring, study, state, principal)
    if visit is None:
        raise UnknownStudy
    return visit


def begin(
    caring: StudySupervisor, study: str, participant: str, fields: Mapping[str, str], agreed: bool
) -> None:
    """A session begins with the answer to the consent. ``fields``: those of the form. Blocking.
    Raises ``AdmittedBefore``, ``NotAdmitted``, ``KeysNotShared``, ``KeysUnavailable``."""
    store, state = caring.studies.store, caring.studies.load(study).state
    recruitment = state.study.recruitment
    keys = require_keys(store, recording=True)
    parameters = kept(recruitment, fields)
    who = fingerprint(recruitment, parameters, keys.make(f"study-{study}"))
    # Refused first: who may not come in leaves no key behind.
    caring.studies.do(study, Admit(session=participant, participant=participant, who=who, at=now()))
    keys.make(participant)
    began = SessionBegan(study=study, participant=participant, parameters=parameters)
    sessions = Sessions(store)
    sessions.add(participant, [began])
    given = GiveConsent(hash=consent_hash(state.study), agreed=agreed)
    place = caring.studies.load(study).state.places[participant]
    sessions.change(participant, lambda own: decide_session(state.study, own, place, given))
    advance(caring, study, participant)


def carry_out(
    caring: StudySupervisor,
    study: str,
    principal: Principal,
    command: ReadInstructions | AnswerQuestions | GiveConsent,
) -> None:
    """Have a participant's answer take effect, whoever else changes the session meanwhile. Raises
    ``BadAnswers``, ``CommandRefused``, ``UnknownStudy``."""
    session = principal.name
    if visit_of(caring, study, caring.studies.load(study).state, principal) is None:
        raise UnknownStudy

    def decided(own: SessionState) -> Sequence[Event]:
        state = caring.studies.load(study).state
        return decide_session(state.study, own, state.places[session], command)

    Sessions(caring.studies.store).change(session, decided)
    advance(caring, study, session)


def advance(caring: StudySupervisor, study: str, session: str) -> None:
    """What follows from how a session stands: its end, or the lobby. Repeated it changes nothing,
    so that what was cut off in the middle is made up for when the page is opened again."""
    loaded = caring.studies.load(study).state
    own = Sessions(caring.studies.store).load(session).state
    place = loaded.places[session]
    outcome = outcome_due(loaded.study, own, place)
    if outcome is not None:
        end = EndSession(session=session, outcome=outcome, at=now(), code=new_code())
        caring.studies.do(study, end)
    elif place.where == "before" and step_of(loaded.study, own, place) == "lobby":
        caring.studies.do(study, Wait(session=session, at=now()))
