"""Settings of retries of model calls: waits between them, and when to give up."""

import msgspec


class Backoff(msgspec.Struct, frozen=True, kw_only=True):
    """How long to wait before asking again: random, up to a bound that doubles each time.

    After Brooker, "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015), "full jitter".
    """

    first_s: float = 1.0
    """The bound before the first retry, in seconds; also the wait of a breaker before its first
    probe."""
    longest_s: float = 60.0
    """The bound never grows past this."""
    longest_asked_s: float = 300.0
    """A server that asks for a longer wait than this is not asked again."""
    patience_s: float = 3600.0
    """How long calls wait for a model whose breaker is open before they are given up."""
