"""All seats as an environment of PettingZoo."""

import warnings
from pathlib import Path

import pytest

import troupe
from tests.troupe.outside_plans import SAYS, actions, seat_plan

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: make gym")

from pettingzoo.test import api_test, seed_test

from troupe.pettingzoo_env import EpisodeEnv

BOTH = seat_plan(minds={"mine": "remote"}, seats={"pairings": [["mine", "mine"]]})


def test_the_checkers_of_pettingzoo_pass(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    env = EpisodeEnv(BOTH, where=data, missing=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", ".* space for each agent probably should be")
        api_test(env, num_cycles=20)
    env.close()
    assert "Passed API test" in capsys.readouterr().out
    seed_test(lambda: EpisodeEnv(BOTH, where=data, missing=0.0), num_cycles=10)


def test_each_agent_plays_a_seat_and_gets_what_the_judge_says_of_it(data: Path) -> None:
    env = EpisodeEnv(BOTH, where=data, render_mode="ansi")
    env.reset(seed=3)
    assert env.agents == env.possible_agents == ["seat_1", "seat_2"]
    order, ends = [], {}
    for agent in env.agent_iter():
        shown, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            ends[agent] = (reward, info)
            assert shown.endswith(f"The episode is over: {info['outcome']}.")
            env.step(None)
            continue
        assert "YOUR GOAL" in shown
        order.append(agent)
        env.step(SAYS)
    assert order == ["seat_1", "seat_2"] * 4
    assert SAYS[30:50] in (env.render() or "")
    episode = env.episode
    env.close()
    with troupe.open_store(data) as store:
        rows = store.scores(episode=episode, dimension="overall").rows()
        assert {f"seat_{row['seat'] + 1}": row["value"] for row in rows} == {
            agent: reward for agent, (reward, _) in ends.items()
        }
        assert {action.seat for action in actions(store.log, episode)} == {0, 1}
    assert all(info["no_findings"] == ["rehearsal-strict"] for _, info in ends.values())


def test_minds_of_the_plan_play_the_other_seats(data: Path) -> None:
    env = EpisodeEnv(seat_plan(), where=data)
    assert env.possible_agents == ["seat_1", "seat_2"], "each is the caller's in some episode"
    for seed in range(3):
        env.reset(seed=seed)
        assert len(env.agents) == 1
        assert set(env.agent_iter(1)) == set(env.agents)
    env.close()


def test_seats_that_are_asked_at_the_same_time_answer_in_their_order(data: Path) -> None:
    env = EpisodeEnv({**BOTH, "social": {"turn_cap": 4, "order": "simultaneous"}}, where=data)
    env.reset(seed=3)
    order = []
    for _ in range(6):
        order.append(env.agent_selection)
        env.step(SAYS)
    episode = env.episode
    assert order == ["seat_1", "seat_2"] * 3
    env.close()
    with troupe.open_store(data) as store:
        assert [action.turn for action in actions(store.log, episode)] == [1, 1, 2, 2, 3, 3]


def test_all_seats_go_on_from_any_event(data: Path) -> None:
    env = EpisodeEnv(BOTH, where=data)
    env.reset(seed=3)
    for _ in range(3):
        env.step(SAYS)
    agent, (shown, *_), at, episode = env.agent_selection, env.last(), env.event, env.episode
    env.reset(options={"episode": episode, "at": at})
    assert (env.agent_selection, env.run) == (agent, "")
    assert env.last()[0] == shown, "the same seat is asked the same"
    assert env.episode != episode
    env.close()
