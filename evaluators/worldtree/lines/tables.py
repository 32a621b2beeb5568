"""Table 4 of SocialEval as plain tables: CSV, LaTeX, a terminal, JSON."""

from collections.abc import Iterable, Sequence

from evaluators.tables.plain_tables import (
    Cell,
    DisplayValue,
    PlainColumn,
    PlainTable,
    numbers,
    table_of,
)
from evaluators.worldtree.lines.ratios import ALL, Between, Ratios

NOTE = (
    "Similarity: of the marked lines, those of which the majority finds a line of the tree that "
    "means the same. Selection: of these, where the mind's walks came by (passed), the share that "
    "took such a line. Kappa is Fleiss'."
)


def ratios_table(rows: Sequence[Ratios], by: str, rehearsal: Iterable[str] = ()) -> PlainTable:
    """Minds and languages, with all counts. ``by``: who marked; ``rehearsal``: minds, or a judge,
    that are no language models."""
    offline = list(rehearsal)
    no_model = f" {', '.join(offline)}: a rehearsal, no language model; this is no finding."
    return table_of(
        "worldtree-lines",
        f"Free lines beside the trees' (Table 4), marked by {by}",
        rows,
        (PlainColumn("mind"), lambda row: row.who if row.who != ALL else "all"),
        PlainColumn("language", "id"),
        (
            PlainColumn("similarity", "number"),
            lambda row: _share(row.similarity, f"{row.similar}/{row.marked}"),
        ),
        (
            PlainColumn("selection", "number"),
            lambda row: _share(row.selection, f"{row.selected:g}/{row.passed}"),
        ),
        PlainColumn("kappa", "number"),
        (PlainColumn("lines", "number"), lambda row: row.items),
        *numbers("marked", "similar", "passed", "selected", only_csv=True),
        PlainColumn("raters", "number"),
        PlainColumn("rated", "number", only_csv=True),
        note=NOTE + no_model * bool(offline),
    )


def _share(value: float | None, counts: str) -> Cell:
    """For people in percent, with what it is of."""
    return None if value is None else DisplayValue(value, f"{100 * value:.1f} % ({counts})")


def between_table(rows: Sequence[Between], judge: str) -> PlainTable:
    """A judge beside people."""
    return table_of(
        "worldtree-lines-judge",
        f"Judge {judge} beside the annotators' majority",
        rows,
        PlainColumn("language", "id"),
        *numbers("items", "agreed", "alike", "kappa"),
        note="Agreed: both say alike whether any line means the same; alike: both mark the same "
        "ones. Kappa is Fleiss', of the two, on whether any does.",
    )
