"""A virtual game master of two linear models: which of those at the table acts, by logistic
regression on each candidate's own recent words, position, share and form; and which skill they
mean, by the same on their words. No names are looked at, so what is learned carries from one cast
to another."""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from actors.tabletop.skills import SKILLS, Skill
from evaluators.tabletop.calls.samples import CallSample, Label, SpokenLine
from evaluators.tabletop.intentions import counts_of
from evaluators.tabletop.virtual_dms.lexicon import own_lines, words_of_skills
from evaluators.tabletop.virtual_dms.port import VirtualDM, data_hash

NEAR: Final = 3
"""Own lines that are read for who acts."""
RECENT: Final = 6
"""And for what is meant; the later ones count more."""
FOLDS: Final = 5
_WISH: Final = re.compile(
    r"\b(?:i(?:['’]m| am|['’]ll| will|['’]d| would)?(?: just| also| gonna| going to)?"
    r" (?:want|try|go|look|take|use|make|cast|attempt|like)|can i|could i|do i|may i|let me)\b",
    re.IGNORECASE,
)
_THRESHOLDS: Final = tuple(np.round(np.arange(0.1, 0.95, 0.05), 2))
_WEIGHT: Final = 3.0
"""Of form beside words."""


class LinearDM(VirtualDM):
    """Fits in seconds on a CPU."""

    def __init__(self, seed: int = 0, *, strength: float = 1.0) -> None:
        """``strength``: the inverse of the regularization, as scikit-learn's ``C``."""
        self._seed, self._strength = seed, strength
        self._who: _Who | None = None
        self._what: _What | None = None
        self._threshold = 0.5

    def fit(self, samples: Sequence[CallSample]) -> None:
        """Learn from samples. Raises ``ValueError`` where they have no label."""
        known = [sample for sample in samples if sample.labels]
        if not known:
            raise ValueError("there is nothing to learn from: no sample has a label")
        self._threshold = self._chosen_threshold(known)
        self._who, self._what = _Who(known, self._strength), _What(known, self._strength)
        self.trained_on = data_hash(samples)

    def predict(self, lines: Sequence[SpokenLine], cast: Sequence[str]) -> frozenset[Label]:
        """Those who are more likely than the threshold, or the likeliest, each with one skill."""
        if self._who is None or self._what is None:
            raise ValueError("a virtual game master is fitted before it is asked")
        sample = CallSample(session="", turn=-1, lines=tuple(lines), cast=tuple(cast), labels=())
        chances = self._who.chances(sample)
        return _labelled(sample, chances, self._threshold, self._what)

    def _chosen_threshold(self, samples: Sequence[CallSample]) -> float:
        """The one with the best F over sets of characters, by cross-validation over sessions, or
        over samples where there are fewer sessions than folds."""
        sessions = sorted({sample.session for sample in samples})
        groups = (
            [sessions.index(sample.session) for sample in samples]
            if len(sessions) >= FOLDS
            else list(range(len(samples)))
        )
        folds = min(FOLDS, len(set(groups)))
        if folds < 2:
            return 0.5
        found: list[tuple[frozenset[str], dict[str, float]]] = []
        split = GroupKFold(folds, shuffle=True, random_state=self._seed)
        for train, test in split.split(samples, groups=groups):
            who = _Who([samples[place] for place in train], self._strength)
            for place in test:
                right = frozenset(label.who for label in samples[place].labels)
                found.append((right, who.chances(samples[place])))

        def f(threshold: float) -> float:
            return counts_of([(right, _above(chances, threshold)) for right, chances in found]).f

        return float(max(_THRESHOLDS, key=f))


def _above(chances: dict[str, float], threshold: float) -> frozenset[str]:
    if not chances:
        return frozenset()
    likeliest = max(chances, key=lambda who: chances[who])
    return frozenset({likeliest, *(who for who, one in chances.items() if one >= threshold)})


def _labelled(
    sample: CallSample, chances: dict[str, float], threshold: float, what: "_What"
) -> frozenset[Label]:
    return frozenset(Label(who, what.skill(sample, who)) for who in _above(chances, threshold))


