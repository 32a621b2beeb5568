"""What a server's refusals mean, what prices are known, and what is kept out of texts."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from actors.models.errors import ModelError
from actors.models.http.status_errors import LONGEST_WAIT_S, error_of_status, retry_after_of
from actors.models.keys import DETAIL_LENGTH, key_of, scrubbed
from actors.models.litellm.pricing import cost_usd
from actors.models.metrics import MOST_NAMES, label_of
from actors.models.remedies import remedy
from events.minds import ModelSpec


@pytest.mark.parametrize(
    ("status", "reason", "may_pass"),
    [
        (429, "rate_limited", True),
        (500, "server_error", True),
        (503, "server_error", True),
        (504, "timeout", True),
        (408, "timeout", True),
        (400, "refused", False),
        (422, "refused", False),
        (413, "too_long", False),
        (401, "unauthorized", False),
        (402, "quota", False),
        (403, "forbidden", False),
        (404, "not_found", False),
        (302, "not_found", False),
    ],
)
def test_a_status_says_whether_another_attempt_may_help(status: int, reason: str, may_pass: bool):
    error = error_of_status(status, "")
    assert (error.reason, error.may_pass) == (reason, may_pass)


@pytest.mark.parametrize(
    ("status", "said", "reason"),
    [
        (429, '{"error": {"code": "insufficient_quota"}}', "quota"),
        (400, "Your credit balance is too low to access the Anthropic API", "quota"),
        (429, "Rate limit reached for requests", "rate_limited"),
        (400, '{"error": {"code": "context_length_exceeded"}}', "too_long"),
        (400, "prompt is too long: 250000 tokens > 200000 maximum", "too_long"),
        (400, '{"error": {"code": "content_filter"}}', "filtered"),
        (400, "Unsupported value: 'temperature'", "refused"),
    ],
)
def test_what_the_server_says_tells_apart_what_its_status_does_not(
    status: int, said: str, reason: str
):
    assert error_of_status(status, "", said=said).reason == reason


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, LONGEST_WAIT_S),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, LONGEST_WAIT_S),
        ({}, None),
    ],
)
def test_a_wait_is_read_in_every_form(headers: dict[str, str], seconds: float | None):
    assert retry_after_of(headers) == seconds


def test_a_wait_without_end_is_said_in_days():
    seconds = retry_after_of({"retry-after": "inf"})
    error = error_of_status(429, "", seconds)
    assert remedy(ModelSpec(name="m"), error).startswith("wait 30 days as the server asks")


def test_a_wait_may_be_given_as_a_date():
    past = format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)
    coming = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    assert retry_after_of({"retry-after": past}) == 0.0
    assert 3000 < (retry_after_of({"retry-after": coming}) or 0) <= 3600


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abcdef123456",
        "you sent Authorization: Bearer abcdef123456",
        "POST https://example.org/v1?key=abcdef123456&alt=json",
        "https://user:abcdef123456@example.org/v1",
        "the key was abcdef123456",
    ],
)
def test_keys_are_taken_out_of_a_servers_words(text: str):
    assert "abcdef123456" not in scrubbed(text, "abcdef123456" if "the key was" in text else "")


def test_a_servers_words_become_one_short_line():
    line = scrubbed("first\nsecond   third " + "x" * 1000)
    assert line.startswith("first second third x")
    assert len(line) == DETAIL_LENGTH


def test_half_a_character_in_a_servers_words_is_written_out():
    assert scrubbed("so \ud83d") == r"so \ud83d"


def test_a_key_is_read_from_the_variable_that_is_named(monkeypatch: pytest.MonkeyPatch):
    there = ModelSpec(
        name="m", adapter="direct", base_url="http://127.0.0.1/v1", api_key_env="STUB_KEY"
    )
    monkeypatch.setenv("STUB_KEY", "secret")
    assert key_of(there) == "secret"
    assert key_of(ModelSpec(name="m")) == ""
    monkeypatch.setenv("STUB_KEY", "")
    with pytest.raises(ModelError, match="STUB_KEY"):
        key_of(there)


def test_prices_of_the_specification_hold_over_the_list():
    spec = ModelSpec(name="openai/gpt-4o", input_usd_per_million=1.0, output_usd_per_million=2.0)
    assert cost_usd(spec, 1_000_000, 500_000) == pytest.approx(2.0)


def test_the_list_fills_in_what_the_specification_lacks():
    listed = cost_usd(ModelSpec(name="openai/gpt-4o"), 1000, 0)
    mixed = cost_usd(ModelSpec(name="openai/gpt-4o", output_usd_per_million=1e6), 1000, 1)
    assert listed
    assert mixed == pytest.approx(listed + 1.0)


@pytest.mark.parametrize(
    "spec",
    [
        ModelSpec(name="openai/nobody-knows-this-one"),
        ModelSpec(name="nobody knows this either"),
        ModelSpec(name="gpt-4o", adapter="direct", base_url="http://localhost/v1"),
        ModelSpec(name="x", adapter="direct", input_usd_per_million=1.0),
    ],
)
def test_a_price_that_is_not_known_is_none_and_not_zero(spec: ModelSpec):
    assert cost_usd(spec, 1000, 1000) is None


def test_labels_come_from_a_set_that_cannot_grow_without_end():
    labels = {label_of(f"model-{number}") for number in range(3 * MOST_NAMES)}
    assert len(labels) <= MOST_NAMES + 1
    assert "other" in labels
