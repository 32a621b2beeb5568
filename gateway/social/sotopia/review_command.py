"""``troupe sotopia review``."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
import typer

from actors.episodes.catalogs.generated_items import BadItem, Generation
from actors.text.amounts import many
from actors.toml_file import read_source
from events.generation import Verdict
from gateway.cli.options import Json, open_session
from gateway.cli.terminal.output import (
    Column,
    escape,
    heading,
    note,
    print_json,
    print_next,
    print_pairs,
    print_plain_json,
    print_table,
    say,
)
from gateway.errors import BadArgument
from gateway.services.catalogs.generated_items import (
    Generations,
    ItemToReview,
    SavedItems,
    decide,
    item_of,
    save,
    titles_of,
    to_review,
)
from gateway.services.episodes.direct_episode import by
from store.id_lookup import UnknownId

if TYPE_CHECKING:
    from store.log.event_store import EventStore

ALL = "all"
"""What stands for every item that waits."""


def review_items(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="The catalog they were generated for.")
    ] = "generated",
    listing: Annotated[
        bool, typer.Option("--list", help="List the items and their states; decide nothing.")
    ] = False,
    accept: Annotated[
        list[str] | None,
        typer.Option("--accept", metavar="ID|all", help="Accept this item. Repeatable."),
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option("--drop", metavar="ID", help="Drop this item. Repeatable.")
    ] = None,
    edit: Annotated[
        str,
        typer.Option(
            "--edit", metavar="ID", help="Accept this item as --file has it; print it without."
        ),
    ] = "",
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE.toml", help="The text of the item to --edit."),
    ] = None,
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Why, kept with the decision.")
    ] = "",
    json: Json = False,
) -> None:
    """Accept, edit or drop generated items, one by one.

    Shows each item that waits, with what to ask of it and what the check of catalogs says. At the
    end the accepted ones become items of the catalog NAME, with five sampled casts for each
    scenario; a plan plays it. With --accept, --drop or --edit nothing is asked. The page Generated
    items of `troupe serve` does the same.
    """
    with open_session() as (_, store):
        generations = Generations(store)
        name = _found(generations, name)
        generation = generations.load(name).state
        if listing:
            _print_list(generation, titles_of(store, generation), json=json)
            return
        if edit and file is None:
            sys.stdout.write(to_review(store, generation, edit).text)
            return
        if file is not None and not edit:
            raise BadArgument("--file", str(file), "is the text of one item; name it: --edit ID")
        chosen = _given(generation, accept, drop, edit)
        if chosen:
            text = read_source(file) if file is not None else ""
            for id_, verdict in chosen:
                decide(store, name, id_, verdict, by=by(), text=text, reason=reason)
        elif not _one_by_one(store, name):
            return
        generation = generations.load(name).state
        saved = (
            save(store, name) if any(one.is_accepted for one in generation.items.values()) else None
        )
    if json:
        print_json(saved) if saved else print_plain_json({"catalog": None})
        return
    _print_saved(generation, saved)


def _found(generations: Generations, given: str) -> str:
    """The name in full. Raises ``BadArgument`` where nothing was generated under it."""
    try:
        return generations.find(given)
    except UnknownId:
        known = ", ".join(sorted(one.state.name for one in generations.all()))
        there = f"there is {known}" if known else "`troupe sotopia generate` does, for a catalog"
        why = f"nothing was generated under that name yet; {there}"
        raise BadArgument("NAME", given, why) from None


def _given(
    generation: Generation, accept: Sequence[str] | None, drop: Sequence[str] | None, edit: str
) -> list[tuple[str, Verdict]]:
    """What the command line decides, ids in full. Raises ``UnknownId``."""
    accepted = list(accept or ())
    if ALL in accepted:
        waiting = [one.made.id for one in generation.waiting()]
        accepted = [id_ for id_ in accepted if id_ != ALL] + waiting
    named: list[tuple[Sequence[str], Verdict]] = [
        (accepted, "accepted"),
        (drop or (), "dropped"),
        ([edit] if edit else (), "edited"),
    ]
    found: dict[str, Verdict] = {}
    for ids, verdict in named:
        for id_ in ids:
            found[item_of(generation, id_).made.id] = verdict
    return list(found.items())


def is_asked() -> bool:
    """Whether somebody is there to decide."""
    return sys.stdin.isatty()


def _one_by_one(store: "EventStore", name: str) -> bool:
    """Ask about each item that waits; whether anything is to be saved."""
    waiting = Generations(store).load(name).state.waiting()
    if not waiting:
        say(f"Nothing of {escape(name)} waits for review.")
        return True
    if not is_asked():
        note("troupe: there is no one to ask: give --accept, --drop or --edit, or --list")
        raise typer.Exit(1)
    for number, item in enumerate(waiting, 1):
        generation = Generations(store).load(name).state
        _print_item(to_review(store, generation, item.made.id), f"{number} of {len(waiting)}")
        if not _asked(store, name, item.made.id):
            break
    return True


def _asked(store: "EventStore", name: str, id_: str) -> bool:
    """Ask about one item until it is decided or left; whether to go on."""
    text = ""
    while True:
        word = typer.prompt("[a]ccept, [e]dit, [d]rop, [s]kip or [q]uit", default="s")
        try:
            match word.strip().lower()[:1]:
                case "a":
                    decide(store, name, id_, "accepted", by=by())
                    return True
                case "d":
                    reason = typer.prompt("Why", default="", show_default=False)
                    decide(store, name, id_, "dropped", by=by(), reason=reason)
                    return True
                case "e":
                    text = text or to_review(store, Generations(store).load(name).state, id_).text
                    text = click.edit(text, extension=".toml") or ""
                    if text:
                        decide(store, name, id_, "edited", by=by(), text=text)
                        return True
                case "s":
                    return True
                case "q":
                    return False
        except BadItem as bad:
            note(f"[red]{escape(str(bad))}[/]")


def _print_item(found: ItemToReview, place: str) -> None:
    made = found.item.made
    heading(f"{made.kind.capitalize()} {found.title}", f"{place}; {made.id}; from {made.source}")
    print_pairs(((what, escape(text)) for what, text in found.facts), indent=2)
    for remark in found.remarks:
        say(f"[yellow]{remark.grade}:[/] {escape(remark.why)}", indent=2)
    for criterion in found.criteria:
        say(f"[dim]?[/] {escape(criterion)}", indent=2)


def _print_list(generation: Generation, titles: Mapping[str, str], *, json: bool) -> None:
    rows = [
        (one.id, one.kind, titles.get(one.id, ""), item.state, one.model, one.source)
        for item in generation.items.values()
        for one in (item.made,)
    ]
    names = ("id", "kind", "title", "state", "model", "source")
    if json:
        print_plain_json([dict(zip(names, row, strict=True)) for row in rows])
        return
    # The model is in JSON alone: a terminal of 80 columns has no room for it.
    columns = [Column(name, "id" if name == "id" else "text") for name in names if name != "model"]
    print_table(columns, [(*row[:4], row[5]) for row in rows])


def _print_saved(generation: Generation, saved: SavedItems | None) -> None:
    counts = generation.counts()
    told = ", ".join(f"{count:,} {state}" for state, count in counts.items() if count)
    say(f"[bold]{escape(generation.name)}[/]: {told or 'no items'}")
    if saved is None:
        return
    for why in saved.left_out:
        note(escape(f"left out: {why}"))
    for why in saved.notes:
        note(escape(f"note: {why}"))
    played = many(saved.tasks, "task")
    say(f"Catalog [bold]{escape(saved.catalog)}[/]: {played} of them; {saved.outcome}.")
    print_next(
        [
            (f"troupe catalog show tasks -c {saved.catalog}", "list what can be played"),
            (
                f"troupe catalog sample {saved.catalog} --name {saved.catalog}-drawn",
                "draw casts for all of its scenarios, the new characters among them",
            ),
        ]
    )
