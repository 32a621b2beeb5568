"""A virtual game master of linear models: which of those at the table acts, by logistic regression
on each candidate's own recent words, position, share and form; and which skill they mean, by two
models whose log-odds are added. One has the 18 skills as classes and looks at words; the other asks
of each skill whether its words stand out, which few samples are enough to learn."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from actors.tabletop.skills import SKILLS
from evaluators.tabletop.calls.samples import CallSample, Label, SpokenLine
from evaluators.tabletop.intentions import counts_of
from evaluators.tabletop.virtual_dms.candidate_features import (
    Candidates,
    Numbers,
    Scene,
    candidates_of,
)
from evaluators.tabletop.virtual_dms.cross_validation import folds_of
from evaluators.tabletop.virtual_dms.linear_weights import LinearWeights, Thresholds
from evaluators.tabletop.virtual_dms.port import CannotLearn, VirtualDM, data_hash
from events.serialization.codec import encode

MOST_WORDS: Final = 10_000
"""Words and pairs of words that are looked at, the most frequent."""
_FORM: Final = 6.0
"""Weight of form beside words, for who acts."""
_NAMED: Final = 0.3
"""And of words of skills beside all words, for what is meant."""
_STEADY: Final = 0.01
"""Inverse of the regularization of what is to be learned from few samples."""
_WORD: Final = re.compile(r"\b\w\w+\b")
Places = NDArray[np.int_]
_ENDS: Final = {"max_iter": 2_000, "tol": 1e-3}
"""When a fit ends."""
_LEAST: Final = (0.0, 0.3, 0.5)
_ALSO: Final = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4)
_SKILLS_TOO: Final = (1.0, 0.5, 0.4, 0.3, 0.2)


class LinearDM(VirtualDM):
    """Fits in seconds on a CPU."""

    def __init__(self, seed: int = 0, *, strength: float = 1.0) -> None:
        """``strength``: the inverse of the regularization, as scikit-learn's ``C``."""
        self._seed, self._strength = seed, strength
        self._model: _Fitted | None = None

    @property
    def weights(self) -> LinearWeights | None:
        """What was learned; None: nothing yet."""
        return self._model.weights if self._model else None

    def take(self, weights: LinearWeights, trained_on: str) -> None:
        """Take what was learned before, and has no ``misfit``."""
        self._model, self.trained_on = _Fitted(weights), trained_on

    def fit(self, samples: Sequence[CallSample]) -> None:
        """Learn from samples. Raises ``CannotLearn`` where nobody who spoke is meant in any."""
        ordered = sorted(samples, key=encode)
        table = _Table(ordered)
        if not table.labelled:
            raise CannotLearn(
                "there is nothing to learn from: no sample has a label of somebody who speaks in it"
            )
        # Vectors so short are added up faster by one thread; so is the order of sums the same.
        with threadpool_limits(1):
            thresholds = self._thresholds(table)
            weights = table.learned(range(len(ordered)), self._strength, thresholds)
        self._model = _Fitted(weights)
        self.trained_on = data_hash(samples)

    def predict(self, lines: Sequence[SpokenLine], cast: Sequence[str]) -> frozenset[Label]:
        """Those who are likely enough, each with what they are likely to mean."""
        return self._predicted([Scene(lines, cast)])[0]

    def predict_all(self, samples: Sequence[CallSample]) -> Sequence[frozenset[Label] | None]:
        return self._predicted([Scene(one.lines, one.cast) for one in samples])

    def _predicted(self, scenes: Sequence[Scene]) -> list[frozenset[Label]]:
        if self._model is None:
            raise ValueError("a virtual game master of kind linear is fitted before it is asked")
        found = self._model.chances(candidates_of(scenes), len(scenes))
        return [one.labels(self._model.weights.thresholds) for one in found]

    def _thresholds(self, table: "_Table") -> Thresholds:
        """Those with the best F by cross-validation over sessions, or over samples where there is
        one session: first over sets of characters, then over pairs of character and skill."""
        folds = folds_of(table.samples, self._seed)
        found: list[tuple[frozenset[Label], _Chances]] = []
        for test in folds if len(folds) > 1 else ():
            train = set(range(len(table.samples))).difference(test)
            if not table.labelled & train:
                continue
            model = _Fitted(table.learned(train, self._strength, Thresholds()))
            chances = model.chances_of(table.part(test), len(table.samples))
            found += [(frozenset(table.samples[n].labels), chances[n]) for n in test]
        return _best(found) if found else Thresholds()


def _best(found: Sequence[tuple[frozenset[Label], "_Chances"]]) -> Thresholds:
    def f_characters(one: Thresholds) -> float:
        pairs = ((_who(right), chances.who(one)) for right, chances in found)
        return counts_of(pairs).f

    def f_tuples(one: Thresholds) -> float:
        return counts_of((right, chances.labels(one)) for right, chances in found).f

    best = max(
        (Thresholds(least=least, also=also) for least in _LEAST for also in _ALSO),
        key=f_characters,
    )
    return max((msgspec.structs.replace(best, skill=skill) for skill in _SKILLS_TOO), key=f_tuples)


