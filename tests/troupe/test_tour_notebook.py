"""The tour, step by step from Python."""

from pathlib import Path

import pytest

import troupe
from tests.troupe.executing import executed

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: make gym")


@pytest.mark.timeout(400)
def test_the_steps_of_the_tour_are_carried_out_in_a_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = executed("tour.ipynb", tmp_path, monkeypatch, timeout_s=200)
    text = "".join(str(data.get("text/plain", "")) for data in shown)
    html = "".join(str(data.get("text/html", "")) for data in shown)
    assert "Mind against mind" in html
    assert "Figure 3: overall scores" in html
    assert "<svg" in html, "the curves"
    assert "tour.html" in text
    assert (tmp_path / "tour.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "act. Your answer as one JSON object" in text
    assert "The episode is over: " in text
    (knows,) = (
        data["text/plain"] for data in shown if "knows the secret" in data.get("text/plain", "")
    )
    assert [line.split()[-1] for line in knows.splitlines()[1:]] == [
        *("True", "False", "True", "False")
    ]
    with troupe.open_store(tmp_path / "data") as store:
        runs = {row["name"]: row for row in store.runs.rows()}
        assert runs["meetings"]["episodes_ended"] == 10
        forks = [row for row in store.episodes.rows() if row["parent"]]
        assert [row["status"] for row in forks] == ["ended"]
        assert {row["judge"] for row in store.scores.rows()} == {
            "rehearsal-strict",
            "rehearsal-lenient",
        }
        assert [row["status"] for row in store.runs.rows()] == ["ended", "ended", "paused"]
