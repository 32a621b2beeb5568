"""The seats of this process's episodes that are played by minds of this process."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from actors.episodes import metrics
from actors.episodes.agent import NewMind, Seat
from actors.episodes.delivery.wire import wire_of
from actors.episodes.journal import SharedPast
from actors.episodes.mind import Mind
from actors.episodes.port.game import AnyGame
from actors.episodes.registry import game_of
from actors.episodes.rules.people import is_outside
from actors.episodes.rules.state import EpisodeState
from actors.runtime.actors.bus_bridge import Bridge
from actors.runtime.actors.host import ActorHost
from events.minds import MindSpec
from events.wire import subjects
from events.wire.messages import EpisodeOver

KIND: Final = "agent"
"""Of the actors in these seats."""


class Seated(msgspec.Struct):
    """A local mind's place."""

    seat: Seat
    mind: MindSpec
    game: AnyGame
    seats: int
    """How many the episode has."""
    begun_at: float | None
    """When the episode began here (of ``time.monotonic``), where its agent has no past to read."""
    pasts: Sequence[SharedPast] = ()
    """What the episode goes on from, where it is a fork."""


class LocalSeats:
    """Which local minds sit where. An episode has a table here from its beginning in this process
    until it leaves memory or ends, also where nobody of this process sits at it."""

    def __init__(
        self, host: ActorHost, bridge: Bridge, space: str, mind_for: Callable[[Seated], Mind]
    ) -> None:
        self._host, self._bridge, self._space, self._mind_for = host, bridge, space, mind_for
        self.tables: dict[str, dict[int, Seated]] = {}
        """By episode: its local minds by seat."""
        self._environments: dict[str, str] = {}
        """By episode that has a table."""

    def __contains__(self, episode: str) -> bool:
        """Whether an episode has a table."""
        return episode in self.tables

    def find(self, address: str) -> Seated | None:
        """Who sits at an agent's address; None: nobody any more."""
        episode, _, number = address.rpartition(".")
        return self.tables.get(episode, {}).get(int(number))

    def agents(self, episode: str) -> list[tuple[str, str]]:
        """The agents of an episode, by kind and id."""
        return [(KIND, seated.seat.address) for seated in self.tables.get(episode, {}).values()]

    def seat_all(
        self,
        episode: str,
        run: str,
        state: EpisodeState,
        pasts: Sequence[SharedPast],
        begun_at: float | None,
    ) -> None:
        """Seat the local minds that do not sit yet; those outside listen for themselves."""
        assert state.started is not None
        game = game_of(state.started)
        if episode not in self.tables:
            self.tables[episode] = {}
            metrics.ACTIVE.labels(game.environment, "playing").inc()
            self._environments[episode] = game.environment
        table = self.tables[episode]
        for number, mind in enumerate(state.minds):
            if is_outside(mind) or number in table:
                continue
            seat = Seat(episode, number, run)
            table[number] = Seated(seat, mind, game, len(state.minds), begun_at, pasts)
            self._listen_at(table[number])

    def reseat(
        self, episode: str, run: str, state: EpisodeState, seat: int, pasts: Sequence[SharedPast]
    ) -> tuple[str, str] | None:
        """Seat a local mind that has a seat now, in the place of the one that had it; that one's
        agent, which was dismissed."""
        table = self.tables.get(episode)
        if table is None:
            return None  # it is left where it is: whoever goes on with it seats everybody
        dismissed = None
        if (left := table.pop(seat, None)) is not None:
            dismissed = (KIND, left.seat.address)
            self._dismiss(left.seat)
        mind, started = state.minds[seat], state.started
        if is_outside(mind) or started is None:
            return dismissed
        place, game = Seat(episode, seat, run), game_of(started)
        table[seat] = Seated(place, mind, game, len(state.minds), None, pasts)
        if (KIND, place.address) in self._host:
            # It was dismissed, and may still wait for an answer that is paid for.
            self._host.tell(KIND, place.address, NewMind(self._mind_for(table[seat])))
        self._listen_at(table[seat])
        return dismissed

    def passivate(self, episode: str) -> str:
        """Have the agents of an episode leave memory; the episode's environment. Empty: it has no
        table, or one of them is at work."""
        agents = self.agents(episode)
        if episode not in self.tables or not all(self._host.passivate(*agent) for agent in agents):
            return ""
        for agent in agents:
            self._bridge.unlisten(*agent)
        del self.tables[episode]
        return self._cleared(episode)

    def clear(self, episode: str) -> None:
        """Dismiss the local minds of an episode, if it has a table."""
        table = self.tables.pop(episode, None)
        if table is not None:
            self._cleared(episode)
            for seated in table.values():
                self._dismiss(seated.seat)

    def _cleared(self, episode: str) -> str:
        environment = self._environments.pop(episode)
        metrics.ACTIVE.labels(environment, "playing").dec()
        return environment

    def _dismiss(self, seat: Seat) -> None:
        """Have a seat's agent ask nothing more; what it asked already is recorded."""
        self._bridge.unlisten(KIND, seat.address)
        if (KIND, seat.address) in self._host:
            over = EpisodeOver(episode=seat.episode, seat=seat.number, reason="over")
            self._host.tell(KIND, seat.address, over)

    def _listen_at(self, seated: Seated) -> None:
        seat = seated.seat
        self._bridge.listen_now(
            KIND,
            seat.address,
            subject=subjects.seat(self._space, seat.episode, seat.number),
            decode=wire_of(seated.game.environment).decode_seat_message,
        )
