"""Numbers as people read them: bytes, money and tokens."""

from types import SimpleNamespace
from typing import Any

import pytest

from events.run import Budget
from gateway.cli.views.watch_run import spent
from gateway.sizes import in_bytes


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0 kB"), (24_300, "24 kB"), (12_340_000, "12.3 MB")]
)
def test_what_is_small_is_not_said_to_be_nothing(size: int, words: str) -> None:
    assert in_bytes(size) == words


@pytest.mark.parametrize(
    ("usd", "budget", "words"),
    [
        (0.0, 0.0, "1,200 tokens"),
        (0.5, 0.0, "0.50 USD, 1,200 tokens"),
        (0.0, 5.0, "0.00 of 5.00 USD, 1,200 tokens"),
    ],
)
def test_tokens_of_unknown_price_are_not_said_to_be_free(
    usd: float, budget: float, words: str
) -> None:
    moment: Any = SimpleNamespace(usd=usd, tokens=1200, budget=Budget(usd=budget))
    assert spent(moment) == words
