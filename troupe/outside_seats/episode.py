"""One episode whose seats are played by the caller, as its loop sees it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final, NamedTuple

import msgspec
from nats.errors import Error as NatsError

from actors.episodes.mind import Scene
from actors.episodes.port.prompts import PromptWriter
from actors.episodes.port.sight import Notice
from actors.episodes.port.words import Entry
from actors.models.answers.ask import Unusable
from actors.runs.execution.work import evaluation_job
from actors.runs.judges import add_judge
from actors.runtime.bus.nats_bus import Bus, Subscribed
from events.environments import Action, Question
from events.episode import ActionFailure
from events.evaluation import JudgeSpec
from events.ids import new_id
from events.run import RunPaused
from events.serialization.codec import encode
from events.wire import subjects
from events.wire.messages import (
    ContinueEpisode,
    EpisodeOver,
    Observation,
    PlayEpisode,
    Posed,
    Refused,
    StopEpisode,
    TakeAction,
)
from gateway.errors import Unfinished
from gateway.services.episodes.seat_client import Place, SeatClient, SeatRefused, state_of
from store.log.event_store import NEW
from store.read_model.episode_history import read_history
from troupe.outside_seats.host import SeatHost
from troupe.outside_seats.questions import SeatQuestion
from troupe.outside_seats.scores import SeatScores, read_scores

LOOK_S: Final = 0.5
"""How often it is looked whether the run was paused, in seconds."""
SCORED_S: Final = 0.1
"""How often it is looked whether a judge is done though nothing said so, in seconds."""
STOP_S: Final = 2.0
"""How long it is waited for an episode that is left to be stopped, in seconds."""


class Asked(NamedTuple):
    """What the caller is to answer."""

    question: SeatQuestion
    posed: Posed
    notices: Sequence[Notice]
    """What the seat noticed since it was last asked."""
    entry: Callable[[Notice], Entry]

    @property
    def lines(self) -> tuple[str, ...]:
        """The same in words."""
        return tuple(self.entry(one).line for one in self.notices)


class Ended(msgspec.Struct, kw_only=True):
    """How an episode ended."""

    reason: str
    """In one word: an ending of the environment's, ``stopped``, or ``failed``: given up."""
    ending: str
    """As half a sentence."""
    lines: Mapping[int, tuple[str, ...]]
    """What each seat of the caller's noticed after it last answered, a line each."""
    scores: Mapping[int, tuple[SeatScores, ...]]
    """By seat of the caller's: what each judge says of it. Empty where the episode was given up or
    stopped: nothing of it is scored."""


class _Seat(SeatClient):
    """A seat of the caller's, over the host's own connection."""

    def __init__(self, host: SeatHost, place: Place) -> None:
        self.seen: list[Notice] = []
        self.told = 0
        """How many of ``seen`` the caller was told of."""
        self.writer: PromptWriter[Question, Notice] | None = None
        super().__init__(host.settings, host.store, place, self.seen.extend, lambda _: None)
        self.looks_first = False
        self.entry = place.game.words.entry_writer(place.started, place.seat)
        self._bus = host.node.bus
        self._heard: asyncio.Queue[bytes] = asyncio.Queue()
        self._subscribed: list[Subscribed] = []

    def listen(self) -> None:
        """From before the episode begins."""
        space, place = self._bus.space, self.place
        for subject in (
            subjects.seat(space, place.episode, place.seat),
            subjects.seat_news(space, place.episode, place.seat),
        ):
            heard = self._bus.subscribe_now(subject, lambda one: self._heard.put_nowait(one.data))
            self._subscribed.append(heard)

    def leave_off(self) -> None:
        """Listen no more."""
        while self._subscribed:
            self._subscribed.pop().unsubscribe()

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[tuple[Bus, "asyncio.Queue[bytes]"]]:
        yield self._bus, self._heard

    def asked_in(self, observation: Observation, posed: Posed) -> Asked:
        """A question to it."""
        if self.writer is None:
            self.writer = self.place.game.prompts.writer(self.background)
        scene = Scene(
            background=self.background,
            seen=self.seen,
            turn=observation.turn,
            question=posed.question,
            question_id=posed.id,
            seat=self.place.seat,
            seats=len(self.place.started.minds),
        )
        new, self.told = self.seen[self.told :], len(self.seen)
        question = SeatQuestion(self.place.game, scene, self.writer)
        return Asked(question, posed, new, self.entry)


