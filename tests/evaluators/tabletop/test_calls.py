"""Calls for skill checks in what game masters say."""

import csv
import json
from pathlib import Path

import pytest

from evaluators.tabletop import transcripts
from evaluators.tabletop.calls.call_text import checks_in
from evaluators.tabletop.calls.cast import Cast, Names, found_cast, read_cast, split
from evaluators.tabletop.calls.samples import Label, samples_of
from evaluators.tabletop.calls.transcripts import BadTranscript, Transcript, Turn, read_transcript
from tests.properties.published import DATA

PUBLISHED = DATA / "crd3"


@pytest.mark.parametrize(
    ("text", "skills"),
    [
        ("Make a stealth check.", [("Stealth",)]),
        ("Roll arcana.", [("Arcana",)]),
        ("Make an insight.", [("Insight",)]),
        ("That'd be an investigation roll.", [("Investigation",)]),
        ("Stealth checks, both of you.", [("Stealth",)]),
        ("Go ahead and make an investigate check.", [("Investigation",)]),
        ("For you, it'd be athletics.", [("Athletics",)]),
        ("You can also attempt to make a slight of hand check.", [("Sleight of Hand",)]),
        ("Go ahead and make a-- this would be a medicine check.", [("Medicine",)]),
        ("You're at disadvantage on the stealth roll, but go for it.", [("Stealth",)]),
        ("Investigate. And you have advantage on the roll.", [("Investigation",)]),
        ("I'll need a survival check from you.", [("Survival",)]),
        ("Can I get a perception check from everybody?", [("Perception",)]),
        ("Let's see a stealth check.", [("Stealth",)]),
        ("That's going to be a religion check.", [("Religion",)]),
        ("(laughs) Intimidation check.", [("Intimidation",)]),
        ("Wren, athletics check.", [("Athletics",)]),
        ("Hit me with a history check.", [("History",)]),
        ("Make a persuasion check-- no, a performance check.", [("Performance",)]),
        ("Make a nature check. Or arcana, either one.", [("Nature", "Arcana")]),
        ("Make a survival check. And you, make an animal handling check.",
         [("Survival",), ("Animal Handling",)]),
    ],
)  # fmt: skip
def test_a_call_names_its_skills(text: str, skills: list[tuple[str, ...]]):
    assert [check.skills for check in checks_in(text)] == skills


@pytest.mark.parametrize(
    "text",
    [
        "It's the nature of the spell, all of you.",
        "Dwarves of arcane persuasion live here.",
        "Tapestries of old dwarven history hang there.",
        "No nature check required.",
        "A 19 on the medicine?",
        "And what did you roll for stealth?",
        "Yeah, using your same stealth rolls, you push forward.",
        "They have advantage on stealth checks.",
        "Those that rolled less than 20 on stealth get hit.",
        "So what's your acrobatics check? The lower of the two.",
        "Because of your investigation check, you know.",
        "He makes a perception check and sees nothing.",
        "You don't need to make a religion check.",
        "Stealth checks?",
        "I made a stealth check yesterday.",
        "Can I get a drink, my nature is weak.",
        "",
    ],
)
def test_what_is_no_call_is_none(text: str):
    assert checks_in(text) == []


def test_the_next_turn_corrects():
    call = "Yeah, go ahead and make an athletics check."
    assert checks_in(call, "Actually, I would say it's a straight strength check.") == []
    (check,) = checks_in(call, "No, sorry, make an acrobatics check.")
    assert check.skills == ("Acrobatics",)
    (check,) = checks_in(call, "And you just make a dexterity saving throw first.")
    assert check.skills == ("Athletics",)
    (check,) = checks_in(call, "You fall. Make a stealth check.")
    assert check.skills == ("Athletics",)


def test_all_are_asked_by_words():
    assert checks_in("Everyone roll a stealth check.")[0].several
    assert not checks_in("Make a stealth check.")[0].several


CAST = Cast(
    dm="DANA",
    players={"ANN": "Birch Holt", "BO": "Crake"},
    spellings={"AHN": "ANN"},
    others=["CREW"],
)


def session(*lines: tuple[str, str]) -> Transcript:
    turns = [Turn(number, (who,), text) for number, (who, text) in enumerate(lines)]
    return Transcript("one", tuple(turns))


