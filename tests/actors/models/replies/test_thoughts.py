"""Every way a model may mark its thoughts, in every form it may be written in; and ordinary speech,
which stays whole."""

import html
import json
import time
from collections.abc import Callable, Iterator
from random import Random

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from actors.models.answers.structured import AnswerReader
from actors.models.errors import Unreadable
from actors.models.replies import thoughts
from actors.models.replies.thought_tags import TABLE, Marks
from actors.models.replies.thoughts import parted


class Said(msgspec.Struct, frozen=True):
    text: str
    kind: str = "speak"


READER = AnswerReader(Said)
SECRET = "She must not know it."
SPEECH = "Good evening."
JSON = json.dumps({"kind": "speak", "text": SPEECH})


def wide(mark: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in mark)


def escaped(mark: str) -> str:
    return "".join(f"\\u{ord(c):04x}" if c in "<>/|[]◁▷" else c for c in mark)


def unseen(mark: str, character: str = "\u200b") -> str:
    return mark[:3] + character + mark[3:]


FORMS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "lower case": str.lower,
    "upper case": str.upper,
    "escaped": escaped,
    "escaped twice": lambda mark: escaped(mark).replace("\\", "\\\\"),
    "escaped slash": lambda mark: mark.replace("/", "\\/"),
    "wide brackets": lambda mark: mark.replace("<", "＜").replace(">", "＞"),
    "wide": wide,
    "quoted": html.escape,
    "quoted twice": lambda mark: html.escape(html.escape(mark)),
    "quoted by number": lambda mark: mark.replace("<", "&#60;").replace(">", "&#x3E;"),
    "zero width": unseen,
    "zero width, escaped": lambda mark: unseen(mark, "\\u200b"),
    "soft hyphen": lambda mark: unseen(mark, "\u00ad"),
}
OF_TAGS: dict[str, Callable[[str], str]] = {
    "line end": lambda mark: f"{mark[:-1]}\n>",
    "line end, escaped": lambda mark: f"{mark[:-1]}\\n>",
    "blanks": lambda mark: f"< {mark[1:-1]} >",
    "bars": lambda mark: f"<|{mark[1:-1]}|>",
}


MARKS = pytest.mark.parametrize("marks", TABLE, ids=lambda marks: marks.opens)


def forms(marks: Marks) -> Iterator[tuple[str, str, str]]:
    """The form, and both marks in it."""
    of_kind = FORMS | (OF_TAGS if marks.kind in ("tag", "word") else {})
    if marks.kind == "phrase":
        of_kind = {"plain": str, "zero width": unseen, "wide": wide}
    for name, form in of_kind.items():
        yield name, form(marks.opens), form(marks.closes)


def said(text: str) -> str:
    """What would be spoken; empty: nothing, and the model is asked again."""
    parts = parted(text)
    assert SECRET not in parts.answer, "a thought is in the answer"
    assert SECRET in parts.thoughts, "a thought is lost"
    if parts.unclosed:
        return ""
    try:
        return READER.read(parts.answer, "test").text
    except Unreadable:
        return ""


@MARKS
def test_a_thought_is_never_spoken(marks: Marks) -> None:
    begun = '{"kind": "speak", "text": "'
    for form, opens, closes in forms(marks):
        thought = f"{opens}{SECRET}{closes}"
        if form != "escaped twice":
            assert parted(f"{thought}{SPEECH}").answer.strip() == SPEECH, form
        assert said(f"{thought}{JSON}") == SPEECH, form
        assert said(f"{thought}\n```json\n{JSON}\n```") == SPEECH, form
        if marks.opens.startswith("Here is"):
            continue
        in_string = opens.replace("\n", "\\n"), closes.replace("\n", "\\n")
        thought_in = f"{in_string[0]}{SECRET}{in_string[1]}"
        assert said(f'{begun}{thought_in}{SPEECH}"}}') == SPEECH, form
        if marks.opens == "analysis":
            continue
        assert said(f"{JSON}\n{thought}") == SPEECH, form
        assert said(f'{begun}Well. {thought_in}{SPEECH}"}}') == f"Well. {SPEECH}", form


