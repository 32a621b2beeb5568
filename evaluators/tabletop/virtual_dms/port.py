"""What a virtual game master does."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from evaluators.tabletop.calls.samples import CallSample, Label, SpokenLine
from events.ids import digest_of
from events.serialization.codec import encode

Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""


class NoPrediction(ValueError):
    """A virtual game master gave no answer that can be read, which is not the same as nobody."""


class CannotLearn(ValueError):
    """Samples from which nothing can be learned."""


class VirtualDM(ABC):
    """Learns from labelled samples, and labels others."""

    trained_on: str = ""
    """The ``data_hash`` of what it learned from; empty: it has learned nothing."""

    @abstractmethod
    def fit(self, samples: Sequence[CallSample]) -> None:
        """Learn from samples instead of what was learned before. The same samples, in any order,
        and the same seed: the same predictions. Raises ``CannotLearn``."""

    @abstractmethod
    def predict(self, lines: Sequence[SpokenLine], cast: Sequence[str]) -> frozenset[Label]:
        """Who of a cast means to make which check after some turns, the oldest first. Raises
        ``NoPrediction``."""

    def predict_all(self, samples: Sequence[CallSample]) -> Sequence[frozenset[Label] | None]:
        """A prediction for each sample, whose own labels are not looked at; None: it failed, and
        counts neither as right nor as nobody."""
        return [self._tried(sample) for sample in samples]

    def _tried(self, sample: CallSample) -> frozenset[Label] | None:
        try:
            return self.predict(sample.lines, sample.cast)
        except NoPrediction:
            return None


def untold(_done: int, _of: int) -> None:
    """The progress that nobody wants to know."""


def data_hash(samples: Sequence[CallSample]) -> str:
    """A fingerprint of training data, whatever the order: 32 hexadecimal digits."""
    return digest_of(b"".join(sorted(encode(one) for one in samples)))
