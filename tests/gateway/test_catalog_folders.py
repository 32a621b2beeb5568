"""A world of one's own: begun, checked, taken in, played, changed and written out again."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from actors.episodes.catalogs import reader
from gateway.services.catalogs.catalog_folders import begin_folder, check_folder
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused


@pytest.fixture
def folder(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalog that somebody has begun."""
    monkeypatch.chdir(desk.folder)
    desk.does("catalog", "new", "kessing")
    return desk.folder / "kessing"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_what_new_writes_is_checked_taken_in_and_played_as_it_says(
    desk: Desk, folder: Path
) -> None:
    checked = desk.does("catalog", "check", "kessing")
    for words in ("hairline-oda-jonas", "1 Oda Falk", "2 Jonas Pell", "friend", "no errors"):
        assert words in checked.out
    said = " ".join(checked.out.partition("As a benchmark")[2].split())
    assert "short pairs for a scenario 1 to 1; at least 5: hairline (1), north_light (1)" in said
    assert "contexts without a gender 2 of 2" in said
    assert max(map(len, checked.out.splitlines())) <= 80
    assert desk.does("catalog", "import", "kessing", "--json").json["outcome"] == "imported"
    again = desk.does("catalog", "import", "kessing").out
    assert "unchanged" in again
    assert "troupe run kessing-plan.toml" in again
    desk.does("run", "kessing-plan.toml")
    (run,) = desk.does("runs", "--json").json
    episodes = desk.does("show", run["id"], "--json").json["episodes"]
    assert {tuple(one["characters"]) for one in episodes} == {("Oda Falk", "Jonas Pell")}
    assert {one["status"] for one in episodes} == {"ended"}


def test_new_writes_over_nothing(desk: Desk, folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    edit(folder / "characters.toml", "age = 52", "age = 53")
    assert "kessing-plan.toml" in refused(desk, "catalog", "new", "kessing")
    Path("kessing-plan.toml").unlink()
    assert "holds something else" in refused(desk, "catalog", "new", "kessing")
    assert not Path("kessing-plan.toml").exists()
    assert "Troupe's own" in refused(desk, "catalog", "new", "starter")
    assert "did you mean 'social'" in refused(desk, "catalog", "new", "x", "-e", "socail")
    assert not Path("x").exists()
    assert before.keys() == {path.name for path in folder.iterdir()}


def test_the_same_again_changes_nothing_and_one_edited_line_changes_one_thing(
    desk: Desk, folder: Path
) -> None:
    desk.does("catalog", "import", str(folder))
    desk.does("catalog", "export", "kessing", "--to", "out")
    before = desk.head()
    assert "unchanged" in desk.does("catalog", "import", "out").out
    desk.does("catalog", "export", "kessing", "--to", "out")
    assert desk.head() == before
    edit(Path("out/scenarios.toml"), "€900", "€950")
    found = desk.does("catalog", "import", "out", "--json").json
    assert found["outcome"] == "replaced"
    assert found["changes"] == [{"how": "changed", "kind": "scenario", "id": "north_light"}]
    assert desk.head() == before + 1
    edit(Path("out/scenarios.toml"), "€950", "€990")
    assert "holds something else" in refused(desk, "catalog", "export", "kessing", "--to", "out")


def test_what_comes_with_troupe_goes_out_and_comes_in_under_another_name(desk: Desk) -> None:
    out = str(desk.folder / "out")
    desk.does("catalog", "export", "starter", "--to", out)
    checked = desk.does("catalog", "check", out, "--json").json
    assert checked["errors"] == checked["notes"] == []
    assert [warning["field"] for warning in checked["warnings"]] == ["name"]
    assert len(checked["standards"]) == 11
    assert all(standard["met"] for standard in checked["standards"])
    assert len(checked["tasks"]) == checked["counts"]["tasks"]
    assert "Troupe's own" in refused(desk, "catalog", "import", out)
    desk.does("catalog", "import", out, "--catalog", "mine")
    for kind in ("characters", "relationships", "scenarios", "tasks"):
        ours, mine = (
            desk.does("catalog", "show", kind, "-c", name, "--json").json
            for name in ("starter", "mine")
        )
        assert ours == mine


def test_an_error_ends_the_check_with_1_and_nothing_of_the_folder_is_taken_in(
    desk: Desk, folder: Path
) -> None:
    desk.does("catalog", "list")
    edit(folder / "characters.toml", "occupation =", "ocupation =")
    edit(folder / "tasks.toml", '"oda_falk"', '"oda"')
    said = desk.says("catalog", "check", str(folder))
    assert said.code == 1
    assert "did you mean 'occupation'" in " ".join(said.out.split())
    (error,) = desk.says("catalog", "check", str(folder), "--json").json["errors"]
    assert (error["file"], error["entry"]) == ("characters.toml", "character 'oda_falk'")
    line = (folder / "characters.toml").read_text().splitlines()[error["line"] - 1]
    assert line.startswith("ocupation")
    assert "did you mean 'occupation'" in refused(desk, "catalog", "import", str(folder))
    edit(folder / "characters.toml", "ocupation =", "occupation =")
    assert "there is no character 'oda'" in refused(desk, "catalog", "import", str(folder))


def test_a_name_that_another_environment_has_is_refused(desk: Desk, folder: Path) -> None:
    for name, why in (("playground", "Troupe's own"), ("a/b", "1 to 64 letters")):
        assert why in refused(desk, "catalog", "import", str(folder), "--catalog", name)


def unreadable(path: Path) -> None:
    path.write_bytes(b'[[character]]\nid = "\xff"\n')


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_link_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent / "nowhere")


