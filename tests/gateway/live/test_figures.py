"""What is counted of sockets."""

from prometheus_client import REGISTRY

from gateway.services.viewers.frames import Welcome
from tests.gateway.live.served import Served
from tests.support.builders import opened, started
from tests.support.servers.nats_server import until


def connections(role: str) -> float:
    return REGISTRY.get_sample_value("troupe_ws_connections", {"role": role}) or 0.0


def ended(reason: str) -> float:
    return REGISTRY.get_sample_value("troupe_ws_disconnects_total", {"reason": reason}) or 0.0


async def test_sockets_are_counted_by_role_while_they_are_open_and_by_why_they_end(
    served: Served,
) -> None:
    await served.begin("e1", [started(), opened(1, [0])])
    open_before, left_before = connections("spectator"), ended("client")
    watcher = await served.watch("watch")
    await until(lambda: watcher.of(Welcome))
    assert connections("spectator") == open_before + 1
    await watcher.close()
    await until(lambda: ended("client") == left_before + 1)
    assert connections("spectator") == open_before


async def test_who_is_not_let_in_is_counted_as_ended_alone(served: Served) -> None:
    await served.begin("e1", [started(), opened(1, [0])])
    open_before, refused_before = connections("spectator"), ended("token")
    await served.watch("none")
    await until(lambda: ended("token") == refused_before + 1)
    assert connections("spectator") == open_before
