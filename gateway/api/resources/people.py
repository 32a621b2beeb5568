"""People: interviews, and how far people agree."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from actors.interviews.interview import Exchange
from evaluators.statistics.populations import Population
from events.base import Value
from gateway.api.operations import Call, operation
from gateway.api.resources.episodes import number
from gateway.api.resources.runs import Words
from gateway.services.annotations.agreement import PeopleAgreement, agreement_of
from gateway.services.episodes.interview import ask, asking_models, begin_interview, interviews
from gateway.services.runs.confirm_destinations import Destination, never

Place = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class InterviewFound(Value, frozen=True, kw_only=True, omit_defaults=False):
    """What a character was asked, and what it answered."""

    number: int
    """Which of the episode's interviews it is: 1, 2, 3, …"""
    seat: int
    """Whose, from 1."""
    exchanges: tuple[Exchange, ...]
    """In order."""


class NewInterview(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is to be asked."""

    seat: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    """Whose character, from 1."""
    at: Place | None = None
    """It knows events up to this one; left out: all so far."""
    mind: Words = ""
    """Who answers for it, as forks name minds; empty: the mind in the seat."""
    agreed: bool = False
    """Of an episode that came in a file: you agree that its model is asked."""


class NewQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question to a character."""

    question: Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]
    """In your words."""
    agreed: bool = False
    """Of an interview that came in a file: you agree that its model is asked."""


class AmongPeople(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose annotations."""

    run: Annotated[tuple[Words, ...], msgspec.Meta(min_length=1, max_length=20)]
    """Runs whose episodes people annotated."""
    judge: Annotated[tuple[Words, ...], msgspec.Meta(max_length=50)] = ()
    """Beside people; may be repeated; left out: all."""
    population: Population | None = None
    """What intervals speak of; left out: what is usual for these scores."""


@operation("GET", "/people-agreement", tag="people", keeping="head")
def compare_people(call: Call, query: AmongPeople) -> PeopleAgreement:
    """How far people agree, and judges with them."""
    return agreement_of(call.store, query.run, query.judge, query.population)


@operation("GET", "/episodes/{episode}/interviews", tag="people", keeping="head")
def list_interviews(call: Call, episode: str) -> tuple[InterviewFound, ...]:
    """What the characters of an episode were asked afterwards, and what they answered."""
    return tuple(
        InterviewFound(number=one.number, seat=one.begun.seat + 1, exchanges=one.exchanges)
        for one in interviews(call.store, episode)
        if one.begun is not None
    )


@operation("POST", "/episodes/{episode}/interviews", tag="people", status=201)
def begin_an_interview(call: Call, episode: str, body: NewInterview) -> InterviewFound:
    """Begin to ask a character about what it lived through. The episode notices nothing of it."""
    found = begin_interview(
        call.store,
        episode,
        body.seat - 1,
        at=body.at,
        mind=body.mind,
        by=call.principal.name,
        agree=_agreed if body.agreed else never,
    )
    return InterviewFound(number=found.number, seat=body.seat, exchanges=found.exchanges)


def _agreed(_what: str, _destinations: Sequence[Destination], /) -> None:
    """Whoever asked has said so."""


@operation("POST", "/episodes/{episode}/interviews/{interview}/questions", tag="people")
async def ask_character(call: Call, episode: str, interview: str, body: NewQuestion) -> Exchange:
    """Ask a character something; the mind that played it answers. The episode's run pays."""
    place = number("interview", interview)
    async with asking_models(call.gateway) as caller:
        agree = _agreed if body.agreed else never
        return await ask(call.store, episode, place, body.question, caller=caller, agree=agree)
