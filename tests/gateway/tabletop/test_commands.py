"""Tables at the command line: calls in transcripts, the SRD's lists, a plan that is played."""

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from evaluators.tabletop import transcripts
from evaluators.tabletop.calls.samples import CallSample
from tests.evaluators.tabletop.test_fireball import SESSION, written
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused
from tests.properties.published import DATA

OWN = Path(transcripts.__file__).parent
SRD = DATA / "srd"
PLAN = """
environment = "tabletop"
catalog = "tavern"
[tasks]
ids = ["exchange-1", "exchange-2"]
[tabletop]
turns = 20
baseline = true
[minds.open]
kind = "rehearsal"
temper = "open"
[judges]
use = ["information-rule"]
"""


def test_calls_are_written_as_samples(desk: Desk) -> None:
    out = desk.folder / "calls.jsonl"
    cast = str(OWN / "cast.toml")
    said = desk.does("tabletop", "calls", str(OWN), "--cast", cast, "-o", str(out)).out
    assert "79 calls" in said
    lines = out.read_bytes().splitlines()
    samples = [msgspec.json.decode(line, type=CallSample) for line in lines]
    assert len(samples) == 79
    assert all(len(one.lines) <= 30 and one.labels for one in samples)
    told = desk.does("tabletop", "calls", str(OWN), "--cast", cast, "--json").json
    assert (told["calls"], told["dropped"]) == (79, [])
    assert sum(told["rules"].values()) == 79
    by_name = desk.does(
        *("tabletop", "calls", str(OWN), "--cast", cast, "--rule", "named", "--json")
    ).json
    assert set(by_name["rules"]) == {"named"}
    assert by_name["calls"] + len(by_name["dropped"]) == 79


def test_what_is_no_transcript_is_refused(desk: Desk) -> None:
    odd = desk.folder / "odd.json"
    odd.write_text(json.dumps({"TURNS": [{"NAMES": ["A"], "UTTERANCES": ["Hi."], "NUMBER": 0}]}))
    assert "nobody calls for a skill check" in refused(desk, "tabletop", "calls", str(odd))
    odd.write_text("{}")
    assert "TURNS" in refused(desk, "tabletop", "calls", str(odd))
    odd.write_text(" \n")
    assert "is empty" in refused(desk, "tabletop", "calls", str(odd))
    for binary in (b"\0\1", b'{"TURNS": "\xff"}'):
        odd.write_bytes(binary)
        assert "is not a text file" in refused(desk, "tabletop", "calls", str(odd))
    empty = desk.folder / "empty"
    empty.mkdir()
    assert "no .json file" in refused(desk, "tabletop", "calls", str(empty))


def test_transcripts_and_casts_are_not_written_over(desk: Desk) -> None:
    folder = desk.folder / "own"
    shutil.copytree(OWN, folder)
    cast = folder / "cast.toml"
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    for out in (cast, *sorted(folder.glob("*.json"))[:1]):
        given = ("tabletop", "calls", str(folder), "--cast", str(cast), "-o", str(out))
        assert "is another file of this command" in refused(desk, *given)
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize(
    ("cast", "why"),
    [
        ('dm = "NOBODY"\n[players]\nPRIYA = "Wren"', "'NOBODY' says nothing"),
        ('dm = "HANNEKE"\n[players]\nHanneke = "Wren"', "Hanneke is the dm too"),
        ('dm = "HANNEKE"\n[players]\nPRIYA = "Wren"\nMALIK = "wren"', "both play wren"),
        ('dm = "HANNEKE"\n[players]\nPRIYA = "DM"', "is DM, which means the game master"),
        ('dm = "HANNEKE"\n[players]\nPRIYA = " "', "has no name"),
    ],
)
def test_a_cast_that_cannot_be_right_is_refused(desk: Desk, cast: str, why: str) -> None:
    path = desk.file("cast.toml", cast)
    said = refused(desk, "tabletop", "calls", str(OWN), "--cast", path, "-o", "none.jsonl")
    assert why in said


def test_a_call_before_which_nothing_was_said_is_dropped(desk: Desk) -> None:
    said = [("ANN", "Bo, make a stealth check."), ("BOB", "Twelve.")]
    turns = [
        {"NAMES": [who], "UTTERANCES": [text], "NUMBER": number}
        for number, (who, text) in enumerate(said)
    ]
    path = desk.file("first.json", json.dumps({"TURNS": turns}))
    cast = desk.file("cast.toml", 'dm = "ANN"\n[players]\nBOB = "Bo"')
    told = desk.says("tabletop", "calls", path, "--cast", cast, "--json")
    assert told.code == 4
    assert [one["why"] for one in told.json["dropped"]] == ["nothing was said before it"]


def test_a_session_counts_once(desk: Desk) -> None:
    first = sorted(OWN.glob("*.json"))[0]
    copy = shutil.copyfile(first, desk.folder / "copy.json")
    for again in (first, copy):
        assert "give each session once" in refused(
            desk, "tabletop", "calls", str(first), str(again)
        )


