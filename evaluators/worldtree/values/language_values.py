"""Whether the two languages differ, model by model (SocialEval, section 4)."""

from typing import Literal

import msgspec

from actors.worldtree.trees.tree import Language

Measure = Literal["goals", "abilities"]


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """Wilcoxon's signed-rank test between the two languages of the same models, two-sided."""

    models: int
    """Pairs."""
    ties: int = 0
    """Pairs without a difference, left out by Wilcoxon's rule."""
    statistic: float | None = None
    """W, the lesser sum of ranks."""
    p: float | None = None
    exact: bool = False
    """Of all signs there could be; else by the normal approximation, for differences are tied."""
    why: str = ""
    """Why there is no test."""


class Normality(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the models' figures of one language are normal, by Kolmogorov and Smirnov's D."""

    language: Language
    models: int
    fitted: float | None = None
    """D against the normal of the figures' own mean and standard deviation. Its ``p`` is too large,
    for it takes them as known; ``lilliefors_p`` does not."""
    fitted_p: float | None = None
    standard: float | None = None
    """D against N(0, 1), which figures in percent cannot follow: it says nothing of their shape."""
    standard_p: float | None = None
    lilliefors_p: float | None = None
    """Of the same D as ``fitted``, estimated parameters allowed for; statsmodels' table ends at
    0.001 and 0.99."""
    why: str = ""
    """Why there is no test."""


class LanguageTest(msgspec.Struct, frozen=True, kw_only=True):
    """Both, of the models' overall figures."""

    measure: Measure
    pairs: tuple[tuple[str, float, float], ...]
    """Model, zh, en: in percent."""
    signed: Signed
    normality: tuple[Normality, ...]
    left_out: tuple[str, ...] = ()
    """Models with a figure in one language only."""
    rehearsal: tuple[str, ...] = ()
    """Of the pairs those that are no language model."""
