"""Supervises the participants of a study: forms groups, begins and queues episodes, and continues
sessions whose time is up. Every gateway does this; an action that two of them take at once takes
effect once."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from time import monotonic
from typing import Final

import msgspec
import structlog

from actors.runs.execution.coordinator import Progress, end_run
from actors.runtime.actors.supervision import is_outage
from actors.runtime.bus.errors import BusError
from actors.runtime.bus.nats_bus import Received
from actors.runtime.errors import CommandRefused
from actors.runtime.jobs.queue import JobQueue
from actors.studies.rules import SECOND, Drop, EndGroup, EndSession, Gather, decide, too_long
from actors.studies.state import Group, StudyState
from events.ids import EPISODE, new_event_id, new_id
from events.study import GroupFormed
from events.wire import subjects
from events.wire.messages import ContinueEpisode, StopEpisode
from events.wire.subjects import is_id
from gateway.process.rate_buckets import Buckets, Rate
from gateway.process.run_leases import RunLease
from gateway.process.subscription import EventSubscriptions
from gateway.process.worker_node import job_settings
from gateway.services.episodes.send_command import send
from gateway.services.repository import Loaded
from gateway.services.serving_process import ServingProcess
from gateway.services.studies.completion_codes import new_code
from gateway.services.studies.groups import GroupOutcomes, begin_group
from gateway.services.studies.study_repository import Sessions, Studies, now

log = structlog.get_logger(__name__)

TICK_S: Final = 1.0
"""How often studies are looked after, in seconds."""
QUEUE_S: Final = 3.0
"""How often it is asked whether the episodes of groups are in the queue, in seconds."""
IDLE_LOOK_S: Final = 10.0
"""How often it is looked for sessions in which nothing happens, in seconds."""
ARRIVALS: Final = Rate(per_s=1.0, burst=100.0)
"""Sessions that may begin from one address: a whole class may sit behind one."""
LIST_S: Final = 5.0
"""How often it is looked for studies that another process has planned, in seconds."""


class StudySupervisor:
    """Looks after the studies of one gateway's store."""

    def __init__(self, gateway: ServingProcess) -> None:
        self.gateway = gateway
        self.studies = Studies(gateway.store)
        self.presence = ParticipantPresence()
        self.arrivals = Buckets("sessions begun from one address", ARRIVALS)
        self.courses = GroupOutcomes(gateway.store)
        self._jobs: JobQueue | None = None
        self._open: set[str] = set()
        """Studies in which something may happen by itself."""
        self._listed: set[str] = set()
        self._held: set[str] | None = None
        """Episodes whose jobs are in the queue; None: not known."""
        self._held_at = self._idle_at = self._listed_at = -1e9
        self._tenures: dict[str, RunLease] = {}
        """The runs of studies that this process says it looks after."""
        self._stopping: dict[str, asyncio.Task[object]] = {}
        """Episodes that are told to end."""

    async def run(self) -> None:
        """For ever."""
        while True:
            try:
                await self.look()
            except Exception as error:
                if not is_outage(error) and not isinstance(error, BusError):
                    log.exception("studies_not_looked_after")
                else:
                    log.warning("studies_wait", error_type=type(error).__name__)
            await asyncio.sleep(TICK_S)

    async def look(self) -> None:
        """Once."""
        at = monotonic()
        if at - self._listed_at >= LIST_S:
            self._listed_at = at
            listed = set(await asyncio.to_thread(self.studies.ids))
            self._open |= listed - self._listed
            self._listed = listed
        idle = at - self._idle_at >= IDLE_LOOK_S
        if idle:
            self._idle_at = at
        if at - self._held_at >= QUEUE_S:
            self._held_at = at
            self._held = None
        for study in sorted(self._open):
            try:
                loaded = await asyncio.to_thread(self.studies.load, study)
                await self._look_after(loaded, idle=idle)
            except Exception as error:
                if is_outage(error) or isinstance(error, BusError):
                    raise
                # The others are looked after all the same.
                log.exception("study_not_looked_after", study=study)

    def wake(self, study: str) -> None:
        """Something may happen in a study."""
        self._open.add(study)

    async def _look_after(self, loaded: Loaded[StudyState], *, idle: bool) -> None:
        study, state = loaded.id, loaded.state
        if state.status == "planned":
            return
        await self._take_up(state.run)
        if any(place.where == "waiting" for place in state.places.values()):
            await asyncio.to_thread(self._match, study, self.presence.of(study))
            state = (await asyncio.to_thread(self.studies.load, study)).state
        for group in state.under_way:
            await self.follow(study, group)
        for group in too_long(state, now()):
            self._stop(group.episode, "it took longer than the study gives it")
        if idle:
            await asyncio.to_thread(self._end_idle, study)
            await self._maybe_over(study)

    async def _take_up(self, run: str) -> None:
        """Have others know that this process looks after a study's run, unless another one has its
        lease: what both do happens once all the same."""
        node = self.gateway.node
        if node is None or run in self._tenures:
            return
        found = await node.leases.take(run, [run])
        if isinstance(found, RunLease):
            self._tenures[run] = found
            found.on_lost(partial(self._tenures.__delitem__, run))

    async def leave(self) -> None:
        """This process looks after no study any more."""
        node = self.gateway.node
        if node is not None:
            for tenure in tuple(self._tenures.values()):
                await node.leases.leave(tenure)

    def _match(self, study: str, present: frozenset[str]) -> None:
        while True:
            command = Gather(at=now(), present=present, episode=new_id(EPISODE), code=new_code())
            state, events = self.studies.change(study, partial(decide, command=command))
            for event in events:
                if isinstance(event, GroupFormed):
                    begin_group(self.gateway.store, study, state, state.groups[event.episode])
                    log.info("group_formed", study=study, condition=event.condition)
            if not events:
                return

    async def follow(self, study: str, group: Group) -> None:
        """Take what became of a group's episode into the study, and have it played."""
        store, episode = self.gateway.store, group.episode
        found = await asyncio.to_thread(self.courses.of, group)
        loaded = await asyncio.to_thread(self.studies.load, study)
        if not found.begun:
            await asyncio.to_thread(begin_group, store, study, loaded.state, group)
        dropped = {
            member.session
            for member in group.members
            if loaded.state.places[member.session].dropped
        }
        for gone in found.gone:
            if gone.session not in dropped:
                command = Drop(session=gone.session, reason=gone.reason, at=now())
                await asyncio.to_thread(self.studies.do, study, command)
                dropped.add(gone.session)
        if found.ending:
            if found.shown_at > now():
                # Who goes on before the last words were shown would know how soon they came.
                return
            command_ = EndGroup(episode=episode, ending=found.ending, at=now())
            await asyncio.to_thread(self.studies.do, study, command_)
            self.courses.forget(group)
            return
        if dropped and loaded.state.study.drop_outs.rule == "end":
            self._stop(episode, "a participant left")
        elif len(dropped) == len(group.members):
            self._stop(episode, "all participants left")
        await self._queue(loaded.state.run, episode)

    async def _queue(self, run: str, episode: str) -> None:
        """Have the fleet play an episode, unless its job is in the queue."""
        jobs = self._queue_of_jobs()
        if self._held is None:
            found = await jobs.held("episode")
            # Somebody else may have asked meanwhile.
            self._held = found if self._held is None else self._held
        held = self._held
        if held is None or episode in held:
            return
        # Said first: pages follow groups, too, and need not queue the same meanwhile.
        held.add(episode)
        job = ContinueEpisode(episode=episode, run=run)
        # The id of a job that was queued and is lost would not be taken again for a while; a second
        # job for an episode that is under way finds it there.
        await jobs.enqueue("episode", job, id=f"{episode}-{new_event_id()}")

    def _queue_of_jobs(self) -> JobQueue:
        """Those who play take their jobs from it."""
        gateway = self.gateway
        if gateway.node is not None:
            return gateway.node.jobs
        # A server beside that has restarted is reached by another connection.
        if self._jobs is None or self._jobs.bus is not gateway.bus:
            self._jobs = JobQueue(gateway.bus, job_settings(gateway.settings.tuning))
        return self._jobs

    def _stop(self, episode: str, why: str) -> None:
        if episode in self._stopping:
            return
        sending = send(self.gateway, episode, StopEpisode(detail=why), patience_s=10.0)
        task = asyncio.get_running_loop().create_task(sending)
        self._stopping[episode] = task
        task.add_done_callback(lambda _: self._stopping.pop(episode, None))

    def _end_idle(self, study: str) -> None:
        state = self.studies.load(study).state
        sessions = Sessions(self.gateway.store)
        oldest = now() - round(state.study.idle_s * SECOND)
        for place in state.places.values():
            if place.where not in ("before", "after") or place.since > oldest:
                continue
            session = sessions.get(place.session)
            if session is not None and session.at > oldest:
                continue
            try:
                self.studies.do(study, EndSession(session=place.session, outcome="idle", at=now()))
            except CommandRefused:
                # It has moved on just now.
                continue

    async def _maybe_over(self, study: str) -> None:
        """A closed study in which nobody is any more needs nobody to look after it."""
        state = (await asyncio.to_thread(self.studies.load, study)).state
        if state.status != "closed" or state.under_way:
            return
        if any(place.where != "ended" for place in state.places.values()):
            return
        played = len(state.groups)
        failed = sum(group.ending == "failed" for group in state.groups.values())
        progress = Progress(episodes=played, episodes_ended=played - failed, episodes_failed=failed)
        await asyncio.to_thread(end_run, self.gateway.store, state.run, progress)
        self._open.discard(study)


