"""``troupe backup``, ``restore``, ``verify``: what they print, and how they end."""

from contextlib import closing
from pathlib import Path

import pytest

from actors.social.actions import Action
from events.episode import ActionTaken
from events.privacy.encryption import sealed
from store.database.engines import writing
from store.log.event_store import ANY
from store.participants.participant_keys import keys_of
from store.projections import tables
from tests.store.histories import planned, turn


def test_a_backup_is_made_and_put_back(played, tmp_path):
    head, file = played.head(), tmp_path / "backup.db"
    said = played.does("backup", str(file))
    assert f"{head:,} events, {file.stat().st_size:,} bytes:" in said.out
    assert str(file) in said.out.replace("\n", "")
    with closing(played.open()) as store:
        store.append("episode-new", ANY, turn(1))
    assert played.head() == head + 2
    assert f"Restored: {head:,} events of " in played.does("restore", str(file), "--replace").out
    assert played.head() == head
    assert "Everything is as it must be." in played.does("verify-store").out
    assert played.does("runs", "--json").json[0]["status"] == "ended"


def test_a_folder_gives_each_backup_a_name_of_its_own(played, tmp_path):
    made = played.does("backup", str(tmp_path), "--json").json
    path = Path(made["path"])
    assert path.parent == tmp_path
    assert path.name.startswith("troupe-")
    assert sorted(tmp_path.glob("troupe-*")) == [path, path.with_name(f"{path.name}.json")]


def test_for_programs_both_say_what_the_manifest_says(played, desk, tmp_path):
    file = tmp_path / "backup.db"
    said = played.does("backup", str(file), "--json")
    assert said.err == ""
    made = said.json
    assert made.pop("path") == str(file)
    assert (made["format"], made["contents"]["head"]) == ("troupe-backup", played.head())
    desk.move(tmp_path / "elsewhere")
    restored = desk.does("restore", str(file), "--json").json
    assert restored == {"path": str(file), **made}
    assert desk.head() == made["contents"]["head"]


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("backup", "taken.db"), "taken.db is there already; name another file"),
        (("restore", "taken.db"), "its manifest taken.db.json is not beside it"),
        (("restore", "nowhere.db"), "its manifest nowhere.db.json is not beside it"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(played, command, sentence):
    name, file = command
    head = played.head()
    played.file("taken.db", "precious")
    said = played.says(name, str(played.folder / file))
    assert (said.code, said.out) == (1, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert played.head() == head
    assert (played.folder / "taken.db").read_text() == "precious"


def test_a_store_that_holds_something_is_not_overwritten_by_accident(played, tmp_path):
    file = tmp_path / "backup.db"
    played.does("backup", str(file))
    said = played.says("restore", str(file))
    assert said.code == 1
    assert f"holds {played.head():,} events; --replace overwrites them" in said.err


@pytest.mark.parametrize(("command", "tool"), [("backup", "pg_dump"), ("restore", "pg_restore")])
def test_postgresql_has_its_own_tools(desk, tmp_path, command, tool):
    desk.set("TROUPE_DATABASE_URL", "postgresql://troupe@db/troupe")
    said = desk.says(command, str(tmp_path / "backup.db"))
    assert said.code == 1
    assert f"PostgreSQL, whose own `{tool}` does that" in said.err


def test_a_sound_store_is_said_to_be_sound(played):
    said = played.does("verify-store")
    assert f"{played.head():,} in " in said.out
    verified = played.does("verify-store", "--json").json
    assert (verified["events"], verified["findings"]) == (played.head(), [])


def test_what_is_wrong_is_told_and_ends_with_1(desk):
    with closing(desk.open()) as store:
        store.append("run-r1", ANY, [planned("e1")], correlation="r1")
        desk.does("runs")
        with writing(store.engine) as connection:
            connection.execute(tables.runs.update().values(name="forged"))
    desk.width(200)
    said = desk.says("verify-store")
    assert said.code == 1
    assert "table runs" in said.out
    assert "`troupe projections rebuild` mends it" in said.out
    found = desk.says("verify-store", "--json")
    assert found.code == 1
    assert {finding["where"] for finding in found.json["findings"]} == {"table runs"}
    desk.does("projections", "rebuild")
    desk.does("verify-store")


def test_a_backup_whose_words_cannot_be_read_here_is_put_back_once_somebody_agrees(desk, tmp_path):
    action = Action(kind="speak", text="I keep bees.")
    with closing(desk.open()) as store:
        for name in ("p-ana", "p-bo", "p-gone"):
            said = ActionTaken(turn=1, seat=0, action=action)
            store.append("episode-e1", ANY, [sealed(said, keys_of(store.url).make(name))])
        keys_of(store.url).drop("p-gone")
    desk.does("backup", str(tmp_path / "backup.db"))
    # Here are the keys: what was erased is meant to be.
    assert "erased" not in desk.does("restore", str(tmp_path / "backup.db"), "--replace").err
    own = desk.data_dir / "keys.db"
    desk.move(tmp_path / "elsewhere")
    refused = desk.says("restore", str(tmp_path / "backup.db"))
    told = " ".join(refused.err.split())
    assert refused.code == 1
    assert "The words of all participants in this backup will read [erased]" in told
    assert not (desk.data_dir / "troupe.db").exists(), "said before it is done"
    assert "Restored" in desk.does("restore", str(tmp_path / "backup.db"), "--yes").out
    # Put beside it first, there is nothing to ask.
    (desk.data_dir / "keys.db").write_bytes(own.read_bytes())
    again = desk.does("restore", str(tmp_path / "backup.db"), "--replace")
    assert "erased" not in again.err