class PlayedEpisode:
    """An episode, and the seats of it that the caller plays. Lives on the host's loop."""

    def __init__(
        self,
        host: SeatHost,
        places: Sequence[Place],
        judges: Sequence[JudgeSpec],
    ) -> None:
        self.host = host
        self.id, self.run = places[0].episode, places[0].run
        self.started = places[0].started
        self._judges = judges
        self._seats = {place.seat: _Seat(host, place) for place in places}
        self._asking: dict[asyncio.Task[Observation | EpisodeOver], int] = {}
        self._open: dict[int, Observation] = {}
        """By seat: what it is asked and has not answered."""
        self._given: dict[int, list[TakeAction]] = {seat: [] for seat in self._seats}
        """By seat: answers to some of the questions of its turn."""
        self._turn = -1
        """The turn of which it is known who is asked."""
        self._expected: set[int] = set()
        """The seats of the caller's that are asked in it."""
        self.over: EpisodeOver | None = None
        self.failures: dict[int, ActionFailure] = {}
        """By seat: why its last answer was no use, where it was not."""

    @property
    def seats(self) -> tuple[int, ...]:
        """Those of the caller's, from 0."""
        return tuple(self._seats)

    async def begin(self, job: PlayEpisode | ContinueEpisode) -> None:
        """Have it played."""
        for seat in self._seats.values():
            seat.listen()
        await self.host.node.bus.flush()
        for number in self._seats:
            self._ask(number, ())
        await self.host.node.jobs.enqueue("episode", job, id=new_id("job"))

    async def asked(self) -> Asked | None:
        """The next question to a seat of the caller's, the first seat's first; None: the episode is
        over. Raises ``Unfinished`` where it is paused, ``SeatRefused``."""
        while self.over is None and not (self._open and self._expected <= self._open.keys()):
            await self._hear()
        if self.over is not None:
            self._leave_off()
            return None
        seat = min(self._open)
        observation = self._open[seat]
        return self._seats[seat].asked_in(observation, observation.questions[0])

    def answer(
        self, asked: Asked, text: str, read: Action | Unusable | None = None
    ) -> ActionFailure | None:
        """Answer what was asked last; why the answer is no use, where it is not. ``read``: what the
        text was read as; None: it is read here."""
        seat = asked.question.seat
        text = text.encode(errors="replace").decode()  # half a surrogate pair cannot be stored
        read = asked.question.read(text) if read is None else read
        given = asked.question.taken(asked.posed, text, read)
        self.failures.pop(seat, None)
        if given.failure is not None:
            self.failures[seat] = given.failure
        self._given[seat].append(given)
        rest = self._open[seat].questions[1:]
        if rest:
            self._open[seat] = msgspec.structs.replace(self._open[seat], questions=rest)
            return given.failure
        del self._open[seat]
        self._expected.discard(seat)
        self._ask(seat, tuple(self._given[seat]))
        self._given[seat].clear()
        return given.failure

    async def ended(self) -> Ended:
        """How it ended, once all judges are done. Raises ``Unfinished``."""
        assert self.over is not None, "it is over"
        reason = self.over.reason
        ending, lines = await asyncio.to_thread(self._told_at_the_end)
        scores: dict[int, tuple[SeatScores, ...]] = dict.fromkeys(self._seats, ())
        if reason not in ("stopped", "failed"):
            found = [await self._scored(judge) for judge in self._judges]
            scores = {seat: tuple(one[seat] for one in found) for seat in self._seats}
        return Ended(reason=reason, ending=ending, lines=lines, scores=scores)

    async def stop(self, why: str) -> None:
        """End an episode that the caller leaves before its end."""
        self._leave_off()
        if self.over is not None:
            return
        bus = self.host.node.bus
        subject = subjects.command(bus.space, "episode", self.id)
        with suppress(NatsError, TimeoutError):
            await bus.nats.request(subject, encode(StopEpisode(detail=why)), timeout=STOP_S)

    def _ask(self, seat: int, answers: Sequence[TakeAction]) -> None:
        task = asyncio.get_running_loop().create_task(self._converse(seat, answers))
        self._asking[task] = seat

    async def _converse(
        self, seat: int, answers: Sequence[TakeAction]
    ) -> Observation | EpisodeOver:
        client = self._seats[seat]
        found = await client.asked(answers)
        if isinstance(found, Refused):
            # Read as an answer, and refused by the rules all the same.
            nothing = client.place.game.rules.nothing
            why = ActionFailure(reason="mind_error", detail=found.reason)
            self.failures[seat] = why
            questions = {posed.id: posed.question for posed in found.questions}
            given = [
                msgspec.structs.replace(one, action=nothing(questions[one.question]), failure=why)
                for one in answers
                if one.question in questions
            ]
            found = await client.asked(given)
        if isinstance(found, Refused):
            raise SeatRefused(self.id, found.reason)
        return found

    async def _hear(self) -> None:
        """Until something came, or it is to be looked whether anything still can."""
        done, _ = await asyncio.wait(
            self._asking, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED
        )
        if not done:
            await self._check()
        for task in done:
            seat = self._asking.pop(task)
            found = task.result()
            if isinstance(found, EpisodeOver):
                self.over = found
                return
            self._open[seat] = found
            if found.turn != self._turn:
                self._turn = found.turn
                self._expected = {seat}
                if len(self._seats) > 1:
                    # In the order of the seats, whatever comes first.
                    state = await asyncio.to_thread(state_of, self.host.store, self.id)
                    self._expected |= set(state.waiting) & self._seats.keys()

    async def _check(self) -> None:
        """Raises ``Unfinished`` where the episode's run waits, and what keeps the store from
        storing."""
        if (outage := self.host.store.outage) is not None:
            raise outage
        await check_goes_on(self.host, self.run, self.id)
        self.over = self.over or await asyncio.to_thread(self._over)

    async def _scored(self, judge: JudgeSpec) -> dict[int, SeatScores]:
        host, job = self.host, evaluation_job(self.id, judge, self.run)
        if not self.run:
            await asyncio.to_thread(add_judge, host.store, judge)
        tried = asyncio.Event()
        host.tried[job.evaluation].append(tried)
        try:
            await host.node.jobs.enqueue("evaluation", job, id=new_id("job"))
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(SCORED_S):
                        await tried.wait()
                tried.clear()
                found = await asyncio.to_thread(self._read_scores, job.evaluation, judge)
                if found is not None:
                    return found
                await self._check_scoring()
        finally:
            del host.tried[job.evaluation]

    async def _check_scoring(self) -> None:
        if (outage := self.host.store.outage) is not None:
            raise outage
        await check_goes_on(self.host, self.run, self.id)

    def _over(self) -> EpisodeOver | None:
        if self.host.store.version(subjects.stream_name("episode", self.id)) == NEW:
            return None
        return self._seats[self.seats[0]].over()

    def _read_scores(self, evaluation: str, judge: JudgeSpec) -> dict[int, SeatScores] | None:
        found = {}
        for seat in self._seats:
            scores = read_scores(self.host.store, evaluation, judge, seat)
            if scores is None:
                return None
            found[seat] = scores
        return found

    def _told_at_the_end(self) -> tuple[str, dict[int, tuple[str, ...]]]:
        history = [one.event for one in read_history(self.host.store, self.id)]
        lines, ending = {}, ""
        for number, seat in self._seats.items():
            game = seat.place.game
            account = game.words.account(game.sight.view(history, number))
            last = seat.seen[seat.told - 1].number if seat.told else -1
            lines[number] = tuple(one.line for one in account.entries if one.number > last)
            ending = account.ending
        return ending, lines

    def _leave_off(self) -> None:
        for seat in self._seats.values():
            seat.leave_off()
        for task in self._asking:
            task.cancel()
        self._asking.clear()


async def check_goes_on(host: SeatHost, run: str, episode: str) -> None:
    """Raises ``Unfinished`` where a run waits: for a larger budget, a model that can be asked, or
    whoever stopped it. ``run`` empty: the episode belongs to none."""
    halted: RunPaused | None = host.node.halted.get(run)
    if run and halted is None:
        state = await asyncio.to_thread(host.node.runs.run, run)
        if state is not None and state.status == "paused":
            raise Unfinished(run, "the run was paused", f"`troupe show {run}` says why")
    if halted is not None:
        raise Unfinished(run or episode, halted.detail or halted.reason, "nothing of it is lost")
