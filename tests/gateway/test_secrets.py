"""What is secret stays so: in settings, addresses, files and whatever is shown."""

import json
import os
import stat
from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.runtime.bus.errors import BusDown, BusRefused
from events.minds import MindSpec, ModelSpec
from events.serialization.codec import to_json
from events.untrusted.redacted_urls import settings_without_secrets, without_secrets
from gateway.errors import NatsAway
from gateway.services.runs.plan_run import prepare
from store.database.engines import redacted
from store.errors import BadStoreUrl
from store.files.atomic_files import atomic_write
from store.log.event_store import NEW
from tests.gateway.command import Desk
from tests.support.runs import plan
from tests.support.undrawn_charts import undrawn

__all__ = ["undrawn"]
pytestmark = pytest.mark.usefixtures("undrawn")

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("given", "bare"),
    [
        ("nats://ann:hunter2@host:4222", "nats://***@host:4222"),
        ("nats://hunter2@host:4222", "nats://***@host:4222"),
        ("nats://ann:hun@hunter2@host:4222", "nats://***@host:4222"),
        ("nats://ann:a/b?hunter2@host", "nats://***@host"),
        ("ann:hunter2@host:4222", "***@host:4222"),
        ("http://host/v1?key=hunter2", "http://host/v1"),
        ("http://host/v1#hunter2", "http://host/v1"),
        ("http://host:8000/v1", "http://host:8000/v1"),
    ],
)
def test_an_address_is_shown_without_what_is_secret_in_it(given: str, bare: str):
    assert without_secrets(given) == bare
    assert without_secrets(bare) == bare


def test_no_error_tells_a_password():
    url = "nats://ann:hunter2@host:4222"
    for error in (BusDown(url, "gone"), BusRefused(url, "no"), NatsAway(url, "gone")):
        assert SECRET not in f"{error} {vars(error)}"
    for url in ("postgresql://a:hunter2@[::1", "mysql://a:hunter2@h/d", "x://hunter2@h"):
        error = BadStoreUrl(url, "no")
        assert SECRET not in f"{error} {vars(error)}"
    for url in ("postgresql://a:hunter2@h/d", "postgresql://h/d?user=a&password=hunter2"):
        assert SECRET not in redacted(url)


@pytest.mark.parametrize("url", ["nats://ann:hunter2@127.0.0.1:1", "nats://ann:hunter2@host:x"])
def test_no_command_tells_a_nats_password(desk: Desk, url: str):
    desk.set("TROUPE_NATS_URL", url)
    for words in (("doctor", "--no-probe"), ("workers",), ("run", desk.file("p.toml", plan()))):
        said = desk.says(*words)
        assert said.code == 1
        assert SECRET not in said.out + said.err


def test_an_old_run_is_shown_without_the_secrets_of_its_addresses(desk: Desk, tmp_path: Path):
    """Such addresses are refused now, but not when it was planned. Its export stays exact."""
    store = desk.open()
    path = Path(desk.file("plan.toml", plan(tasks=1, pairings='[["generous", "stubborn"]]')))
    prepared = prepare(store, path)
    url = "http://ann:hunter2@host/v1?key=hunter2"
    model = ModelSpec(name="m", adapter="direct", base_url=url)
    minds = tuple(
        MindSpec(name=mind.name, kind="model", model=model) for mind in prepared.planned.plan.minds
    )
    source = f'[minds.a]\nbase_url = "{url}"\n'
    planned = replace(
        prepared.planned, plan=replace(prepared.planned.plan, minds=minds, source=source)
    )
    store.append(f"run-{prepared.run}", NEW, [planned], correlation=prepared.run)
    [stored] = store.read(f"run-{prepared.run}")
    store.close()
    assert SECRET not in to_json(planned) + to_json(stored, indent=2)
    assert json.loads(to_json(planned))["plan"]["minds"][0]["model"]["base_url"] == (
        "http://***@host/v1"
    )
    desk.does("report", prepared.run, "--out", str(tmp_path / "report.html"))
    shown = desk.does("show", prepared.run, "--json").out
    assert SECRET not in (tmp_path / "report.html").read_text() + shown
    desk.does("export", prepared.run, "--format", "jsonl", "--out", str(tmp_path / "run.jsonl"))
    assert SECRET in (tmp_path / "run.jsonl").read_text()


def test_what_has_no_secret_is_shown_as_it_is():
    for text in ('base_url = "http://h:1/v1"', '{"base_url":"http://h/v1"}', '"a@b": "c@d?e#f"'):
        assert settings_without_secrets(text) == text


def test_what_is_written_is_for_its_owner_alone(desk: Desk, tmp_path: Path):
    mask = os.umask(0o022)
    try:
        desk.does("catalog", "list")
        store = desk.data_dir / "troupe.db"
        for path, mode in ((desk.data_dir, 0o700), (store, 0o600)):
            assert stat.S_IMODE(path.stat().st_mode) == mode
        os.umask(0o022)
        with atomic_write(tmp_path / "report.html") as unfinished:
            unfinished.write_text("x")
        assert stat.S_IMODE((tmp_path / "report.html").stat().st_mode) == 0o600
    finally:
        os.umask(mask)


def test_no_link_prepared_under_a_temporary_name_is_followed(
    played: Desk, run: str, tmp_path: Path
):
    folder, victim = tmp_path / "shared", tmp_path / "victim"
    folder.mkdir()
    victim.write_text("precious")
    for name in (".report.html.unfinished", f"report.html.{os.getpid()}.part"):
        (folder / name).symlink_to(victim)
    played.does("report", run, "--out", str(folder / "report.html"))
    played.does("export", run, "--format", "jsonl", "--out", str(folder / "report.html"))
    assert victim.read_text() == "precious"
    assert stat.S_IMODE((folder / "report.html").stat().st_mode) == 0o600
