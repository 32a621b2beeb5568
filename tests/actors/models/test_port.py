"""Requests as they are encoded."""

from sys import getsizeof

from actors.models.port import Msg, request_hash, request_of, to_encode
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
