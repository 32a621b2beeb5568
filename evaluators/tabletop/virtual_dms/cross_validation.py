"""How well a virtual game master does on samples that it has not seen."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from evaluators.tabletop.calls.samples import CallSample, Label
from evaluators.tabletop.intentions import characters_of, counts_of
from evaluators.tabletop.virtual_dms.port import Progress, VirtualDM, untold
from events.ids import derived_number

FOLDS: Final = 5
"""Parts in which samples are tried out, at most."""


class OwnScore(msgspec.Struct, frozen=True, kw_only=True):
    """F over all samples, each predicted by one that was trained without its session."""

    characters: float | None
    """From 0 to 1; None: no prediction could be read."""
    tuples: float | None
    failed: int
    """Samples without a prediction that could be read; they are in neither F."""
    folds: int
    by_session: bool
    """False: there is one session, which was divided by samples."""


def folds_of(samples: Sequence[CallSample], seed: int) -> list[list[int]]:
    """The places of the samples in each of at most ``FOLDS`` parts of about one size, which share
    no session; where there is one session, which share no sample. One part: there is one sample."""
    names = [one.session for one in samples]
    if len(set(names)) < 2:
        names = [f"{one.session}/{place}" for place, one in enumerate(samples)]
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        groups.setdefault(name, []).append(place)
    drawn = sorted(groups, key=lambda name: derived_number("tabletop-folds", str(seed), name))
    folds: list[list[int]] = [[] for _ in range(min(FOLDS, len(drawn)))]
    for name in drawn:
        min(folds, key=len).extend(groups[name])
    return [sorted(fold) for fold in folds]


def own_score(
    make: Callable[[], VirtualDM],
    samples: Sequence[CallSample],
    seed: int,
    progress: Progress = untold,
) -> OwnScore | None:
    """By cross-validation; None: there are too few samples to divide them."""
    folds = folds_of(samples, seed)
    if len(folds) < 2:
        return None
    found: list[tuple[frozenset[Label], frozenset[Label]]] = []
    failed = 0
    for done, fold in enumerate(folds):
        held_out = set(fold)
        train = [one for place, one in enumerate(samples) if place not in held_out]
        test = [samples[place] for place in fold]
        if any(one.labels for one in train):
            dm = make()
            dm.fit(train)
            for sample, predicted in zip(test, dm.predict_all(test), strict=True):
                if predicted is None:
                    failed += 1
                else:
                    found.append((frozenset(sample.labels), predicted))
        progress(done + 1, len(folds))
    return OwnScore(
        characters=counts_of([(_who(right), _who(given)) for right, given in found]).f
        if found
        else None,
        tuples=counts_of(found).f if found else None,
        failed=failed,
        folds=len(folds),
        by_session=len({one.session for one in samples}) > 1,
    )


def _who(labels: frozenset[Label]) -> frozenset[str]:
    return characters_of((one.who, one.skill) for one in labels)
