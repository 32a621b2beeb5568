"""Rehearsal minds that remember: what is found, that it is said, and that nothing else changes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.social.catalog.needed_facts import needed_by, says
from actors.social.catalog_items import Scenario
from actors.social.rehearsal import TEMPERS, RehearsalMind, choose
from actors.social.rehearsal.recall import LONGEST, MOST, Recollection, recollections
from actors.social.rehearsal.tempers import temper_named
from actors.social.sight import background
from tests.actors.social.meetings import HARD, TEACHING, accounts, meeting, meetings, notes
from tests.actors.social.stage import STARTER, Played, cast, play

ASKED = "Remember which dish the other would eat, and say it. Then go home."
FULL = """Episode 1
The situation: A kitchen where a dish is burning. Nobody would eat it.
Your goal: Remember which dish the other would eat.
Turn 1. Ada Reyes said: "Which dish would you eat?"
Turn 2. Ben Okafor said: "Hello. The dish I would eat is quinces in wine. My aunt made it."
Turn 3. Ada Reyes whispered to Ben Okafor: "The dish I eat is plain bread, always."
Turn 4. Ben Okafor [action] eats a dish of nuts"""
NOTE = (
    "Episode 1\nWhat happened: We agreed on nothing. I wanted this: “Find the dish to eat.” "
    "I said: “Plain bread is the dish I eat.”\n"
    "Learnt about the others: Ben Okafor said: “Hello. The dish I would eat is quinces in wine.” "
    "He was hungry."
)


def remembered(memory: str, goal: str = ASKED, me: str = "Ada Reyes") -> tuple[Recollection, ...]:
    return recollections(memory, goal, me)


@pytest.mark.parametrize("memory", [FULL, NOTE])
def test_what_the_other_said_is_found_by_the_words_of_the_question(memory):
    (found,) = remembered(memory)
    assert found.source == "told"
    assert found.text.startswith("The dish I would eat is quinces in wine.")


def test_what_oneself_said_is_known_for_one_s_own():
    (found,) = remembered(FULL, "Remember what bread is the dish that you eat always.")
    assert found == Recollection("own", "The dish I eat is plain bread, always.")
    (noted,) = remembered(NOTE, "Remember what plain bread has to do with the dish.")
    assert noted.source == "own"


def test_a_note_s_own_words_are_remembered_as_noted():
    (found,) = remembered(
        "What happened: Ben likes quinces in wine best.", "Remember Ben and quinces."
    )
    assert found == Recollection("noted", "Ben likes quinces in wine best.")


def test_an_answer_is_remembered_with_the_question_before_it():
    memory = 'Turn 1. Ben Okafor said: "Which dish would I eat? Quinces, in wine. So there."'
    (found,) = remembered(memory)
    assert found.text == "Which dish would I eat? Quinces, in wine. So there."


@pytest.mark.parametrize(
    ("memory", "goal"),
    [
        ("", ASKED),
        (FULL, "You remember little. Say which dish the other would eat."),
        (FULL, "Remember the harbour master's accordion."),
        ('Turn 1. Ben Okafor said: "Which dish would you eat?"', ASKED),
        ('Turn 1. Ben Okafor said: "You told me: “the dish to eat is stew.”"', ASKED),
        ("Turn 1. Ben Okafor [action] eats the dish of quinces in wine", ASKED),
        (NOTE.partition("Learnt")[0].partition("I said")[0], "Remember to find the dish to eat."),
    ],
    ids=[
        "no memory",
        "no question",
        "other words",
        "a question",
        "a quotation",
        "a deed",
        "a goal",
    ],
)
def test_where_nothing_said_answers_a_question_nothing_is_remembered(memory, goal):
    assert remembered(memory, goal) == ()


def test_several_questions_are_answered_in_their_order_and_never_too_many_or_too_long():
    said = "\n".join(
        f'Turn {n}. Ben Okafor said: "{"word " * n}{name} lives in {place}. {"More. " * 90}"'
        for n, (name, place) in enumerate(
            [("Aurel", "Oslo"), ("Bruno", "Rome"), ("Carla", "Cork"), ("Dario", "Bonn")], 1
        )
    )
    goal = " ".join(
        f"Remember where {name} lives." for name in ("Bruno", "Dario", "Carla", "Aurel")
    )
    found = remembered(said, goal)
    assert [one.text.partition(" lives")[0].split()[-1] for one in found] == [
        "Bruno", "Dario", "Carla",
    ][:MOST]  # fmt: skip
    assert all(len(one.text) <= LONGEST + len(one.text.split()) for one in found)


# ---------------------------------------------------------------- in episodes


def facts_used(scenario: Scenario, played: Played) -> int:
    return sum(
        any(says(text, fact.keys) for text in played.said(seat))
        for seat in range(2)
        for fact in needed_by(scenario, seat)
    )


@pytest.fixture(scope="module")
def past() -> dict[tuple[str, str], list[Played]]:
    """What two minds lived through, by their tempers."""
    pairs = [("generous", "stubborn"), ("candid", "wily"), ("guarded", "generous")]
    return {pair: meetings(TEACHING, pair, seed=place) for place, pair in enumerate(pairs)}


@pytest.mark.parametrize("scenario", HARD, ids=lambda scenario: scenario.id)
def test_with_memories_the_facts_of_a_hard_scenario_are_said_and_without_them_never(scenario, past):
    needed = sum(len(needed_by(scenario, seat)) for seat in range(2))
    for pair, lived in past.items():
        for tell in (accounts, notes):
            memories = [tell(lived, seat) for seat in range(2)]
            played = play(meeting(scenario.id, 7), pair, memories)
            assert facts_used(scenario, played) == needed or tell is notes
        assert facts_used(scenario, play(meeting(scenario.id, 7), pair)) == 0


def test_short_notes_keep_less_than_long_ones(past):
    def used(words: tuple[int, int]) -> int:
        found = 0
        for pair, lived in past.items():
            memories = [notes(lived, seat, words) for seat in range(2)]
            for scenario in HARD:
                found += facts_used(scenario, play(meeting(scenario.id, 7), pair, memories))
        return found

    asked = len(past) * sum(len(s.needs) for s in HARD)
    assert used((40, 50)) < used((200, 300)) <= asked
    assert used((200, 300)) > 0.7 * asked


@pytest.mark.parametrize("scenario", HARD, ids=lambda scenario: scenario.id)
def test_a_hard_scenario_is_settled_by_who_remembers_and_by_nobody_else(scenario, past):
    from actors.social.rehearsal.notes import Notes
    from actors.social.sight import view

    def settled(played: Played) -> bool:
        taken = Notes(played.scenes[0].background)
        for line in view(played.history, 0).lines:
            taken.take(line)
        return taken.settled

    with_memory = []
    for pair, lived in past.items():
        memories = [accounts(lived, seat) for seat in range(2)]
        with_memory.append(settled(play(meeting(scenario.id, 7), pair, memories)))
        assert not settled(play(meeting(scenario.id, 7), pair))
    assert any(with_memory)


@given(
    task=st.sampled_from([t for t, task in STARTER.tasks.items() if len(task.characters) == 2]),
    temper=st.sampled_from(sorted(TEMPERS)),
    seed=st.integers(0, 2**32),
)
@settings(deadline=None)
def test_memories_that_no_goal_asks_for_give_nothing_to_say(task, temper, seed):
    started = cast(task, seed=seed)
    if started.setup.scenario.needs:
        return
    played = play(started, [temper, temper], [FULL, NOTE])
    assert not any("quinces" in text for text in played.said())


def test_what_is_remembered_is_said_once_and_the_same_each_time(past):
    (pair, lived), *_ = past.items()
    memories = [accounts(lived, seat) for seat in range(2)]
    started = meeting("thank_you_supper", 7)
    played, again = (play(started, pair, memories) for _ in range(2))
    assert played.taken == again.taken
    told = [text for text in played.said(0) if "saffron" in text]
    assert len(told) == len(set(told)) >= 1
    assert played.end.ended == "left"


def test_notes_kept_turn_by_turn_remember_as_the_whole_scene_does(past):
    (pair, lived), *_ = past.items()
    memories = [accounts(lived, seat) for seat in range(2)]
    played = play(meeting("two_questions", 7), pair, memories)
    scene, own = played.scenes[0], [t for t in played.taken if t.seat == 0]
    mind, temper = RehearsalMind(pair[0]), temper_named(pair[0])
    whole = list(scene.seen)
    for taken in own:
        scene.turn = taken.turn
        scene.seen[:] = [line for line in whole if line.turn < taken.turn]
        assert mind.choose(scene) == choose(scene, temper, 7) == taken.action


def test_a_seat_is_shown_its_memory_and_not_what_its_scenario_needs(past):
    (_, lived), *_ = past.items()
    memory = accounts(lived, 0)
    for scenario in HARD:
        shown = background("e1", meeting(scenario.id), 0, memory)
        assert shown.memory == memory
        for fact in scenario.needs:
            text = f"{shown.context}\n{shown.goal}"
            assert fact.text not in text
            assert not says(text, fact.keys)
