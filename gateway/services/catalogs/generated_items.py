"""Generated items of catalogs: stored, reviewed, and saved as a catalog once they are accepted."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from actors.episodes.catalogs.entries import CatalogEntry, Remark
from actors.episodes.catalogs.generated_items import (
    BadItem,
    GeneratedItem,
    Generation,
    edited,
    folded,
    kind_named,
    remarks_on,
    reviewed,
    text_of,
    with_items,
)
from actors.episodes.port.environment import Environment
from actors.episodes.registry import environment_named
from events.base import Event, Value
from events.environments import Catalog, environment_of_value
from events.generation import GenerationBegan, ItemGenerated, Verdict
from gateway.errors import BadArgument
from gateway.services.catalogs.read_catalog import check_name, load
from gateway.services.repository import Repository
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.catalogs import WrongCatalog, save_catalog

REVIEWED: Final = "reviewed items of "
"""How the source of a catalog of accepted items begins."""


class Generations(Repository[Generation]):
    """What was generated, by the name of the catalog it is for."""

    kind = "generation"
    name = "generation"

    def fold(
        self, id_: str, events: Iterable[Event], state: Generation | None
    ) -> Generation | None:
        """The generation after some more events. Raises ``NotBegun``."""
        return folded(id_, events, state)

    def planned(self, name: str, environment: str, base: str) -> Generation:
        """The generation of a name, as it would be begun if it was not; nothing is stored.
        ``base``: the catalog that items are added to; empty: none. Raises ``BadArgument``,
        ``UnknownId``, ``WrongCatalog``."""
        check_name("--catalog", name)
        for known in queries.catalogs(self.store):
            if known.name == name and not known.source.startswith(REVIEWED):
                why = "is the name of a catalog that was not generated; choose another"
                raise BadArgument("--catalog", name, why)
        found = self.get(name)
        if found is None:
            _base(self.store, environment, base)
            return Generation(name, GenerationBegan(environment=environment, base=base))
        began = found.state.began
        if began.environment != environment:
            why = f"items of the environment {began.environment!r} are generated under that name"
            raise BadArgument("--catalog", name, why)
        if began.base != base:
            was = repr(began.base) if began.base else "no catalog"
            why = f"items under the name {name!r} are added to {was}; choose another --catalog"
            raise BadArgument("--base", base or "none", why)
        return found.state

    def begin(self, planned: Generation) -> None:
        """Store the beginning of a generation, unless it was begun."""
        self.add(planned.name, [planned.began])

    def made(self, name: str, item: ItemGenerated) -> Generation:
        """Store an item, unless there is one of its id. Raises ``UnknownId``."""
        return self.change(name, lambda state: [] if item.id in state.items else [item]).state


class ItemToReview(NamedTuple):
    """An item, as it is shown to whoever decides on it."""

    item: GeneratedItem
    title: str
    facts: Sequence[tuple[str, str]]
    """All there is to know of it, each with what it is."""
    criteria: Sequence[str]
    remarks: Sequence[Remark]
    """What the check of catalogs says of it."""
    text: str
    """It as TOML, to be edited."""


class SavedItems(Value, frozen=True, kw_only=True):
    """What became of the accepted items."""

    catalog: str
    outcome: str
    """``imported`` or ``unchanged``."""
    accepted: int
    tasks: int
    """How many play them."""
    left_out: tuple[str, ...]
    """Accepted items that no catalog can hold, and why, a sentence each."""
    notes: tuple[str, ...]
    """What else is to be known, a sentence each."""


def base_of(store: EventStore, generation: Generation) -> Catalog | None:
    """The catalog that a generation's items are added to. Raises ``UnknownId``,
    ``WrongCatalog``."""
    return _base(store, generation.began.environment, generation.began.base)


def _base(store: EventStore, environment: str, base: str) -> Catalog | None:
    if not base:
        return None
    found = load(store, base)
    if environment_of_value(found) != environment:
        raise WrongCatalog(base, environment_of_value(found))
    return found


def to_review(store: EventStore, generation: Generation, id_: str) -> ItemToReview:
    """An item with all that a reviewer needs. Raises ``UnknownId``, ``BadItem``."""
    item = item_of(generation, id_)
    environment = environment_named(generation.began.environment)
    catalog = _catalog_with(store, generation, item)
    kind = item.made.kind
    entry = _entry_of(environment, catalog, kind, item.made.id)
    return ItemToReview(
        item,
        entry.title,
        environment.authoring.facts(catalog, entry),
        environment.authoring.reviewing.criteria.get(kind, ()),
        remarks_on(environment, catalog, kind, item.made.id),
        text_of(environment, item),
    )


def titles_of(store: EventStore, generation: Generation) -> dict[str, str]:
    """What the items are called, by id; one that no catalog can hold has no title."""
    environment = environment_named(generation.began.environment)
    base, items = base_of(store, generation), dict(generation.items)
    while True:
        try:
            catalog = with_items(environment, base, generation.name, items.values())
        except BadItem as bad:
            del items[bad.item]
        else:
            entries = environment.authoring.entries(catalog)
            return {one.id: one.title for one in entries if one.id in items}


def item_of(generation: Generation, id_: str) -> GeneratedItem:
    """The item of an id, or of the only one that begins so. Raises ``UnknownId``."""
    found = [one for one in generation.items if one.startswith(id_)] if id_ else []
    if id_ in generation.items:
        found = [id_]
    if len(found) != 1:
        raise UnknownId("generated item", id_, found[:3])
    return generation.items[found[0]]


def decide(
    store: EventStore,
    name: str,
    id_: str,
    verdict: Verdict,
    *,
    by: str,
    text: str = "",
    reason: str = "",
) -> Generation:
    """Store a decision on an item. ``text``: it as TOML, where it was edited.

    Raises ``UnknownId``; ``BadItem`` where no catalog could hold it as it is, and nothing is
    stored.
    """
    generations = Generations(store)

    def events(generation: Generation) -> Sequence[Event]:
        item = item_of(generation, id_)
        environment = environment_named(generation.began.environment)
        fields = item.fields if item.state == "edited" and verdict == "accepted" else None
        if verdict == "edited":
            fields = edited(environment, item, text)
        decided = reviewed(
            item, "edited" if fields is not None else verdict, fields=fields, reason=reason, by=by
        )
        if verdict != "dropped":
            for event in decided:
                _check(store, generation, item._replace(review=event))
        return decided

    return generations.change(name, events).state


def save(store: EventStore, name: str) -> SavedItems:
    """Make the accepted items those of the catalog of the generation's name, with all that its base
    has, and tasks that play them. Raises ``UnknownId``, ``WrongCatalog``, and ``BadArgument`` where
    nothing was accepted."""
    generation = Generations(store).load(name).state
    environment = environment_named(generation.began.environment)
    base = base_of(store, generation)
    accepted = [one for one in generation.items.values() if one.is_accepted]
    left_out = []
    # One that was left out may be what another names.
    while True:
        catalog = with_items(environment, base, name, accepted)
        wrong = _errors(environment, catalog, accepted)
        if not wrong:
            break
        left_out += [f"{id_}: {why}" for id_, why in wrong.items()]
        accepted = [one for one in accepted if one.made.id not in wrong]
    if not accepted:
        why = f"no item can be saved: {left_out[0]}" if left_out else "no item was accepted yet"
        raise BadArgument("generation", name, why)
    ids = {one.made.id for one in accepted}
    catalog, notes = environment.authoring.reviewing.with_tasks(catalog, ids)
    source = f"{REVIEWED}{name}" + (f", added to {base.name}" if base else "")
    before = {entry.id for entry in environment.tasks(base)} if base else set()
    return SavedItems(
        catalog=name,
        outcome=save_catalog(store, catalog, source),
        accepted=len(accepted),
        tasks=sum(entry.id not in before for entry in environment.tasks(catalog)),
        left_out=tuple(left_out),
        notes=tuple(notes),
    )


def _errors(
    environment: Environment, catalog: Catalog, accepted: Sequence[GeneratedItem]
) -> dict[str, str]:
    """By the ids of items that the catalog cannot hold, why."""
    ids = {one.made.id for one in accepted}
    found: dict[str, str] = {}
    for remark in environment.authoring.check(catalog):
        if remark.grade == "error" and len(remark.place) > 1:
            kind, number = str(remark.place[0]), int(remark.place[1])
            item = getattr(catalog, kind_named(environment, kind).field)[number]
            if item.id in ids:
                found.setdefault(item.id, f"{remark.place[-1]} {remark.why}")
    return found


def _check(store: EventStore, generation: Generation, item: GeneratedItem) -> None:
    environment = environment_named(generation.began.environment)
    catalog = _catalog_with(store, generation, item)
    for remark in remarks_on(environment, catalog, item.made.kind, item.made.id):
        if remark.grade == "error":
            where = ", ".join(str(step) for step in remark.place[2:])
            raise BadItem(item.made.id, 0, f"{where}: {remark.why}" if where else remark.why)


def _catalog_with(store: EventStore, generation: Generation, item: GeneratedItem) -> Catalog:
    """What the catalog would be with this item and those that were accepted. Raises ``BadItem``."""
    environment = environment_named(generation.began.environment)
    others = [
        one for one in generation.items.values() if one.is_accepted and one.made.id != item.made.id
    ]
    base = base_of(store, generation)
    return with_items(environment, base, generation.name, [*others, item])


def _entry_of(environment: Environment, catalog: Catalog, kind: str, id_: str) -> CatalogEntry:
    entries = environment.authoring.entries(catalog)
    return next(one for one in entries if (one.kind, one.id) == (kind, id_))
