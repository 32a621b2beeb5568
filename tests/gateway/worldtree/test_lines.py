"""``troupe worldtree lines …``: from a plan to Table 4."""

import csv
from pathlib import Path

from actors.worldtree.formats.tree_writer import tree_text
from tests.actors.worldtree.example_trees import LAMP
from tests.gateway.command import Desk

PLAN = """
environment = "worldtree"
catalog = "landing"
[worldtree]
preset = "script"
[tasks]
ids = ["line.lamp-en.0", "line.lamp-en.1", "walk.lamp-en"]
[minds.penelope]
kind = "rehearsal"
temper = "first"
[judges]
use = ["worldtree-lines"]
"""


def annotated(path: Path, by: str, *same: str) -> str:
    """A sheet as an annotator saves it, who marks these texts; its path."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["annotator"] = by
        shown = {row[letter]: letter for letter in "ABC" if row[letter]}
        row["same"] = " ".join(shown[text] for text in same if text in shown) or "none"
    to = path.with_name(f"{by}.csv")
    with to.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(to)


def test_free_lines_are_played_marked_and_compared_with_walks(desk: Desk) -> None:
    folder = desk.folder / "trees"
    folder.mkdir()
    (folder / "lamp.json").write_text(tree_text(LAMP), encoding="utf-8")
    desk.does("import", "worldtrees", str(folder), "--name", "landing")
    desk.does("run", desk.file("plan.toml", PLAN))
    (run,) = [row["id"] for row in desk.does("runs", "--json").json]
    sheets = desk.folder / "sheets"
    desk.does("worldtree", "lines", "sheet", run, "--out", str(sheets))
    page = (sheets / "lines-en.html").read_text(encoding="utf-8")
    assert "I swear." in page
    assert "penelope" not in page
    refused = desk.says("worldtree", "lines", "sheet", run, "--out", str(sheets))
    assert "may have been filled in" in " ".join(refused.err.split())

    sheet = sheets / "lines-en.csv"
    # Always first: the walk takes "Please." and "I pay.".
    ann = annotated(sheet, "ann", "Please.", "I swear.")
    bo = annotated(sheet, "bo", "Please.", "I swear.")
    cy = annotated(sheet, "cy", "Please.")
    read = desk.does("worldtree", "lines", "read", run, ann, bo, cy)
    assert "cy, en: 2 marked, all; of 1 some line means the same" in read.out
    found = desk.does("worldtree", "lines", "table", run, "-a", str(sheets), "--json").json
    (row,) = found["ratios"]
    assert (row["items"], row["marked"], row["similar"], row["passed"]) == (2, 2, 2, 2)
    assert row["selected"] == 1.0, "at the root the walk took what was written, at the other not"
    assert found["judge"] == "worldtree-lines"
    assert found["between"][0]["items"] == 2
    judged = desk.does("worldtree", "lines", "table", run)
    assert "no finding" in " ".join(judged.out.split())
    assert desk.does("worldtree", "lines", "table", run, "-f", "csv").out.startswith("mind,")
    wrong = desk.says("worldtree", "lines", "table", run, "--judge", "nobody")
    assert "these have: worldtree-lines" in " ".join(wrong.err.split())
