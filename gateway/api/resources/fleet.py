"""Operations for operators: workers, jobs, projections, the store."""

from typing import Annotated, Any

import msgspec
import sqlalchemy as sa

from events.base import Value
from events.serialization.schema import json_schema
from events.wire.messages import WorkerReport
from gateway.api.operations import OPERATE, Call, operation
from gateway.http.context import About, Readiness
from gateway.services.operations.fleet_status import (
    QueueDetails,
    fleet_details,
    queue_details,
    retry_jobs,
)
from gateway.services.operations.retry_jobs import Retried
from store.projections import tables as t
from store.projections.maintenance.rebuild import rebuild
from store.projections.registry import PROJECTIONS
from store.verification import Verified, verify


class ServerFound(Value, frozen=True, kw_only=True, omit_defaults=False):
    """The gateway that answers."""

    about: About | None
    """What it is, and has in hand; for researchers and operators."""
    readiness: Readiness
    """Whether work can be taken now."""
    role: str
    """Yours."""
    name: str
    """What you are called."""
    expires: int
    """When your token does, in microseconds since 1970-01-01 UTC."""


class ProjectionFound(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A table that lists read, and how far it has come."""

    name: str
    """What it is called."""
    position: int
    """The last position whose event is in it."""
    head: int
    """The last position of the log. Who reads a table has it caught up first."""


class Rebuild(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which tables."""

    names: Annotated[
        tuple[Annotated[str, msgspec.Meta(max_length=100)], ...], msgspec.Meta(max_length=50)
    ] = ()
    """Only these; empty: all."""


@operation(
    "GET",
    "/server",
    tag="server",
    roles=("operator", "researcher", "annotator", "participant", "spectator"),
)
async def get_server(call: Call) -> ServerFound:
    """The gateway that answers, and who you are to it."""
    return ServerFound(
        about=call.gateway.about() if call.principal.knows_all else None,
        readiness=await call.gateway.readiness(),
        role=call.principal.role,
        name=call.principal.name,
        expires=call.principal.expires,
    )


@operation("GET", "/workers", tag="server")
def list_workers(call: Call) -> tuple[WorkerReport, ...]:
    """Who takes jobs, and what each has in hand; who does not answer in time is missing."""
    return tuple(fleet_details(call.settings))


@operation("GET", "/jobs", tag="server")
def get_jobs(call: Call) -> QueueDetails:
    """How many jobs of each kind are queued, in hand and dead, and the latest dead ones."""
    return queue_details(call.settings)


@operation("POST", "/jobs/dead/{job}/retry", tag="server", roles=OPERATE)
def retry_job(call: Call, job: str) -> tuple[Retried, ...]:
    """Have a dead job tried again, once what killed it is mended."""
    return tuple(retry_jobs(call.settings, call.store, job))


@operation("POST", "/jobs/dead/retry", tag="server", roles=OPERATE)
def retry_all_jobs(call: Call) -> tuple[Retried, ...]:
    """Have all dead jobs tried again."""
    return tuple(retry_jobs(call.settings, call.store, ""))


@operation("GET", "/projections", tag="server")
def list_projections(call: Call) -> tuple[ProjectionFound, ...]:
    """The tables that lists read, and how far each has come."""
    with call.store.engine.connect() as connection:
        rows = connection.execute(sa.select(t.projections.c.name, t.projections.c.position))
        reached = {str(row.name): int(row.position) for row in rows}
    head = call.store.head()
    return tuple(
        ProjectionFound(name=name, position=reached.get(name, 0), head=head) for name in PROJECTIONS
    )


@operation("POST", "/projections/rebuild", tag="server", roles=OPERATE)
def rebuild_projections(call: Call, body: Rebuild) -> dict[str, int]:
    """Compute tables again from the log; the position that each has reached."""
    return rebuild(call.store, body.names)


@operation("POST", "/verifications", tag="server", roles=OPERATE, changes=False)
def verify_store(call: Call) -> Verified:
    """Look whether the store is sound: the log, and the tables computed from it.

    Changes nothing. Takes as long as reading all of the log does.
    """
    return verify(call.store)


@operation("GET", "/schema", tag="server", keeping="head")
def get_schema(call: Call) -> dict[str, Any]:
    """The JSON Schema of all events and messages."""
    del call
    return json_schema()
