"""The figures of prompts, on answers whose figures are known."""

from typing import Any

from tests.prompts.figures import Call, markdown, row, table, words

BEFORE = 'Turn 1. Ben said: "I would like to buy the old oven on the quay for less."'


def call(text: str = "", **fields: Any) -> Call:
    given: dict[str, Any] = {"template": "act-5", "turn": 1, "prompt": BEFORE, "usable": bool(text)}
    return Call(**{**given, "texts": (text,) if text else (), **fields})


def test_an_answer_that_repeats_its_prompt_is_told_from_one_that_does_not():
    copied = row("act-5", [call("I would like to buy the old oven on the quay for less.")])
    fresh = row("act-5", [call("My own kitchen has been without one ever since the flood came.")])
    half = call("I would like to buy the old oven but only if it still works")
    assert (copied.repeated, fresh.repeated) == (1.0, 0.0)
    assert row("act-5", [half]).repeated == 1 / 7


def test_short_answers_repeat_nothing():
    assert row("act-5", [call("Good morning.")]).repeated is None


def test_unusable_answers_count_among_the_questions_alone():
    found = row("act-5", [call("One two three."), call(), call()])
    assert (found.questions, found.usable, found.words) == (3, 1 / 3, 3)
    assert row("act-5", [call()]).words is None


def test_a_goals_own_words_are_its_long_ones():
    goal = "Buy the oven for 200 dollars."
    assert row("act-5", [call("It is for you.", goal=goal)]).goal_words == 0
    assert row("act-5", [call("Two hundred Dollars!", goal=goal)]).goal_words == 1
    assert row("act-5", [call("Two hundred.")]).goal_words is None


def test_the_share_that_a_server_remembered_is_that_of_later_turns():
    early, late = call(input_tokens=100), call(turn=3, input_tokens=200, cached_tokens=190)
    assert row("act-5", [early, late]).cached == 0.95
    assert row("act-5", [early]).cached is None


def test_chinese_characters_are_words():
    assert words("天黑了 ok") == ["天", "黑", "了", "ok"]


def test_a_template_has_a_line():
    lines = markdown(table([call("Good morning."), call(template="act-4")])).splitlines()
    assert lines[2:] == [
        "| `act-4` | 1 | 0 % |  |  |  |  |",
        "| `act-5` | 1 | 100 % | 2 |  |  |  |",
    ]