@pytest.mark.parametrize(
    ("lines", "rule", "labels"),
    [
        ([("BO", "I look."), ("DANA", "Birch, make a stealth check.")], "named",
         [("Birch Holt", "Stealth")]),
        ([("ANN", "Hm."), ("BO", "I look."), ("DANA", "Everyone, roll perception.")], "all",
         [("Birch Holt", "Perception"), ("Crake", "Perception")]),
        ([("BO", "I look."), ("DANA", "Make an insight check."), ("AHN", "Seventeen.")], "result",
         [("Birch Holt", "Insight")]),
        ([("ANN", "Hm."), ("BO", "I look."), ("DANA", "Make an insight check.")], "before",
         [("Crake", "Insight")]),
    ],
)  # fmt: skip
def test_four_rules_say_who(lines, rule: str, labels: list[tuple[str, str]]):
    (sample,) = samples_of([session(*lines)], CAST).samples
    assert sample.rule == rule
    assert sample.labels == tuple(Label(*one) for one in labels)
    assert all("check" not in line.text for line in sample.lines), "the call is no part of it"


def test_a_call_that_asks_nobody_is_dropped_with_a_reason():
    found = samples_of([session(("DANA", "Make an insight check."))], CAST)
    assert not found.samples
    assert "nobody states a result" in found.dropped[0].why
    found = samples_of([session(("ANN", "Hello."))], CAST)
    assert "'DANA'" in found.dropped[0].why


def test_skill_names_that_players_say_are_masked():
    lines = (("BO", "Can I use stealth?"), ("DANA", "Stealth it is. Make a stealth check."))
    (sample,) = samples_of([session(*lines)], CAST, mask=True).samples
    assert sample.lines[0].text == "Can I use ____?"


def test_names_are_resolved_or_counted():
    names = Names(CAST)
    assert names.resolve(("ALL - DANA",)) == (True, ())
    assert names.resolve(("ahn", "BO")) == (False, ("Birch Holt", "Crake"))
    assert names.resolve(("CREW",)) == (False, ())
    assert names.resolve(("ZOE",)) == (False, ())
    said = [("ZOE",), ("ZOE - ahn", "ZOE"), ("BO",), ("CREW",), ("DANA",)]
    assert names.count_unknown(Turn(0, one, "") for one in said) == 3
    assert names.unknown == {"ZOE": 2}, "in turns"
    assert split("ALL - ANN - BO") == ["ALL", "ANN", "BO"]


def test_a_cast_is_found_from_who_calls():
    lines = [("ANN", "Hm."), ("DANA", "Make a stealth check.")] * 10 + [("DNAA", "So.")]
    cast = found_cast([session(*lines)])
    assert cast is not None
    assert (cast.dm, cast.players, cast.spellings) == ("DANA", {"ANN": "Ann"}, {"DNAA": "DANA"})
    assert found_cast([session(("ANN", "Hm."))]) is None


def written(folder: Path, data: object) -> Path:
    path = folder / "one.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ([], "is not"),
        ({"TURNS": []}, "is not"),
        ({"TURNS": [{"NAMES": [], "UTTERANCES": ["x"], "NUMBER": 0}]}, "NAMES|is not"),
        ({"TURNS": [{"NAMES": [" "], "UTTERANCES": ["x"], "NUMBER": 3}]}, "3 has an empty name"),
        ({"TURNS": [{"NAMES": ["A"], "UTTERANCES": ["x"], "NUMBER": n} for n in (0, 2)]},
         "turn 2 follows turn 0"),
    ],
)  # fmt: skip
def test_a_bad_transcript_says_where(tmp_path, data: object, why: str):
    with pytest.raises(BadTranscript, match=why):
        read_transcript(written(tmp_path, data))


def test_a_missing_transcript_says_so(tmp_path):
    with pytest.raises(BadTranscript, match="No such file"):
        read_transcript(tmp_path / "none.json")


def test_a_cast_table_is_checked(tmp_path):
    path = tmp_path / "cast.toml"
    path.write_text('dm = "D"\nplayers = { A = "B" }\nspellings = { X = "Y" }\n')
    with pytest.raises(ValueError, match="neither dm, player nor other"):
        read_cast(path)


def test_calls_of_our_own_transcripts_are_those_meant():
    folder = Path(transcripts.__file__).parent
    rows = csv.DictReader((folder / "calls.csv").open(encoding="utf-8"))
    right = {(row["session"], int(row["turn"]), row["skill"]) for row in rows}
    sessions = [read_transcript(path) for path in sorted(folder.glob("*.json"))]
    found = samples_of(sessions, read_cast(folder / "cast.toml"))
    labels = {(one.session, one.turn, label.skill) for one in found.samples for label in one.labels}
    assert labels == right
    assert not found.dropped
    assert len(found.samples) >= 60


