"""What is shipped for containers, clusters and machines is what their own tools take."""

import asyncio
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
import yaml

from gateway.http.authentication import Access
from gateway.settings import read_settings
from tests.gateway.command import Desk

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
TOOLS = Path(sysconfig.get_path("scripts"))
KUBERNETES = sorted(
    path for path in (DEPLOY / "kubernetes").glob("*.yaml") if path.stem != "kustomization"
)
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
SYSTEMD = shutil.which("systemd-analyze")


def test_the_container_file_has_no_fault() -> None:
    containerfile = DEPLOY / "container" / "Containerfile"
    subprocess.run([TOOLS / "hadolint", containerfile], check=True)
    lines = containerfile.read_text().splitlines()
    assert any(line.startswith("USER 10001") for line in lines)


def test_the_compose_file_fits_its_specification() -> None:
    compose = DEPLOY / "compose" / "compose.yaml"
    command = [TOOLS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", compose]
    subprocess.run(command, check=True)
    services = yaml.safe_load(compose.read_text())["services"]
    assert {"serve", "gateway", "worker", "postgres", "nats", "prometheus", "grafana"} <= set(
        services
    )
    assert services["worker"]["deploy"]["replicas"] == 2
    assert all(services[name]["read_only"] for name in ("serve", "gateway", "worker"))


def test_every_secret_of_the_compose_file_is_named_in_its_example() -> None:
    compose = (DEPLOY / "compose" / "compose.yaml").read_text()
    example = (DEPLOY / "compose" / "env.example").read_text()
    wanted = {part.partition(":")[0] for part in compose.split("${")[1:]}
    assert wanted
    assert all(f"\n{name}=" in example for name in wanted)


def lines_of(path: Path) -> dict[str, str]:
    """The variables that a file of lines sets."""
    lines = (line.partition("=") for line in path.read_text().splitlines() if "=" in line)
    return {name: value for name, _, value in lines if not name.startswith("#")}


def shipped(way: str) -> dict[str, str]:
    """The environment that all processes get, as its files say it."""
    if way == "systemd":
        return lines_of(DEPLOY / "systemd" / "environment.example")
    if way == "kubernetes":
        (settings,) = yaml.safe_load_all((DEPLOY / "kubernetes" / "settings.yaml").read_text())
        return settings["data"] | lines_of(DEPLOY / "kubernetes" / "secret.env.example")
    given = lines_of(DEPLOY / "compose" / "env.example")
    services = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())["services"]
    environments = [services[name]["environment"] for name in ("serve", "gateway", "worker")]
    shared = environments[0].items()
    assert all(shared <= one.items() for one in environments), "all processes have the same"

    def filled(found: re.Match[str]) -> str:
        return given.get(found[1], "") or found[2].lstrip(":-").partition("?")[0]

    return {name: re.sub(r"\$\{(\w+)([^}]*)\}", filled, text) for name, text in shared}


@pytest.mark.parametrize("way", ["compose", "kubernetes", "systemd"])
def test_who_comes_in_is_known_and_what_they_write_is_sealed_for_all_processes(way: str) -> None:
    from gateway.settings import problems, read_settings
    from store.participants.key_locations import sharing_fault

    environment = shipped(way)
    settings = read_settings(environment)
    assert list(problems(settings)) == []
    assert settings.outside.public_url
    assert environment["TROUPE_PROXIES"]
    assert settings.database_url.startswith("postgresql://")
    assert "TROUPE_KEYS_URL" in environment, "an operator who looks for it finds it"
    assert sharing_fault(settings.database_url, settings.keys_url) == ""


def test_every_pod_has_the_same_settings() -> None:
    for name in ("serve", "gateway", "worker"):
        parts = yaml.safe_load_all((DEPLOY / "kubernetes" / f"{name}.yaml").read_text())
        (pod,) = (one["spec"]["template"]["spec"] for one in parts if one["kind"] == "Deployment")
        named = [{"configMapRef": {"name": "troupe"}}, {"secretRef": {"name": "troupe"}}]
        assert pod["containers"][0]["envFrom"] == named


