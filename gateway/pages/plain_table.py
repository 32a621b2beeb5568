"""Plain tables as pages show them."""

from evaluators.tables.plain_tables import PlainTable, cell_text, for_people


def shown_table(table: PlainTable) -> dict[str, object]:
    """A table's title, note, columns with whether they are figures, and cells as lines of text."""
    shown = for_people(table)
    numeric = [column.kind in ("number", "figure") for column in shown.columns]
    return {
        "id": table.name,
        "title": table.title,
        "note": table.note,
        "columns": list(zip([column.name for column in shown.columns], numeric, strict=True)),
        "rows": [
            [
                (cell_text(cell).replace("\u00a0", "").split("\n"), number)
                for cell, number in zip(row, numeric, strict=True)
            ]
            for row in (*shown.rows, *shown.foot)
        ],
    }
