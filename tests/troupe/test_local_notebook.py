"""The notebook that plays two episodes, scores and compares them."""

from pathlib import Path

import pytest

import troupe
from tests.troupe.executing import executed


@pytest.mark.timeout(300)
def test_two_episodes_are_played_scored_and_compared_in_a_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = executed("local-model.ipynb", tmp_path, monkeypatch)
    html = "".join(str(data.get("text/html", "")) for data in shown)
    assert "<progress value='1' max='1'>" in html, "how far it is"
    assert "Mind against mind" in html
    text = "".join(str(data.get("text/plain", "")) for data in shown)
    assert "32 of 32 scores were given" in text
    with troupe.open_store(tmp_path / "data") as store:
        rows = store.episodes.rows()
        assert [row["status"] for row in rows] == ["ended"] * 3
        minds = [row["minds"] for row in rows if row["parent"] is None]
        assert minds == [["wily", "candid"], ["candid", "wily"]]
        assert len(store.scores(status="scored").rows()) >= 28
