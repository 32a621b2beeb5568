"""Table 4 of SocialEval as plain tables: CSV, LaTeX, a terminal, JSON."""

from collections.abc import Iterable, Sequence

from evaluators.tables.plain_tables import Cell, DisplayValue, PlainColumn, PlainTable
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
    return PlainTable(
        name="worldtree-lines",
        title=f"Free lines beside the trees' (Table 4), marked by {by}",
        columns=(
            PlainColumn("mind"),
            PlainColumn("language", "id"),
            PlainColumn("similarity", "number"),
            PlainColumn("selection", "number"),
            PlainColumn("kappa", "number"),
            PlainColumn("lines", "number"),
            PlainColumn("marked", "number", only_csv=True),
            PlainColumn("similar", "number", only_csv=True),
            PlainColumn("passed", "number", only_csv=True),
            PlainColumn("selected", "number", only_csv=True),
            PlainColumn("raters", "number"),
            PlainColumn("rated", "number", only_csv=True),
        ),
        rows=tuple(
            (
                row.who if row.who != ALL else "all",
                row.language,
                _share(row.similarity, f"{row.similar}/{row.marked}"),
                _share(row.selection, f"{row.selected:g}/{row.passed}"),
                row.kappa,
                row.items,
                row.marked,
                row.similar,
                row.passed,
                row.selected,
                row.raters,
                row.rated,
            )
            for row in rows
        ),
        note=NOTE + no_model * bool(offline),
    )


def _share(value: float | None, counts: str) -> Cell:
    """For people in percent, with what it is of."""
    return None if value is None else DisplayValue(value, f"{100 * value:.1f} % ({counts})")


def between_table(rows: Sequence[Between], judge: str) -> PlainTable:
    """A judge beside people."""
    return PlainTable(
        name="worldtree-lines-judge",
        title=f"Judge {judge} beside the annotators' majority",
        columns=(
            PlainColumn("language", "id"),
            PlainColumn("items", "number"),
            PlainColumn("agreed", "number"),
            PlainColumn("alike", "number"),
            PlainColumn("kappa", "number"),
        ),
        rows=tuple((row.language, row.items, row.agreed, row.alike, row.kappa) for row in rows),
        note="Agreed: both say alike whether any line means the same; alike: both mark the same "
        "ones. Kappa is Fleiss', of the two, on whether any does.",
    )
