"""All seats as an environment of PettingZoo. See ``docs/how-to/trainers.md``.

    from troupe.pettingzoo_env import EpisodeEnv

    env = EpisodeEnv({"minds": {"me": "remote"}, "judges": {"use": ["rehearsal-strict"]}})
    env.reset(seed=7)
    for agent in env.agent_iter():
        text, reward, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else '{"kind": "none"}')

Needs PettingZoo: ``make gym``, or ``pip install 'troupe-server[gym]'``.
"""

import weakref
from math import nan
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from gateway.errors import GatewayError
from troupe.arguments import Plan, Where
from troupe.gymnasium_env import LONGEST_ANSWER, LONGEST_SHOWN, AnyText
from troupe.outside_seats.episode import Asked
from troupe.outside_seats.player import SeatPlayer
from troupe.outside_seats.rewards import Reward, RewardOf, last_words, told

__all__ = ["EpisodeEnv"]


class ShownText(str):
    """What an agent is shown: text that names its type as PettingZoo's observations do."""

    __slots__ = ()
    dtype = np.dtype(str)


class EpisodeEnv(AECEnv):  # type: ignore[misc]
    """The episodes of a plan, from all seats of its remote minds, one after the other.

    Agents are ``seat_1``, ``seat_2``, …; seats of other minds are played by those. An agent is
    selected when its seat is asked something; of several that are asked at the same time, the first
    seat comes first. Observations, actions, rewards, seeds, forks and the last ``info`` are those
    of ``troupe.gymnasium_env.SeatEnv``.
    """

    metadata = {  # noqa: RUF012 - as PettingZoo declares it
        "name": "troupe_episode_v0",
        "render_modes": ["ansi"],
        "render_fps": 1,
        "is_parallelizable": False,
    }

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
        """As for ``SeatEnv``, but that a mind may have several seats of an episode. Raises
        ``troupe.Error``."""
        super().__init__()
        self.render_mode = render_mode
        self._player = SeatPlayer(plan, mind=mind, where=where, probe=probe)
        self._reward = Reward(reward, self._player.judges, missing)
        seats = sorted({seat for some in self._player.seats.values() for seat in some})
        self.possible_agents = list(map(_name, seats))
        self.agents: list[str] = []
        self.agent_selection: str = self.possible_agents[0]
        self.observation_spaces = {one: AnyText(LONGEST_SHOWN) for one in self.possible_agents}
        self.action_spaces = {one: AnyText(LONGEST_ANSWER) for one in self.possible_agents}
        self._chance: np.random.Generator | None = None
        self._asked: Asked | None = None
        self._shown: dict[str, ShownText] = {}
        weakref.finalize(self, self._player.close)

    def observation_space(self, agent: str) -> AnyText:
        """Any text."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> AnyText:
        """Any text."""
        return self.action_spaces[agent]

    @property
    def episode(self) -> str:
        """The id of the episode; empty: none was begun."""
        return self._player.episode.id if self._player.episode is not None else ""

    @property
    def run(self) -> str:
        """The id of its run; empty: it is a fork, or none was begun."""
        return self._player.episode.run if self._player.episode is not None else ""

    @property
    def event(self) -> int:
        """As for ``SeatEnv``."""
        return self._player.state.opened

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode."""
        if self._chance is None or seed is not None:
            self._chance, _ = seeding.np_random(seed)
        player = self._player
        if player.goes_on(options):
            player.begin_fork(options)
        else:
            player.begin(self._chance, anew=seed is not None)
        assert player.episode is not None, "it was begun"
        self.agents = list(map(_name, player.episode.seats))
        if strange := set(self.agents) - set(self.possible_agents):
            raise GatewayError(
                f"episode {player.episode.id} has {min(strange)}, which no episode of the plan has"
            )
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {one: {} for one in self.agents}
        self._shown = dict.fromkeys(self.agents, ShownText())
        self._skip_agent_selection = None
        self._take(player.asked())

    def observe(self, agent: str) -> ShownText:
        """What its seat was asked last, or shown at the end; empty: it was asked nothing yet."""
        return self._shown[agent]

    def step(self, action: str | None) -> None:
        """Answer what the selected agent is asked."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        asked, self._asked = self._asked, None
        if asked is None:
            raise GatewayError("no question waits; call reset() first")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        why, following = self._player.answer(asked, str(action))
        self.infos[agent] = {"failed": why} if why else {}
        self._take(following)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The episode so far, as who knows everything sees it."""
        if self.render_mode != "ansi" or self._player.episode is None:
            return None
        return self._player.transcript()

    def close(self) -> None:
        """As for ``SeatEnv``."""
        self._asked = None
        self._player.close()

    def _take(self, asked: Asked | None) -> None:
        """Select who is asked next, or end."""
        self._asked = asked
        if asked is not None:
            self.agent_selection = _name(asked.question.seat)
            self._shown[self.agent_selection] = ShownText(asked.question.text)
            return
        ended = self._player.ended()
        given_up = ended.reason in ("failed", "stopped")
        for seat in ended.scores:
            agent = _name(seat)
            self.rewards[agent] = self._reward.of(ended.scores[seat])
            self.terminations[agent], self.truncations[agent] = not given_up, given_up
            self.infos[agent] = {**self.infos[agent], **told(ended, seat)}
            self._shown[agent] = ShownText(last_words(ended, seat))
        self.agent_selection = self.agents[0]


def _name(seat: int) -> str:
    return f"seat_{seat + 1}"
