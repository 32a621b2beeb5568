"""Words that a model attends to, and those that annotators marked."""

from pathlib import Path

import pytest

from actors.toml_file import BadFile
from evaluators.worldtree.internals.attention import attended, intersect, places, read_keywords
from evaluators.worldtree.internals.text_samples import Text


def spans(text: str, *pieces: str) -> list[tuple[int, int]]:
    """Where pieces that follow each other stand in a text."""
    found, at = [], 0
    for piece in pieces:
        start = text.index(piece, at)
        at = start + len(piece)
        found.append((start, at))
    return found


def test_tokens_of_a_word_are_one_word_and_signs_are_none() -> None:
    text = "Can't we trust him? Trust us."
    tokens = spans(text, "Can", "'t", " we", " tru", "st", " him", "?", " Trust", " us", ".")
    weights = [0.1, 0.1, 0.05, 0.1, 0.1, 0.08, 0.3, 0.1, 0.02, 0.9]
    found = attended(text, [(0, 0), *tokens], [5.0, *weights], most=3)
    assert [(one.word, round(one.weight, 6)) for one in found] == [
        ("trust", 0.3),
        ("Can't", 0.2),
        ("him", 0.08),
    ]
    assert found[0].spans == ((9, 14), (20, 25))


def test_without_blanks_between_words_each_token_is_one() -> None:
    text = "我们信任他。OK"
    found = attended(text, spans(text, "我们", "信任", "他", "。", "OK"), [1, 4, 2, 9, 3])
    assert [one.word for one in found] == ["信任", "OK", "他", "我们"]


def test_of_equal_words_the_earlier_comes_first() -> None:
    text = "b a c"
    assert [one.word for one in attended(text, spans(text, "b", "a", "c"), [1, 1, 1], 2)] == list(
        "ba"
    )


@pytest.mark.parametrize(
    ("keyword", "text", "there"),
    [
        ("art", "Smart art", [(6, 9)]),
        ("Keep Calm", "they keep calm.", [(5, 14)]),
        ("信任", "我信任你", [(1, 3)]),
        ("a.c", "abc", []),
    ],
)
def test_a_keyword_is_found_as_whole_words(
    keyword: str, text: str, there: list[tuple[int, int]]
) -> None:
    assert places(keyword, text) == there


def test_a_keyword_and_a_word_are_the_same_where_they_touch() -> None:
    text = "They keep calm and share"
    words = attended(text, spans(text, "They", " calm", " and", " share"), [4, 3, 2, 1], 3)
    found = intersect(text, words, ["keep calm", "share"])
    assert (found.both, found.marked, found.shared) == (("keep calm",), 2, {"calm"})


TEXTS = [Text("s1", "en", "Adaptability", "Wait\nLet us share it")]


def test_what_several_annotators_marked_is_one_keyword(tmp_path: Path) -> None:
    path = tmp_path / "marked.csv"
    rows = "annotator,sample,keyword\nA,s1,share\nB,s1,Share\nB,s1,wait\n"
    path.write_text("\ufeff" + rows, encoding="utf-8")
    assert read_keywords(path, TEXTS) == {"s1": {"share": 2, "wait": 1}}


@pytest.mark.parametrize(
    ("rows", "where", "why"),
    [
        ("sample,word\ns1,share\n", "line 1", "no column 'keyword'"),
        ("sample,keyword\ns1,share\ns2,share\n", "line 3", "'s2'"),
        ("sample,keyword\ns1,shar\n", "line 2", "has no 'shar'"),
        ("sample,keyword\ns1\n", "line 2", "columns sample and keyword"),
        ('sample,keyword\ns1,"share\nit"\n', "line 3", "has no"),
        ("sample,keyword\n", "", "no keywords"),
    ],
)
def test_what_annotators_cannot_have_marked_is_refused_with_its_line(
    tmp_path: Path, rows: str, where: str, why: str
) -> None:
    path = tmp_path / "marked.csv"
    path.write_text(rows, encoding="utf-8")
    with pytest.raises(BadFile, match=why) as refused:
        read_keywords(path, TEXTS)
    assert refused.value.where == where
