"""What counts as growth: more with more work, whatever the time it takes."""

import random

import pytest

from tests.soak.figures import Inside, Sample
from tests.soak.picture import sparkline
from tests.soak.verdict import MEASURED, MIB, TooFew, growth

USS = MEASURED["USS"]


def samples(mib: list[float], *, per: int = 100, every_s: float = 5.0) -> list[Sample]:
    inside = Inside(blocks=0, tasks=0, actors=0, episodes=0, malloc_used=0, malloc_free=0, sqlite=0)
    return [
        Sample(
            seconds=every_s * number,
            episodes=per * number,
            events=0,
            rss=0,
            uss=round(MIB * here),
            fds=0,
            threads=0,
            wal=0,
            inside=inside,
        )
        for number, here in enumerate(mib)
    ]


def noisy(mib: list[float]) -> list[float]:
    draw = random.Random(3)
    return [here + draw.uniform(-4, 4) for here in mib]


def test_what_each_episode_leaves_behind_is_growth_under_any_noise():
    found = growth(samples(noisy([100 + 0.3 * n for n in range(60)])), USS)
    assert found.grows
    assert found.low < 3 < found.high


def test_caches_that_fill_first_and_garbage_that_is_collected_now_and_then_are_none():
    filled = [100 + 10 * min(n, 20) + n % 7 for n in range(60)]
    assert not growth(samples(noisy(filled)), USS).grows


def test_growth_is_counted_by_episodes_and_not_by_time():
    mib = noisy([100 + 0.3 * n for n in range(60)])
    slow, fast = samples(mib, every_s=60.0), samples(mib, every_s=0.1)
    assert growth(slow, USS) == growth(fast, USS)
    # A hundred times as many episodes with the same memory: next to nothing for each.
    assert not growth(samples(mib, per=10_000), USS).grows


def test_little_that_was_seen_says_nothing():
    with pytest.raises(TooFew, match="give more MINUTES"):
        growth(samples([100.0] * 12, per=1000), USS)
    with pytest.raises(TooFew, match="and 290 episodes"):
        growth(samples([100.0] * 60, per=10), USS)
    with pytest.raises(TooFew):
        growth([], USS)


def test_a_sparkline_goes_from_the_least_to_the_most():
    assert sparkline([1, 8, 4.5]) == "▁█▄"
    assert sparkline([2, 2]) == "▁▁"
