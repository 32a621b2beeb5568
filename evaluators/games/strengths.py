"""How strong models are at winning: Bradley and Terry's model of sides, on statsmodels.

The log odds that the first of two teams wins are its advantage by the rules, plus the mean strength
of the models in its seats, less that of the models in the other's (Bradley and Terry 1952, "Rank
analysis of incomplete block designs: I. The method of paired comparisons", Biometrika 39, 324-345).
Strengths sum to zero, and are told on Elo's scale. Games of one deal are related: the errors are
cluster-robust by deal.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import Final, NamedTuple

import msgspec
import numpy as np

from actors.text.amounts import many
from evaluators.games.contests import Contest
from evaluators.statistics import student_t
from evaluators.statistics.cluster_means import CONFIDENCE, LEAST_CLUSTERS, Floats
from evaluators.statistics.estimates import Estimate, places

MIDDLE: Final = 1500
"""The mean of all models."""
PER_LOGIT: Final = 400 / log(10)
"""Elo's points: 400 more are odds of ten to one."""
_NOTHING: Final = 1e-7


class ModelRating(msgspec.Struct, frozen=True, kw_only=True):
    """A model's strength, in all its seats or in those of one team."""

    ruleset: str
    """Empty: of several together."""
    side: str
    """A team; empty: all."""
    model: str
    games: int
    """Contests in which it sat in such a seat."""
    rating: Estimate


class Ratings(msgspec.Struct, frozen=True, kw_only=True):
    """Those of one ruleset, or of several together."""

    ruleset: str
    """Empty: several."""
    by_side: bool
    """Whether each model has one for each team in whose seats it sat."""
    rows: tuple[ModelRating, ...]
    why: str = ""
    """Why there are no figures, as a sentence; empty: there are."""


class _Design(NamedTuple):
    """What a strength or an advantage does to the log odds of the first team: a row a contest."""

    shares: Floats
    """A column for each block and model: the share of the first team's seats less that of the
    other's."""
    kinds: Floats
    """A column for each pair of teams that met."""
    blocks: tuple[tuple[str, tuple[str, ...]], ...]
    """Teams (empty: all) with the models that sat there, in the order of the columns."""


def ratings_of(contests: Sequence[Contest], ruleset: str, *, by_side: bool = False) -> Ratings:
    """The ratings of all models in some contests, of which there is at least one. ``by_side``: one
    for each team in whose seats a model sat. ``ruleset``: what the rows are said to be of."""
    decided, one_sided = _without_one_sided(contests)
    models = {name for one in contests for side in one.minds for name in side}
    if len(models) < 2:
        return _unrated(contests, ruleset, by_side, "One model played; ratings compare several.")
    if not decided:
        return _unrated(contests, ruleset, by_side, one_sided)
    design = _design(decided, by_side=by_side)
    effects = _sum_to_zero(design.blocks)
    x = np.hstack([design.kinds, design.shares @ effects])
    if np.linalg.matrix_rank(x) < x.shape[1]:
        return _unrated(contests, ruleset, by_side, _why_alike(by_side=by_side))
    won = np.array([one.first_won for one in decided], dtype=float)
    if _is_separated(x, won):
        return _unrated(contests, ruleset, by_side, _why_separated(design, won))
    found = _fitted(x, won, [one.deal for one in decided], effects, design.kinds.shape[1])
    alone = [len(names) < 2 for _, names in design.blocks for _ in names]
    found = [
        Estimate(why="no other model sat there") if single else one
        for single, one in zip(alone, found, strict=True)
    ]
    rows = _rows(contests, ruleset, design.blocks, found)
    return Ratings(ruleset=ruleset, by_side=by_side, rows=tuple(rows))


def _without_one_sided(contests: Sequence[Contest]) -> tuple[list[Contest], str]:
    """Contests of such pairs of teams as have not always ended alike; the others tell nothing of
    models. And a sentence on what is left out."""
    results: dict[tuple[str, tuple[str, str]], set[bool]] = {}
    for one in contests:
        results.setdefault((one.ruleset, one.teams), set()).add(one.first_won)
    always = [
        f"{teams[0] if True in found else teams[1]} won all games of {ruleset}"
        for (ruleset, teams), found in results.items()
        if len(found) == 1
    ]
    told = f"{'; '.join(always)}: that tells nothing of models." if always else ""
    kept = [one for one in contests if len(results[one.ruleset, one.teams]) > 1]
    return kept, told


def _design(contests: Sequence[Contest], *, by_side: bool) -> _Design:
    blocks: dict[str, dict[str, None]] = {}
    for one in contests:
        for team, minds in zip(one.teams, one.minds, strict=True):
            blocks.setdefault(team if by_side else "", {}).update(dict.fromkeys(minds))
    named = tuple((side, tuple(sorted(models))) for side, models in blocks.items())
    columns = {
        pair: place
        for place, pair in enumerate((side, model) for side, models in named for model in models)
    }
    kinds = places([(one.ruleset, one.teams) for one in contests])
    shares = np.zeros((len(contests), len(columns)))
    for row, one in enumerate(contests):
        for team, minds, sign in zip(one.teams, one.minds, (1, -1), strict=True):
            for name in minds:
                shares[row, columns[team if by_side else "", name]] += sign / len(minds)
    return _Design(shares, np.eye(int(kinds.max()) + 1)[kinds], named)


