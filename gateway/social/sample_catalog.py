"""Catalogs whose tasks are sampled."""

from collections.abc import Sequence
from typing import NamedTuple, get_args

import msgspec

from actors.social.catalog.misfits import Constraint
from actors.social.catalog.sampling import Shortfall, sample_tasks
from actors.social.catalog_items import Catalog
from gateway.errors import BadArgument
from gateway.services.catalogs.read_catalog import check_name, load
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.catalogs import save_catalog

SAMPLED_FROM = "sampled from "
"""How the source of a sampled catalog begins."""


class Sampled(NamedTuple):
    catalog: Catalog
    shortfalls: tuple[Shortfall, ...]
    outcome: str
    """``imported`` or ``unchanged``."""


def sample(
    store: EventStore,
    source: str,
    *,
    pairs: int,
    seed: int,
    name: str,
    ignore: Sequence[str] = (),
    both_orders: bool = False,
) -> Sampled:
    """Save a catalog like ``source`` whose tasks are sampled: ``pairs`` pairs for each scenario,
    held to all constraints but those in ``ignore``, in one order or in both.

    Raises ``UnknownId``, ``WrongCatalog``, ``BadArgument``.
    """
    check_name("--name", name)
    ignored = [constraint for constraint in get_args(Constraint) if constraint in ignore]
    for constraint in ignore:
        if constraint not in ignored:
            known = ", ".join(get_args(Constraint))
            raise BadArgument("--ignore", constraint, f"a scenario asks for {known}")
    catalog = load(store, source, Catalog)
    for row in queries.catalogs(store):
        if row.name == name and not row.source.startswith(SAMPLED_FROM):
            raise BadArgument("--name", name, "is the name of a catalog that was not sampled")
    found = sample_tasks(catalog, seed=seed, pairs=pairs, ignore=ignored, both_orders=both_orders)
    if not found.tasks:
        why = str(found.shortfalls[0]) if found.shortfalls else "it has no scenarios"
        raise BadArgument("catalog", catalog.name, f"no task can be sampled: {why}")
    sampled = msgspec.structs.replace(catalog, name=name, tasks=found.tasks)
    told = f"{SAMPLED_FROM}{catalog.name} with seed {seed}, {pairs} pairs a scenario"
    told += ", in both orders" if both_orders else ""
    told += f", whatever the {' and '.join(ignored)}" if ignored else ""
    return Sampled(sampled, found.shortfalls, save_catalog(store, sampled, told))