def test_the_namespace_is_there_before_the_secret_is_put_into_it() -> None:
    text = (DEPLOY / "kubernetes" / "kustomization.yaml").read_text()
    steps = [line for line in text.splitlines() if line.startswith("#   kubectl")]
    words = ("apply -f deploy/kubernetes/namespace.yaml", "create secret generic", "apply -k")
    assert [word in step for word, step in zip(words, steps, strict=True)] == [True] * 3


@pytest.mark.parametrize("file", ["prometheus/prometheus.yml", "compose/compose.yaml"])
def test_the_recipe_for_prometheus_token_writes_the_token_alone(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path, monkeypatch)
    found = re.search(r"(token issue operator[^>`]*)> metrics-token", (DEPLOY / file).read_text())
    assert found
    said = desk.does(*found[1].split())
    (token,) = said.out.splitlines()
    access = Access(read_settings(), desk.open())
    principal = asyncio.run(access.principal(token))
    assert principal.role == "operator"


@pytest.mark.parametrize(
    "path", [DEPLOY / "nats" / "nats.conf", DEPLOY / "kubernetes" / "nats.yaml"], ids=str
)
def test_jobs_are_on_the_disk_before_they_are_acknowledged(path: Path) -> None:
    assert "sync_interval: always" in path.read_text()


def test_the_nats_server_takes_its_configuration(tmp_path: Path) -> None:
    from actors.runtime.embedded_nats.server import find_nats_server

    (shipped,) = (
        part["data"]["nats.conf"]
        for part in yaml.safe_load_all((DEPLOY / "kubernetes" / "nats.yaml").read_text())
        if part["kind"] == "ConfigMap"
    )
    routes = '["nats://route:abc@nats-0.nats-peers:6222"]'
    for number, text in enumerate((shipped, (DEPLOY / "nats" / "nats.conf").read_text())):
        file = tmp_path / f"{number}.conf"
        file.write_text(text)
        environment = {"POD_NAME": "nats-0", "NATS_TOKEN": "abc", "NATS_ROUTES": routes}
        command = [str(find_nats_server()), "-t", "-c", str(file)]
        subprocess.run(command, check=True, env=environment)


@pytest.mark.parametrize("path", KUBERNETES, ids=lambda path: path.stem)
def test_kubernetes_knows_every_field(path: Path) -> None:
    subprocess.run([TOOLS / "kubernetes-validate", "--strict", path], check=True)


def test_every_manifest_is_part_of_the_whole() -> None:
    whole = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())
    assert set(whole["resources"]) == {path.name for path in KUBERNETES}


@pytest.mark.parametrize("path", KUBERNETES, ids=lambda path: path.stem)
def test_every_pod_is_confined_probed_and_limited(path: Path) -> None:
    for part in yaml.safe_load_all(path.read_text()):
        if part["kind"] not in ("Deployment", "StatefulSet"):
            continue
        pod = part["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["terminationGracePeriodSeconds"] > 20
        for container in pod["containers"]:
            assert container["securityContext"]["readOnlyRootFilesystem"]
            assert {"startupProbe", "livenessProbe", "readinessProbe"} <= set(container)
            assert "memory" in container["resources"]["limits"]


@pytest.mark.skipif(SYSTEMD is None, reason="needs systemd-analyze")
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_systemd_takes_the_unit(unit: Path, tmp_path: Path) -> None:
    # What it starts is not on this machine, which is all that may be missing.
    name = unit.name.replace("@", "@01")
    text = unit.read_text().replace("/opt/troupe/bin/troupe", "/bin/true")
    (tmp_path / name).write_text(text)
    assert SYSTEMD is not None
    done = subprocess.run(
        [SYSTEMD, "verify", str(tmp_path / name)], capture_output=True, text=True, check=False
    )
    complaints = [line for line in done.stderr.splitlines() if str(tmp_path) in line]
    assert complaints == []


def test_commands_of_units_and_containers_exist() -> None:
    from gateway.cli.main import app

    known = {command.name or command.callback.__name__ for command in app.registered_commands}  # type: ignore[union-attr]
    started = {
        line.split()[1]
        for unit in UNITS
        for line in unit.read_text().splitlines()
        if line.startswith("ExecStart=")
    }
    compose = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())["services"]
    started |= {compose[name]["command"][0] for name in ("serve", "gateway", "worker")}
    assert started <= known
