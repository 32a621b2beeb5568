"""The runtime overrides names that Pykka keeps private: this is what it relies on in 4.5."""

import inspect
import uuid
from importlib.metadata import version

import pykka
from pykka import Actor, ActorRef, ActorRegistry, ThreadingActor, messages
from pykka._envelope import Envelope

from actors.runtime.actors.loop_actor import LoopActor


def test_the_pinned_version_is_installed() -> None:
    assert version("pykka").startswith("4.5.")


def test_an_actor_is_made_from_these_four_fields() -> None:
    class Threaded(ThreadingActor):
        pass

    class Pooled(LoopActor):
        pass

    fields = {"actor_urn", "actor_inbox", "actor_stopped", "_actor_ref"}
    assert set(vars(Threaded())) == fields
    pooled = Pooled()
    assert all(getattr(pooled, field) for field in fields - {"actor_stopped"})
    assert not pooled.actor_stopped.is_set()
    assert vars(pooled) == {}


def test_an_actors_name_has_pykkas_form_and_is_its_own() -> None:
    class Pooled(LoopActor):
        pass

    urns = {Pooled().actor_urn for _ in range(1000)}
    assert len(urns) == 1000
    for urn in urns:
        assert uuid.UUID(urn).urn == urn
        assert uuid.UUID(urn).version == 4


def test_a_new_kind_of_actor_supplies_these_three() -> None:
    assert Actor.__abstractmethods__ == {
        "_create_actor_inbox",
        "_create_future",
        "_start_actor_loop",
    }


def test_the_steps_of_an_actors_life_that_are_called_or_replaced() -> None:
    for name in ("_handle_receive", "_handle_failure", "_actor_loop_teardown", "_stop"):
        assert callable(getattr(Actor, name))
    assert list(inspect.signature(Actor._handle_failure).parameters) == [
        "self",
        "exception_type",
        "exception_value",
        "traceback",
    ]


def test_a_reference_uses_the_inbox_the_flag_and_the_future_only() -> None:
    source = inspect.getsource(ActorRef)
    assert "self.actor_inbox.put(Envelope(message, reply_to=future))" in source
    assert "self.actor_class._create_future()" in source
    assert "not self.actor_stopped.is_set()" in source
    assert "ask_future.__class__()" in source
    assert "set_get_hook" in source


def test_messages_travel_in_envelopes() -> None:
    assert Envelope.__slots__ == ["message", "reply_to"]
    assert messages._ActorStop() == ()


def test_the_registry_keeps_its_references_in_one_container_under_one_lock() -> None:
    source = inspect.getsource(ActorRegistry)
    used = {line.strip() for line in source.splitlines() if "_actor_refs" in line}
    assert used == {
        "_actor_refs: ClassVar[list[ActorRef[Any]]] = []",
        "_actor_refs_lock: ClassVar[threading.RLock] = threading.RLock()",
        "with cls._actor_refs_lock:",
        "return cls._actor_refs[:]",
        "for ref in cls._actor_refs",
        "refs = [ref for ref in cls._actor_refs if ref.actor_urn == actor_urn]",
        "cls._actor_refs.append(actor_ref)",
        "if actor_ref in cls._actor_refs:",
        "cls._actor_refs.remove(actor_ref)",
    }


def test_futures_derive_theirs_by_the_get_hook_alone() -> None:
    for name in ("filter", "join", "map", "reduce"):
        source = inspect.getsource(getattr(pykka.Future, name))
        assert "set_get_hook" in source
        assert "._" not in source.replace("self.__class__()", "")