@pytest.mark.published
@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published transcripts are not beside us")
def test_calls_of_published_sessions_are_those_found_by_eye():
    rows = csv.DictReader((PUBLISHED / "calls.csv").open(encoding="utf-8"))
    right = {(row["session"], int(row["turn"]), row["skill"]) for row in rows}
    found = set()
    for name in sorted({session for session, _, _ in right}):
        turns = [t for t in read_transcript(PUBLISHED / f"{name}.json").turns if "MATT" in t.names]
        for turn, after in zip(turns, [*turns[1:], turns[-1]], strict=True):
            checks = checks_in(turn.text, after.text)
            found |= {(name, turn.number, skill) for one in checks for skill in one.skills}
    assert len(found & right) >= 0.9 * max(len(found), len(right))


def asked(*lines: tuple[str, str]) -> tuple[str, ...]:
    """Whom the first call of a session asks, by the game master DANA."""
    players = {name: name.title() for name in ("ANN", "BEN", "CAT", "DEE")}
    found = samples_of([session(*lines)], Cast(dm="DANA", players=players))
    return tuple(label.who for label in found.samples[0].labels)


OTHERS = [("DEE", "Hm."), ("CAT", "Yes?"), ("BEN", "I go."), ("ANN", "Me too.")]


def test_a_session_without_the_game_master_is_dropped_with_the_reason():
    found = samples_of([session(("ANN", "Make a stealth check."))], Cast(dm="DANA", players={}))
    assert not found.samples
    (dropped,) = found.dropped
    assert dropped.why == "nobody in it is the DM, 'DANA'"
    assert found.unknown == {"ANN": 1}


def test_both_are_the_two_with_a_result_then_those_who_spoke_last():
    both = ("DANA", "Stealth checks, both of you.")
    assert asked(*OTHERS, both, ("CAT", "19."), ("DEE", "I got a 4.")) == ("Cat", "Dee")
    assert asked(*OTHERS, both, ("CAT", "19."), ("DEE", "The same.")) == ("Ann", "Cat")
    assert asked(*OTHERS, both) == ("Ann", "Ben")
    three = ("DANA", "The three of you make a stealth check.")
    assert asked(*OTHERS, three) == ("Ann", "Ben", "Cat")
    everyone = ("DANA", "Everyone. Everyone. Make a stealth check.")
    assert asked(*OTHERS, everyone) == ("Ann", "Ben", "Cat", "Dee")


def test_words_of_another_clause_do_not_say_who_is_asked():
    swoop = ("DANA", "So as you guys swoop in-- You're riding, go ahead and make a stealth check.")
    assert asked(*OTHERS, swoop, ("CAT", "12.")) == ("Cat",)
    party = ("DANA", "As the party you follow comes in, make another stealth check.")
    assert asked(*OTHERS, party) == ("Ann",)


def test_a_result_belongs_to_the_call_before_it():
    first, second = ("DANA", "Insight check."), ("DANA", "Make a nature check.")
    assert asked(*OTHERS, first, second, ("CAT", "14.")) == ("Ann",)
    assert asked(*OTHERS, first, ("DANA", "Insight check."), ("CAT", "14.")) == ("Cat",)
    chat = ("BEN", "No, remember that one time.")
    assert asked(*OTHERS, first, chat, ("CAT", "A natural one.")) == ("Cat",)


def test_a_skill_named_after_a_check_without_one_is_a_call():
    assert [one.skills for one in checks_in("I believe it's survival.")] == [("Survival",)]
    assert not checks_in("I believe it's nature that wins.")
    assert not checks_in("It's survival.")


@pytest.mark.published
@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published transcripts are not beside us")
def test_calls_of_two_more_published_sessions_are_those_found_by_eye():
    """Turn numbers, skills and who, read in the transcripts of two sessions."""
    path = Path(__file__).with_name("crd3_calls.csv")
    rows = list(csv.DictReader(path.open(encoding="utf-8")))
    players = ("LAURA", "LIAM", "TRAVIS", "MARIHSA", "ASHLEY", "ORION", "TALIESIN", "SAM")
    cast = Cast(dm="MATT", players={one: one for one in players}, others=["ZAC", "LUCAS"])
    sessions = [read_transcript(PUBLISHED / f"{one}.json") for one in ("C1E005", "C1E006")]
    found = {(one.session, one.turn): one for one in samples_of(sessions, cast).samples}
    right = {(row["session"], int(row["turn"])): row for row in rows}
    assert len(right) == 48
    skills = {key: set(row["skill"].split("|")) for key, row in right.items()}
    hit = sum(
        {label.skill for label in found[key].labels} == skills[key] for key in found.keys() & right
    )
    assert hit >= 0.97 * len(found)
    assert hit >= 0.97 * len(right)
    assert [key for key in right if found[key].several != (right[key]["scope"] == "several")] == []
    single = [key for key, row in right.items() if row["who"]]
    named = sum(
        {label.who for label in found[key].labels} == set(right[key]["who"].split("|"))
        for key in single
    )
    assert named >= 0.85 * len(single)
