"""Trees drawn and runs on them reported at the command line."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from actors.worldtree.formats.files import read_path
from store.open_store import open_store
from tests.actors.worldtree.plain import ending, node, option, tree
from tests.benchmarks.worldtree_run import RUN, write_run
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused


@pytest.fixture
def folder(desk: Desk) -> Path:
    """Two trees; the first was walked by two minds, twice each."""
    path = desk.folder / "trees"
    path.mkdir()
    (path / "ferry-en.json").write_text(json.dumps(tree()))
    poor = tree(node(0, option(1, "A."), option(2, "B.")), ending(1, 2), ending(2, 0))
    (path / "poor-en.json").write_text(json.dumps(poor))
    desk.data_dir.mkdir(parents=True, exist_ok=True)
    store = open_store(f"sqlite:///{desk.data_dir}/troupe.db")
    write_run(store, [one for one in read_path(path).trees if "ferry" in one.source], 2, 2)
    store.close()
    return path


def test_a_tree_is_drawn_with_the_ways_that_a_run_walked(desk: Desk, folder: Path) -> None:
    out = desk.folder / "tree.svg"
    file = str(folder / "ferry-en.json")
    said = desk.does("worldtree", "draw", file, "-o", str(out), "--json").json
    assert (said["walks"], said["path"]) == (0, str(out))
    alone = out.read_text(encoding="utf-8")
    desk.does("worldtree", "draw", file, "--run", RUN, "-o", str(out))
    walked = out.read_text(encoding="utf-8")
    assert ElementTree.fromstring(walked).tag.endswith("svg")
    assert "4 walks" in walked
    assert "4 walks" not in alone
    tree_id = said["tree"]
    of_one = ("worldtree", "draw", tree_id, "--run", RUN, "--mind", "model-01")
    assert "2 walks" in desk.does(*of_one, "-o", str(out)).out


def test_what_cannot_be_drawn_is_refused_with_what_there_is(desk: Desk, folder: Path) -> None:
    draw = ("worldtree", "draw")
    desk.does("catalog", "list")
    assert "say which with --tree" in refused(desk, *draw, str(folder))
    assert "no walk of" in refused(desk, *draw, str(folder / "poor-en.json"), "--run", RUN)
    ferry = str(folder / "ferry-en.json")
    assert f"{folder}: is a folder; name a file" in refused(desk, *draw, ferry, "-o", str(folder))
    assert "model-00, model-01" in refused(desk, *draw, ferry, "--run", RUN, "--mind", "nobody")
    assert "has no tree 'gone'" in refused(desk, *draw, "bench:gone")
    typo = refused(desk, *draw, "before-six-e")
    assert "no catalog has such a tree; did you mean 'before-six-en'?" in typo


def test_runs_are_reported_with_a_file_for_each_table(desk: Desk, folder: Path) -> None:
    out = desk.folder / "out"
    said = desk.does("worldtree", "report", RUN, RUN[:1], "--paper", "-o", str(out), "--json").json
    assert said == {"runs": [RUN], "path": str(out / "index.html")}
    page = (out / "index.html").read_text(encoding="utf-8")
    assert page.count('class="more walked"') == 1
    tables = {path.name: path for path in (out / "tables").iterdir()}
    assert tables["table-2.csv"].read_text(encoding="utf-8").startswith("language,")
    assert "o1,zh,overall,47.0" in tables["paper-table-2.csv"].read_text(encoding="utf-8")
    assert "Paper: o1 " in tables["table-2.tex"].read_text(encoding="utf-8")
    own = desk.folder / "page.html"
    desk.does("report", RUN, "-o", str(own))
    text = own.read_text(encoding="utf-8")
    assert 'id="worldtrees"' in text
    # The walks of the page lead to their transcripts.
    assert 'href="#e000000-top"' in text
    assert 'id="e000000-top"' in text