@asynccontextmanager
async def running(gateway: ServingProcess) -> AsyncIterator[None]:
    """Studies are looked after as long as this lasts."""
    caring = StudySupervisor(gateway)
    gateway.studies = caring
    assert gateway.live is not None, "it is begun before"
    silent = caring.presence.listen(gateway.live.hearing)
    task = asyncio.get_running_loop().create_task(caring.run())
    try:
        yield
    finally:
        silent()
        task.cancel()
        for stopping in tuple(caring._stopping.values()):
            stopping.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await caring.leave()


PRESENT_S: Final = 12.0
"""So long after its last sign a page counts as open, in seconds: browsers slow hidden ones down."""


class ParticipantPresence:
    """Signs of life of sessions, by study."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: seconds since whenever."""
        self._clock = clock
        self._seen: dict[str, dict[str, float]] = defaultdict(dict)

    def listen(self, bus: EventSubscriptions) -> Callable[[], None]:
        """Hear what other gateways say, until what is returned is called."""
        subscribed = bus.subscribe_now(subjects.all_present(bus.space), self._heard)
        return subscribed.unsubscribe

    def here(self, bus: EventSubscriptions | None, study: str, session: str) -> None:
        """A session's page was heard from. ``bus``: how others are told; None: they are not."""
        self.note(study, session)
        if bus is not None and bus.connected:
            bus.publish(
                subjects.present(bus.space, study), msgspec.msgpack.encode((study, session))
            )

    def note(self, study: str, session: str) -> None:
        """The same, for this gateway alone."""
        self._seen[study][session] = self._clock()

    def of(self, study: str) -> frozenset[str]:
        """The sessions of a study whose pages are open."""
        oldest = self._clock() - PRESENT_S
        seen = self._seen.get(study, {})
        for session in [one for one, at in seen.items() if at < oldest]:
            del seen[session]
        return frozenset(seen)

    def _heard(self, received: Received) -> None:
        try:
            study, session = msgspec.msgpack.decode(received.data, type=tuple[str, str])
        except msgspec.MsgspecError:
            return
        if is_id(study) and is_id(session):
            self.note(study, session)