@MARKS
def test_half_a_mark_is_no_way_to_speak_a_thought(marks: Marks) -> None:
    begun = '{"kind": "speak", "text": "'
    phrase = marks.opens in ("analysis", "Here is my thought process:")
    for form, opens, closes in forms(marks):
        in_string = opens.replace("\n", "\\n"), closes.replace("\n", "\\n")
        if not phrase:
            assert said(f"{opens}{SECRET}") == "", form
            assert said(f"{opens}{SECRET}\n{JSON}") == "", form
            assert said(f'{begun}{in_string[0]}{SECRET}"}}') == "", form
            assert said(f'{begun}Well. {in_string[0]}{SECRET}"}}') == "", form
        if not marks.opens.startswith("Here is") and "<|channel|>" not in marks.opens:
            assert said(f"{SECRET}{closes}\n{JSON}") == SPEECH, form
            assert said(f'{begun}{SECRET}{in_string[1]}{SPEECH}"}}') == SPEECH, form


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("analysisWe need a plan.assistantfinalGood evening.", "Good evening."),
        ("analysis We need a plan.assistantfinal Good evening.", " Good evening."),
        (
            "analysisA plan.assistantcommentaryTo nobody.assistantanalysisHm.assistantfinalYes.",
            "Yes.",
        ),
        ("<|channel|>commentary<|message|>A plan.<|channel|>final<|message|>Yes.", "Yes."),
        ("We need a plan.<|start|>assistant<|channel|>final<|message|>Yes.", "Yes."),
        ("<think/>Yes.", "Yes."),
        ("<think></think>Yes.", "Yes."),
        (
            "<seed:think>a<seed:cot_budget_reflect>b</seed:cot_budget_reflect>c</seed:think>Yes.",
            "Yes.",
        ),
        ("<unused94>thought\nA plan.<unused95>Yes.", "Yes."),
        ("<thinking_process>A plan.</thinking_process>Yes.", "Yes."),
        ("<cot>A plan.</cot>Yes.", "Yes."),
        ("Here's my thought process: Hm. Here's my response: Yes.", " Yes."),
    ],
)
def test_what_follows_a_thought_is_the_answer(text: str, answer: str) -> None:
    assert (parted(text).answer, parted(text).unclosed) == (answer, "")


@pytest.mark.parametrize(
    "text", ["analysisWe need a plan. ", "analysis我们需要", "assistantanalysis A"]
)
def test_a_channel_that_does_not_end_is_a_thought(text: str) -> None:
    assert parted(text).unclosed
    assert parted(text).answer == ""


ORDINARY = (
    "I reason that 1 <3, and I <3 you.",
    "Analysis shows that it rains.",
    "analysis shows that it rains, and analysis is what we do.",
    "The <reason> is that it rains.",
    "Is it the <reason>? Or the <analysis>?",
    "She called the field <analysis>, if I think of it.",
    "analysis: we need a plan.",
    "I was thinking [think of it] that reasoning helps.",
    "My assistant finally came; the assistant's final word was no.",
    "I thought <b>so</b>, <thinker> that I am.",
    "Here is my thought process: first the rain. Here is what I say to it.",
    "Well. Here is my response: no.",
    "The ratio is 3 < 4 & 5 > 2; AT&amp;T &lt;3.",
    "“我想”是什么意思？〈红楼梦〉很好看，＜注意＞。",
    "Re\u200bason, zero\u00adwidth and \\u003cb\\u003e.",
)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_speech_stays_whole(text: str) -> None:
    assert parted(text) == (text, "", "")
    told = json.dumps({"kind": "speak", "text": text})
    assert parted(told) == (told, "", "")


@pytest.mark.parametrize(
    "text",
    [
        "Write <think> please.",
        "Do you mean <think>, or </think>?",
        'They say "</think>" and go on.',
        "the tag <thinking> is what I mean",
    ],
)
def test_a_tag_that_is_spoken_of_in_an_object_stays(text: str) -> None:
    told = json.dumps({"kind": "speak", "text": text.replace(", or </think>", "")})
    assert parted(told) == (told, "", "")


@pytest.mark.parametrize(
    "text",
    [
        "In HTML you close it with </think> and go on.",
        'I said: "</think>".',
        "“</think>” is a tag.",
        'I said: "<think>".',
        "5 < think > 3",
        "a < think > b",
        "The assistantfinal thing",
        "The assistantanalysis thing",
        "Do you mean [/THINK], or </thinking>?",
    ],
)
def test_a_mark_that_is_spoken_of_in_plain_text_stays(text: str) -> None:
    assert parted(text) == (text, "", "")


