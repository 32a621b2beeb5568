"""``troupe doctor``: what is wrong, and how to mend it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gateway.command import Desk

ROOT = Path(__file__).parents[2]


def findings(desk: Desk) -> dict[str, dict[str, str]]:
    return {finding["what"]: finding for finding in desk.says("doctor", "--json").json}


def test_a_sound_machine_is_sound_before_and_after_there_is_a_store(desk: Desk) -> None:
    first = findings(desk)
    assert {f["status"] for name, f in first.items() if name != "model keys"} == {"ok"}
    assert "no store yet" in first["database"]["found"]
    assert not (desk.data_dir / "troupe.db").exists(), "looking makes nothing"
    desk.does("catalog", "list")
    then = findings(desk)
    assert then["migrations"]["status"] == "ok"
    assert "answers" in then["NATS"]["found"]
    assert desk.says("doctor").code == 0


@pytest.mark.parametrize(
    ("variable", "value", "what", "told"),
    [
        ("TROUPE_NATS_URL", "foo", "settings", "nats://host:port"),
        ("TROUPE_DATABASE_URL", "foo", "database", "sqlite:////absolute/path.db"),
        ("TROUPE_DATA_DIR", "/dev/null/x", "disk", "cannot be written"),
    ],
)
def test_what_is_broken_is_said_with_how_to_mend_it(
    desk: Desk, variable: str, value: str, what: str, told: str
) -> None:
    desk.set(variable, value)
    finding = findings(desk)[what]
    assert finding["status"] == "broken"
    assert told in finding["found"]
    assert finding["mend"]
    said = desk.says("doctor")
    assert said.code == 1
    assert "broken" in said.out


def test_what_helps_several_in_a_row_is_said_once(desk: Desk) -> None:
    desk.set("TROUPE_FOO", "1")
    desk.set("TROUPE_BAR", "1")
    desk.set("TROUPE_INBOX", "no number")
    said = desk.says("doctor").out
    assert "TROUPE_FOO is no setting" in said
    assert "TROUPE_BAR is no setting" in said
    assert said.count("→ there are TROUPE_") == 1
    assert said.count("→ it is: messages that may wait") == 1


@pytest.mark.parametrize(
    ("group", "code", "why"),
    [
        ("environments", "", "environment 'clumsy' is installed but cannot be loaded"),
        ("environments", "raise RuntimeError('dropped')", "RuntimeError: dropped"),
        ("evaluators", "ENTRY = 1", "the evaluators of environment 'clumsy' cannot be used"),
    ],
)
def test_an_environment_that_cannot_be_loaded_is_named(
    tmp_path: Path, group: str, code: str, why: str
) -> None:
    info = tmp_path / "clumsy-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(f"[troupe.{group}]\nclumsy = clumsy:ENTRY\n")
    (tmp_path / "clumsy.py").write_text(f"{code}\n")
    # In a process of its own: what is installed is looked up once.
    done = subprocess.run(
        [sys.executable, "-c", "from gateway.cli.main import main; main()", "doctor", "--json"],
        env={"PYTHONPATH": f"{tmp_path}:{ROOT}", "TROUPE_DATA_DIR": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    found = {finding["what"]: finding for finding in json.loads(done.stdout)}["environments"]
    assert found["status"] == "broken"
    assert why in found["found"]
    assert "uninstall" in found["mend"]


def test_a_misspelt_setting_is_noticed(desk: Desk) -> None:
    desk.set("TROUPE_DATABSE_URL", "sqlite:////x.db")
    finding = findings(desk)["settings"]
    assert finding["status"] == "warning"
    assert "did you mean 'TROUPE_DATABASE_URL'?" in finding["found"]


def test_a_file_that_is_no_database_is_found_and_left_alone(desk: Desk) -> None:
    path = desk.file("notes.txt", "not a database at all " * 50)
    desk.set("TROUPE_DATABASE_URL", f"sqlite:///{path}")
    assert "not a database" in findings(desk)["database"]["found"]
    assert "not a database" in desk.says("runs").err


def test_keys_that_the_setting_binds_are_found(desk: Desk) -> None:
    desk.set("TROUPE_KEYS", "LAB_KEY@127.0.0.1:8000")
    desk.set("OPENAI_API_KEY", "not-bound")
    assert findings(desk)["model keys"]["status"] == "warning"
    desk.set("LAB_KEY", "secret")
    finding = findings(desk)["model keys"]
    assert (finding["status"], finding["found"]) == ("ok", "LAB_KEY: set")
