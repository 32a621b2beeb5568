"""The modes of social episodes beside each other, as a plain table."""

from typing import TYPE_CHECKING, Final

from evaluators.plugin import OVERALL
from evaluators.registry import abbreviation
from evaluators.tables.figure_text import figure_of, p_text
from evaluators.tables.plain_tables import DisplayValue, Figure, PlainColumn, PlainTable, table_of

if TYPE_CHECKING:
    from evaluators.social.modes.comparison import ModeComparison, ModeFigure

_MEASURES: Final = {
    "episodes": "episodes",
    "given_up": "given up",
    "turns": "turns",
    "words_per_turn": "words per turn",
    "secrets_told": "secrets told",
    "calls": "calls per episode",
    "output_tokens": "tokens per episode",
    "usd": "US$ per episode",
    OVERALL: "Overall",
}
_COUNTS: Final = frozenset({"episodes", "given_up"})
_FORMS: Final = {"secrets_told": ".0%", "usd": ".4f", "output_tokens": ".0f"}
_SIGNIFICANT: Final = 0.05


def modes_table(found: "ModeComparison") -> PlainTable:
    """A row for each mind and measure, a column for each mode; for programs a row for each of
    both."""
    return table_of(
        "modes",
        "Ways to play",
        found.rows,
        PlainColumn("mind"),
        (PlainColumn("judge"), lambda one: DisplayValue(one.judge, one.judge or "–")),
        (
            PlainColumn("measure"),
            lambda one: DisplayValue(
                one.measure, _MEASURES.get(one.measure) or abbreviation(one.measure)
            ),
        ),
        PlainColumn("mode"),
        (
            PlainColumn("t", "number", only_csv=True),
            lambda one: None if one.test is None else one.test.t,
        ),
        (
            PlainColumn("p", "number", only_csv=True),
            lambda one: None if one.test is None else one.test.p,
        ),
        (PlainColumn("values", "number", only_csv=True), lambda one: one.n),
        PlainColumn("missing", "number", only_csv=True),
        (PlainColumn("mean", "figure"), _figure),
        note=_note(found),
        across=("mode",),
    )


def _figure(one: "ModeFigure") -> Figure:
    if one.measure in _COUNTS:
        return Figure(value=one.found.value, text=f"{one.found.value:.0f}")
    beside = f" ({one.missing} missing)" if one.missing else ""
    if one.test is not None:
        star = "*" if one.test.p < _SIGNIFICANT else ""
        beside += f"\n{p_text(one.test.p)}{star}"
    return figure_of(one.found, _FORMS.get(one.measure, ".2f"), beside)


def _note(found: "ModeComparison") -> str:
    notes = [
        "Means with 95 % intervals, of scenarios like these.",
        "p: Student's t test against the interactive mode, two-sided, over the scores of "
        "seats, not corrected for how many there are; * p < 0.05.",
        "Secrets told: the share of seats, with a secret, whose words gave it away, by a rule.",
    ]
    if not any(one.mode == "interactive" for one in found.rows):
        notes.append("No episode is interactive, so nothing is tested.")
    if found.several_minds:
        notes.append(f"Left out, for several minds played in it: {found.several_minds:,} episodes.")
    if found.unclean:
        notes.append(f"Without the scores of {found.unclean:,} in which an action failed.")
    return " ".join(notes)