class _Who:
    """How likely it is that somebody acts."""

    def __init__(self, samples: Sequence[CallSample], strength: float) -> None:
        rows = [(sample, who) for sample in samples for who in candidates(sample)]
        acts = [any(label.who == who for label in sample.labels) for sample, who in rows]
        self._words = TfidfVectorizer(sublinear_tf=True, min_df=2, ngram_range=(1, 2))
        texts = [_near(sample, who) for sample, who in rows]
        self._constant: float | None = None
        if len(set(acts)) < 2:
            self._constant = float(acts[0]) if acts else 0.0
            return
        try:
            words = self._words.fit_transform(texts)
        except ValueError:
            # No word stands twice.
            self._words = TfidfVectorizer(vocabulary=["i"])
            words = self._words.fit_transform(texts)
        forms = sparse.csr_matrix(_WEIGHT * np.array([form(sample, who) for sample, who in rows]))
        self._model = LogisticRegression(C=strength, class_weight="balanced", max_iter=2_000)
        self._model.fit(sparse.hstack([words, forms]), acts)

    def chances(self, sample: CallSample) -> dict[str, float]:
        """By candidate, from 0 to 1."""
        known = candidates(sample)
        if not known:
            return {}
        if self._constant is not None:
            return dict.fromkeys(known, self._constant)
        words = self._words.transform([_near(sample, who) for who in known])
        forms = sparse.csr_matrix(_WEIGHT * np.array([form(sample, who) for who in known]))
        found = self._model.predict_proba(sparse.hstack([words, forms]))[:, 1]
        return dict(zip(known, map(float, found), strict=True))


class _What:
    """Which skill somebody means."""

    def __init__(self, samples: Sequence[CallSample], strength: float) -> None:
        rows = [(sample, label) for sample in samples for label in sample.labels]
        skills = [label.skill for _, label in rows]
        self._one: Skill | None = skills[0] if len(set(skills)) == 1 else None
        if self._one is not None:
            return
        self._words = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2))
        words = self._words.fit_transform([_recent(sample, label.who) for sample, label in rows])
        hints = sparse.csr_matrix(np.array([_hints(sample, label.who) for sample, label in rows]))
        self._model = LogisticRegression(C=4 * strength, class_weight="balanced", max_iter=2_000)
        self._model.fit(sparse.hstack([words, hints]), skills)

    def skill(self, sample: CallSample, who: str) -> Skill:
        """The likeliest."""
        if self._one is not None:
            return self._one
        words = self._words.transform([_recent(sample, who)])
        hints = sparse.csr_matrix(np.array([_hints(sample, who)]))
        found: Skill = self._model.predict(sparse.hstack([words, hints]))[0]
        return found


def candidates(sample: CallSample) -> list[str]:
    """Those of the cast who spoke, in the cast's order."""
    spoke = {who for line in sample.lines for who in line.who.split(" and ")}
    return [who for who in sample.cast if who in spoke]


def form(sample: CallSample, who: str) -> list[float]:
    """How somebody took part, without their name: how long ago they spoke last, how much, and in
    which form. All from 0 to 1."""
    places = [n for n, line in enumerate(sample.lines) if who in line.who.split(" and ")]
    count = len(sample.lines)
    last = sample.lines[places[-1]].text
    players = [n for n, line in enumerate(sample.lines) if line.who != "DM"]
    behind = sum(n > places[-1] for n in players)
    near = " ".join(sample.lines[n].text for n in places[-NEAR:])
    told = next((line.text for line in reversed(sample.lines) if line.who == "DM"), "")
    first = who.split()[0].casefold()
    return [
        float(behind == 0),
        1.0 / (1 + behind),
        1.0 / (count - places[-1]),
        len(places) / count,
        sum(n >= count - 10 for n in places) / 10,
        sum(n >= count - 5 for n in places) / 5,
        min(1.0, len(last.split()) / 40),
        float("?" in last),
        float(_WISH.search(near) is not None),
        float(re.search(rf"\b{re.escape(first)}\b", told.casefold()) is not None),
    ]


def _near(sample: CallSample, who: str) -> str:
    return " ".join(line.text for line in own_lines(sample.lines, who)[-NEAR:])


def _recent(sample: CallSample, who: str) -> str:
    """Own words; the last line stands three times, the one before twice."""
    lines = [line.text for line in own_lines(sample.lines, who)[-RECENT:]]
    told = [line.text for line in sample.lines[-1:] if line.who == "DM"]
    return " ".join([*lines, *lines[-2:], *lines[-1:], *told])


def _hints(sample: CallSample, who: str) -> list[float]:
    text = _recent(sample, who)
    counts = [len(words_of_skills()[skill].findall(text)) for skill in SKILLS]
    most = max(counts)
    return [count / most if most else 0.0 for count in counts]
