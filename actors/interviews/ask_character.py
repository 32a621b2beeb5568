"""Asks a character: a question is recorded before it is sent to the model, and the answer when it
has arrived.

No actor is needed: every append names the version it expects, so if two clients ask at once, one of
them is told to read the stream again. Answers that a model gave before a crash are found in the
stream.
"""

import asyncio
from collections.abc import Sequence

from actors.episodes.port.words import Account
from actors.interviews import rehearsal
from actors.interviews.character_knowledge import account_of, system_prompt
from actors.interviews.interview import Exchange, Interview, load
from actors.models.answers.ask import Answered, ModelQuestion, ask
from actors.models.caller import ModelCaller
from actors.models.errors import Unreadable
from actors.models.limits.budget import BudgetKeeper
from actors.models.port import Msg
from actors.models.recording.call_log import CallEvent
from events.agent import ModelAnswered
from events.base import Event
from events.interview import InterviewAnswered, InterviewAsked, InterviewBegan
from events.minds import MindSpec
from events.untrusted.limits import MOST_QUESTION
from events.untrusted.safe_text import shortened
from events.wire.subjects import interview_stream
from store.errors import Conflict
from store.log.event_store import NEW, EventStore

ANSWERING = ("model", "generative", "rehearsal")
"""Kinds of minds that can be asked."""


class NotAskable(ValueError):
    """A question that cannot be put."""


class AskedMeanwhile(RuntimeError):
    """Somebody else asks in the same interview."""

    def __init__(self, episode: str, number: int) -> None:
        super().__init__(
            f"somebody else asks in interview {number} of episode {shortened(episode)} at this "
            "moment: look what is answered, then ask again"
        )
        self.episode, self.number = episode, number


def fault_of_mind(mind: MindSpec) -> str:
    """Why a mind cannot be interviewed, as a sentence; empty where it can."""
    if mind.kind in ANSWERING:
        return ""
    return (
        f"mind {shortened(mind.name)!r} is of kind {mind.kind}, which cannot be asked: name a "
        "model or a rehearsal that is to answer for it"
    )


def begin(store: EventStore, begun: InterviewBegan) -> Interview:
    """A new interview. Blocking. Raises ``NotAskable``."""
    if fault := fault_of_mind(begun.mind):
        raise NotAskable(fault)
    number = 1
    while True:
        stream = interview_stream(begun.episode, number)
        if store.version(stream) == NEW:
            try:
                store.append(stream, NEW, [begun], correlation=begun.run)
            except Conflict:
                pass
            else:
                return load(store, begun.episode, number)
        number += 1


async def ask_character(
    store: EventStore,
    episode: str,
    number: int,
    question: str,
    *,
    caller: ModelCaller,
    budget: BudgetKeeper | None = None,
) -> Exchange:
    """The answer to a question in an interview that has begun. A question that was left without
    an answer, asked again, is not put twice.

    ``budget``: that of the interview's run. Raises ``NotAskable``, ``AskedMeanwhile``,
    ``BudgetSpent``, ``ModelUnavailable``, ``OddHistory``.
    """
    question = question.strip()
    if not question or len(question) > MOST_QUESTION:
        raise NotAskable(f"a question has 1 to {MOST_QUESTION:,} characters")
    interview = await asyncio.to_thread(load, store, episode, number)
    begun = interview.begun
    if begun is None:
        raise NotAskable(f"episode {shortened(episode)} has no interview {number}")
    writing = _Writing(store, interview)
    last = interview.exchanges[-1] if interview.exchanges else None
    if last is None or last.text is not None or last.question != question:
        await writing.append(InterviewAsked(number=len(interview.exchanges) + 1, question=question))
    account = await asyncio.to_thread(account_of, store, begun)
    *before, open_now = writing.interview.exchanges
    if begun.mind.kind == "rehearsal":
        text, failure = rehearsal.answer(account, begun.seat, question), ""
    else:
        assert begun.mind.model is not None, "it was looked at when the interview began"
        answer = await ask(
            question_for(account, begun.seat, before, question),
            turn=open_now.number,
            model=begun.mind.model,
            caller=caller,
            calls=writing,
            budget=budget,
        )
        if isinstance(answer, Answered):
            text, failure = answer.value, ""
        else:
            text, failure = "", answer.detail or answer.reason
    await writing.append(InterviewAnswered(number=open_now.number, text=text, failure=failure))
    return writing.interview.exchanges[-1]


def question_for(
    account: Account, seat: int, before: Sequence[Exchange], question: str
) -> ModelQuestion[str]:
    """What a model is asked that answers for a seat; ``before``: what was asked and answered so
    far."""
    system, version = system_prompt(account, seat)
    return ModelQuestion(
        messages=(Msg("system", system), *_dialogue(before), Msg("user", question)),
        read=_read,
        again=_again,
        purpose="interview",
        prompt_version=version,
    )


def _dialogue(before: Sequence[Exchange]) -> list[Msg]:
    """What was asked and answered so far."""
    return [
        message
        for one in before
        if one.text
        for message in (Msg("user", one.question), Msg("assistant", one.text))
    ]


def _read(text: str, _label: str) -> str:
    if not any(map(str.isalnum, text)):
        raise Unreadable("it has no words" if text.strip() else "the answer is empty", text)
    return text.strip()


def _again(problems: Sequence[str]) -> str:
    return f"Your answer could not be used: {'; '.join(problems)}. Answer in plain words."


class _Writing:
    """Appends to an interview, one event after the other; the calls to models as their recorder."""

    def __init__(self, store: EventStore, interview: Interview) -> None:
        self._store, self.interview = store, interview

    async def append(self, event: Event) -> None:
        """Raises ``AskedMeanwhile``."""
        interview = self.interview
        assert interview.begun is not None, "it has begun"
        stream = interview_stream(interview.episode, interview.number)
        try:
            await asyncio.to_thread(
                self._store.append,
                stream,
                interview.version,
                [event],
                correlation=interview.begun.run,
            )
        except Conflict:
            raise AskedMeanwhile(interview.episode, interview.number) from None
        self.interview = interview.evolve(event)

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        return self.interview.calls.answers_to(turn, attempt)

    def record(self, event: CallEvent) -> asyncio.Task[None]:
        self._recording = asyncio.get_running_loop().create_task(self.append(event))
        return self._recording

    async def confirm(self) -> None:
        """See that the question is recorded: nobody else puts it then."""
        await self._recording
