"""Requests as they are encoded."""

from sys import getsizeof

import pytest
from msgspec.msgpack import encode

from actors.models.port import Msg, SystemMessage, request_hash, request_of, to_encode
from events.ids import digest_of
from events.minds import ModelSpec


def test_a_prompt_keeps_no_encoded_form_beside_it():
    words = [f"Five € for {place}." for place in range(100)]
    system, user = " ".join(words), "\n".join(words)
    before = getsizeof(system), getsizeof(user)
    spec = ModelSpec(name="openai/stub")
    request_hash(spec, request_of(spec, (Msg("system", system), Msg("user", user))))
    assert (getsizeof(system), getsizeof(user)) == before


def test_the_encoded_form_of_a_system_prompt_is_kept_with_a_copy():
    system = Msg("system", "Five € for " + "you. " * 100)
    first, second = to_encode((system,)), to_encode((Msg(system.role, system.content),))
    assert first == second == (system,)
    assert first[0] is second[0]
    assert first[0].content is not system.content


@pytest.mark.parametrize("name", ["openai/stub", 'x\x82¤role¦system"', "模型"])
@pytest.mark.parametrize("chosen", [{}, {"top_p": 0.5}])
@pytest.mark.parametrize("system", ["", "Be brief.", "Five € for you. " * 500])
def test_a_system_prompt_that_is_hashed_once_counts_as_if_it_were_hashed_each_time(
    name: str, chosen: dict[str, float], system: str
):
    spec = ModelSpec(name=name, **chosen)
    for user in ("Go on.", "Go €. " * 1000):
        request = request_of(spec, (Msg("system", system), Msg("user", user)))
        sent = (request.messages, request.temperature, request.max_tokens)
        names = ("messages", "temperature", "max_tokens", "json_schema", "seed")
        body = dict(zip(names, (*sent, None, None), strict=True))
        plain = encode((name, body, chosen) if chosen else (name, body))
        assert request_hash(spec, request) == request_hash(spec, request) == digest_of(plain)


def test_bytes_that_a_name_has_in_common_with_a_system_prompt_are_not_taken_for_it():
    system = SystemMessage("Be brief.")
    for head in (b"", bytes(system.packed)[:25], bytes(system.packed)):
        whole = head + bytes(system.packed) + b"rest"
        assert system.digest_of(whole) == digest_of(whole)
