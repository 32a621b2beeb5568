"""What is read from a model's answer about options, and what is not."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.models.answers.structured import HALF_PAIR, LONGEST
from actors.models.errors import Unreadable
from actors.models.replies.thoughts import parted
from actors.worldtree.answers import LONGEST_WHY, answer_schema, read_choice
from actors.worldtree.options.letters import letters
from actors.worldtree.options.order import MOST_OPTIONS
from actors.worldtree.trees.tree import Line

ZH = (
    Line(role="林舟", text="（放下杯子）钱我一分不少还你，再给我三天。"),
    Line(role="林舟", text="你去告我吧，看谁怕谁！"),
    Line(role="林舟", text="我们一起想办法，好吗？"),
    Line(role="林舟", text="……"),
)
EN = (
    Line(role="Ada", text="I'll pay you back, every penny. Give me three days."),
    Line(role="Ada", text="Sue me, then!"),
    Line(role="Ada", text="Can we find a way together?"),
    Line(role="Ada", text="Sue me, then! And tell your sister."),
)

READ = [
    # JSON as asked for, bare, fenced, spelt otherwise
    ('{"explanation": "…", "choice": "B"}', 1),
    ('{"explanation": "", "choice": "A"}', 0),
    ('{"choice": "C", "explanation": "first the letter"}', 2),
    ('{"choice": "C"}', 2),
    ('```json\n{"explanation": "x", "choice": "D"}\n```', 3),
    ('```\n{"explanation": "x", "choice": "D"}\n```', 3),
    ('```JSON {"choice": "A"}```', 0),
    ('My answer:\n```json\n{"explanation": "x", "choice": "B"}\n```\nGood luck!', 1),
    ('好的，以下是我的回答：{"explanation": "理由", "choice": "B"} 希望有帮助。', 1),
    ('{"explaination": "as published", "choice": "A"}', 0),
    ('{"解释": "因为", "选择": "C"}', 2),
    ('{"理由": "因为", "选项": "选项C"}', 2),
    ('{"reason": "x", "answer": "B"}', 1),
    ('{"Explanation": "x", "Choice": "B"}', 1),
    ('{"reasoning": "x", "option": "b"}', 1),
    ("{'choice': 'A', 'explanation': 'python'}", 0),
    ("{'explanation': 'it\\'s kind', 'choice': 'C'}", 2),
    ('{"explanation": "x", "choice": "B",}', 1),
    ('{explanation: "x", choice: "B"}', 1),
    ('{"explanation": "she says "no" to it", "choice": "B"}', 1),
    ('{"explanation": "two\nlines", "choice": "B"}', 1),
    ('{"explanation": "{braces}", "choice": "B"}', 1),
    ('{"choice": "Ａ"}', 0),
    ('{"choice": "ａ"}', 0),
    ('{"choice": "c"}', 2),
    ('{"choice": " C "}', 2),
    ('{"choice": "C."}', 2),
    ('{"choice": "C、"}', 2),
    ('{"choice": "（Ｃ）"}', 2),
    ('{"choice": "(c)"}', 2),
    ('{"choice": "【C】"}', 2),
    ('{"choice": "选项C"}', 2),
    ('{"choice": "选项 C"}', 2),
    ('{"choice": "选C"}', 2),
    ('{"choice": "我选择C。"}', 2),
    ('{"choice": "Option C"}', 2),
    ('{"choice": "option: c"}', 2),
    ('{"choice": "The answer is C"}', 2),
    ('{"choice": "**C**"}', 2),
    ('{"choice": "\\"C\\""}', 2),
    ('{"choice": ["C"]}', 2),
    ('{"choice": {"letter": "C"}}', 2),
    ('{"choice": {"option": "C", "text": "…"}}', 2),
    ('{"C": "because it is kind"}', 2),
    ('{"choice": "C", "answer": "D"}', 2),
    ('{"explanation": "x", "choice": "C"}\n{"explanation": "y", "choice": "C"}', 2),
    ('{"explanation": "…", "choice": "…"}\n{"explanation": "y", "choice": "C"}', 2),
    ('[{"choice": "C"}]', 2),
    ('{"explanation": null, "choice": "C"}', 2),
    ('{"explanation": ["x", "y"], "choice": "C"}', 2),
    ('{"explanation": "A is rude and B is weak", "choice": "C", "confidence": 0.9}', 2),
    ('{"result": 1, "choice": "C"}', 2),
    ('"explanation": "no braces", "choice": "C"', 2),
    ('{"explanation": "the last brace is missing", "choice": "C"', 2),
    # a letter and hardly more
    ("A", 0),
    ("a", 0),
    ("Ｂ", 1),
    ("ｂ", 1),
    ("B.", 1),
    ("B。", 1),
    ("B、", 1),
    ("(B)", 1),
    ("（B）", 1),
    ("（ｂ）", 1),
    ("[B]", 1),
    ("「B」", 1),
    ("**B**", 1),
    ("`B`", 1),
    ("'B'", 1),
    ("“B”", 1),
    ("\n\n  B\n", 1),
    ("选项B", 1),
    ("选项：B", 1),
    ("选B", 1),
    ("选择B。", 1),
    ("我选B", 1),
    ("答案：B", 1),
    ("答案是B", 1),
    ("答案为：Ｂ", 1),
    ("Option B", 1),
    ("option b", 1),
    ("Answer: B", 1),
    ("The answer is B.", 1),
    ("Final answer: **B**", 1),
    ("My choice is B", 1),
    ("I choose B", 1),
    ("Ⓑ", 1),
    # within prose
    ("I choose B because it is firm.", 1),
    ("I choose A because it is kind.", 0),
    ("I'd go with option C here.", 2),
    ("After some thought, the best answer is (C).", 2),
    ("Option A is rude and option B is weak. I choose C.", 2),
    ("A good start matters. My answer: C", 2),
    ("Not A, which is rude. I pick B.", 1),
    ("I would not choose A. I choose B.", 1),
    ("C\n\nIt keeps the peace.", 2),
    ("It keeps the peace.\n\nC", 2),
    ("It keeps the peace.\n**C**", 2),
    ("综合来看，我会选择C，因为更友善。", 2),
    ("A太软弱，B太冲动，所以我选C。", 2),
    ("我不选A，我选B。", 1),
    ("与其选A，不如选B。", 1),
    ("因此，正确答案是：C。", 2),
    ("最合适的是选项C", 2),
    # the last that was stated, where another was taken back
    ("A… no, B", 1),
    ("A. No wait, B.", 1),
    ("I choose A. No, I choose B.", 1),
    ("I choose A. Actually, B.", 1),
    ("A - on second thought, it's C.", 2),
    ("A... no, B... no, C", 2),
    ("Is A right? No, it is rude. I choose B.", 1),
    ('{"choice": "A, sorry, B"}', 1),
    ("我选A。不对，应该是B。", 1),
    ("答案是A，等等，还是选C", 2),
    ("A，改选B", 1),
    ("C. No option is perfect.", 2),
    ("The wrong answer is A, the right answer is B", 1),
    ("C (it keeps the peace)", 2),
    ("I choose C because no other fits.", 2),
    ("<think>A? B? A!</think>{\"choice\": \"C\"}", 2),
    ("<think>I choose A.</think>\nC", 2),
]  # fmt: skip

READ_BY_TEXT = [
    (ZH, "（放下杯子）钱我一分不少还你，再给我三天。", 0),
    (ZH, "放下杯子 钱我一分不少还你 再给我三天", 0),
    (ZH, "林舟：你去告我吧，看谁怕谁！", 1),
    (ZH, "我会说：“我们一起想办法，好吗？”", 2),
    (ZH, '{"choice": "我们一起想办法,好吗?"}', 2),
    (ZH, '{"choice": "C. 我们一起想办法，好吗？"}', 2),
    (ZH, '{"choice": "C：林舟：我们一起想办法，好吗？"}', 2),
    (ZH, "C. 我们一起想办法，好吗？", 2),
    (EN, "Sue me, then!", 1),
    (EN, "SUE ME THEN", 1),
    (EN, "Ada: “Sue me, then!”", 1),
    (EN, "Sue me, then! And tell your sister.", 3),
    (EN, "I'd say: Sue me, then! And tell your sister. That's it.", 3),
    (EN, "Ｃan we find a way together?", 2),
    (EN, '{"choice": "Can we find a way together?"}', 2),
    (EN, '{"choice": "(c) Can we find a way together?"}', 2),
    (EN, '{"choice": "A - something shorter"}', 0),
    (EN, '{"choice": "B) Sue me"}', 1),
    ((Line(text="B"), Line(text="A")), "A", 0),
    ((Line(text="12"), Line(text="20")), '{"choice": "12"}', 0),
]

NOT_READ = [
    ("", "empty"),
    ("   \n", "empty"),
    ("I cannot help with that.", "names no option"),
    ("A friend would never say that.", "names no option"),
    ("I would rather say nothing at all", "names no option"),
    ("我不想选。", "names no option"),
    ("not A", "names no option"),
    ("I would never choose A.", "names no option"),
    ("Should I choose A?", "names no option"),
    ("A or B", "several options, A, B"),
    ("A, B", "several options, A, B"),
    ("A和B", "several options, A, B"),
    ("A、C", "several options, A, C"),
    ("A/B/C", "several options, A, B, C"),
    ("The answer is A or B.", "several options, A, B"),
    ("A. Actually B would be ruder.", "takes an option back"),
    ("A (Sue me, then!)", "the letter A and the words of option B"),
    ("I would never say: Sue me, then!", "names no option"),
    ("Not Can we find a way together?", "names no option"),
    ("A) is out. B) is out. C) works.", "several options, A, B, C"),
    ("I almost chose B, but it must be C", "names no option"),
    ("The worst choice is A", "names no option"),
    ("The wrong answer is A", "names no option"),
    ("I refuse to choose A", "names no option"),
    ("Nobody would pick D", "names no option"),
    ("There is no way I choose B", "names no option"),
    ("It would be wrong to choose B", "names no option"),
    ("如果选A会后悔", "names no option"),
    ("A… no, B or C", "takes an option back"),
    ("A, wait, " * 5_000 + "B or C", "takes an option back"),
    ("A" + " actually" * 5_000, "names no option"),
    ("答案是A或者答案是B", "several options, A, B"),
    ("A. yes\nB. no", "several options, A, B"),
    ("Option A or option B", "several options, A, B"),
    ('{"choice": "A"} {"choice": "B"}', "several options, A, B"),
    ('{"choice": "A and B"}', "several options, A, B"),
    ('{"choice": ["A", "B"]}', "2 options"),
    ('{"choice": []}', "0 options"),
    ('{"choice": ""}', "empty"),
    ('{"choice": null}', "empty"),
    ('{"choice": true}', "empty"),
    ('{"choice": {}}', 'no field "choice"'),
    ('{"choice": {"text": "hm"}}', 'no field "choice"'),
    ('{"explanation": "A is best, I choose A"}', 'no field "choice"'),
    ('{"choice": 1}', "not by a number"),
    ('{"choice": 2.0}', "not by a number"),
    ('{"choice": "1"}', "not by a number"),
    ("2", "not by a number"),
    ("选项2", "not by a number"),
    ("第二个", "not by a number"),
    ("Option 3", "not by a number"),
    ("E", "no option E; they are A to D"),
    ("Ｚ", "no option Z"),
    ('{"choice": "E"}', "no option E"),
    ('{"choice": "none of these"}', "names no option"),
    ('{"choice": "__import__(\'os\').system(\'true\')"}', "names no option"),
    ("__import__('os').getcwd()", "names no option"),
    ('{"choice": "A. Sue me, then!"}', "the letter A and the words of option B"),
    ("I choose A: Sue me, then!", "the letter A and the words of option B"),
    ('{"choice": "B", "explanation": "\\ud83d"}', HALF_PAIR),
    ("{" * 3_000, "names no option"),
    ("x" * (LONGEST + 1), "longer than"),
    ("A" + "*" * 40_000 + "?", "names no option"),
    ("choose " + "* " * 20_000 + "?", "names no option"),
    ("\n" * 40_000 + "?", "names no option"),
    ("答案" * 20_000 + "?", "names no option"),
    ("A.\nB.\n" * 8_000, "several options, A, B"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place"), READ)
def test_an_option_is_read_from_its_letter(text: str, place: int):
    for options in (ZH, EN):
        assert read_choice(options, parted(text).answer, "m").option == place


@pytest.mark.parametrize(("options", "text", "place"), READ_BY_TEXT)
def test_an_option_is_read_from_its_own_text(options, text: str, place: int):
    assert read_choice(options, text, "m").option == place


@pytest.mark.parametrize(("text", "why"), NOT_READ)
def test_what_names_no_option_or_several_is_unreadable_with_what_is_wrong(text: str, why: str):
    with pytest.raises(Unreadable) as raised:
        read_choice(EN, text, "m")
    assert why in raised.value.detail
    assert len(raised.value.detail) < 300


def test_words_that_two_options_share_name_neither():
    alike = (Line(text="Yes."), Line(text="No."), Line(text="yes"))
    with pytest.raises(Unreadable, match="those of options A, C"):
        read_choice(alike, '{"choice": "Yes!"}', "m")
    assert read_choice(alike, '{"choice": "C"}', "m").option == 2


def test_the_explanation_is_kept_and_a_very_long_one_shortened():
    assert read_choice(EN, '{"explanation": " kind ", "choice": "C"}', "m").why == "kind"
    assert read_choice(EN, "I choose C because.", "m").why == "I choose C because."
    long = json.dumps({"explanation": "x" * 9_000, "choice": "C"})
    assert len(read_choice(EN, long, "m").why) == LONGEST_WHY


def test_a_question_has_as_many_letters_as_options_and_26_at_most():
    schema = answer_schema(3)
    assert list(schema["properties"]) == schema["required"] == ["explanation", "choice"]
    assert schema["properties"]["choice"]["enum"] == ["A", "B", "C"]
    assert "{0,394}" in schema["properties"]["explanation"]["pattern"]
    assert "{0,74}" in answer_schema(3, "zh")["properties"]["explanation"]["pattern"]
    many = tuple(Line(text=f"line {number}") for number in range(MOST_OPTIONS))
    assert read_choice(many, '{"choice": "z"}', "m").option == MOST_OPTIONS - 1
    assert read_choice(many, "I choose I.", "m").option == 8
    with pytest.raises(ValueError, match="27 options"):
        letters(MOST_OPTIONS + 1)


ODD = st.recursive(
    st.none() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["choice", "answer", "A", "B"]), inner, max_size=3)
    ),
).map(json.dumps)


@given(st.text(max_size=300) | ODD)
def test_whatever_a_model_says_is_an_option_or_unreadable(text: str):
    with contextlib.suppress(Unreadable):
        assert 0 <= read_choice(EN, text, "m").option < len(EN)
