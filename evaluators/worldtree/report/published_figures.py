"""The paper's own figures (SocialEval, arXiv 2506.00900), as far as they could be verified.

Table 1 and the aspects of Figure 2 are as the published repository's pictures show them. Of Tables
2 and 3 there is what a public summary of the paper gives, to one decimal (the paper prints two),
and of that only rows of one language whose overall figure follows from the others by the paper's
own weights, to within rounding: trees of each group (Table 1, with 9 trees of Conflict) and labels
of each aspect (Figure 2). Everything else is not here, and tables say so.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from actors.worldtree.trees.tree import Language
from evaluators.tables.plain_tables import PlainTable, numbers

SOURCE: Final = "arXiv 2506.00900"
NOTE: Final = (
    f"The paper's rows ({SOURCE}) are over its 153 trees in each language, not over those of this "
    "page, and are given as far as they could be verified: groups, aspects and overall, to one "
    "decimal. What is not there was not to be had."
)

TREE_FIELDS: Final = (
    "trees",
    "characters",
    "plot_lines",
    "episodes",
    "candidates",
    "successes",
    "interactions",
    "samples",
)
"""The columns of Table 1, as ``TreeFigures`` calls them."""
TREES: Final[dict[str, tuple[float, ...]]] = {
    "Cooperation": (25, 6.00, 10.20, 7.02, 2.10, 1.36, 110.04, 447),
    "Negotiation": (29, 6.28, 11.48, 6.41, 2.29, 1.72, 112.72, 569),
    "Assistance": (26, 5.69, 8.38, 6.09, 2.18, 1.35, 92.65, 373),
    "Altruism": (26, 7.00, 16.13, 7.18, 2.01, 1.35, 119.96, 454),
    "prosocial": (106, 6.25, 11.56, 6.74, 2.19, 1.45, 108.94, 1843),
    "Competition": (27, 5.59, 8.26, 6.01, 2.13, 1.41, 94.96, 384),
    "proself": (27, 5.59, 8.26, 6.01, 2.13, 1.41, 94.96, 384),
    "Induction": (10, 3.60, 8.00, 5.20, 2.20, 1.10, 60.50, 134),
    "Conflict": (10, 4.00, 8.00, 5.40, 2.10, 1.30, 77.60, 132),
    "antisocial": (20, 3.80, 8.00, 5.30, 2.13, 1.20, 69.05, 266),
    "overall": (153, 5.81, 9.46, 6.50, 2.17, 1.41, 101.27, 2493),
}
"""Table 1, in the order of ``TREE_FIELDS``."""

LABELS: Final = {
    "Self-Management": 1548,
    "Social Engagement": 775,
    "Cooperation": 843,
    "Emotional Resilience": 565,
    "Innovation": 296,
}
"""Figure 2: how many labels each aspect has."""

GOALS: Final[dict[str, dict[Language, tuple[float, float, float, float]]]] = {
    "People, best": {"zh": (100.0, 100.0, 100.0, 100.0), "en": (100.0, 100.0, 100.0, 100.0)},
    "People, average": {"en": (59.9, 40.0, 50.0, 55.2)},
    "DeepSeek-R1": {"zh": (54.3, 32.2, 28.0, 47.1)},
    "o1": {"zh": (54.3, 32.5, 27.5, 47.0), "en": (52.7, 31.0, 25.7, 45.4)},
    "Claude-3-opus": {"zh": (54.0, 31.5, 29.7, 47.0), "en": (52.3, 29.8, 27.6, 45.2)},
    "GPT-4o": {"zh": (52.8, 27.6, 23.2, 44.6), "en": (51.6, 25.5, 17.6, 42.7)},
    "Qwen-2.5-72B": {"zh": (47.5, 26.6, 20.2, 40.3), "en": (44.4, 23.4, 16.1, 37.1)},
    "Llama-3.1-8B": {"zh": (37.9, 21.2, 13.0, 31.8), "en": (33.7, 18.7, 10.8, 28.2)},
}
"""Table 2: prosocial, proself, antisocial, overall."""
GOAL_SCOPES: Final = ("prosocial", "proself", "antisocial", "overall")

ABILITY_SCOPES: Final = (
    "Social Engagement",
    "Cooperation",
    "Self-Management",
    "Emotional Resilience",
    "Innovation",
    "overall",
)
ABILITIES: Final[dict[str, dict[Language, tuple[float, ...]]]] = {
    "People, best": {
        "zh": (84.9, 89.6, 86.3, 81.8, 81.5, 85.7),
        "en": (85.7, 92.9, 80.6, 86.7, 85.7, 85.3),
    },
    "People, average": {
        "zh": (79.5, 82.7, 80.5, 78.6, 76.8, 80.2),
        "en": (82.2, 84.6, 74.5, 79.1, 79.9, 79.1),
    },
    "Claude-3-opus": {
        "zh": (77.5, 84.5, 74.6, 76.9, 75.2, 77.6),
        "en": (76.5, 82.5, 72.5, 72.4, 72.1, 75.3),
    },
    "o1": {
        "zh": (76.2, 82.4, 75.1, 78.1, 75.0, 77.3),
        "en": (74.7, 80.8, 73.1, 76.6, 73.1, 75.5),
    },
    "Qwen-2.5-72B": {
        "zh": (68.9, 75.7, 68.3, 71.2, 69.0, 70.4),
        "en": (64.6, 73.5, 64.6, 65.2, 64.4, 66.5),
    },
    "Mistral-7B": {
        "zh": (59.4, 64.2, 58.5, 55.4, 49.9, 58.8),
        "en": (55.2, 62.1, 52.6, 52.5, 47.7, 54.7),
    },
}
"""Table 3, in the order of ``ABILITY_SCOPES``."""


def paper_tables() -> list[PlainTable]:
    """All of it for programs, a row a figure."""
    return [
        _table(
            "paper-table-1",
            ("scope", *TREE_FIELDS),
            [(scope, *values) for scope, values in TREES.items()],
        ),
        _table("paper-table-2", _COLUMNS, _rows(GOALS, GOAL_SCOPES)),
        _table("paper-table-3", _COLUMNS, _rows(ABILITIES, ABILITY_SCOPES)),
    ]


_COLUMNS: Final = ("who", "language", "scope", "percent")


def _rows(
    values: Mapping[str, Mapping[Language, tuple[float, ...]]], scopes: Sequence[str]
) -> list[tuple[str | float, ...]]:
    return [
        (who, language, scope, value)
        for who, languages in values.items()
        for language, row in languages.items()
        for scope, value in zip(scopes, row, strict=True)
    ]


def _table(
    name: str, columns: Sequence[str], rows: Sequence[tuple[str | float, ...]]
) -> PlainTable:
    return PlainTable(
        name=name,
        title=f"Printed in {SOURCE}",
        columns=numbers(*columns),
        rows=tuple(rows),
    )