def _who(labels: Iterable[Label]) -> frozenset[str]:
    return frozenset([label.who for label in labels])


class _Chances(NamedTuple):
    """What is known of one scene."""

    acts: dict[str, float]
    """By candidate."""
    means: dict[str, Numbers]
    """By candidate, the chance of each skill."""

    def who(self, thresholds: Thresholds) -> frozenset[str]:
        """Those who are predicted to act."""
        if not self.acts:
            return frozenset()
        likeliest = max(self.acts, key=lambda who: self.acts[who])
        found = {who for who, chance in self.acts.items() if chance >= thresholds.also}
        if self.acts[likeliest] >= thresholds.least:
            found.add(likeliest)
        return frozenset(found)

    def labels(self, thresholds: Thresholds) -> frozenset[Label]:
        """The same, with the skills that are likely enough."""
        found = set()
        for who in self.who(thresholds):
            chances = self.means[who]
            found |= {
                Label(who, SKILLS[place])
                for place in np.flatnonzero(chances >= min(thresholds.skill, chances.max()))
            }
        return frozenset(found)


class _Rows(NamedTuple):
    """Candidates as numbers."""

    of: list[tuple[int, str]]
    near: sparse.csr_matrix
    """Rows by words: counts."""
    recent: sparse.csr_matrix
    forms: Numbers
    skills: Numbers


class _Table:
    """Samples as numbers, of which parts are learned from. Words are counted once for all."""

    def __init__(self, samples: Sequence[CallSample]) -> None:
        self.samples = samples
        found = candidates_of([Scene(one.lines, one.cast) for one in samples])
        try:
            vectorizer = CountVectorizer(analyzer=_words, min_df=2, max_features=MOST_WORDS)
            counts = vectorizer.fit_transform(found.lines)
        except ValueError:  # No word stands twice.
            vectorizer = CountVectorizer(vocabulary=["i"])
            counts = vectorizer.transform(found.lines)
        self.words = [str(word) for word in vectorizer.get_feature_names_out()]
        self._rows = _rows(found, counts)
        labels = [frozenset(one.labels) for one in samples]
        self._acts = np.array([who in _who(labels[place]) for place, who in found.of], dtype=bool)
        self._labels = [
            (row, SKILLS.index(label.skill))
            for row, (place, who) in enumerate(found.of)
            for label in sorted(labels[place])
            if label.who == who
        ]
        self.labelled = {found.of[row][0] for row, _ in self._labels}
        """Places of samples that say something."""

    def part(self, places: Iterable[int]) -> _Rows:
        """The rows of some samples."""
        return _some(self._rows, self._of(places))

    def _of(self, places: Iterable[int]) -> Places:
        chosen = set(map(int, places))
        return np.array([n for n, (place, _) in enumerate(self._rows.of) if place in chosen], int)

    def learned(
        self, places: Iterable[int], strength: float, thresholds: Thresholds
    ) -> LinearWeights:
        """What some of the samples teach."""
        chosen = self._of(places)
        known = set(chosen.tolist())
        labels = [(row, skill) for row, skill in self._labels if row in known]
        asked = np.array([row for row, _ in labels], int)
        skills = np.array([skill for _, skill in labels], int)
        rows = _some(self._rows, chosen)
        meant = _some(self._rows, asked)
        near_rarity, recent_rarity = _rarity(rows.near), _rarity(meant.recent)
        acts = self._acts[chosen]
        who: list[float] = []
        if not acts.all():
            model = LogisticRegression(C=strength, class_weight="balanced", **_ENDS)
            model.fit(_who_numbers(rows, near_rarity), acts)
            who = [*model.coef_[0].tolist(), float(model.intercept_[0])]
        called = sorted(set(skills.tolist()))
        by_skill: list[list[float]] = []
        if len(called) > 1:
            model = LogisticRegression(C=strength, class_weight="balanced", **_ENDS)
            model.fit(_skill_numbers(meant, recent_rarity), skills)
            coefficients, starts = model.coef_, model.intercept_
            if len(called) == 2:  # scikit-learn has one row of them then.
                coefficients = np.vstack((-coefficients, coefficients)) / 2
                starts = np.array((-starts[0], starts[0])) / 2
            by_skill = np.hstack((coefficients, starts[:, None])).tolist()
        times = np.bincount(skills, minlength=len(SKILLS))
        usual = np.log((times + 1) / (times.sum() + len(SKILLS)))
        mean, spread = rows.skills.mean(0), rows.skills.std(0) + 0.2
        stands = LogisticRegression(C=_STEADY * strength, **_ENDS)
        stands.fit(
            _standing_out(meant.skills, mean, spread, usual).reshape(-1, 2 * mean.shape[0] + 1),
            (skills[:, None] == np.arange(len(SKILLS))).ravel(),
        )
        return LinearWeights(
            words=self.words,
            near_rarity=near_rarity.tolist(),
            recent_rarity=recent_rarity.tolist(),
            who=who,
            skills=[SKILLS[place] for place in called],
            meant=by_skill,
            usual=usual.tolist(),
            mean=mean.ravel().tolist(),
            spread=spread.ravel().tolist(),
            stands_out=[*stands.coef_[0].tolist(), float(stands.intercept_[0])],
            thresholds=thresholds,
        )


