"""Runs whose episodes are played one by one, as the caller asks for them; and forks."""

import asyncio
import warnings
from collections.abc import Mapping, Sequence
from typing import Final

from actors.episodes.rules.people import is_outside
from actors.runs.execution.coordinator import Progress, end_run, pause_run
from actors.runs.execution.work import leases_of
from events.episode import EpisodeStarted
from events.evaluation import JudgeSpec
from events.minds import MindSpec
from events.run import PlannedEpisode, RunPaused
from events.serialization.fingerprints import evaluation_id
from events.wire.messages import ContinueEpisode, PlayEpisode
from gateway.errors import GatewayError
from gateway.models.context_size import check_contexts
from gateway.models.probe_models import models_of, models_of_minds, probe
from gateway.process.lease_holders import HeldElsewhere
from gateway.process.run_leases import RunLease
from gateway.services.episodes.fork_episode import PreparedFork, fork_episode, prepare_fork
from gateway.services.episodes.seat_client import Place, state_of
from gateway.services.runs.confirm_destinations import NotAgreed, destinations_of_fork
from gateway.services.runs.plan_run import Prepared, record_run
from troupe.outside_seats.episode import Ended, PlayedEpisode, check_goes_on
from troupe.outside_seats.host import SeatHost
from troupe.outside_seats.plan import remote_seats, seats_of

LEFT: Final = "the program that plays its seats has left"


class SeatRun:
    """A run that the caller's seats are part of. Lives on the host's loop."""

    def __init__(self, host: SeatHost, prepared: Prepared) -> None:
        self.host, self.id, self.planned = host, prepared.run, prepared.planned
        self._prepared = prepared
        self._lease: RunLease | None = None
        self._progress = Progress(episodes=len(self.planned.episodes))

    @property
    def judges(self) -> Sequence[JudgeSpec]:
        """They score each episode."""
        return self.planned.plan.judges

    async def begin(self, *, probing: bool) -> None:
        """Record it. ``probing``: ask each model one tiny request first. Raises
        ``ModelsUnavailable``, ``ContextTooSmall``."""
        host, planned = self.host, self.planned
        models = models_of(planned) if probing else []
        if models:
            await probe(host.node.caller, models)
            context_of = host.node.caller.context_of
            for sentence in await check_contexts(context_of, planned, self._prepared.catalog):
                warnings.warn(sentence, stacklevel=2)
        self._lease = await _leased(host, self.id, leases_of(self.id, self.judges))
        await asyncio.to_thread(record_run, host.store, self._prepared)

    async def play(self, planned: PlannedEpisode) -> PlayedEpisode:
        """Begin one of its episodes. Raises ``Unfinished`` where the run was paused."""
        host = self.host
        await check_goes_on(host, self.id, planned.id)
        started = await asyncio.to_thread(self._beginning, planned)
        places = [
            Place(episode=planned.id, run=self.id, seat=seat, started=started)
            for seat in seats_of(self.planned, planned)
        ]
        episode = PlayedEpisode(host, places, self.judges)
        await episode.begin(PlayEpisode(run=self.id, episode=planned.id))
        return episode

    def _beginning(self, planned: PlannedEpisode) -> EpisodeStarted:
        runs = self.host.node.runs
        state = runs.run(self.id)
        assert state is not None, "it was recorded"
        return runs.beginning(self.id, state, planned.id)

    def note(self, ended: Ended | None) -> None:
        """One of its episodes is over; None: it was left."""
        progress = self._progress
        if ended is not None and ended.reason == "failed":
            progress.episodes_failed += 1
            return
        progress.episodes_ended += 1
        for one in next(iter(ended.scores.values()), ()) if ended is not None else ():
            progress.evaluations += 1
            progress.evaluations_ended += bool(one.values)
            progress.evaluations_failed += not one.values

    async def end(self) -> None:
        """No more of its episodes is played here: it has ended, or it waits."""
        if self._lease is None:
            return
        store, progress = self.host.store, self._progress
        if progress.done:
            await asyncio.to_thread(end_run, store, self.id, progress)
        else:
            event = RunPaused(reason="stopped", detail=LEFT)
            await asyncio.to_thread(pause_run, store, self.id, event)
        await self.host.node.leases.leave(self._lease)
        self._lease = None


class SeatFork:
    """A fork that the caller plays seats of; it belongs to no run."""

    def __init__(self, host: SeatHost, prepared: PreparedFork, judges: Sequence[JudgeSpec]) -> None:
        self.host, self.id, self.judges = host, prepared.id, judges
        self._prepared = prepared
        self._lease: RunLease | None = None

    @property
    def seats(self) -> tuple[int, ...]:
        """Those that the caller plays, from 0."""
        return remote_seats(self._prepared.minds)

    async def play(self, *, probing: bool) -> PlayedEpisode:
        """Begin it. ``probing``: as for a run."""
        host = self.host
        if probing and (models := models_of_minds(self._prepared.minds)):
            await probe(host.node.caller, models)
        names = [self.id, *(evaluation_id(self.id, judge) for judge in self.judges)]
        self._lease = await _leased(host, "", names)
        await asyncio.to_thread(fork_episode, host.store, self._prepared)
        started = (await asyncio.to_thread(state_of, host.store, self.id)).started
        assert started is not None, "what is forked has begun"
        places = [Place(episode=self.id, run="", seat=seat, started=started) for seat in self.seats]
        episode = PlayedEpisode(host, places, self.judges)
        await episode.begin(ContinueEpisode(episode=self.id))
        return episode

    async def end(self) -> None:
        """It is over, or left."""
        if self._lease is not None:
            await self.host.node.leases.leave(self._lease)
            self._lease = None


def prepared_fork(
    host: SeatHost, episode: str, at: int, minds: Mapping[int, MindSpec], *, agreed: bool = False
) -> PreparedFork:
    """A fork after event ``at`` with other minds in some seats, from 0. Blocking. Raises
    ``UnknownId``, ``NoSuchEvent``, ``BadArgument``, ``NotAgreed``."""
    prepared = prepare_fork(host.store, episode, at, [], minds)
    if not agreed and destinations_of_fork(host.store, prepared):
        raise NotAgreed(f"episode {prepared.parent}", asked=False)
    if not any(map(is_outside, prepared.minds)):
        raise GatewayError(
            f"no seat of episode {prepared.parent} is yours: say which, counted from 1, as "
            'options={"episode": …, "at": …, "seat": 1}'
        )
    return prepared


async def _leased(host: SeatHost, run: str, names: Sequence[str]) -> RunLease:
    taken = await host.node.leases.take(run, names)
    if not isinstance(taken, RunLease):
        raise HeldElsewhere(taken.name, taken)
    return taken
