"""What a catalog holds, written for the eye: lists, and a page for each thing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gateway.cli.output import console, escape, grid, print_pairs, say

if TYPE_CHECKING:
    from actors.episodes.catalogs import CatalogEntry
    from events.environments import Catalog
    from gateway.catalogs import Placed
    from gateway.searching import Found


def print_hits(hits: "Sequence[tuple[Catalog, Found]]") -> None:
    """What a search found: each with its id, which ``show`` takes."""
    for catalog, (entry, field, excerpt) in hits:
        _say_title(catalog, entry)
        if excerpt not in (entry.title, entry.id):
            where = field.replace("_", " ")
            say(f"    [dim]{escape(where)}:[/] {escape(' '.join(excerpt.split()))}")


def print_kind(catalog: "Catalog", kinds: str) -> None:
    """All of a kind, such as ``tasks``, each in two lines."""
    from gateway.catalogs import entries

    found = [entry for entry in entries(catalog) if f"{entry.kind}s" == kinds]
    for entry in found:
        tags = f"  [dim]{escape(', '.join(entry.tags))}[/]" if entry.tags else ""
        say(f"[bold]{escape(entry.title)}[/]")
        table = grid(2, indent=4)
        table.add_row("", f"[dim]{escape(entry.id)}[/]", escape(entry.glance) + tags)
        console().print(table)
    say(f"{len(found)} {kinds} in catalog {escape(catalog.name)}")


def print_item(placed: "Placed") -> None:
    """One thing, with everything there is to know about it."""
    from gateway.catalogs import facts

    catalog, entry = placed
    _say_title(catalog, entry)
    print_pairs(((name, escape(text)) for name, text in facts(placed)), indent=2)


def _say_title(catalog: "Catalog", entry: "CatalogEntry") -> None:
    what = f"{entry.kind} {entry.id}, catalog {catalog.name}"
    say(f"[bold]{escape(entry.title)}[/]  [dim]{escape(what)}[/]")