def _sum_to_zero(blocks: Sequence[tuple[str, Sequence[str]]]) -> Floats:
    """Strengths of all columns, of those that are free: in each block the last is the others'
    sum, negative."""
    parts = [np.vstack([np.eye(len(names) - 1), -np.ones(len(names) - 1)]) for _, names in blocks]
    whole = np.zeros((sum(len(one) for one in parts), sum(one.shape[1] for one in parts)))
    row = column = 0
    for one in parts:
        whole[row : row + one.shape[0], column : column + one.shape[1]] = one
        row, column = row + one.shape[0], column + one.shape[1]
    return whole


def _why_alike(*, by_side: bool) -> str:
    if by_side:
        return (
            "The games do not tell what a model does for one team from what it does for another: "
            "each model had too often the same share of all seats. More orders of seats (--orders) "
            "bring others."
        )
    return "The games do not tell the models apart: too few had different models on their sides."


def _is_separated(x: Floats, won: Floats) -> bool:
    """Whether some strengths tell all results, or leave out only even ones, so that none is the
    likeliest (Konis 2007, "Linear programming algorithms for detecting separated data in binary
    logistic regression models", University of Oxford)."""
    from scipy.optimize import linprog

    signed = x * np.where(won > 0, 1, -1)[:, None]
    found = linprog(-signed.sum(axis=0), A_ub=-signed, b_ub=np.zeros(len(won)), bounds=(-1, 1))
    return bool(found.status == 0 and -found.fun > _NOTHING)


def _why_separated(design: _Design, won: Floats) -> str:
    results = np.where(won > 0, 1, -1)[:, None] * np.sign(design.shares)
    always, never = [], []
    names = [
        f"{model} as {side}" if side else model
        for side, models in design.blocks
        for model in models
    ]
    for name, column in zip(names, results.T, strict=True):
        told = column[column != 0]
        if len(told) and (told > 0).all():
            always.append(name)
        elif len(told) and (told < 0).all():
            never.append(name)
    parts = [f"{', '.join(always)} always won"] if always else []
    parts += [f"{', '.join(never)} never won"] if never else []
    told = f"{' and '.join(parts)} where more of a side's seats were theirs" if parts else ""
    told = told or "who won follows from who sat where, without an exception"
    return f"There are no ratings: {told}. Strengths then have no bound; more games may bring one."


def _fitted(
    x: Floats, won: Floats, deals: Sequence[str], effects: Floats, kinds: int
) -> list[Estimate]:
    """A rating for each column of strengths."""
    # Not statsmodels.api, which loads all there is.
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    clusters = places(deals)
    count = int(clusters.max()) + 1
    least = max(LEAST_CLUSTERS, x.shape[1] + 1)
    # Of a single deal cluster-robust errors cannot be asked for.
    robust = {"cov_type": "cluster", "cov_kwds": {"groups": clusters}} if count >= least else {}
    result = GLM(won, x, family=Binomial()).fit(**robust)
    strengths = effects @ result.params[kinds:]
    values = MIDDLE + PER_LOGIT * strengths
    if count < least:
        why = f"{many(count, 'deal')}; an interval of {x.shape[1]} figures needs {least} or more"
        return [Estimate(value=float(value), why=why, clusters=count) for value in values]
    covariance = effects @ result.cov_params()[kinds:, kinds:] @ effects.T
    errors = PER_LOGIT * np.sqrt(np.maximum(np.diag(covariance), 0))
    reach = student_t.reach(CONFIDENCE, count - 1) * errors
    return [
        Estimate(
            value=float(value), low=float(value - far), high=float(value + far), clusters=count
        )
        if far > _NOTHING
        else Estimate(
            value=float(value),
            why="the deals do not differ, so nothing tells the spread",
            clusters=count,
        )
        for value, far in zip(values, reach, strict=True)
    ]


def _rows(
    contests: Sequence[Contest],
    ruleset: str,
    blocks: Sequence[tuple[str, Sequence[str]]],
    found: Sequence[Estimate],
) -> list[ModelRating]:
    pairs = [(side, model) for side, models in blocks for model in models]
    counts = _games(contests)
    rows = [
        ModelRating(
            ruleset=ruleset, side=side, model=model, games=counts.get((side, model), 0), rating=one
        )
        for (side, model), one in zip(pairs, found, strict=True)
    ]
    return sorted(rows, key=lambda one: (one.side, -(one.rating.value or 0.0), one.model))


def _games(contests: Sequence[Contest]) -> Mapping[tuple[str, str], int]:
    """In how many contests each model sat, for either team or, under an empty one, for any."""
    counts: dict[tuple[str, str], int] = {}
    for one in contests:
        seats = {
            (team, name) for team, side in zip(one.teams, one.minds, strict=True) for name in side
        }
        for pair in seats | {("", name) for _, name in seats}:
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def _unrated(contests: Sequence[Contest], ruleset: str, by_side: bool, why: str) -> Ratings:
    """Rows without figures, which say how often each has played; by side none."""
    if by_side:
        return Ratings(ruleset=ruleset, by_side=True, rows=(), why=why)
    pairs = sorted(pair for pair in _games(contests) if not pair[0])
    blocks = [(side, (model,)) for side, model in pairs]
    missing = [Estimate(why=why)] * len(pairs)
    rows = _rows(contests, ruleset, blocks, missing)
    return Ratings(ruleset=ruleset, by_side=False, rows=tuple(rows), why=why)
