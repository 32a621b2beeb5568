"""``troupe games check``, ``draw`` and ``import``."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from actors.games.catalog.starter import starter_catalog
from evaluators.report.charts.svg_text import wide
from tests.fuzz.games import BARGAIN, HUNT, NIGHT
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused

BRANCHES = BARGAIN.replace(
    '[[phases]]\nid = "sky"',
    '[[phases.next]]\nphase = "offer"\nwhen = { left = { counter = "deals" }, right = 0 }\n'
    '[[phases.next]]\nphase = "sky"\nwhen = { left = { round = true }, compare = ">", right = 1 }\n'
    '[[phases.next]]\nphase = "quiet"\n[[phases]]\nid = "sky"',
).replace(
    '[[ends]]',
    f'[[phases]]\nid = "quiet"\ntitle = "{"A quiet hour, " * 15}{"x" * 80}"\n'
    'effects = [{ do = "count", counter = "right" }]\n'
    'next = [{ phase = "reply", when = { left = { counter = "right" }, right = 3 } }]\n[[ends]]',
    1,
)  # fmt: skip


@pytest.fixture
def file(desk: Desk) -> Path:
    path = desk.folder / "it.toml"
    path.write_text(HUNT)
    return path


def test_a_right_file_is_said_to_be_right(desk: Desk, file: Path):
    desk.width(500)
    assert "nothing is wrong" in desk.does("games", "check", str(file)).out
    (row,) = desk.does("games", "check", str(file), "--json").json
    assert row == {"file": str(file), "rulesets": ["hunt"], "remarks": []}


def test_a_wrong_file_is_told_by_line_and_remedy(desk: Desk, file: Path):
    file.write_text(HUNT.replace('winners = ["village"]', 'winners = ["vilage"]'))
    line = file.read_text().split("\n").index('winners = ["vilage"]') + 1
    desk.width(500)
    said = desk.says("games", "check", str(file))
    text = " ".join(said.out.split())
    assert said.code == 1
    assert f"it.toml, line {line}, end 'found', winners, no. 1: there is no role or team" in text
    assert "did you mean 'village'?" in text
    (row,) = desk.says("games", "check", str(file), "--json").json
    assert [(one["line"], one["grade"]) for one in row["remarks"]] == [(line, "error")]


def test_files_and_folders_are_checked_together(desk: Desk, file: Path):
    (desk.folder / "rules").mkdir()
    (desk.folder / "rules" / "a.toml").write_text(BARGAIN)
    (desk.folder / "rules" / "config.json").write_text(NIGHT)
    (desk.folder / "rules" / "notes.txt").write_text("no rules")
    rows = desk.does("games", "check", str(file), str(desk.folder / "rules"), "--json").json
    assert [row["rulesets"] for row in rows] == [["hunt"], ["bargain"], ["a-night-in-the-valley"]]
    (desk.folder / "empty").mkdir()
    assert "is a folder without .toml" in refused(
        desk, "games", "check", str(desk.folder / "empty")
    )


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'id = "x"\ntitle = \n', "line 2"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"", "the field 'id' is missing"),
        (b'name = "x"\n[minds.a]\n[seats]\n', "is a plan and no file of rules; `troupe run "),
        (b'name = "x"\nkind = "model"\n', "is no file of rules; a ruleset has [[roles]]"),
        (b'[[ruleset]]\nid = "x"\n', "the field 'title' is missing"),
        (b'[[player]]\nid = "x"\nname = "X"\n', "has no ruleset"),
    ],
)
def test_what_is_no_file_of_rules_is_refused_and_nothing_is_kept(
    desk: Desk, file: Path, data: bytes, why: str
):
    file.write_bytes(data)
    desk.does("catalog", "list")
    said = refused(desk, "games", "import", str(file))
    assert why in said
    if why.startswith("is "):
        assert "more error" not in said, "of what is something else, one sentence is enough"


def test_a_ruleset_is_imported_with_people_scenes_and_a_set(desk: Desk, file: Path):
    found = desk.does("games", "import", str(file), "--json").json
    assert (found["catalog"], found["outcome"]) == ("hunt", "imported")
    again = desk.does("games", "import", str(file), "--json").json
    assert again["outcome"] == "unchanged"
    assert "hunt-1" in desk.does("catalog", "show", "tasks", "-c", "hunt").out


def test_several_files_become_one_catalog_that_is_named(desk: Desk, file: Path):
    other = desk.folder / "other.toml"
    other.write_text(BARGAIN)
    why = refused(desk, "games", "import", str(file), str(other))
    assert "name the catalog of 2 rulesets" in why
    found = desk.does("games", "import", str(file), str(other), "--name", "two", "--json").json
    assert found["counts"] == {
        "rulesets": 2,
        "players": len(starter_catalog().players),
        "sets": 2,
    } | {kind: found["counts"][kind] for kind in ("scenes", "banks") if kind in found["counts"]}
    other.write_text(HUNT.replace("The hunt", "Another hunt"))
    why = refused(desk, "games", "import", str(file), str(other), "--name", "two")
    assert "has another ruleset 'hunt'; ids must differ" in why


def test_a_configuration_of_sotopia_is_imported_and_played(desk: Desk):
    path = desk.folder / "config.json"
    path.write_text(NIGHT)
    found = desk.does("games", "import", str(path), "--name", "night", "--json").json
    assert found["outcome"] == "imported"
    assert "social games" in found["source"]
    plan = desk.folder / "plan.toml"
    plan.write_text(
        'environment = "games"\ncatalog = "night"\n[tasks]\nids = ["a-night-in-the-valley-1"]\n'
        '[minds.any]\nkind = "rehearsal"\ntemper = "open"\n[judges]\nuse = []\n'
    )
    assert "1 of 1 tasks" in desk.does("run", str(plan), "--dry-run").out
    path.write_text(NIGHT.replace('"public"', '"public').replace("Two wolves", 'Two "wolves"'))
    assert "config.json, line" in refused(desk, "games", "import", str(path))


def test_the_ruleset_of_a_picture_is_named_where_there_are_several(desk: Desk, file: Path):
    file.write_text("")
    catalog = desk.folder / "catalog.toml"
    inner = [re.sub(r"^\[\[(?=[a-z])", "[[ruleset.", text, flags=re.M) for text in (HUNT, BARGAIN)]
    both = "".join(f"[[ruleset]]\n{text}\n" for text in inner)
    both = re.sub(r"^\[(?=ends)", "[ruleset.", both, flags=re.MULTILINE)
    catalog.write_text(f'environment = "games"\nname = "two"\n{both}')
    assert "has several rulesets; name one by --ruleset: hunt, bargain" in refused(
        desk, "games", "draw", str(catalog)
    )
    assert "the file has" in refused(desk, "games", "draw", str(catalog), "--ruleset", "x")
    said = desk.does("games", "draw", str(catalog), "--ruleset", "bargain")
    assert "A bargain" in said.out
    why = refused(desk, "games", "draw", str(catalog), "-o", str(catalog))
    assert "is the file of the rules" in why


@pytest.mark.parametrize("text", [HUNT, BARGAIN, BRANCHES, NIGHT])
def test_in_a_picture_no_text_is_over_another_or_leaves_its_box(desk: Desk, text: str):
    file = desk.folder / ("config.json" if text == NIGHT else "it.toml")
    file.write_text(text)
    out = desk.folder / "it.svg"
    desk.does("games", "draw", str(file), "--out", str(out))
    root = ElementTree.parse(out).getroot()
    space = {"svg": "http://www.w3.org/2000/svg"}
    boxes = [
        tuple(float(one.attrib[name]) for name in ("x", "y", "width", "height"))
        for one in root.findall("svg:rect", space)
    ]
    lines = []
    for one in root.findall("svg:text", space):
        x, y = float(one.attrib["x"]), float(one.attrib["y"])
        size = 12 if one.attrib.get("class") == "muted" else 13
        right = x + wide(one.text or "", size)
        lines.append((x, y, right))
        inside = [box for box in boxes if box[1] <= y <= box[1] + box[3]]
        if inside:
            (box,) = inside
            assert box[0] < x
            assert right <= box[0] + box[2]
            assert box[1] + 10 < y < box[1] + box[3] - 4
    tops = sorted(y for _, y, _ in lines)
    assert all(b - a >= 14 for a, b in pairwise(tops))
    bottoms = [(box[1], box[1] + box[3]) for box in boxes]
    assert all(a[1] < b[0] for a, b in pairwise(bottoms))
    width = float(root.attrib["width"])
    ways = "".join(one.attrib["d"] for one in root.findall("svg:path", space))
    assert all(float(x) < width for x in re.findall(r"H([\d.]+)", ways))


def test_a_new_catalog_begins_with_one_game_that_can_be_played(desk: Desk):
    folder = desk.folder / "own"
    desk.does("catalog", "new", "own", "-e", "games", "--to", str(folder))
    found = desk.does("catalog", "import", str(folder), "--json").json
    assert found["counts"] == {"rulesets": 1, "banks": 0, "players": 5, "scenes": 1, "sets": 1}
    assert "# Night and day" in (folder / "rulesets.toml").read_text()
    assert "20 of 10 tasks" in desk.does("run", f"{folder}-plan.toml", "--dry-run").out


def test_a_ruleset_is_shown_as_files_have_it(desk: Desk):
    desk.width(2_000)
    said = desk.does("catalog", "show", "hunt", "-c", "parlour").out
    assert "SeatFilter" not in said
    assert "phases, vote" in said
    assert 'verbs = [{ id = "vote", text = "vote for somebody' in said
