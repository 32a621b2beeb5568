"""Rehearsal minds that have met before: how they begin, what they hold each other to, what they do
not say twice. Without a memory none of it is there."""

import re
from functools import partial

import pytest

from actors.social.language.utterances import read, sentences
from actors.social.rehearsal import RehearsalMind, choose
from actors.social.rehearsal.acquaintance import (
    LATEST,
    OLDER,
    Acquaintance,
    _read,
    acquaintance,
    kept,
    remembered,
    was_said,
)
from actors.social.rehearsal.notes import openings
from actors.social.rehearsal.parts import familiar, voices
from actors.social.rehearsal.tempers import temper_named
from tests.actors.social.meetings import CAST, HARD, accounts, meeting, notes, remembering
from tests.actors.social.stage import Played, play

PLACES = (
    "the_envelope", "hive_price", "lent_coat", "night_accordion", "quiz_ham", "the_medal",
    "the_eulogy", "dry_fortnight", "the_envelope", "hive_price", "box_room", "the_envelope",
)  # fmt: skip
SPOKEN_OF = [
    re.compile(".*?".join(map(re.escape, re.split(r"“?\{n\}”?|\{,you\}", line))))
    for warm in (True, False)
    for lines in familiar(warm).values()
    for line in lines
]
MEANT = {"here_deal": {"offer"}, "here_yes": {"agreement", "offer"}}
"""What the lines of a move may do besides thanking, asking and apologising."""
FREE = {"question", "thanks", "apology", "goodbye"}


def familiar_in(text: str) -> bool:
    return any(pattern.search(text) for pattern in SPOKEN_OF)


def confessions(chain: list[Played]) -> int:
    told = 0
    for seat, who in enumerate(CAST):
        whole = [part for line in voices()[who].confess for part in sentences(line)]
        long = [part for part in whole if len(part) > 30]
        told += sum(any(part in text for part in long for text in p.said(seat)) for p in chain)
    return told


@pytest.fixture(scope="module")
def lived() -> dict[str, list[Played]]:
    """The same meetings with notes, with whole accounts, and with no memory."""
    tempers = ("candid", "generous")
    tell = {"notes": notes, "accounts": accounts, "nothing": lambda *_: ""}
    return {name: remembering(PLACES, tempers, one) for name, one in tell.items()}


# ---------------------------------------------------------------- the lines


@pytest.mark.parametrize("warm", [True, False])
def test_lines_do_what_they_are_for_and_no_two_begin_alike(warm):
    seen: list[str] = []
    for move, lines in familiar(warm).items():
        for line in lines:
            filled = line.replace("{,you}", ", Maya").replace("{n}", "Pola")
            reading = read(filled)
            does = {flag for flag in reading.__struct_fields__ if getattr(reading, flag) is True}
            assert does - FREE <= MEANT.get(move, set()), line
            assert does >= MEANT.get(move, set()) - {"offer"} or move == "here_deal", line
            assert not reading.amounts, line
            assert not set("{}<>") & set(filled), line
            if not line.startswith("“") and move != "here_yes":
                seen.append(openings(filled)[0])
    assert len(seen) == len(set(seen)), sorted({one for one in seen if seen.count(one) > 1})
    pools = familiar(warm)
    assert len(pools["ask_after"]) == len(pools["answer_after"])


# ---------------------------------------------------------------- with a memory and without


def test_who_remembers_begins_with_what_lies_between_them_and_strangers_never_do(lived):
    for memory in ("notes", "accounts"):
        for played in lived[memory][1:]:
            assert all(familiar_in(taken.action.text) for taken in played.taken[:1])
        assert not any(familiar_in(text) for text in lived[memory][0].said())
    assert not any(familiar_in(text) for played in lived["nothing"] for text in played.said())


def test_nobody_tells_their_secret_twice_in_a_chain_that_is_remembered(lived):
    assert confessions(lived["nothing"]) > 2
    for memory in ("notes", "accounts"):
        assert 1 <= confessions(lived[memory]) <= 2, "once each, at most"


def test_what_was_agreed_in_a_place_is_agreed_there_again_and_sooner(lived):
    for memory in ("notes", "accounts"):
        first, again = lived[memory][1], lived[memory][9]
        assert len(again.taken) < len(first.taken)
        assert not set(first.said()) & set(again.said())
        proposed = [text for text in again.said() if "“" in text]
        assert proposed
        quoted = proposed[0].partition("“")[2].rstrip("”")
        assert any(quoted in text for text in first.said())


def test_the_third_time_they_ask_after_each_other_first(lived):
    asked = familiar(True)["ask_after"]
    (question,) = [text for text in lived["notes"][11].said() if text in asked]
    said = lived["notes"][11].said()
    answer = familiar(True)["answer_after"][asked.index(question)]
    assert said[said.index(question) + 1] == answer


