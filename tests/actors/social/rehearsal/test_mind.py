"""Rehearsal minds: exact, quick to end, never twice the same line, in any situation."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.mind import Scene
from actors.social.actions import ACT, action_fault
from actors.social.language.utterances import leaks, read
from actors.social.rehearsal import TEMPERS, RehearsalMind, choose, temper_named
from actors.social.sight import background
from actors.social.views import SeenAction
from tests.actors.social.stage import STARTER, Played, cast, play
from tests.support.builders import with_setup

TASKS = tuple(STARTER.tasks)
PAIRS = tuple(t for t in TASKS if len(STARTER.tasks[t].characters) == 2)
TRIOS = tuple(t for t in TASKS if len(STARTER.tasks[t].characters) == 3)
PUBLISHED = Path(__file__).parents[5] / "shared" / "data" / "sotopia"

tempers = st.sampled_from(sorted(TEMPERS))
seeds = st.integers(min_value=-(2**63), max_value=2**63 - 1)


def rehearse(task: str, names: list[str], seed: int = 1, **rules: object) -> Played:
    started = cast(task, seed=seed, **rules)
    return play(started, names[: len(started.setup.cast)])


def seen_action(number: int, seat: int, text: str, kind: str = "speak") -> SeenAction:
    return SeenAction(
        number=number, turn=number, seat=seat, label=f"Person {seat}", kind=kind, text=text
    )


# ---------------------------------------------------------------- exactness


@given(task=st.sampled_from(TASKS), names=st.lists(tempers, min_size=3, max_size=3), seed=seeds)
@settings(deadline=None)
def test_the_same_seed_plays_the_same_episode(task, names, seed):
    assert rehearse(task, names, seed).taken == rehearse(task, names, seed).taken


def test_another_seed_plays_another_episode():
    played = {tuple(rehearse(TASKS[0], ["wily", "candid"], seed).said()) for seed in range(8)}
    assert len(played) > 4


@given(
    task=st.sampled_from(TASKS),
    temper=tempers,
    seed=st.integers(0, 2**32),
    others=st.lists(
        st.tuples(
            st.sampled_from(["speak", "non_verbal", "physical", "none", "leave"]),
            st.one_of(
                st.text(max_size=80),
                st.sampled_from(
                    [
                        "Deal.", "How about 500?", "No, that's too low.", "You're a selfish liar!",
                        "Why?", "I've told no one this before.", "What if we split it, half each?",
                    ]
                ),
            ),
        ),
        max_size=12,
    ),
)  # fmt: skip
@settings(deadline=None)
def test_notes_kept_turn_by_turn_choose_as_the_whole_scene_does(task, temper, seed, others):
    started = cast(task, seed=seed)
    scene = Scene(
        background=background("e1", started, 0), seen=[], turn=0, question=ACT, seat=0, seats=2
    )
    mind, number = RehearsalMind(temper), 0
    for kind, text in others:
        number += 1
        scene.turn = number
        action = mind.choose(scene)
        assert action == choose(scene, TEMPERS[temper], seed)
        assert action_fault(ACT, action, 0, len(started.setup.cast)) is None
        scene.seen.append(seen_action(number, 0, action.text, action.kind))
        number += 1
        scene.seen.append(seen_action(number, 1, "" if kind == "none" else text, kind))


def test_a_mind_given_another_scene_forgets_the_first():
    started = cast(PAIRS[0], seed=3)
    one = Scene(
        background=background("e1", started, 0), seen=[], turn=1, question=ACT, seat=0, seats=2
    )
    mind = RehearsalMind("wily")
    first = mind.choose(one)
    one.seen.append(seen_action(2, 0, first.text, first.kind))
    one.turn = 3
    mind.choose(one)
    fresh = Scene(
        background=background("e2", started, 0), seen=[], turn=1, question=ACT, seat=0, seats=2
    )
    assert mind.choose(fresh) == first


def test_a_seed_of_its_own_overrides_the_episode_s():
    started = cast(PAIRS[0], seed=3)
    scene = Scene(
        background=background("e1", started, 0), seen=[], turn=1, question=ACT, seat=0, seats=2
    )
    assert RehearsalMind("wily", seed=9).choose(scene) == choose(scene, TEMPERS["wily"], 9)


def test_an_unknown_temper_is_refused_with_those_there_are():
    with pytest.raises(match="'bold'; there are generous, candid"):
        temper_named("bold")
    assert temper_named("").name == "generous"


# ---------------------------------------------------------------- episodes


@pytest.mark.parametrize("task", TASKS)
def test_starter_episodes_end_before_the_cap_and_repeat_nothing(task):
    casts = [["generous", "stubborn", "guarded"], ["candid", "wily", "generous"],
             ["stubborn", "stubborn", "wily"], ["guarded", "candid", "candid"]]  # fmt: skip
    for seed, names in enumerate(casts * 2):
        played = rehearse(task, names, seed)
        assert played.end.ended == "left", played.said()
        assert 5 <= played.end.turn <= 20
        said = played.said()
        assert len(said) == len(set(said)), said
        for text in said:
            assert not set("{}<>") & set(text), text
            assert "  " not in text


@given(task=st.sampled_from(TASKS), names=st.lists(tempers, min_size=3, max_size=3), seed=seeds)
@settings(deadline=None)
def test_nobody_speaks_of_a_secret_that_is_not_theirs(task, names, seed):
    played = rehearse(task, names, seed)
    people = played.started.setup.cast
    for taken in played.taken:
        # Two secrets may be of one story, and each tells their own.
        own = people[taken.seat].secret
        for seat, character in enumerate(people):
            if seat != taken.seat:
                assert not leaks(taken.action.text, character.secret, own), taken.action.text


@pytest.mark.parametrize("order", ["round_robin", "simultaneous", "random"])
@pytest.mark.parametrize("seats", [2, 3])
def test_any_order_of_turns_comes_to_an_end_in_which_all_have_spoken(order, seats):
    task = (PAIRS if seats == 2 else TRIOS)[0]
    for seed in range(6):
        played = rehearse(task, ["generous", "candid", "wily"], seed, order=order, turn_cap=30)
        assert {taken.seat for taken in played.taken} == set(range(seats))
        assert len(set(played.said())) > 4


def test_five_strangers_in_an_unwritten_scenario_still_get_through_it():
    started = cast(TRIOS[0], seed=5)
    people = [c for c in STARTER.characters.values() if c not in started.setup.cast][:2]
    crowd = with_setup(
        started,
        scenario=msgspec.structs.replace(
            started.setup.scenario,
            context="Five people wait for a bus that may have been abolished.",
            goals=("Convince the others to walk to the next stop.", "Rest your feet.",
                   "Borrow a telephone", "You want to be left alone", "Share your sandwiches"),
        ),
        cast=(*started.setup.cast, *people),
        relationships=(),
    )  # fmt: skip
    crowd = msgspec.structs.replace(crowd, minds=started.minds[:1] * 5)
    played = play(crowd, ["generous", "stubborn", "candid", "wily", "guarded"])
    assert len({taken.seat for taken in played.taken}) == 5
    assert len(played.said()) == len(set(played.said()))


def test_three_seats_whisper_now_and_then_and_never_to_themselves():
    whispers = [
        taken
        for task in TRIOS
        for seed in range(6)
        for taken in rehearse(task, ["wily", "guarded", "candid"], seed).taken
        if taken.action.to
    ]
    assert whispers
    assert all(taken.seat not in taken.action.to for taken in whispers)


def test_gestures_deeds_and_silence_are_seasoning():
    kinds = [
        taken.action.kind
        for task in TASKS
        for seed, names in enumerate([["stubborn", "guarded", "wily"], ["candid", "generous"] * 2])
        for taken in rehearse(task, names, seed).taken
    ]
    assert 0.7 < kinds.count("speak") / len(kinds) < 0.95
    assert kinds.count("non_verbal") > 5
    assert kinds.count("physical") > 5
    assert kinds.count("none") < 0.04 * len(kinds)


def test_who_is_left_alone_leaves():
    started = cast(PAIRS[0], seed=1)
    scene = Scene(
        background=background("e1", started, 0), seen=[], turn=2, question=ACT, seat=0, seats=2
    )
    scene.seen.append(seen_action(1, 1, "I'm off.", "leave"))
    assert RehearsalMind("generous").choose(scene).kind == "leave"


async def test_deciding_asks_no_model():
    started = cast(PAIRS[0], seed=1)
    scene = Scene(
        background=background("e1", started, 0), seen=[], turn=1, question=ACT, seat=0, seats=2
    )
    decision = await RehearsalMind("candid").decide(scene, calls=None)
    assert decision.failure is None
    assert decision.action.kind == "speak"


# ---------------------------------------------------------------- people and models


def talk_with(lines: list[str], temper: str = "generous", task: str = "hive_price-walt-ravi"):
    """What a mind in the first seat says to somebody who says these lines, whatever it says."""
    started = cast(task, seed=4)
    scene = Scene(
        background=background("e1", started, 0), seen=[], turn=0, question=ACT, seat=0, seats=2
    )
    mind, answers = RehearsalMind(temper), []
    for step, line in enumerate(lines):
        scene.turn = 2 * step + 2
        scene.seen.append(seen_action(2 * step + 1, 1, line))
        answers.append(mind.choose(scene))
        scene.seen.append(seen_action(2 * step + 2, 0, answers[-1].text, answers[-1].kind))
    return answers


def test_a_good_price_from_a_person_is_taken_and_then_sealed_or_left_at_that():
    answers = talk_with(["Hello!", "They look healthy.", "I'll pay €630 for all four.", "Great"])
    assert read(answers[2].text).agreement
    assert answers[3].kind in ("leave", "physical")


def test_a_price_beyond_its_limit_is_never_taken():
    for temper in TEMPERS:
        answers = talk_with([f"I'd pay €{200 + n}." for n in range(9)], temper)
        assert not any(read(answer.text).agreement for answer in answers)
        assert answers[-1].kind == "leave"


def test_a_question_is_answered_from_its_own_side():
    answers = talk_with(["Hello.", "Why are you selling them?"], "candid")
    assert "Monday" in answers[1].text or "somebody who'll talk" in answers[1].text


def test_an_insult_is_answered_and_a_second_one_ends_it_for_the_cold():
    answers = talk_with(["You're a greedy liar.", "You are such a fool."], "stubborn")
    assert "insult" in answers[0].text or "talk to me like that" in answers[0].text or (
        "Careful" in answers[0].text or "settle this with the wall" in answers[0].text
    )  # fmt: skip
    endings = [talk_with(["You're a greedy liar.", "You are such a fool."], t)[1] for t in TEMPERS]
    assert any(ending.kind == "leave" for ending in endings)


def test_a_confidence_is_met_before_business_goes_on():
    met = [
        talk_with(["Hello.", "I've told no one this: I'm ill, and afraid."], temper)[1]
        for temper in TEMPERS
    ]
    assert sum(not read(answer.text).offer for answer in met) >= 4


# ---------------------------------------------------------------- published scenarios


@pytest.mark.published
@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published catalog is not beside us")
def test_goals_in_anybody_s_words_come_out_as_plain_sentences():
    from actors.social.formats.catalog_reader import read_published

    catalog = read_published(PUBLISHED)
    clumsy = ("you is", "I is", "I are", "to I ", "to your friend", "the other person", "Hint")
    for number, task in enumerate(catalog.tasks[::5]):
        names = sorted(TEMPERS)[number % 5 :] + sorted(TEMPERS)
        played = play(cast(task.id, catalog, seed=number), names[:2])
        said = played.said()
        assert len(said) == len(set(said)), said
        for text in said:
            assert not set("{}<>") & set(text), text
            assert not [words for words in clumsy if words in text], text
