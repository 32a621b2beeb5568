"""The procedure of AntEval, section 4.2: virtual game masters trained on nothing, on played and on
real sessions, all scored on the same held-out real sessions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

import msgspec

from evaluators.tabletop.calls.samples import CallSample, Label
from evaluators.tabletop.intentions import LabelCounts, characters_of, counts_of, mean_f
from evaluators.tabletop.virtual_dms.port import VirtualDM
from events.ids import derived_number, digest_of
from events.serialization.codec import encode

HELD_OUT: Final = 0.25
"""The least share of the real samples that is held out, by whole sessions."""
LEAST_SEEDS: Final = 5
_TELLING: Final = 200
"""Letters of a sample's turns from which on they tell what session it is of; shorter ones may be
said in two."""


class GapRefused(ValueError):
    """Samples that cannot be compared."""


class DMKind(NamedTuple):
    """A virtual game master, before it learns."""

    name: str
    make: Callable[[int], VirtualDM]
    """One to be fitted, of a seed."""
    untrained: Callable[[], VirtualDM]
    """One that has learned nothing, for f_0."""
    untrained_is: str = ""
    """What that is, where it is of another kind."""
    asks: str = ""
    """The model that is asked about each sample that is read; empty: none is."""


class SessionSplit(NamedTuple):
    """Real samples, parted by session."""

    train: tuple[CallSample, ...]
    test: tuple[CallSample, ...]


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What a virtual game master read from a held-out sample."""

    seed: int
    sample: CallSample
    predicted: frozenset[Label]

    @property
    def pair(self) -> tuple[frozenset[Label], frozenset[Label]]:
        """What is right, and what was predicted."""
        return frozenset(self.sample.labels), self.predicted


