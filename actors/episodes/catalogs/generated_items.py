"""Generated items of a catalog, reviewed one by one: their state from the events of a stream
``generation-<name>``, and the catalog that the accepted ones make. Pure."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

import msgspec

from actors.episodes.catalogs.entries import Remark
from actors.episodes.catalogs.item_kinds import CatalogItemKind, catalog_type, kinds_of
from actors.episodes.catalogs.reader import read_files
from actors.episodes.catalogs.writer import CATALOG_FILE, catalog_file, entries_text
from actors.episodes.port.environment import Environment
from events.base import Event, replace
from events.environments import Catalog, Fields
from events.generation import GenerationBegan, ItemGenerated, ItemReviewed, Verdict
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened

ItemState = Literal["waiting", "accepted", "edited", "dropped"]
ITEM_FILE = "item.toml"
"""What errors call the text of an item."""


class NotBegun(ValueError):
    """A stream of generated items that does not begin as one."""

    def __init__(self, name: str) -> None:
        super().__init__(f"generation {shortened(name)!r} does not begin with GenerationBegan")
        self.name = name


class BadItem(ValueError):
    """An item that cannot be in a catalog. ``line``: of its text, from 1; 0: none in particular."""

    def __init__(self, item: str, line: int, why: str) -> None:
        place = f"item {shortened(item)!r}" + (f", line {line}" if line else "")
        super().__init__(f"{place}: {shortened(why, 1_000)}")
        self.item, self.line, self.why = item, line, why


class GeneratedItem(NamedTuple):
    """An item and the latest decision on it."""

    made: ItemGenerated
    review: ItemReviewed | None = None

    @property
    def state(self) -> ItemState:
        """``waiting`` until somebody decides."""
        return self.review.verdict if self.review else "waiting"

    @property
    def is_accepted(self) -> bool:
        """Whether it is for the catalog, edited or not."""
        return self.state in ("accepted", "edited")

    @property
    def fields(self) -> Fields:
        """As it was generated, or as a reviewer wrote it."""
        edited = self.review.item if self.review else None
        return self.made.item if edited is None else edited


class Generation(msgspec.Struct, frozen=True):
    """What was generated under a name."""

    name: str
    began: GenerationBegan
    items: Mapping[str, GeneratedItem] = MappingProxyType({})
    """By their ids, in the order in which they were generated."""

    def of_kind(self, kind: str) -> list[GeneratedItem]:
        return [one for one in self.items.values() if one.made.kind == kind]

    def waiting(self) -> list[GeneratedItem]:
        """Those nobody has decided on."""
        return [one for one in self.items.values() if one.state == "waiting"]

    def counts(self) -> dict[ItemState, int]:
        """How many items there are in each state."""
        states: tuple[ItemState, ...] = ("waiting", "accepted", "edited", "dropped")
        all_of = [one.state for one in self.items.values()]
        return {state: all_of.count(state) for state in states}


def folded(name: str, events: Iterable[Event], state: Generation | None) -> Generation | None:
    """The state after some more events. Raises ``NotBegun``."""
    items = dict(state.items) if state else {}
    began = state.began if state else None
    for event in events:
        match event:
            case GenerationBegan() if began is None:
                began = event
            case _ if began is None:
                raise NotBegun(name)
            case ItemGenerated():
                items.setdefault(event.id, GeneratedItem(event))
            case ItemReviewed() if event.id in items:
                items[event.id] = items[event.id]._replace(review=event)
    return None if began is None else Generation(name, began, MappingProxyType(items))


def reviewed(
    item: GeneratedItem, verdict: Verdict, *, fields: Fields | None, reason: str, by: str
) -> list[ItemReviewed]:
    """The decision on an item; none where it is the latest already."""
    event = ItemReviewed(id=item.made.id, verdict=verdict, item=fields, reason=reason, by=by)
    before = item.review
    return [] if before is not None and replace(before, by=by) == event else [event]


def kind_named(environment: Environment, kind: str) -> CatalogItemKind:
    """A kind of items of an environment's catalogs."""
    return kinds_of(catalog_type(environment))[kind]


def with_items(
    environment: Environment, base: Catalog | None, name: str, items: Iterable[GeneratedItem]
) -> Catalog:
    """A catalog of the name with all that ``base`` has and these items, one of an id in place of
    the base's. Raises ``BadItem``."""
    catalog = catalog_type(environment)(name=name) if base is None else replace(base, name=name)
    added: dict[str, dict[str, msgspec.Struct]] = {}
    for one in items:
        kind = kind_named(environment, one.made.kind)
        try:
            item = msgspec.convert(one.fields, decodable(kind.item))
        except (msgspec.ValidationError, ValueError) as error:
            raise BadItem(one.made.id, 0, str(error)) from error
        added.setdefault(kind.field, {})[one.made.id] = item
    fields = {}
    for field, new in added.items():
        known = {item.id: item for item in getattr(catalog, field)}
        fields[field] = tuple((known | new).values())
    return replace(catalog, **fields)


def remarks_on(environment: Environment, catalog: Catalog, kind: str, id_: str) -> list[Remark]:
    """What the environment's check says of one item of a catalog."""
    items = getattr(catalog, kind_named(environment, kind).field)
    place = next((at for at, item in enumerate(items) if item.id == id_), None)
    found = environment.authoring.check(catalog)
    return [one for one in found if place is not None and one.place[:2] == (kind, place)]


def text_of(environment: Environment, item: GeneratedItem) -> str:
    """An item as TOML, to be edited. Raises ``BadItem``, ``Unwritable``."""
    kind = kind_named(environment, item.made.kind)
    return entries_text(environment, with_items(environment, None, "item", [item]), kind)


def edited(environment: Environment, item: GeneratedItem, text: str) -> Fields:
    """The fields of an item whose text was edited. Raises ``BadItem``: the line, and what would be
    right."""
    id_, kind = item.made.id, kind_named(environment, item.made.kind)
    draft = read_files({CATALOG_FILE: catalog_file(environment, "item", {}), ITEM_FILE: text})
    for wrong in draft.errors:
        raise BadItem(id_, wrong.line, f"{wrong.field}: {wrong.why}" if wrong.field else wrong.why)
    assert draft.catalog is not None, "without an error it was read"
    entries = [one for kinds in kinds_of(type(draft.catalog)).values()
               for one in getattr(draft.catalog, kinds.field)]  # fmt: skip
    items = getattr(draft.catalog, kind.field)
    if len(entries) != 1 or len(items) != 1:
        raise BadItem(id_, 0, f"must be one [[{kind.name}]] and nothing else")
    if items[0].id != id_:
        raise BadItem(id_, 0, f"the id is {items[0].id!r}; an item keeps its id")
    fields: Fields = msgspec.to_builtins(items[0])
    return fields
