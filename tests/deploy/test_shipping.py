"""What is shipped for containers, clusters and machines is what their own tools take."""

import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
import yaml

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


@pytest.mark.parametrize(
    "path", [DEPLOY / "nats" / "nats.conf", DEPLOY / "kubernetes" / "nats.yaml"], ids=str
)
def test_jobs_are_on_the_disk_before_they_are_acknowledged(path: Path) -> None:
    assert "sync_interval: always" in path.read_text()


def test_the_nats_server_takes_its_configuration(tmp_path: Path) -> None:
    from actors.runtime.nats_binary import find_nats_server

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