def test_players_who_are_left_out_are_counted_in_turns(desk: Desk) -> None:
    cast = desk.file("cast.toml", 'dm = "HANNEKE"\nothers = ["DESMOND"]\n[players]\nPRIYA = "Wren"')
    said = desk.does("tabletop", "calls", str(OWN), "--cast", cast, "--json").json
    turns = [
        turn["NAMES"]
        for path in OWN.glob("*.json")
        for turn in json.loads(path.read_bytes())["TURNS"]
    ]
    assert said["unknown_names"]["MALIK"] == sum("MALIK" in names for names in turns)
    err = " ".join(desk.does("tabletop", "calls", str(OWN), "--cast", cast).err.split())
    assert "more than a fifth" in err
    assert f"({said['unknown_names']['MALIK']} turns)" in err
    whole = desk.does("tabletop", "calls", str(OWN), "--cast", str(OWN / "cast.toml"))
    assert "fifth" not in whole.err


def test_without_samples_no_file_is_written(desk: Desk) -> None:
    turn = {"NAMES": ["ANN"], "UTTERANCES": ["Hello there."], "NUMBER": 0}
    quiet = desk.file("quiet.json", json.dumps({"TURNS": [turn]}))
    cast = desk.file("cast.toml", 'dm = "ANN"\n[players]\nBOB = "Bo"')
    out = desk.folder / "calls.jsonl"
    for more in ((), ("--json",)):
        said = desk.says("tabletop", "calls", quiet, "--cast", cast, "-o", str(out), *more)
        assert said.code == 4
        assert "is not written" in " ".join(said.err.split())
    assert not out.exists()


def test_checks_that_a_bot_recorded_are_read(desk: Desk) -> None:
    folder = desk.folder / "fireball"
    folder.mkdir()
    written(folder, SESSION)
    (folder / "notes.txt").write_text("none")
    given = ("tabletop", "calls", str(folder), "--format", "fireball")
    told = desk.does(*given, "--json").json
    assert (told["calls"], told["turns"], told["rules"]) == (3, 5, {"recorded": 3})
    assert len(told["dropped"]) == 3
    out = desk.folder / "calls.jsonl"
    said = desk.does(*given, "-o", str(out))
    assert "who, by rule recorded" in said.out
    assert "Somebody is no known character" in said.err
    assert len(out.read_bytes().splitlines()) == 3
    cast = str(OWN / "cast.toml")
    assert "who checks what" in refused(desk, *given, "--cast", cast)
    assert "who checks what" in refused(desk, *given, "--rule", "named")
    record = ("tabletop", "calls", str(OWN), "--rule", "recorded")
    assert "--format fireball" in refused(desk, *record)
    assert "no turn of FIREBALL" in refused(desk, "tabletop", "calls", cast, *given[-2:])
    assert "no .jsonl file" in refused(desk, "tabletop", "calls", str(OWN), *given[-2:])


def test_a_plan_is_played_and_scored(desk: Desk) -> None:
    plan = desk.folder / "plan.toml"
    plan.write_text(PLAN)
    said = desk.does("run", str(plan)).out
    assert "Learned" in said
    assert "episodes failed" not in said or "0 of 2" in said


def test_a_plan_with_more_sessions_than_sheets_is_refused_unless_it_reuses_them(
    desk: Desk,
) -> None:
    folder = desk.folder / "few"
    desk.does("catalog", "export", "tavern", "-o", str(folder))
    sheets = folder / "sheets.toml"
    text = sheets.read_text()
    sheets.write_text("[[sheet]]" + text.split("\n[[sheet]]")[1])
    catalog = folder / "catalog.toml"
    catalog.write_text(catalog.read_text().replace("tavern", "few"))
    desk.does("catalog", "import", str(folder))
    plan = desk.folder / "plan.toml"
    plan.write_text(PLAN.replace("tavern", "few"))
    why = refused(desk, "run", str(plan))
    assert "task 'exchange-2' cannot begin" in why
    assert "more exchange sessions than sheets" in why
    assert "reuse = true" in why
    plan.write_text(PLAN.replace("tavern", "few").replace("[tabletop]", "[tabletop]\nreuse = true"))
    desk.does("run", str(plan), "--dry-run")


def test_the_srd_is_a_folder(desk: Desk) -> None:
    assert "5e-bits/5e-database" in refused(desk, "import", "srd", str(desk.folder / "none"))


@pytest.mark.published
@pytest.mark.skipif(not SRD.exists(), reason=f"the SRD's lists are not in {SRD}")
def test_lists_of_the_srd_become_characters(desk: Desk) -> None:
    said = desk.does("import", "srd", str(SRD))
    assert "300 characters" in said.out
    assert "9 races, 4 subraces, 12 classes, 13 backgrounds" in said.err
    again = desk.does("import", "srd", str(SRD), "--json").json
    assert again["outcome"] == "unchanged"
    folder = desk.folder / "srd"
    shutil.copytree(SRD, folder)
    (folder / "5e-SRD-Races.json").chmod(0o644)
    (folder / "5e-SRD-Races.json").write_text("[]")
    assert "5e-SRD-Races.json: the list is empty" in refused(desk, "import", "srd", str(folder))
