"""Numbers from the environment: read, refused with what would be right, and written down."""

import re
from pathlib import Path

import pytest

from gateway.process.process_limits import NUMBERS, Tuning, read_tuning
from gateway.settings import VARIABLES, read_settings
from tests.gateway.command import Desk

DOCUMENT = Path(__file__).parents[2] / "docs/how-to/fleet.md"


def test_without_variables_everything_is_as_it_is_by_default() -> None:
    assert read_tuning({}) == (Tuning(), {})
    assert read_tuning(dict.fromkeys(NUMBERS, "")) == (Tuning(), {})


@pytest.mark.parametrize("name", NUMBERS)
def test_the_least_and_the_most_are_taken_and_nothing_beyond_them(name: str) -> None:
    number = NUMBERS[name]
    for allowed in (number.least, number.most):
        tuning, unusable = read_tuning({name: f"{allowed:.10g}"})
        assert (getattr(tuning, number.field), unusable) == (allowed, {})
    for beyond in (number.least - 1, number.most + 1):
        text = f"{beyond:.10g}"
        assert read_tuning({name: text}) == (Tuning(), {name: text})


@pytest.mark.parametrize("text", ["many", "1e9999", "nan", "-5", "10 s"])
def test_a_number_that_cannot_be_used_is_refused_by_commands_and_shown_by_the_doctor(
    desk: Desk, text: str
) -> None:
    desk.set("TROUPE_GRACE_S", text)
    desk.set("TROUPE_INBOX", "2.5")
    found = [one for one in desk.says("doctor", "--json").json if one["what"] == "settings"]
    assert [one["status"] for one in found] == ["broken", "broken"]
    told = {one["found"] for one in found}
    assert told == {
        f"TROUPE_GRACE_S {text!r} must be a number from 0 to 86,400",
        "TROUPE_INBOX '2.5' must be a whole number from 10 to 1,000,000",
    }
    said = desk.says("runs")
    assert said.code == 1
    assert said.err == f"troupe: TROUPE_GRACE_S {text!r} must be a number from 0 to 86,400\n"


def test_the_document_names_every_number_with_its_default_and_meaning() -> None:
    rows = re.findall(r"^\| `(TROUPE_\w+)` \| (\S+) \| (.+) \|$", DOCUMENT.read_text(), re.M)
    assert rows == [
        (name, f"{number.default:.10g}", number.meaning) for name, number in NUMBERS.items()
    ]
    assert NUMBERS.keys() <= VARIABLES.keys()


def test_settings_are_read_once_from_what_is_given() -> None:
    settings = read_settings({"TROUPE_ACK_WAIT_S": "2.5", "TROUPE_SPACE": "lab"})
    assert (settings.tuning.ack_wait_s, settings.space) == (2.5, "lab")
    assert settings.embedded_nats
