"""What a virtual game master does."""

from collections.abc import Sequence
from typing import Protocol

from evaluators.tabletop.calls.samples import CallSample, Label
from events.ids import digest_of
from events.serialization.codec import encode


class VirtualDM(Protocol):
    """Learns from labelled samples, and labels others."""

    def fit(self, samples: Sequence[CallSample]) -> None:
        """Learn from samples. The same samples and seed, the same labels later."""
        ...

    def predict(self, sample: CallSample) -> frozenset[Label]:
        """Who means to make which check in a sample; its own labels are not looked at."""
        ...


def data_hash(samples: Sequence[CallSample]) -> str:
    """A fingerprint of training data, whatever the order: 32 hexadecimal digits."""
    return digest_of(b"".join(sorted(encode(one) for one in samples)))
