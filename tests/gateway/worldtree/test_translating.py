"""``troupe worldtree translate`` and ``review``."""

import csv
from pathlib import Path
from typing import Any

import pytest

from actors.toml_file import BadFile
from actors.worldtree.formats.files import read_path
from actors.worldtree.formats.tree_writer import tree_text
from gateway.worldtree.review_sheets import COLUMNS, oddity, read_reviews, review_of
from tests.actors.worldtree.example_trees import LAMP
from tests.gateway.command import Desk


def filled_in(path: str, **verdicts: str) -> list[dict[str, str]]:
    """Fill in a review's rows by their scene (``s0``, ``names``); all rows of it."""
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        name = row["scene"] if row["scene"] == "names" else f"s{row['scene']}"
        row["verdict"], _, row["comment"] = verdicts.get(name, "").partition(" ")
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return rows


def test_a_tree_is_translated_reviewed_and_what_was_refused_translated_again(desk: Desk) -> None:
    tree = desk.file("lamp.json", tree_text(LAMP))
    out = str(desk.folder / "neu.json")
    said = desk.does("worldtree", "translate", tree, "--to", "zh", "--rehearsal", "-o", out)
    assert "translates nothing" in said.err
    (made,) = read_path(Path(out)).trees
    assert (made.id, made.language, made.pair) == ("lamp-zh", "zh", "lamp-en")
    assert made.nodes[1].edges[0].line.text == "[zh] I pay."

    review = str(desk.folder / "neu-review.csv")
    rows = filled_in(review, s2="REJECT too stiff", names="accept", s1="ok", s3="接受")
    assert [row["scene"] for row in rows] == ["names", *map(str, range(7))]
    assert "no Chinese in it" in rows[2]["look"]
    counted = desk.does("worldtree", "review", review)
    assert "3 of 4 passages accepted: 75.0 % (SocialEval: 97 %)" in counted.out
    assert "scene 2: too stiff" in counted.out

    (run,) = desk.does("runs", "--json").json
    again = desk.does(
        *("worldtree", "translate", "--from", run["id"], "--review", review, "-o", out, "--json")
    ).json
    assert again[0]["review"].endswith("neu-review-2.csv")
    assert [row["scene"] for row in filled_in(again[0]["review"])] == ["2"]
    assert read_path(Path(out)).trees == [made]

    elsewhere = Path(review).with_name("elsewhere.csv")
    elsewhere.write_text(f"episode,scene,verdict\n{rows[0]['episode']},7,reject\n")
    for arguments, why in (
        (("--review", str(elsewhere)), "--review '7': is no scene of"),
        (("-o", review), "is a file; name a folder"),
    ):
        said = desk.says("worldtree", "translate", "--from", run["id"], *arguments)
        assert why in " ".join(said.err.split())

    kept = desk.does("worldtree", "translate", "--from", run["id"], "-o", out)
    assert "left as it is" in kept.err
    assert filled_in(review)  # It is there as it was.


def test_what_cannot_be_translated_is_said(desk: Desk) -> None:
    tree = desk.file("lamp.json", tree_text(LAMP))
    broken = desk.file("broken.json", '{"predefined_profiles": [], "interactive_plot": []}')
    for arguments, why in (
        ((tree, "--to", "en", "--rehearsal"), "are in that language already"),
        ((tree, "--to", "zh"), "say who translates"),
        ((tree, "--rehearsal"), "say into which language"),
        ((tree, "--to", "zh", "--rehearsal", "--model", "x"), "take one of the two out"),
        ((tree, "--to", "zh", "--rehearsal", "-o", tree), "is what is to be translated"),
        ((broken, "--to", "zh", "--rehearsal"), "broken.json"),
        ((), "give a file to translate, or --from RUN"),
        (("--from", "r234"), "r234"),
        ((tree, "--to", "zh", "--model", "openai/x", "--base-url", "ftp://x"), "--base-url"),
    ):
        said = desk.says("worldtree", "translate", *arguments)
        assert said.code != 0
        assert why in " ".join(said.err.split())
    assert desk.does("runs", "--json").json == []


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("scene,verdict\n", 1, "no column 'episode'"),
        ("episode;scene;verdict;verdict\n", 1, "2 columns 'verdict'"),
        ("episode;scene;verdict\ne1;1;,\n", 2, "accept or reject, not ','"),
        ("episode,scene,verdict\ne1,x,\n", 2, "a number or names"),
        ("episode,scene,verdict\n,1,\n", 2, "needs its episode"),
        ("episode,scene,verdict\ne1,1,maybe\n", 2, "accept or reject, not 'maybe'"),
        ("episode,scene,verdict\ne1,1,accept\ne1,1,reject\n", 3, "once is right"),
    ],
)
def test_an_odd_review_is_refused_with_its_line(
    tmp_path: Path, text: str, line: int, why: str
) -> None:
    path = tmp_path / "review.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=why) as caught:
        read_reviews([path])
    assert caught.value.where == f"line {line}"


def test_a_sheet_that_is_not_in_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "review.csv"
    path.write_text("episode,scene,verdict\n", encoding="utf-16")
    with pytest.raises(BadFile, match="save it as CSV in UTF-8"):
        read_reviews([path])


def test_a_rate_is_of_what_is_decided() -> None:
    assert review_of([]).rate is None


NAMES = {"Mira": "米拉", "Mira Oto": "米拉·奥托", "Oto": "奥托先生", "阿和": "Ahe"}


@pytest.mark.parametrize(
    ("text", "translation", "to", "look"),
    [
        ("Mira waits.", "米拉在等。", "zh", ""),
        ("Mira waits.", "她在等。", "zh", "Mira is 米拉"),
        ("Mira Oto waits.", "米拉·奥托在等。", "zh", ""),
        ("Miranda waits.", "她在等。", "zh", ""),
        ("He waits.", "He waits.", "zh", "no Chinese"),
        ("OK.", "OK.", "zh", ""),
        ("阿和等着。", "Ahe waits 等着.", "en", "Chinese is left"),
        ("阿和等着。", "He waits.", "en", "阿和 is Ahe"),
    ],
)
def test_a_reader_is_shown_what_a_program_finds_odd(
    text: str, translation: str, to: Any, look: str
) -> None:
    found = oddity(text, translation, NAMES, to)
    assert look in found
    assert bool(found) == bool(look)
