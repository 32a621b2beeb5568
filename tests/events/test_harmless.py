import json
import unicodedata

import pytest

from events.harmless import harmless, harmless_json, one_line

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


def test_json_says_the_same_without_a_character_that_is_obeyed():
    value = {"said \x9b\u202e": ["".join(reversed(OBEYED)), "Zoë 👩\u200d🚒"]}
    text = json.dumps(value, ensure_ascii=False, indent=2)
    escaped = harmless_json(text)
    assert json.loads(escaped) == value
    assert not set(escaped) & (set(OBEYED) - set(KEPT))
    assert "Zoë" in escaped
