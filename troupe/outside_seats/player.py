"""Plays the caller's seats one question after the other, waiting for each."""

from collections.abc import Coroutine, Mapping
from typing import Any, Final, TypeGuard, TypeVar

import numpy as np

from actors.episodes.rules.state import EpisodeState
from events.evaluation import JudgeSpec
from events.minds import MindSpec
from events.run import PlannedEpisode
from gateway.errors import GatewayError
from gateway.notebook.episodes import transcript_of
from gateway.services.episodes.seat_client import state_of
from troupe.arguments import Plan, Where
from troupe.errors import in_sentences
from troupe.outside_seats.episode import Asked, Ended, PlayedEpisode
from troupe.outside_seats.host import SeatHost, release, shared_host
from troupe.outside_seats.plan import SeatPlan, episode_words, seats_of
from troupe.outside_seats.run import SeatFork, SeatRun, prepared_fork
from troupe.sessions import session

T = TypeVar("T")


_OPTIONS: Final = ("episode", "at", "seat", "agreed")
"""Of a reset that goes on from an event."""


class SeatPlayer:
    """The episodes of a plan, one after the other, for a caller that plays seats of them.

    Each time the plan is played through, as many episodes as it has, is a run of its own.
    """

    def __init__(
        self, plan: Plan, *, mind: str = "", where: Where = None, probe: bool = True
    ) -> None:
        """Nothing is begun before the first episode is. Raises ``GatewayError``."""
        self.where, self._probe = where, probe
        with in_sentences(), session(where) as (_, store):
            self._plan = SeatPlan(plan, mind=mind)
            planned = self._plan.prepare(store).planned
        self._name = mind or next(one.name for one in planned.plan.minds if one.kind == "remote")
        self.judges: tuple[JudgeSpec, ...] = planned.plan.judges
        self.seats = {
            episode_words(episode): seats_of(planned, episode) for episode in planned.episodes
        }
        """Seats of the caller's, from 0, by what errors call their episode."""
        self._host: SeatHost | None = None
        self._run: SeatRun | None = None
        self._fork: SeatFork | None = None
        self._left: list[PlannedEpisode] = []
        """Episodes of the run that are still to be played, the next one last."""
        self._noted = True
        self.episode: PlayedEpisode | None = None
        self.planned: PlannedEpisode | None = None
        """What the plan says of it; None: it is a fork."""

    @property
    def state(self) -> EpisodeState:
        """How the episode stands, for who knows everything."""
        host, episode = self._here()
        return state_of(host.store, episode.id)

    def transcript(self, seat: int | None = None) -> str:
        """The episode so far, as a seat knows it, from 0; None: all of it."""
        host, episode = self._here()
        viewer = "narrator" if seat is None else str(seat + 1)
        with in_sentences():
            return transcript_of(host.store, episode.id, viewer).text

    def begin(self, chance: np.random.Generator, *, anew: bool) -> None:
        """Begin the plan's next episode; of a new run of it where all have been played or it is to
        begin ``anew``. ``chance`` decides the run's seed, and the order of its episodes."""
        host = self._ready()
        self._leave()
        if anew or not self._left or self._run is None:
            self._end_run()
            seed = int(chance.integers(2**31))
            with in_sentences():
                prepared = self._plan.prepare(host.store, seed)
            run = SeatRun(host, prepared)
            self._do(run.begin(probing=self._probe))
            self._run = run
            episodes = prepared.planned.episodes
            self._left = [episodes[place] for place in chance.permutation(len(episodes))]
        self.planned = self._left.pop()
        self._noted = False
        self.episode = self._do(self._run.play(self.planned))

    def goes_on(self, options: Mapping[str, Any] | None) -> TypeGuard[Mapping[str, Any]]:
        """Whether these options of a reset are for ``begin_fork``; none of those: they are not,
        for checkers give some of their own. Raises ``GatewayError`` where there are others beside
        them: one that is misspelled would begin another episode."""
        if not options:
            return False
        listed = ", ".join(map(repr, _OPTIONS))
        if not isinstance(options, Mapping):
            raise GatewayError(f"options: must be a dictionary with {listed}")
        if not any(one in options for one in _OPTIONS):
            return False
        if unknown := [one for one in options if one not in _OPTIONS]:
            raise GatewayError(f"options: there is no {unknown[0]!r}; there are {listed}")
        if "episode" not in options:
            raise GatewayError("options: a fork needs 'episode', the id of the one it goes on from")
        return True

    def begin_fork(self, options: Mapping[str, Any]) -> None:
        """Begin a fork. ``options``: ``episode``, ``at``: the last event that is shared; where its
        own minds leave the caller none, or another seat is wanted, ``seat`` from 1; ``agreed``, as
        for ``troupe.fork``."""
        at, seat = options.get("at"), options.get("seat")
        if not _is_whole(at):
            raise GatewayError("options: a fork needs 'at', the number of the last event shared")
        if not (seat is None or _is_whole(seat)):
            raise GatewayError(f"options: 'seat' is a whole number from 1, not {seat!r}")
        host = self._ready()
        self._leave()
        minds = {}
        if seat is not None:
            minds[seat - 1] = MindSpec(name=self._name, kind="remote")
        with in_sentences():
            prepared = prepared_fork(
                host,
                str(options["episode"]),
                at,
                minds,
                agreed=bool(options.get("agreed")),
            )
        self._fork = SeatFork(host, prepared, self.judges)
        self.planned = None
        self.episode = self._do(self._fork.play(probing=self._probe))

    def asked(self) -> Asked | None:
        """The next question to a seat of the caller's; None: the episode is over. Raises
        ``Unfinished`` where it waits, otherwise ``GatewayError``."""
        _, episode = self._here()
        return self._do(episode.asked())

    def answer(self, asked: Asked, text: str) -> tuple[str, Asked | None]:
        """Answer it: why the answer is no use, empty where it is some; and the next question, as
        ``asked`` has it."""
        _, episode = self._here()

        async def both() -> tuple[str, Asked | None]:
            failure = episode.answer(asked, text)
            why = "" if failure is None else failure.detail or failure.reason
            return why, await episode.asked()

        return self._do(both())

    def ended(self) -> Ended:
        """How the episode ended."""
        _, episode = self._here()
        ended = self._do(episode.ended())
        self._note(ended)
        self._end_fork()
        return ended

    def close(self) -> None:
        """Leave the episode, and let the process do other work. Harmless when repeated."""
        if self._host is None:
            return
        host = self._host
        try:
            self._leave()
            self._end_run()
        finally:
            self._host = None
            release(host, self.close)

    def _leave(self) -> None:
        episode, self.episode = self.episode, None
        if episode is not None and not self._noted:
            self._do(episode.stop("the program has left it"))
            self._note(None)
        self._end_fork()

    def _note(self, ended: Ended | None) -> None:
        if self._run is not None and self.planned is not None and not self._noted:
            self._run.note(ended)
        self._noted = True

    def _end_run(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            self._do(run.end())

    def _end_fork(self) -> None:
        fork, self._fork = self._fork, None
        if fork is not None:
            self._do(fork.end())

    def _ready(self) -> SeatHost:
        if self._host is None:
            self._host = shared_host(self.where, self.close)
        return self._host

    def _here(self) -> tuple[SeatHost, PlayedEpisode]:
        if self._host is None or self.episode is None:
            raise GatewayError("no episode is being played; call reset() first")
        return self._host, self.episode

    def _do(self, what: Coroutine[Any, Any, T]) -> T:
        assert self._host is not None, "it is ready"
        with in_sentences():
            return self._host.call(what).result()


def _is_whole(given: object) -> TypeGuard[int]:
    return isinstance(given, int) and not isinstance(given, bool)
