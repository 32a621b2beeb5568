"""Counting tokens, offline."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.lifelong.memory.prompt_entries import entry, joined, tokens_of
from actors.models import tokens
from actors.models.tokens import NoEncoding, count, counter_from, estimate, shipped


@pytest.mark.parametrize(
    ("text", "counted"),
    [("", 0), ("hello world", 2), ("tiktoken is great!", 6), ("<|endoftext|>", 7)],
)
def test_tokens_are_those_of_the_encoding_and_no_text_is_special(text: str, counted: int):
    assert count(text) == counted


def test_the_encoding_is_the_one_that_litellm_ships():
    assert shipped().is_file()
    assert counter_from(shipped())("hello world") == 2


def test_reading_the_encoding_leaves_the_environment_as_it_was(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    counter_from(shipped())
    assert "TIKTOKEN_CACHE_DIR" not in os.environ
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "/elsewhere")
    counter_from(shipped())
    assert os.environ["TIKTOKEN_CACHE_DIR"] == "/elsewhere"


def test_a_missing_encoding_is_said_to_be_missing(tmp_path: Path):
    with pytest.raises(
        NoEncoding, match=r"cl100k_base cannot be read from .*no-such: No such file"
    ):
        counter_from(tmp_path / "no-such")


def test_another_file_is_neither_used_nor_removed(tmp_path: Path):
    other = tmp_path / shipped().name
    other.write_text("aGVsbG8= 0\n")
    with pytest.raises(NoEncoding, match="its SHA-256 is"):
        counter_from(other)
    assert other.is_file()


def test_without_the_encoding_tokens_are_estimated_and_the_reason_is_logged(tmp_path: Path):
    program = (
        "from pathlib import Path\n"
        "from actors.models import tokens\n"
        f"tokens.shipped = lambda: Path({str(tmp_path / 'gone')!r})\n"
        "print('counted', tokens.count('x' * 30))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "counted 10" in done.stdout, done.stderr
    assert done.stdout.count("tokens_are_estimated") == 1
    assert "No such file" in done.stdout


def test_litellm_is_not_imported_to_count():
    program = (
        "import sys\nfrom actors.models.tokens import count\n"
        "assert count('hello world') == 2\nassert 'litellm' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@settings(deadline=None)
@given(st.text(st.characters(codec="ascii"), max_size=200))
def test_an_estimate_of_english_is_no_less_than_a_third_of_its_bytes(text: str):
    assert estimate(text) == -(-len(text) // tokens.BYTES_A_TOKEN)


def test_an_estimate_of_english_is_not_too_low():
    english = (
        "I could give you 180 dollars for the oven, if you bring it to my sister's place. " * 5
    )
    assert count(english) <= estimate(english)


@settings(deadline=None)
@given(st.lists(st.text(max_size=60), max_size=8))
def test_entries_together_take_no_more_than_each_alone(bodies: list[str]):
    entries = [entry(index, body) for index, body in enumerate(bodies)]
    assert count(joined(entries)) <= sum(map(tokens_of, entries))


def test_an_empty_entry_takes_nothing():
    assert entry(0, "  \n") == ""
    assert tokens_of("") == 0
