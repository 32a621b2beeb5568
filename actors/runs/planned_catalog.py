"""The catalog of a run, in the edition that the run was planned with, whatever was imported
later."""

from actors.episodes.port.environment import Environment
from actors.episodes.registry import environment_named
from actors.runs.state import run_stream
from events.environments import Catalog
from events.run import RunPlanned
from events.serialization.codec import event_of
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.read_model.catalogs import edition_at, load_catalog


def planned_catalog(store: EventStore, run: str) -> Catalog:
    """Of a run by its whole id. Raises ``UnknownId`` where there is no such run or catalog,
    ``store.read_model.catalogs.WrongCatalog`` and ``UnknownEnvironment`` where what plays it is not
    installed.
    """
    first = next(iter(store.read(run_stream(run), 0, 0)), None)
    planned = event_of(first) if first else None
    if first is None or not isinstance(planned, RunPlanned):
        raise UnknownId("run", run)
    plan = planned.plan
    edition = edition_at(store, plan.catalog, first.position)
    return read_edition(store, environment_named(plan.environment), plan.catalog, edition)


def read_edition(store: EventStore, environment: Environment, name: str, edition: int) -> Catalog:
    """One edition of a catalog. Raises ``UnknownId``, ``WrongCatalog``."""
    try:
        return load_catalog(store, name, edition=edition)
    except UnknownId:
        # The export of a run does not hold its catalog; what comes with us is here anyway.
        starter = environment.starter()
        if starter is None or starter.name != name:
            raise
        return starter
