"""Text that should be TOML: what is refused, in which words and at which line."""

import os
from pathlib import Path
from typing import Any

import pytest

from actors.toml_file import BadFile, parse_toml, read_source, read_table
from actors.toml_text import DEEPEST, MOST_BYTES, NotToml, TooLarge, parsed, read_bytes, read_text

MANY = 20_000


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("\na = " + "[" * MANY, 2, "nested deeper than 32"),
        ("a = " + "{a=" * MANY, 1, "nested deeper than 32"),
        (".".join("a" * MANY) + " = 1", 1, "more than 32 parts"),
        ("[" + ". ".join(['"a"'] * MANY) + "]", 1, "more than 32 parts"),
        ("x = 1\na = " + "9" * 400, 2, "is beyond 64 bits; give an integer from -2"),
        ("x = 1\na = [1, " + "9" * 5_000 + "]", 2, "a number has 5,000 digits; give an integer"),
        ("a = 0x" + "f" * 9_000, 1, "is beyond 64 bits"),
        ("a = 1\n\0", 2, "not valid TOML: "),
        ('a = "\\ud83d"', 1, "not valid TOML: "),
        ('a = """' + '\\"""' * MANY, 0, "not valid TOML: unterminated string"),
        ("a = 1\nb = 2 c = 3", 2, "not valid TOML: expected newline"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_line(text: str, line: int, why: str):
    with pytest.raises(NotToml, match=why) as refused:
        parsed(text)
    assert refused.value.line == line
    assert len(str(refused.value)) < 300
    assert "\0" not in str(refused.value)


def test_what_is_as_deep_and_as_wide_as_may_be_is_read():
    key = ".".join("a" * DEEPEST)
    nested = "[" * (DEEPEST - 1) + "0.5, 0.5, 1.5" + "]" * (DEEPEST - 1)
    text = f"{key} = 1\r\nb = {nested}\r\nc = [{-(2**63)}, {2**63 - 1}]\r\n"
    assert parsed(text)["c"] == [-(2**63), 2**63 - 1]


def test_brackets_dots_and_digits_in_texts_and_comments_are_text():
    strange = "[{." * MANY + "9" * 5_000
    text = f'# {strange}\na = "{strange}"\nb = \'{strange}\'\nc = """\n{strange} " "" """\n'
    text += f"d = '''\n{strange} ' '' '''\n"
    assert list(parsed(text)) == ["a", "b", "c", "d"]


def test_a_file_is_read_without_its_byte_order_mark(tmp_path: Path):
    file = tmp_path / "plan.toml"
    file.write_bytes("\ufeffa = 'ä'\r\n".encode())
    assert read_table(file).data == {"a": "ä"}
    assert not read_source(file).startswith("\ufeff")


def test_what_is_no_file_of_text_is_refused(tmp_path: Path):
    file, pipe, link = tmp_path / "plan.toml", tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(tmp_path / "gone")
    file.write_bytes(b"a = 1\nb = '\xff'\n")
    for path, line, why in (
        (tmp_path, 0, "is a folder"),
        (pipe, 0, "is no file but a pipe"),
        (Path("/dev/zero"), 0, "is no file but a pipe or a device"),
        (link, 0, "leads nowhere"),
        (tmp_path / "none", 0, "there is no such file"),
        (tmp_path / "a\0b", 0, "cannot be read"),
        (file, 2, "is not UTF-8 text"),
    ):
        with pytest.raises(NotToml, match=why) as refused:
            read_text(path)
        assert refused.value.line == line
    os.truncate(file, MOST_BYTES * 3_000)
    with pytest.raises(TooLarge, match="larger than 1 MiB"):
        read_bytes(file)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"a = {2**63}", "a: is beyond 64 bits"),
        ("[m]\na.b = nan", "m.a.b: must be a finite number, is nan"),
        ("a = [1.0,\n-inf]", "a[1]: must be a finite number, is -inf"),
        ("a = 1e999", "a: must be a finite number, is inf"),
        ('a = "b\\u0000"', "a: holds the character U+0000"),
        ('"a\\u0000" = 1', "a␀: holds the character U+0000"),
    ],
)
def test_a_plan_and_a_judge_hold_nothing_that_no_setting_takes(text: str, why: str):
    with pytest.raises(BadFile) as refused:
        parse_toml(text, dict[str, Any], "plan.toml")
    assert str(refused.value).startswith(f"plan.toml, {why}")