@pytest.mark.parametrize(
    ("thoughts", "answer"),
    [
        ("Okay, she asks.\n", "\n\nGood evening."),
        ("She asks me\n", " and so I say it."),
        ("She asks.", "Good evening."),
        ("She asks me ", "Good evening."),
        ("She asks me ", " Good evening."),
        ("She asks me ", "\ngood evening."),
        ("She asks me ", " 3"),
        ("She asks me ", '{"action": "go"}'),
        ('I say "Hello."', '"Hello."'),
        ("She wrote </think> and went.\n", "\nYes."),
        ("She asks.", ""),
        ("She asks me\n", "\n"),
    ],
)
@pytest.mark.parametrize("end", ["</think>", "</thought>", "[/THINK]", "<unused95>"])
def test_an_end_alone_ends_what_the_prompt_began(thoughts: str, answer: str, end: str) -> None:
    parts = parted(f"{thoughts}{end}{answer}")
    assert (parts.answer, parts.unclosed) == (answer, "")
    assert parts.thoughts == thoughts


@pytest.mark.parametrize("name", ["reason", "thinking_process", "cot", "scratchpad"])
def test_a_stray_end_that_no_template_has_ends_nothing(name: str) -> None:
    assert parted(f"Hello there. </{name}>\n") == ("Hello there. \n", "", "")
    assert parted(f"{JSON}</{name}>") == (JSON, "", "")
    assert parted(f"{SECRET}</{name}>{SPEECH}") == (SPEECH, SECRET, "")
    assert parted(f"<{name}>{SECRET}</{name}>") == ("", SECRET, "")


SIGNS = ("\\", "\\u003c", "\\n", '"', "{", "}", "<", ">", "＜", "&lt;", "\u200b", " ", "a", ".")
PIECES = (*(one for marks in TABLE for one in (marks.opens, marks.closes)), *SIGNS)
BEGUN = ("<think ", "< ", "</", "analysis", "<|channel|>a", '"a ')


WORDS = (
    *("Here", "here", "HERE", "'s", " is", " ", "\\t", "\\n", "\\u0020", "my", " MY "),
    *("thought ", "process:", "Process:", "response:", "analysis", "commentary", "assistant"),
    *("final", '"', "x", "&lt;think&gt;", "\\u003cthink\\u003e"),
    *(
        "’",
        "é",
        "，",
        "process：",
        "[",
        "]",
        "THINK",
        "/",
        "[\\/",
        "［",
        "ｔｈｉｎｋ",
        "ſ",
        "\u212a",
        "analyſis",
    ),
    *("〈", "◁", "▷", "／", "［think]", "[／think]", "[thin\u212a]", "Here is my reſponse:"),
)
"""What marks without brackets are made of, and marks whose brackets are escaped."""


@example("commentaryx")
@example("[／think]x")
@example("[thin\u212a]x")
@example("[\\/think]x")
@example("ａnalysisx")
@example("Here is my thought process：x Here is my response：")
@example("〈think>x")
@example("Here is my\\tthought process:x Here is my response:")
@example("&lt;think&gt;x")
@example("\\u003cthink\\u003ex")
@given(st.lists(st.sampled_from((*WORDS, *PIECES)), max_size=9).map("".join))
def test_a_text_that_is_passed_over_has_no_mark(text: str) -> None:
    read = parted(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thoughts, "_has_no_mark", lambda _: False)
        assert parted(text) == read


@pytest.mark.parametrize("marks", TABLE)
def test_no_text_with_a_known_mark_is_passed_over(marks: Marks) -> None:
    for mark in (marks.opens, marks.closes):
        assert not thoughts._has_no_mark(f'{{"text": "{mark}"}}')


@given(st.lists(st.sampled_from((*PIECES, "é")), max_size=30).map("".join))
def test_nothing_that_stands_between_marks_is_lost(text: str) -> None:
    parts = parted(text)
    assert (parts.answer + parts.thoughts).count("é") == text.count("é")


OF_EACH_KIND = {marks.kind: marks for marks in TABLE}.values()
ENDED = ("</think>", '"}')


@pytest.mark.parametrize(
    ("piece", "end"),
    [
        *((piece, "") for piece in PIECES),
        *((one, end) for marks in OF_EACH_KIND for one in marks[1:3] for end in ENDED),
        *((piece, end) for piece in SIGNS for end in ENDED),
        *((piece, end) for piece in BEGUN for end in ("", *ENDED)),
    ],
)
def test_a_long_text_takes_no_longer_for_what_is_repeated_in_it(piece: str, end: str) -> None:
    text = '{"text": "' + piece * (30_000 // len(piece)) + end
    began = time.thread_time()
    parted(text)
    # It takes a hundredth of a second; a reader that is quadratic takes ten.
    assert time.thread_time() - began < 0.5


def test_a_mixed_text_takes_time_by_its_length_alone() -> None:
    random = Random(7)
    parted("".join(random.choice(PIECES) for _ in range(50_000)))
