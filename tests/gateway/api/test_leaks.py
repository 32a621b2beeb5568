"""What participants and spectators are told over REST, in every environment: what they noticed, and
nothing that happened unseen."""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from litestar import Litestar
from litestar.testing import TestClient

from actors.episodes.registry import game_of
from actors.episodes.rules.decide import INITIAL, Start
from events.ids import EPISODE, new_id
from events.serialization.codec import encode
from events.wire.subjects import stream_name
from gateway.api.operations import OPERATIONS, PREFIX
from gateway.http import route_modules
from gateway.http.app import make_app
from gateway.http.context import Gateway
from gateway.http.rate_limits import RateLimits
from gateway.process.process_limits import Tuning
from store.log.event_store import NEW
from store.open_store import open_store
from tests.gateway.api.conftest import World
from tests.gateway.served import client, gateway_over, signed_in
from tests.properties.test_every_environment import (
    ENVIRONMENTS,
    Line,
    beginning,
    catalog_of,
    play_on,
)

PATHS = [one.path for one in OPERATIONS.values() if "spectator" in one.roles and one.parameters]


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    """A gateway over a store in which many plays are put."""
    folder: Path = tmp_path_factory.mktemp("leaks")
    store = open_store(f"sqlite:///{folder / 'troupe.db'}", durable=False)
    made = gateway_over(store, folder)
    made.limits = RateLimits(Tuning(requests_per_s=1e9))
    yield made
    store.close()


@pytest.fixture(scope="module")
def served(gateway: Gateway) -> Iterator[TestClient[Litestar]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(route_modules, "BESIDE", ())
        with TestClient(make_app(gateway)) as answering:
            yield answering


def told(
    gateway: Gateway, served: TestClient[Litestar], episode: str, viewer: int | str
) -> dict[str, Any]:
    """All that a viewer is told of an episode, by path."""
    seat = viewer if isinstance(viewer, int) else None
    role = "spectator" if seat is None else "participant"
    _, headers = signed_in(gateway, role, episode=episode, seat=seat)
    found = {}
    for path in PATHS:
        response = served.get(PREFIX + path.format(episode=episode), headers=headers)
        assert response.status_code == 200, response.text
        found[path] = response.text.replace(episode, "e")
    return found


@ENVIRONMENTS
@settings(
    max_examples=settings().max_examples // 3,  # what is shown has its own property
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_who_noticed_the_same_is_told_the_same_whatever_else_was_done(
    environment, gateway, served, data
):
    task = data.draw(st.sampled_from(catalog_of(environment.name)[1]))
    started = beginning(environment, task.id, data.draw(st.integers(0, 2**62)))
    shown: dict[Any, set[str]] = defaultdict(set)
    for _ in range(2):
        line = Line(started, [], [INITIAL])
        line.do(Start(started=started))
        play_on(data.draw, environment, line, data.draw(st.sampled_from([1, 4, 12])))
        episode = new_id(EPISODE)
        gateway.store.append(stream_name("episode", episode), NEW, line.history)
        for viewer in (*range(len(started.minds)), "spectator"):
            eyes = game_of(started).sight.reducer(started, viewer)
            seen = [notice for pair in enumerate(line.history) for notice in eyes.apply(*pair)]
            answers = told(gateway, served, episode, viewer)
            key = (viewer, _unnumbered(seen), line.state.turn, line.state.ended)
            shown[key].add(json.dumps(answers))
            account = json.loads(answers["/episodes/{episode}/account"])["account"]
            numbers = [entry["number"] for entry in account["entries"]]
            assert numbers == list(range(1, len(numbers) + 1))
            assert "«mind" not in json.dumps(answers, ensure_ascii=False)
    assert all(len(different) == 1 for different in shown.values())


def _unnumbered(seen: list[Any]) -> bytes:
    """What was noticed; the numbers would say how much else happened."""
    from msgspec import structs

    return encode([structs.replace(one, number=0) for one in sorted(seen, key=lambda n: n.number)])


def test_other_eyes_and_other_episodes_are_refused(world: World) -> None:
    own, other = world.episode, world.fork
    with client(world.gateway, "participant", episode=own, seat=0) as person:
        for path, query in (
            (f"/episodes/{other}/account", {}),
            (f"/episodes/{own}/account", {"viewer": "2"}),
            (f"/episodes/{own}/account", {"viewer": "narrator"}),
            (f"/episodes/{own}/account", {"at": 1}),
            (f"/episodes/{own[:5]}/account", {}),
            (f"/episodes/{own}", {}),
            (f"/episodes/{own}/events", {}),
            ("/episodes/enothere/account", {}),
        ):
            refused = person.get(PREFIX + path, params=query)
            assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
        mine = person.get(f"{PREFIX}/episodes/{own}/account")
        assert mine.json()["seat"] == 0


def test_kept_answers_are_of_those_who_may_know_them(world: World) -> None:
    path = f"{PREFIX}/episodes/{world.episode}/account"
    with client(world.gateway, "researcher") as researcher:
        everything = researcher.get(path).text
    for seat in (0, 1):
        with client(world.gateway, "participant", episode=world.episode, seat=seat) as person:
            assert person.get(path).text != everything
            assert person.get(path).json()["seat"] == seat
