"""Nobody asks for more than is allowed."""

import pytest

from gateway.process import rate_buckets
from gateway.process.rate_buckets import Buckets, Rate, TooMuch


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(rate_buckets.time, "monotonic", lambda: now[0])
    return now


def test_a_burst_is_allowed_then_the_rate_and_each_key_has_its_own(clock: list[float]):
    buckets = Buckets("requests", Rate(per_s=2.0, burst=3.0))
    for _ in range(3):
        buckets.take("a")
    with pytest.raises(TooMuch, match="too many requests") as refused:
        buckets.take("a")
    assert refused.value.again_s == pytest.approx(0.5)
    buckets.take("b")
    clock[0] += 0.5
    buckets.take("a")
    with pytest.raises(TooMuch):
        buckets.take("a")
    clock[0] += 1_000
    for _ in range(3):
        buckets.take("a")
    with pytest.raises(TooMuch):
        buckets.take("a")


def test_memory_is_bounded(clock: list[float], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rate_buckets, "MOST_KEYS", 10)
    buckets = Buckets("requests", Rate(per_s=1.0, burst=1.0))
    for number in range(100):
        buckets.take(str(number))
    assert len(buckets._left) == 10
