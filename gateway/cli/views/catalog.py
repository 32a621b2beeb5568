"""What a catalog holds, written for the eye: lists, and a page for each thing."""

from collections.abc import Sequence
from typing import Any, Final

from actors.episodes.catalogs.entries import CatalogEntry, Standard, TaskEntry
from actors.episodes.catalogs.review import Casting
from actors.text.amounts import many, sizes
from events.environments import Catalog
from gateway.cli.terminal.output import (
    Column,
    console,
    escape,
    grid,
    heading,
    is_wide,
    print_pairs,
    print_table,
    say,
)
from gateway.services.catalogs.catalog_folders import FolderChecked
from gateway.services.catalogs.read_catalog import Placed, entries, facts
from gateway.services.catalogs.search_catalog import Found

_SHOWN: Final = 20
"""Remarks of a grade, and tasks, that a check prints; the rest it counts."""
_SHORT: Final = 5
"""Ids that a standard names which fall short of it; the rest it leaves to --json."""
_LISTED: Final = 4
"""Seats of a task that stand under each other."""
_TITLES: Final = {"error": "Errors", "warning": "Warnings", "note": "Not played yet"}
"""What a check calls the remarks of each grade."""


def print_hits(hits: Sequence[tuple[Catalog, Found]]) -> None:
    """What a search found: each with its id, which ``show`` takes."""
    for catalog, (entry, field, excerpt) in hits:
        _say_title(catalog, entry)
        if excerpt not in (entry.title, entry.id):
            where = field.replace("_", " ")
            say(f"    [dim]{escape(where)}:[/] {escape(' '.join(excerpt.split()))}")


def print_kind(catalog: Catalog, kinds: str) -> None:
    """All of a kind, such as ``tasks``, each in two lines."""
    found = [entry for entry in entries(catalog) if f"{entry.kind}s" == kinds]
    for entry in found:
        tags = f"  [dim]{escape(', '.join(entry.tags))}[/]" if entry.tags else ""
        if entry.title != entry.id:
            say(f"[bold]{escape(entry.title)}[/]")
        table = grid(2, indent=4)
        table.add_row("", f"[dim]{escape(entry.id)}[/]", escape(entry.glance) + tags)
        console().print(table)
    named = kinds if len(found) != 1 else kinds.removesuffix("s")
    say(f"{len(found)} {named} in catalog {escape(catalog.name)}")


def print_tasks(catalog: Catalog, tasks: Sequence[TaskEntry]) -> None:
    """Tasks that follow from a catalog, each in a line."""
    for task in tasks:
        tags = f"  [dim]{escape(', '.join(task.tags))}[/]" if task.tags else ""
        say(f"{escape(task.id)}{tags}")
    say(f"{many(len(tasks), 'task')} in catalog {escape(catalog.name)}")


def print_item(placed: Placed) -> None:
    """One thing, with everything there is to know about it."""
    catalog, entry = placed
    _say_title(catalog, entry)
    print_pairs(((name, escape(text)) for name, text in facts(placed)), indent=2)


def print_checked(checked: FolderChecked) -> None:
    """What a folder of files would bring, and what is wrong with it."""
    if checked.catalog is not None:
        what = f"environment {checked.environment}: {sizes(checked.counts)}"
        say(f"Catalog [bold]{escape(checked.catalog.name)}[/], {escape(what)}")
    for grade in ("error", "warning"):
        _print_remarks(checked, grade)
    if checked.castings:
        _print_castings(checked.castings)
    _print_remarks(checked, "note")
    _print_standards(checked.standards())
    wrong = len(checked.graded("error"))
    if wrong:
        say(f"\n{many(wrong, 'error')}: it cannot be imported")
    else:
        say("\nno errors")


def checked_json(checked: FolderChecked) -> dict[str, Any]:
    """The same for programs."""
    fields = ("file", "line", "entry", "field", "why")
    remarks = {
        f"{grade}s": [
            {field: getattr(remark, field) for field in fields} for remark in checked.graded(grade)
        ]
        for grade in _TITLES
    }
    return {
        "folder": str(checked.folder),
        "format": checked.form,
        "environment": checked.environment,
        "catalog": checked.name,
        "counts": checked.counts,
        **remarks,
        "tasks": [
            {"task": one.task, "title": one.title, "characters": one.characters, **one.labels}
            for one in checked.castings
        ],
        "standards": [standard._asdict() for standard in checked.standards()],
    }


def _print_remarks(checked: FolderChecked, grade: str) -> None:
    remarks = checked.graded(grade)
    if not remarks:
        return
    heading(_TITLES[grade])
    table = grid(1, indent=4)
    for remark in remarks[:_SHOWN]:
        table.add_row("", escape(str(remark)))
    console().print(table)
    if len(remarks) > _SHOWN:
        say(f"  and {len(remarks) - _SHOWN} more; --json has them all")


def _print_standards(standards: Sequence[Standard]) -> None:
    """What is measured, what was found, and what falls short of it."""
    if not standards:
        return
    heading("As a benchmark")
    table = grid(3, indent=4)
    for one in standards:
        short = [*one.short[:_SHORT], *(["…"] if len(one.short) > _SHORT else [])]
        said = f"{one.value}: {', '.join(short)}" if short else one.value
        table.add_row("", "" if one.met else "[yellow]short[/]", escape(one.name), escape(said))
    console().print(table)


def _print_castings(castings: Sequence[Casting]) -> None:
    heading("Would play")
    labels = [
        label
        for label in dict.fromkeys(label for one in castings for label in one.labels)
        if label != "task"
        and (len(castings) == 1 or len({one.labels.get(label) for one in castings}) > 1)
    ]
    many = any(len(one.characters) > _LISTED for one in castings)
    between = "  " if is_wide() or many else "\n"
    print_table(
        (Column("task", "id"), Column("plays"), Column("seats"), *map(Column, labels)),
        [
            (
                one.task,
                one.title,
                between.join(f"{seat} {name}" for seat, name in enumerate(one.characters, 1)),
                *(one.labels.get(label, "") for label in labels),
            )
            for one in castings[:_SHOWN]
        ],
    )
    if len(castings) > _SHOWN:
        say(f"and {len(castings) - _SHOWN} more tasks; --json has them all")


def _say_title(catalog: Catalog, entry: CatalogEntry) -> None:
    what = f"{entry.kind} {entry.id}, catalog {catalog.name}"
    say(f"[bold]{escape(entry.title)}[/]  [dim]{escape(what)}[/]")
