"""One seat as an environment of Gymnasium. See ``docs/how-to/trainers.md``.

    from troupe.gymnasium_env import SeatEnv

    env = SeatEnv("examples/remote.toml")
    text, info = env.reset(seed=7)
    text, reward, terminated, truncated, info = env.step('{"kind": "speak", "text": "Hello."}')

Needs Gymnasium: ``make gym``, or ``pip install 'troupe-server[gym]'``.
"""

import string
import weakref
from math import nan
from typing import Any, Final

import gymnasium
from gymnasium import spaces

from gateway.errors import GatewayError
from troupe.arguments import Plan, Where
from troupe.outside_seats.episode import Asked
from troupe.outside_seats.plan import only_seat
from troupe.outside_seats.player import SeatPlayer
from troupe.outside_seats.rewards import Reward, RewardOf, last_words, told

__all__ = ["AnyText", "SeatEnv"]

LONGEST_SHOWN: Final = 1_000_000
"""Characters of an observation."""
LONGEST_ANSWER: Final = 16_000
"""Characters of an action."""


class AnyText(spaces.Text):  # type: ignore[misc]
    """Any text up to a length; a sample is of printable ASCII."""

    def __init__(self, longest: int) -> None:
        super().__init__(longest, min_length=0, charset=string.printable)

    def contains(self, x: object) -> bool:
        """Whether it is text that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length


class SeatEnv(gymnasium.Env):  # type: ignore[misc]
    """The episodes of a plan, from one seat.

    An observation is the text that a language model in the seat would be sent: who it is, the
    rules, what has happened, the question. An action is the text of its answer, read as a model's
    is; one that cannot be read is recorded as a failed action, and the episode goes on.

    The reward is 0 until the episode is over, and then what the plan's judges say: ``info`` has
    ``scores`` by judge and dimension, ``missing`` with the reason of each that failed, and
    ``no_findings``: the judges that are rehearsals or local models. Where its score is missing, the
    reward is ``missing``, by default not a number. ``truncated``: the episode was given up, or
    stopped by somebody.

    ``reset(seed=…)`` begins the plan anew with that chance; ``reset()`` goes on with its next
    episode. ``reset(options={"episode": …, "at": …})`` goes on from event ``at`` of any episode, as
    a fork; ``seat``, from 1, says which seat of it, where none of its minds is remote.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        plan: Plan,
        *,
        mind: str = "",
        reward: RewardOf = "",
        missing: float = nan,
        where: Where = None,
        probe: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """``plan``: a file's path, its text, or a dict of what it would say. ``mind``: which of its
        minds is played here, whatever the plan says of it; empty: its remote one. ``reward``: a
        dimension of its first judge, or what is called with all scores; empty: ``overall``.
        ``missing``: the reward where its score is missing. ``where``: a data folder, a database's
        address or a ``Store``; None: as for ``troupe.run``. ``probe``: ask each model one tiny
        request first. Raises ``troupe.Error``."""
        self.render_mode = render_mode
        self.observation_space = AnyText(LONGEST_SHOWN)
        self.action_space = AnyText(LONGEST_ANSWER)
        self._player = SeatPlayer(plan, mind=mind, where=where, probe=probe)
        for what, seats in self._player.seats.items():
            only_seat(seats, what)
        self._reward = Reward(reward, self._player.judges, missing)
        self._asked: Asked | None = None
        weakref.finalize(self, self._player.close)

    @property
    def episode(self) -> str:
        """The id of the episode; empty: none was begun."""
        return self._player.episode.id if self._player.episode is not None else ""

    @property
    def event(self) -> int:
        """The number of the event that opened the present turn: a fork ``at`` it is asked the same
        again."""
        return self._player.state.opened

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode; what the seat is asked first, and the ids of what is played."""
        super().reset(seed=seed)
        self._asked = None
        player = self._player
        if player.goes_on(options):
            player.begin_fork(options)
        else:
            player.begin(self.np_random, anew=seed is not None)
        assert player.episode is not None, "it was begun"
        seat = only_seat(player.episode.seats, f"episode {player.episode.id}")
        self._asked = player.asked()
        info: dict[str, Any] = {
            "episode": player.episode.id,
            "run": player.episode.run,
            "task": player.episode.started.task,
            "seat": seat + 1,
        }
        if self._asked is None:
            ended = player.ended()
            raise GatewayError(
                f"episode {player.episode.id} was over before its seat {seat + 1} was asked "
                f"anything: {ended.ending}"
            )
        return self._asked.question.text, info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Answer; what the seat is asked next, or how the episode ended. ``info["failed"]`` says
        why the answer was no use, where it was not."""
        if self._asked is None:
            raise gymnasium.error.ResetNeeded("the episode is over; call reset()")
        asked, self._asked = self._asked, None
        seat = asked.question.seat
        why, self._asked = self._player.answer(asked, str(action))
        info: dict[str, Any] = {"failed": why} if why else {}
        if self._asked is not None:
            return self._asked.question.text, 0.0, False, False, info
        ended = self._player.ended()
        given_up = ended.reason in ("failed", "stopped")
        reward = self._reward.of(ended.scores[seat])
        shown = last_words(ended, seat)
        return shown, reward, not given_up, given_up, {**info, **told(ended, seat)}

    def render(self) -> str | None:
        """The episode so far, as the seat knows it."""
        if self.render_mode != "ansi" or self._player.episode is None:
            return None
        return self._player.transcript(self._player.episode.seats[0])

    def close(self) -> None:
        """Leave the episode; with the last environment of the process NATS ends, too."""
        self._asked = None
        self._player.close()


gymnasium.register(id="troupe/Seat-v0", entry_point="troupe.gymnasium_env:SeatEnv")
