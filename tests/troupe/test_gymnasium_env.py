"""A seat as an environment of Gymnasium."""

import math
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import troupe
from actors.social.actions import Action
from tests.troupe.outside_plans import SAYS, actions, seat_plan

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: make gym")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from troupe.gymnasium_env import SeatEnv  # noqa: E402


@pytest.fixture
def env(data: Path) -> Iterator[SeatEnv]:
    made = SeatEnv(seat_plan(), where=data)
    yield made
    made.close()


def play(env: SeatEnv, says: str = SAYS) -> tuple[list[str], float, bool, dict[str, Any]]:
    """To the end: what was shown, the last reward, whether it was given up, the last info."""
    shown = []
    while True:
        text, reward, terminated, truncated, info = env.step(says)
        shown.append(text)
        if terminated or truncated:
            return shown, reward, truncated, info
        assert reward == 0


def test_the_checker_of_gymnasium_passes(env: SeatEnv, data: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*alternative render modes")
        check_env(env)
    made = gymnasium.make("troupe/Seat-v0", plan=seat_plan(), where=data)
    check_env(made.unwrapped)
    made.close()


def test_an_episode_ends_with_what_the_judge_says_of_the_seat(env: SeatEnv, data: Path) -> None:
    text, begun = env.reset(seed=1)
    assert "YOUR GOAL" in text
    shown, reward, given_up, info = play(env)
    with troupe.open_store(data) as store:
        rows = store.scores(episode=begun["episode"]).rows()
        mine = {row["dimension"]: row["value"] for row in rows if row["seat"] == begun["seat"] - 1}
        assert info["scores"] == {"rehearsal-strict": mine}
        assert reward == mine["overall"]
        assert store.episode(begun["episode"]).outcome == info["outcome"]
    assert (given_up, info["missing"], info["no_findings"]) == (False, {}, ["rehearsal-strict"])
    assert shown[-1].endswith(f"The episode is over: {info['outcome']}.")


def test_a_seed_begins_the_plan_anew_and_without_one_it_goes_on(env: SeatEnv, data: Path) -> None:
    def all_of_it() -> list[tuple[Any, ...]]:
        found, (text, info) = [], env.reset(seed=4)
        for place in range(4):
            found.append((info["task"], info["seat"], text, *play(env)[0]))
            if place < 3:
                text, info = env.reset()
        return found

    first, again = all_of_it(), all_of_it()
    assert first == again
    assert len({one[:2] for one in first}) == 4, "each episode of the plan once"
    env.reset()
    env.close()
    with troupe.open_store(data) as store:
        rows = store.runs.rows()
        assert [row["status"] for row in rows] == ["ended", "ended", "paused"]
        assert len(store.episodes(run=rows[0]["run"]).rows()) == 4


def test_an_answer_that_cannot_be_read_is_a_failed_action(env: SeatEnv, data: Path) -> None:
    _, begun = env.reset(seed=2)
    _, reward, given_up, info = play(env, "I say that we should split it.")
    assert given_up
    assert "no JSON object" in info["failed"]
    assert math.isnan(reward), "nothing was scored, which is no zero"
    assert info["scores"] == {}
    with troupe.open_store(data) as store:
        mine = [a for a in actions(store.log, begun["episode"]) if a.seat == begun["seat"] - 1]
        assert {(a.failure.reason, a.failure.raw) for a in mine} == {
            ("unreadable", "I say that we should split it.")
        }
        assert store.episode(begun["episode"]).status == "failed"


def test_half_a_character_is_answered_as_a_question_mark(env: SeatEnv, data: Path) -> None:
    _, begun = env.reset(seed=2)
    _, _, _, _, info = env.step("\ud800")
    assert "no JSON object" in info["failed"]
    _, _, _, _, info = env.step('{"kind": "speak", "text": "Well\ud800."}')
    assert "failed" not in info
    with troupe.open_store(data) as store:
        mine = [a for a in actions(store.log, begun["episode"]) if a.seat == begun["seat"] - 1]
        assert [a.failure and a.failure.raw for a in mine] == ["?", None]
        assert isinstance(mine[1].action, Action)
        assert mine[1].action.text == "Well?."


def test_a_missing_score_is_what_the_caller_says_it_is(data: Path) -> None:
    env = SeatEnv(seat_plan(), where=data, missing=-10.0, reward="goal")
    env.reset(seed=2)
    assert play(env, "nonsense")[1] == -10.0
    env.reset(seed=2)
    _, reward, _, info = play(env)
    assert reward == info["scores"]["rehearsal-strict"]["goal"]
    env.close()
    all_of_them = SeatEnv(
        seat_plan(judges={"use": ["rehearsal-strict", "rehearsal-lenient"]}),
        where=data,
        reward=lambda scores: sum(one["goal"] for one in scores.values()),
    )
    all_of_them.reset(seed=2)
    _, reward, _, info = play(all_of_them)
    assert len(info["scores"]) == 2
    assert reward == sum(one["goal"] for one in info["scores"].values())
    all_of_them.close()


def test_any_event_of_any_episode_can_be_gone_on_from(env: SeatEnv, data: Path) -> None:
    _, begun = env.reset(seed=3)
    text, *_ = env.step(SAYS)
    at, episode = env.event, env.episode
    whole = play(env)[0]
    again, forked = env.reset(options={"episode": episode, "at": at})
    assert forked["run"] == ""
    assert forked["seat"] == begun["seat"]
    assert again == text, "it is asked the same"
    shown, reward, _, info = play(env)
    assert shown == whole, "and the same answers lead to the same end"
    assert reward == info["scores"]["rehearsal-strict"]["overall"]
    with troupe.open_store(data) as store:
        row = store.episode(forked["episode"]).row
        assert (row.parent, row.forked_at) == (episode, at)


def test_a_seat_of_an_episode_of_other_minds_can_be_taken_in_a_fork(
    env: SeatEnv, data: Path
) -> None:
    other = troupe.play("social", seed=3, where=data, progress=False)
    at = other.turns[1].number
    with pytest.raises(troupe.Error, match=r"no seat of episode .* is yours: say which"):
        env.reset(options={"episode": other.id, "at": at})
    _, info = env.reset(options={"episode": other.id[:9], "at": at, "seat": 2})
    assert info["seat"] == 2
    assert play(env)[3]["scores"]


def test_a_seat_is_shown_nothing_that_it_may_not_know(env: SeatEnv, data: Path) -> None:
    text, begun = env.reset(seed=6)
    shown = [text, *play(env)[0]]
    with troupe.open_store(data) as store:
        known = store.transcript(begun["episode"]).account.portraits
    hidden = [one for one in known if one.seat != begun["seat"] - 1]
    assert hidden
    for one in hidden:
        assert not [words for words in shown if one.secret in words or one.goal in words]


def test_several_are_played_at_once_in_one_process(data: Path) -> None:
    several = gymnasium.vector.SyncVectorEnv([lambda: SeatEnv(seat_plan(), where=data)] * 3)
    shown, info = several.reset(seed=[1, 2, 3])
    assert len(set(info["episode"])) == len(shown) == 3
    for _ in range(6):
        shown, _, _, given_up, _ = several.step((SAYS,) * 3)
        assert not given_up.any()
    several.close()
    with troupe.open_store(data) as store:
        assert len(store.episodes.rows()) >= 3


def test_other_work_is_refused_while_it_is_open_and_nothing_is_left_after(
    data: Path, nothing_left: None
) -> None:
    env = SeatEnv(seat_plan(), where=data)
    _, begun = env.reset(seed=1)
    with pytest.raises(troupe.Error, match=r"close those environments first"):
        troupe.play("social", where=data, progress=False)
    with pytest.raises(troupe.Error, match=r"or play in another process"):
        SeatEnv(seat_plan(), where=data / "other").reset()
    env.close()
    env.close()
    with troupe.open_store(data) as store:
        run = store.run(begun["run"])
        assert (run.status, run.why) == ("paused", "the program that plays its seats has left")
        assert store.episode(begun["episode"]).row.end_reason == "stopped"
    env.reset(seed=1)
    env.close()


@pytest.mark.parametrize(
    ("more", "given", "why"),
    [
        ({"minds": {"a": "rehearsal:wily"}, "seats": {}}, {}, "none of its seats is yours"),
        ({"seats": {"pairings": [["mine", "mine"]]}}, {}, r"would play seats 1, 2, not one"),
        ({}, {"mind": "min"}, r"there is no mind 'min'; there are mine, wily"),
        ({}, {"reward": "gaol"}, r"reward 'gaol': rehearsal-strict scores goal, .*; name one"),
        ({"judges": {}}, {"reward": "goal"}, "the plan has no judge"),
        ({"tasks": {"limit": -1}}, {}, "tasks.limit"),
    ],
)
def test_what_cannot_be_played_is_said_before_anything_is_stored(
    data: Path, more: dict[str, Any], given: dict[str, Any], why: str
) -> None:
    with pytest.raises(troupe.Error, match=why):
        SeatEnv(seat_plan(**more), where=data, **given)
    with troupe.open_store(data) as store:
        assert not store.runs.rows()


def test_what_cannot_be_done_with_it_is_said(env: SeatEnv, tmp_path: Path) -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(SAYS)
    for options, why in (
        ({"episode": "e9"}, "needs 'at'"),
        ({"episode": "e9", "at": 3}, "e9"),
        ({"episode": "e9", "at": 3, "set": 1}, "there is no 'set'"),
        ({"epsiode": "e9", "at": 3}, "there is no 'epsiode'"),
        ({"at": 3}, "needs 'episode'"),
        ({"episode": "e9", "at": True}, "needs 'at'"),
        ({"episode": "e9", "at": 3, "seat": "1"}, "'seat' is a whole number from 1, not '1'"),
        ("e9", "must be a dictionary with 'episode'"),
    ):
        with pytest.raises(troupe.Error, match=why):
            env.reset(options=options)  # type: ignore[arg-type]
    plan = tmp_path / "plan.toml"
    plan.write_text("name = 'mine'\n[tasks\n")
    with pytest.raises(troupe.Error, match=r"plan.toml, line 2"):
        SeatEnv(plan)


def test_a_program_that_forgets_to_close_it_ends_all_the_same(data: Path) -> None:
    code = (
        "from tests.troupe.outside_plans import seat_plan\n"
        "from troupe.gymnasium_env import SeatEnv\n"
        f"env = SeatEnv(seat_plan(), where={str(data)!r})\n"
        "print(env.reset(seed=1)[1]['run'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert not done.stderr
    with troupe.open_store(data) as store:
        assert store.run(done.stdout.strip()).status == "paused"