def test_no_line_comes_round_again_as_often_as_among_strangers(lived):
    def repeated(chain: list[Played]) -> float:
        said = [text for played in chain for text in played.said()]
        return 1 - len(set(said)) / len(said)

    assert repeated(lived["notes"]) < 0.5 * repeated(lived["nothing"])


def test_remembered_meetings_are_played_the_same_each_time_and_turn_by_turn(lived):
    memories = [notes(lived["notes"][:9], seat) for seat in range(2)]
    tempers = ("candid", "generous")
    played, again = (play(meeting("hive_price", 4), tempers, memories) for _ in range(2))
    assert played.taken == again.taken
    scene = played.scenes[0]
    whole, mind = list(scene.seen), RehearsalMind("candid")
    for taken in (t for t in played.taken if t.seat == 0):
        scene.turn = taken.turn
        scene.seen[:] = [line for line in whole if line.turn < taken.turn]
        assert mind.choose(scene) == choose(scene, temper_named("candid"), 4) == taken.action


# ---------------------------------------------------------------- what a memory says of somebody


def known_by(memory: str, **fields: object) -> Acquaintance | None:
    return acquaintance(remembered(memory), **fields)


KNOWN = partial(
    known_by,
    other="Ben Okafor",
    me="Ada Reyes",
    context="A kitchen where a dish is burning. It is late.",
    goal="Be fed.",
    names=frozenset({"ada", "reyes", "ben", "okafor"}),
)
PROMISE = "I'll bring the ladder round on my bicycle."
NOTE = f"""Episode 7
What happened: We came to an agreement. Ben Okafor had offered “What if we shared it?” and I said yes. The situation: “A kitchen where a dish is burning.”
Learnt about the others: Ben Okafor said: “{PROMISE} I've told no one this, but I owe it to Pola.”"""  # noqa: E501


def test_a_note_says_how_it_ended_what_was_promised_and_what_was_confided():
    known = KNOWN(NOTE)
    assert (known.met, known.agreed, known.promised) == (7, True, (PROMISE,))
    assert (known.confided, known.name) == (True, "Pola")
    assert (known.here, known.terms) == (1, "What if we shared it?")
    elsewhere = KNOWN(NOTE, context="A tram.")
    assert (elsewhere.here, elsewhere.terms) == (0, "")


def test_nobody_is_known_by_a_memory_that_does_not_name_them():
    assert KNOWN("") is None
    assert KNOWN(NOTE, other="Cy Young") is None
    assert KNOWN("Ben Okafor is my neighbour, I think.").promised == ()


LONG = "\n\n".join(NOTE.replace("Episode 7", f"Episode {number}") for number in range(1, 301))


def test_of_a_long_memory_only_those_episodes_are_read_that_come_to_mind():
    _read.cache_clear()
    known = KNOWN(LONG)
    assert (known.met, known.here, known.promised) == (300, 300, (PROMISE,))
    assert 0 < _read.cache_info().misses <= LATEST + OLDER + 1


def test_what_was_said_aloud_is_found_without_reading_all_of_a_long_memory():
    _read.cache_clear()
    memory = remembered(LONG)
    assert was_said(PROMISE.upper(), memory)
    assert was_said(PROMISE, memory, 2)
    assert not was_said("Nobody says this.", memory)
    assert _read.cache_info().misses == 2
    assert was_said(PROMISE, memory, 300)
    assert not was_said(PROMISE, memory, 301)
    # It stands in every note, and nobody said it.
    assert not was_said("we came to an agreement.", memory)


def test_where_remembering_is_the_task_nothing_of_what_was_said_is_given_away():
    known = KNOWN(NOTE, goal="Neither help nor hint; see whether you were listened to.")
    assert known.met == 7
    assert (known.promised, known.terms, known.confided, known.name) == ((), "", False, "")


def test_in_hard_scenarios_nobody_s_greeting_tells_what_another_must_remember():
    past = remembering([fact.taught_by for s in HARD for fact in s.needs], ("candid", "wily"))
    for scenario in HARD:
        memories = [notes(past, seat) for seat in range(2)]
        played = play(meeting(scenario.id, 7), ("candid", "wily"), memories)
        for taken in played.taken[:2]:
            assert "“" not in taken.action.text


def test_most_promises_are_kept_and_whether_one_was_follows_from_its_words():
    promises = [f"I'll bring you the {number}th ladder." for number in range(300)]
    assert 0.55 < sum(map(kept, promises)) / 300 < 0.78
    assert [kept(one) for one in promises] == [kept(one) for one in promises]


def test_who_is_held_to_a_promise_answers_for_it():
    own = NOTE.replace("Ben Okafor said: “" + PROMISE, f"I said: “{PROMISE}” Ben Okafor said: “")
    known = KNOWN(own)
    assert PROMISE in known.own
    assert known.promised == ()
