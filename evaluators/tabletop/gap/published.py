"""Figures of the paper that stand beside ours. Of its tables only these rows are at hand."""

from typing import Final, NamedTuple

from evaluators.tabletop.intentions import gap


class PublishedRow(NamedTuple):
    """A row of the paper, in per cent."""

    model: str
    f_characters: float
    gap_characters: float
    f_tuples: float
    gap_tuples: float


REAL_CHARACTERS, REAL_TUPLES = 39.73, 30.61
"""f_r of the paper's virtual game master GPT-3.5, from which the gaps of its Table 1 follow."""
TABLE_1_GPT_4: Final = PublishedRow("GPT-4 (paper, Table 1)", 33.92, 12.94, 20.22, 24.44)
"""As Table 1 prints it; it is Table 2's row of GPT-3.5 with GPT-3.5-lc as virtual game master,
which has 20.33 there."""
TABLE_2_GPT_4: Final = PublishedRow("GPT-4 (paper, Table 2)", 32.65, 9.78, 14.89, 34.55)
"""With GPT-3.5 as virtual game master."""
ROWS: Final = (TABLE_1_GPT_4, TABLE_2_GPT_4)
NOTE: Final = (
    "The paper's rows: its GPT-4 row of Table 1 is the row of another model and virtual game "
    f"master in its Table 2; from f_r = {REAL_CHARACTERS} and {REAL_TUPLES} its gaps would be "
    f"{100 * (gap(REAL_CHARACTERS, TABLE_1_GPT_4.f_characters) or 0):.2f} and "
    f"{100 * (gap(REAL_TUPLES, TABLE_1_GPT_4.f_tuples) or 0):.2f}."
)
