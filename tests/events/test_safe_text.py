import json
import unicodedata

import pytest

from events.untrusted.safe_text import harmless, harmless_json, one_line, shortened

KEPT = "\n\t"
OBEYED = [
    chr(code)
    for code in (*range(0x2100), *range(0xD800, 0xE000))
    if unicodedata.category(chr(code)) in {"Cc", "Zl", "Zp", "Cs"}
    or unicodedata.bidirectional(chr(code)) in {"LRE", "RLE", "LRO", "RLO", "PDF"}
    or unicodedata.bidirectional(chr(code)) in {"LRI", "RLI", "FSI", "PDI"}
]


def test_the_marks_that_arabic_and_hebrew_are_written_with_are_kept():
    assert harmless("\u200fשלום\u200e \u061c12") == "\u200fשלום\u200e \u061c12"


def test_what_a_terminal_or_a_browser_obeys_is_made_visible():
    for character in set(OBEYED) - set(KEPT):
        shown = harmless(f"a{character}b")
        assert character not in shown
        assert shown.isprintable()
        assert harmless(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;mine\x07", "␛]0;mine␇"),
        ("gnp.\u202eexe", "gnp.[U+202E]exe"),
        ("\x00\x7f\x9b\r", "␀␡[U+009B]␍"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("Zoë 👩\u200d🚒 שלום café", "Zoë 👩\u200d🚒 שלום café"),
    ],
)
def test_control_characters_are_shown_and_all_else_is_kept(text, shown):
    assert harmless(text) == shown


def test_one_line_is_one_line():
    assert one_line(" a\n\n b\t\u2028c\x0b ") == "a b [U+2028]c␋"


@pytest.mark.parametrize("most", [1, 3, 40, 200])
@pytest.mark.parametrize(
    "text", ["", "short", "\n\x1b" * 500, " " * 5000, "\u202e" * 10**6, "é" * 201]
)
def test_what_is_shortened_is_one_harmless_line_of_at_most_so_many_characters(text, most):
    line = shortened(text, most)
    assert len(line) <= most
    assert line == shortened(line, most) == one_line(line)


def test_what_is_short_stays_whole_and_what_is_long_keeps_its_beginning_and_its_end():
    assert shortened("episode-1\nis not here") == "episode-1 is not here"
    assert shortened("x" * 200) == "x" * 200
    assert shortened("/a/" + "x" * 10**6 + "/plan.toml", 40) == "/a/" + "x" * 26 + "…/plan.toml"


def test_json_says_the_same_without_a_character_that_is_obeyed():
    value = {"said \x9b\u202e": ["".join(reversed(OBEYED)), "Zoë 👩\u200d🚒"]}
    text = json.dumps(value, ensure_ascii=False, indent=2)
    escaped = harmless_json(text)
    assert json.loads(escaped) == value
    assert not set(escaped) & (set(OBEYED) - set(KEPT))
    assert "Zoë" in escaped
