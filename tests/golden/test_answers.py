"""Answers of real models are read as they were."""

from collections import Counter

import msgspec
import pytest

from tests.golden.answers import FOLDER, answers, cases, changes, difference, read_again

ALL = answers()


def test_every_golden_answer_is_read_as_the_file_says():
    found = [f"line {number}, {now.case}\n{difference(old, now)}" for number, old, now in changes()]
    assert not found, (
        f"{len(found)} answers are read in another way than before. Where that is meant, "
        "`python -m tests.golden.answers --update` writes the new readings.\n" + "\n".join(found)
    )


def test_there_are_answers_of_every_kind_read_and_not():
    known = cases()
    assert len(ALL) >= 300
    kinds = Counter((known[one.case].kind, known[one.case].environment) for one in ALL)
    assert set(kinds) >= {
        ("act", "social"),
        ("act", "worldtree"),
        ("act", "sandbox"),
        ("judge", "social"),
        ("note", "social"),
        ("interview", "social"),
        ("form", ""),
    }
    assert {known[one.case].language for one in ALL} == {"en", "zh"}
    assert {one.schema for one in ALL} == {True, False}
    assert all((one.read is None) == bool(one.fault) for one in ALL)
    assert {known[one.case].case for one in ALL} == set(known), "a case without an answer"
    assert sum(path.stat().st_size for path in FOLDER.glob("*.jsonl")) < 1_500_000


@pytest.mark.parametrize("schema", [True, False])
def test_another_text_for_a_golden_answer_is_read_in_another_way(schema: bool):
    known = cases()
    one = next(
        one
        for one in ALL
        if one.schema is schema
        and known[one.case].environment == "social"
        and known[one.case].kind == "act"
    )
    text = '{"kind": "speak", "text": "Good evening.", "to": []}'
    now = read_again(known[one.case], msgspec.structs.replace(one, text=text, finish_reason="stop"))
    assert (now.fault, now.read["text"]) == ("", "Good evening.")