def a_link_to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def a_device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (unreadable, "line 2: is not UTF-8"),
        (a_folder, "is a folder"),
        (a_link_to_nothing, "leads nowhere"),
        (a_link_to_itself, "cannot be read"),
        (a_device, "is no file"),
        (a_pipe, "is no file"),
        (lambda path: path.write_text("a = " + "[" * 20_000), "nested deeper than 32"),
        (
            lambda path: path.write_text("age = " + "9" * 10_000),
            "line 1: a number has 10,000 digits",
        ),
        (lambda path: path.write_text("\x00"), "not valid TOML"),
        (
            lambda path: path.write_text("[[character]]\nid.a = 1\n"),
            "id: must be text, not a table",
        ),
        (lambda path: path.write_text("[[character]]\n\x1b"), "not valid TOML"),
        (lambda path: path.write_text(path.read_text() * 2), "there twice"),
        (lambda path: path.write_text("#" * 60_000), "larger than"),
    ],
)
def test_a_file_that_is_not_to_be_read_is_said_in_a_sentence(
    tmp_path: Path, spoil: Callable[[Path], None], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MOST_BYTES", 50_000)
    begin_folder("kessing", "social", tmp_path / "kessing")
    spoil(tmp_path / "kessing" / "characters.toml")
    checked = check_folder(tmp_path / "kessing")
    assert checked.catalog is None
    error = str(checked.graded("error")[0])
    assert error.startswith("characters.toml")
    assert told in error
    assert "\n" not in error


def test_what_holds_no_catalog_is_said_in_a_sentence(desk: Desk, folder: Path) -> None:
    (desk.folder / "empty").mkdir()
    desk.does("catalog", "list")
    for given, told in (
        ("nowhere", "there is no such folder"),
        ("kessing-plan.toml", "is a file"),
        ("empty", "holds no catalog.toml"),
    ):
        assert told in refused(desk, "catalog", "check", given)
        assert told in refused(desk, "catalog", "import", given)
    (folder / "catalog.toml").unlink()
    assert "catalog.toml: is missing" in refused(desk, "catalog", "import", str(folder))


def test_the_name_of_a_stored_catalog_is_told_from_a_folder(desk: Desk, folder: Path) -> None:
    desk.does("catalog", "import", str(folder))
    folder.rename(folder.parent / "elsewhere")
    for name in ("kessing", "parlour"):
        for command in ("check", "import"):
            said = refused(desk, "catalog", command, name)
            assert "no such folder" in said
            assert "stored catalog" in said
            assert f"`troupe catalog export {name} --to DIR`" in said
            assert f"`troupe catalog show KIND --catalog {name}`" in said


def test_files_as_other_systems_write_them_are_read(desk: Desk, folder: Path) -> None:
    desk.does("catalog", "import", str(folder))
    for path in folder.iterdir():
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    (folder / ".hidden.toml").write_text("not TOML")
    (folder / "notes.md").write_text("Anything.")
    assert "unchanged" in desk.does("catalog", "import", str(folder)).out
    (folder / "more").mkdir()
    (folder / "more" / "characters.toml").write_text("")
    assert "'more' is not read" in desk.does("catalog", "import", str(folder)).err