class SeedScore(msgspec.Struct, frozen=True, kw_only=True):
    """The readings of one seed, counted. Each F is from 0 to 1."""

    characters: LabelCounts
    tuples: LabelCounts
    mean_characters: float
    """The mean of the samples' own F."""
    mean_tuples: float


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """One virtual game master after one training, over all seeds."""

    scores: tuple[SeedScore | None, ...]
    """In the order of the seeds; None: it gave no answer for any sample of that seed."""
    readings: tuple[Reading, ...]
    failed: int = 0
    """Held-out samples of all seeds for which it gave no answer; they are not counted."""


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of virtual game master: D_0, D_r, and a D_g for each playing model."""

    dm: str
    untrained: Reader
    real: Reader
    generated: dict[str, Reader]
    """By playing model."""
    trained_on: tuple[int, ...]
    """The size of each training set, by seed."""
    held_out: tuple[int, ...]
    """Held-out samples, by seed."""
    held_out_sessions: tuple[int, ...]


def compare(
    kind: DMKind,
    real: Sequence[CallSample],
    generated: Mapping[str, Sequence[CallSample]],
    seeds: Iterable[int],
    *,
    held_out: Sequence[CallSample] = (),
) -> Compared:
    """Train and score. ``generated``: samples by playing model; ``held_out``: real samples to score
    on with every seed, in the place of a share of ``real`` that each seed draws.

    All training sets of a seed have one size, that of the smallest. The same samples and seeds,
    the same result, whatever their order. Raises ``GapRefused``.
    """
    if not generated or not all(generated.values()):
        raise GapRefused("there is no played session with an intention to train on")
    untrained: list[list[Reading]] = []
    from_real: list[list[Reading]] = []
    from_played: dict[str, list[list[Reading]]] = {model: [] for model in generated}
    sizes: list[int] = []
    tests: list[Sequence[CallSample]] = []
    for seed in seeds:
        split = split_by_session(real, seed, held_out)
        for samples in generated.values():
            refuse_shared(samples, split.test)
        size = min(len(split.train), *map(len, generated.values()))
        # In an order of its own: sums of floats depend on it.
        test = cut(split.test, len(split.test), seed)
        sizes.append(size)
        tests.append(test)
        untrained.append(_read(kind.untrained(), test, seed))
        from_real.append(_trained(kind, split.train, size, test, seed))
        for model, samples in generated.items():
            from_played[model].append(_trained(kind, samples, size, test, seed))
    return Compared(
        dm=kind.name,
        untrained=_reader(untrained, tests),
        real=_reader(from_real, tests),
        generated={model: _reader(found, tests) for model, found in from_played.items()},
        trained_on=tuple(sizes),
        held_out=tuple(map(len, tests)),
        held_out_sessions=tuple(len({one.session for one in test}) for test in tests),
    )


def readings_in_all(
    real: Sequence[CallSample],
    models: int,
    seeds: Iterable[int],
    held_out: Sequence[CallSample] = (),
) -> int:
    """How often ``compare`` has a sample read for so many playing models. Raises
    ``GapRefused``."""
    return (models + 2) * sum(len(split_by_session(real, seed, held_out).test) for seed in seeds)


def split_by_session(
    samples: Sequence[CallSample], seed: int, held_out: Sequence[CallSample] = ()
) -> SessionSplit:
    """Part samples so that no session is on both sides; ``held_out``: the test samples, where they
    are chosen already. Raises ``GapRefused``."""
    if held_out:
        refuse_shared(samples, held_out)
        return SessionSplit(tuple(samples), tuple(held_out))
    twins = _same_turns(samples, samples)
    if twins:
        raise _both_sides(*twins)
    sessions = sorted(
        {sample.session for sample in samples},
        key=lambda name: (derived_number("tabletop-gap", str(seed), name), name),
    )
    if len(sessions) < 2:
        raise GapRefused(
            "the real data has one session, and samples of a session are never both trained on and "
            "held out; give the transcripts of two sessions at least"
        )
    chosen: set[str] = set()
    for name in sessions[:-1]:
        chosen.add(name)
        if sum(one.session in chosen for one in samples) >= HELD_OUT * len(samples):
            break
    return SessionSplit(
        tuple([one for one in samples if one.session not in chosen]),
        tuple([one for one in samples if one.session in chosen]),
    )


def refuse_shared(train: Sequence[CallSample], test: Sequence[CallSample]) -> None:
    """Raises ``GapRefused`` where a session is in both, by its name or by what was said in it."""
    both = sorted({one.session for one in train} & {one.session for one in test})
    if both:
        raise _both_sides(both[0], more=len(both) - 1)
    twins = _same_turns(train, test)
    if twins:
        raise _both_sides(*twins)


def _same_turns(some: Iterable[CallSample], others: Iterable[CallSample]) -> tuple[str, str] | None:
    """Two names of one session: samples with equal turns, whoever is said to have spoken."""
    known = {key: one.session for one in some if (key := _turns_key(one)) is not None}
    found = [
        (known[key], one.session)
        for one in others
        if (key := _turns_key(one)) in known and known[key] != one.session
    ]
    return min(found, default=None)


def _turns_key(sample: CallSample) -> tuple[str, ...] | None:
    texts = tuple(line.text for line in sample.lines)
    return texts if sum(map(len, texts)) >= _TELLING else None


def _both_sides(session: str, also: str = "", *, more: int = 0) -> GapRefused:
    other = f", which is {also!r} by its turns," if also else ""
    return GapRefused(
        f"the session {session!r}{other}{f' and {more} more' if more else ''} would be both "
        "trained on and held out; what is scored must be of sessions that nothing learned from"
    )


def cut(samples: Sequence[CallSample], size: int, seed: int) -> list[CallSample]:
    """So many of some samples, drawn by content and seed: whatever the order in which they are
    given, the same ones in the same order."""
    start = f"{seed}/".encode()
    return sorted(samples, key=lambda one: digest_of(start + encode(one)))[:size]


def scored(readings: Sequence[Reading]) -> SeedScore | None:
    """Counts of some readings; None: there is none, which is neither right nor wrong."""
    if not readings:
        return None
    pairs = [one.pair for one in readings]
    who = [(characters_of(_plain(right)), characters_of(_plain(found))) for right, found in pairs]
    return SeedScore(
        characters=counts_of(who),
        tuples=counts_of(pairs),
        mean_characters=mean_f(who) or 0.0,
        mean_tuples=mean_f(pairs) or 0.0,
    )


def _plain(labels: Iterable[Label]) -> Iterable[tuple[str, str]]:
    return ((one.who, one.skill) for one in labels)


def _trained(
    kind: DMKind,
    samples: Sequence[CallSample],
    size: int,
    test: Sequence[CallSample],
    seed: int,
) -> list[Reading]:
    dm = kind.make(seed)
    dm.fit(cut(samples, size, seed))
    return _read(dm, test, seed)


def _read(dm: VirtualDM, test: Sequence[CallSample], seed: int) -> list[Reading]:
    """Without those samples for which there was no answer."""
    return [
        Reading(seed=seed, sample=one, predicted=found)
        for one, found in zip(test, dm.predict_all(test), strict=True)
        if found is not None
    ]


def _reader(found: Sequence[Sequence[Reading]], tests: Sequence[Sequence[CallSample]]) -> Reader:
    readings = tuple(chain.from_iterable(found))
    return Reader(
        scores=tuple(map(scored, found)),
        readings=readings,
        failed=sum(map(len, tests)) - len(readings),
    )
