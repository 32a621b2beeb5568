"""A gateway over a store in which a run was played, scored and forked."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from litestar import Litestar
from litestar.testing import TestClient

from gateway.http import route_modules
from gateway.http.context import Gateway
from store.database.tables import log
from store.open_store import open_store
from tests.gateway.command import Desk
from tests.gateway.served import client, gateway_over
from tests.support.runs import chain_plan, plan

JUDGES = '["rehearsal-strict", "rehearsal-lenient"]'


class World(msgspec.Struct, frozen=True):
    """What there is, and how it is called."""

    gateway: Gateway
    run: str
    other: str
    """Another run of the same plan."""
    chains: str
    """A run of chains."""
    episode: str
    """Of two seats, over."""
    fork: str
    """Of that one."""
    chain: str
    evaluation: str
    catalog: str = "starter"

    @property
    def head(self) -> int:
        """The last position of an event that is no entry of the audit and no token."""
        others = sa.not_(log.c.stream.like("audit-%") | log.c.stream.like("token-%"))
        with self.gateway.store.engine.connect() as connection:
            query = sa.select(sa.func.max(log.c.position)).where(others)
            return int(connection.execute(query).scalar_one())

    @property
    def ids(self) -> dict[str, str]:
        """For the parameters of paths."""
        item = "lent_coat"
        return {
            "run": self.run,
            "episode": self.fork,
            "chain": self.chain,
            "evaluation": self.evaluation,
            "catalog": self.catalog,
            "judge": "rehearsal-strict",
            "item": item,
            "table": "scores",
            "id": self.episode,
            "turn": "1",
            "seat": "1",
            "job": "e1",
            "token": "k1",
            "study": "none",
            "annotation": "none",
            "participant": "p-aaaaaaaa",
            "interview": "1",
        }


@pytest.fixture(scope="session")
def world_data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A data folder and the ids of what is in it."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(tmp_path_factory.mktemp("api"), patch)
        path = desk.file("plan.toml", plan(tasks=1, judges=JUDGES))
        runs = [desk.does("run", path, "--json").json["run"]["id"] for _ in range(2)]
        text = chain_plan(length=2, pairs=1, memory='["summary"]', turn_cap=4)
        chains = desk.does("run", desk.file("chains.toml", text), "--json").json["run"]["id"]
        shown = desk.does("show", runs[0], "--json").json
        episode = shown["episodes"][0]["id"]
        forked = desk.does("fork", episode, "--at", "2", "--json").json["episode"]["id"]
        (chain,) = desk.does("chains", chains, "--json").json
        return {
            "folder": str(desk.data_dir),
            "run": runs[0],
            "other": runs[1],
            "chains": chains,
            "episode": episode,
            "fork": forked,
            "chain": chain["id"],
        }


@pytest.fixture
def world(
    desk: Desk, world_data: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    """A gateway over a copy of it, without what needs NATS beside."""
    monkeypatch.setattr(route_modules, "BESIDE", ())
    ids = dict(world_data)
    desk.copy_of(Path(ids.pop("folder")))
    store = open_store(f"sqlite:///{desk.data_dir / 'troupe.db'}")
    from store.read_model import queries

    evaluation = queries.evaluations(store, run=ids["run"])[0].id
    yield World(gateway=gateway_over(store, desk.data_dir), evaluation=evaluation, **ids)
    store.close()


@pytest.fixture
def api(world: World) -> Iterator[TestClient[Litestar]]:
    """An operator's client."""
    with client(world.gateway, "operator") as answering:
        yield answering