def _words(text: str) -> list[str]:
    """The words of a line with two letters or more, and each two in a row."""
    words = _WORD.findall(text.lower())
    return words + [f"{first} {second}" for first, second in pairwise(words)]


def _rows(found: Candidates, counts: sparse.csr_matrix) -> _Rows:
    return _Rows(found.of, found.near @ counts, found.recent @ counts, found.forms, found.skills)


def _some(rows: _Rows, chosen: Places) -> _Rows:
    return _Rows(
        [rows.of[n] for n in chosen],
        rows.near[chosen],
        rows.recent[chosen],
        rows.forms[chosen],
        rows.skills[chosen],
    )


def _rarity(counts: sparse.csr_matrix) -> Numbers:
    """Inverse document frequency, smoothed."""
    times = np.bincount(counts.indices, minlength=counts.shape[1])
    rarity: Numbers = np.log((1 + counts.shape[0]) / (1 + times)) + 1
    return rarity


def _weighed(counts: sparse.csr_matrix, rarity: Numbers) -> sparse.csr_matrix:
    """Sublinear tf-idf, each row of length 1."""
    values = counts.astype(float)
    values.data = (1 + np.log(np.maximum(values.data, 1))) * rarity[values.indices]
    lengths = np.sqrt(values.multiply(values).sum(1))
    return sparse.diags_array(1 / np.maximum(np.asarray(lengths).ravel(), 1e-12)) @ values


def _who_numbers(rows: _Rows, rarity: Numbers) -> sparse.csr_matrix:
    return sparse.hstack((_weighed(rows.near, rarity), _FORM * rows.forms)).tocsr()


def _skill_numbers(rows: _Rows, rarity: Numbers) -> sparse.csr_matrix:
    counts = rows.skills[:, 1:].reshape(len(rows.of), -1)
    return sparse.hstack((_weighed(rows.recent, rarity), _NAMED * counts)).tocsr()


def _standing_out(counts: Numbers, mean: Numbers, spread: Numbers, usual: Numbers) -> Numbers:
    """By row and skill: how far its counts are above what is usual, the share of its words among
    those of all skills, and how often it is called for."""
    share = counts / np.maximum(counts.sum(2, keepdims=True), 1e-9)
    both = np.concatenate(((counts - mean) / spread, share), axis=1).transpose(0, 2, 1)
    often = np.broadcast_to(usual[None, :, None], (*both.shape[:2], 1))
    found: Numbers = np.concatenate((both, often), axis=2)
    return found


class _Fitted:
    """Weights, ready to predict."""

    def __init__(self, weights: LinearWeights) -> None:
        self.weights = weights
        self._vectorizer = CountVectorizer(analyzer=_words, vocabulary=weights.words)
        self._near_rarity = np.array(weights.near_rarity)
        self._recent_rarity = np.array(weights.recent_rarity)
        self._who = np.array(weights.who)
        self._meant = np.array(weights.meant)
        self._called = [SKILLS.index(skill) for skill in weights.skills]
        self._usual = np.array(weights.usual)
        self._mean = np.array(weights.mean).reshape(-1, len(SKILLS))
        self._spread = np.array(weights.spread).reshape(-1, len(SKILLS))
        self._stands_out = np.array(weights.stands_out)

    def chances(self, found: Candidates, scenes: int) -> list[_Chances]:
        """For each of some scenes."""
        return self.chances_of(_rows(found, self._vectorizer.transform(found.lines)), scenes)

    def chances_of(self, rows: _Rows, scenes: int) -> list[_Chances]:
        """The same, of rows of them."""
        out = [_Chances({}, {}) for _ in range(scenes)]
        if not rows.of:
            return out
        acts = np.ones(len(rows.of))
        if len(self._who):
            numbers = _who_numbers(rows, self._near_rarity)
            acts = special.expit(numbers @ self._who[:-1] + self._who[-1])
        means = self._skills(rows)
        for (place, who), chance, skills in zip(rows.of, acts.tolist(), means, strict=True):
            out[place].acts[who] = chance
            out[place].means[who] = skills
        return out

    def _skills(self, rows: _Rows) -> Numbers:
        """Rows by skills; those that were never called for have none."""
        odds = np.full((len(rows.of), len(SKILLS)), -np.inf)
        odds[:, self._called] = 0
        if len(self._called) > 1:
            numbers = _skill_numbers(rows, self._recent_rarity)
            odds[:, self._called] = numbers @ self._meant[:, :-1].T + self._meant[:, -1]
        seen = _standing_out(rows.skills, self._mean, self._spread, self._usual)
        chances: Numbers = special.softmax(
            odds + seen @ self._stands_out[:-1] + self._stands_out[-1], axis=1
        )
        return chances
