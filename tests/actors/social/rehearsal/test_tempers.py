"""Tempers differ in what they do, not only in name."""

import pytest

from actors.social.language.utterances import leaks
from actors.social.rehearsal import TEMPERS
from actors.social.rehearsal.notes import Notes
from tests.actors.social.stage import STARTER, Played, cast, play

PAIRS = [t for t in STARTER.tasks if len(STARTER.tasks[t].characters) == 2]
PRICED = [t for t in PAIRS if t.startswith(("hive_price", "one_van", "night_", "dry_"))]
SEEDS = range(3)


@pytest.fixture(scope="module")
def against_a_guarded_one() -> dict[str, list[Played]]:
    """Every pair's episodes with each temper in the first seat and the same one facing it."""
    return {
        temper: [play(cast(t, seed=s), [temper, "guarded"]) for t in PAIRS for s in SEEDS]
        for temper in TEMPERS
    }


def notes_of(played: Played, seat: int = 0) -> Notes:
    notes = Notes(played.scenes[seat].background)
    for action in played.scenes[seat].seen:
        notes.take(action)
    return notes


def share(flags: list[bool]) -> float:
    return sum(flags) / len(flags)


def test_the_generous_concede_further_on_a_price_than_the_stubborn():
    def given(temper: str) -> float:
        steps = []
        for task in PRICED:
            for seed in range(4):
                notes = notes_of(play(cast(task, seed=seed), [temper, "stubborn"]))
                price = notes.part.price
                last = price.start if notes.my_amount is None else notes.my_amount
                steps.append((price.start - last) / (price.start - price.limit))
        return sum(steps) / len(steps)

    assert given("generous") > given("stubborn") + 0.2


def test_the_generous_come_to_terms_more_often_than_the_stubborn(against_a_guarded_one):
    def settled(temper: str) -> float:
        return share([notes_of(played).settled for played in against_a_guarded_one[temper]])

    assert settled("generous") > settled("stubborn") + 0.1


def test_the_candid_let_their_secret_out_and_the_guarded_keep_it(against_a_guarded_one):
    def told(temper: str) -> float:
        return share(
            [
                any(leaks(text, played.started.setup.cast[0].secret) for text in played.said(0))
                for played in against_a_guarded_one[temper]
            ]
        )

    assert told("candid") > 0.25
    assert told("guarded") < 0.03
    assert told("guarded") <= told("stubborn") < told("candid")


def test_the_wily_hide_their_position_where_the_candid_tell_it(against_a_guarded_one):
    def told(temper: str) -> tuple[int, int]:
        truths = bluffs = 0
        for played in against_a_guarded_one[temper]:
            part, said = notes_of(played).part, " ".join(played.said(0))
            truths += sum(line in said for line in part.tell)
            bluffs += sum(line in said for line in part.bluff)
        return truths, bluffs

    truths, bluffs = told("candid")
    assert truths > 3 * bluffs
    truths, bluffs = told("wily")
    assert bluffs > truths


def test_a_price_never_goes_beyond_what_its_own_goal_allows():
    for task in PRICED:
        for temper in TEMPERS:
            played = play(cast(task, seed=8), [temper, temper])
            for seat in (0, 1):
                notes = notes_of(played, seat)
                if notes.settled and notes.table_number is not None:
                    price = notes.part.price
                    kept = (notes.table_number - price.limit) / (price.start - price.limit)
                    assert kept >= 0, (task, temper, seat, notes.table_number)
