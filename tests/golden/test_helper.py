from pathlib import Path

import pytest

from tests import golden

WORDS = {"system": "You play Ada.", "user": "It is turn 1."}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(golden.WRITE, "write")
    golden.check("agents/act-7", "act-7:0123456789ab", WORDS, tmp_path)
    monkeypatch.delenv(golden.WRITE)
    return tmp_path


def test_a_golden_prompt_is_a_page_a_person_can_read(folder: Path):
    assert (folder / "agents" / "act-7.txt").read_text(encoding="utf-8") == (
        "act-7:0123456789ab\n\n######## system\nYou play Ada.\n\n######## user\nIt is turn 1.\n"
    )
    assert golden.templates_of("agents", folder) == {"act-7"}


def test_the_same_words_of_the_same_version_pass(folder: Path):
    golden.check("agents/act-7", "act-7:0123456789ab", WORDS, folder)


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("act-7:0123456789ab", {**WORDS, "user": "It is turn 2."}),
        ("act-7:ba9876543210", WORDS),
    ],
)
def test_other_words_and_another_fingerprint_are_refused_whatever_is_set(
    folder: Path, monkeypatch: pytest.MonkeyPatch, version: str, words: dict[str, str]
):
    monkeypatch.setenv(golden.WRITE, "write")
    with pytest.raises(AssertionError, match="as a new version") as refused:
        golden.check("agents/act-7", version, words, folder)
    assert "act-7:0123456789ab does not say any more" in str(refused.value)


def test_one_that_is_missing_is_not_written_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv(golden.WRITE, raising=False)
    with pytest.raises(AssertionError, match="TROUPE_GOLDEN=write"):
        golden.check("agents/act-8", "act-8:0123456789ab", WORDS, tmp_path)
    assert not list(tmp_path.rglob("*.txt"))
