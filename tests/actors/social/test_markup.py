import gc

import pytest

from actors.social.markup import BadMarkup, Passage, advice, parse, render

GOAL = (
    "Borrow the drill (<extra_info>You broke the last one."
    " <strategy_hint>Offer cake.</strategy_hint></extra_info>) by noon."
)


def test_passages_nest():
    hint = Passage("strategy_hint", parts=("Offer cake.",))
    info = Passage("extra_info", parts=("You broke the last one. ", hint))
    assert parse(GOAL) == Passage("", parts=("Borrow the drill (", info, ") by noon."))


def test_the_owner_reads_the_hints():
    expected = "Borrow the drill (You broke the last one. Offer cake.) by noon."
    assert render(GOAL, 1, owner=1) == expected
    assert render(GOAL, "everything", owner=1) == expected


def test_advice_is_what_the_owner_reads_of_how_to_go_about_it():
    assert advice(GOAL, 1, owner=1) == ("Offer cake.",)
    assert advice(GOAL, 0, owner=1) == ()
    mixed = (
        'Win. <strategy_hint>Ask twice<p viewer="environment">, it is rigged</p>.</strategy_hint>'
    )
    assert advice(mixed, 0, owner=0) == ("Ask twice.",)
    assert advice("Win.", 0, owner=0) == ()


def test_what_is_found_in_a_goal_leaves_nothing_for_the_collector():
    # Of thousands of episodes it would be megabytes until it is collected.
    advice(GOAL, 1, owner=1)
    gc.collect()
    gc.disable()
    try:
        advice(GOAL, 1, owner=1)
        assert gc.collect() == 0
    finally:
        gc.enable()


@pytest.mark.parametrize("reader", [0, "public"])
def test_others_read_neither_the_hints_nor_the_brackets_that_held_them(reader: object):
    assert render(GOAL, reader, owner=1) == "Borrow the drill by noon."


def test_hints_that_belong_to_nobody_are_for_those_who_may_read_everything():
    text = "A room. <extra_info>It is bugged.</extra_info>"
    assert render(text, 0) == "A room."
    assert render(text, "everything") == "A room. It is bugged."


def test_a_passage_for_the_environment_is_for_no_seat():
    text = 'A party. <p viewer="environment">Both know Vic.</p> It is late.'
    assert render(text, 0) == "A party. It is late."
    assert render(text, "everything") == "A party. Both know Vic. It is late."


def test_a_passage_for_one_seat_is_for_that_seat():
    text = "A party.<p viewer='agent_1'> You are tired.</p>"
    assert render(text, 1) == "A party. You are tired."
    assert render(text, 0) == "A party."


def test_two_passages_in_one_pair_of_brackets_go_together():
    text = "Go (<extra_info>a</extra_info> <strategy_hint>b</strategy_hint>), now."
    assert render(text, 0, owner=1) == "Go, now."
    assert render(text, 1, owner=1) == "Go (a b), now."


@pytest.mark.parametrize("text", ["", "a < b & c > d", "I <3 AT&T &copy; &amp;", "x\n y "])
def test_everything_else_stays_as_it_stands(text: str):
    assert render(text, 0) == text.strip()
    assert render(f"<extra_info>{text}</extra_info>", 0, owner=0) == text.strip()


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("x\nyz <extra_info>a", "line 2, column 4: <extra_info> is never closed"),
        ("a</p>", "line 1, column 2: </p> closes nothing"),
        ("<extra_info>a</strategy_hint>", "column 14: </strategy_hint> closes nothing"),
        ("a <b>c</b>", "column 3: <b> is unknown"),
        ("<p>a</p>", 'column 1: <p> needs viewer="environment"'),
        ('<p viewer="bob">a</p>', "not 'bob'"),
        ("<extra_info a=1>a</extra_info>", "has no attributes"),
        ("<extra_info/>", "holds nothing"),
        ("a <!-- b --> c", "comments"),
        ("a <extra_info", "column 3: this tag is not finished"),
        ("<extra_info>a</extra_info", "column 14: this tag is not finished"),
    ],
)
def test_markup_that_cannot_be_read_is_refused_with_its_place(text: str, where: str):
    with pytest.raises(BadMarkup, match="line") as refused:
        parse(text)
    assert where in str(refused.value)
