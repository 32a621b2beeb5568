"""What participants said, encrypted in the log under a key of each, so that one of them can be
erased: without the key every reader finds ``[erased]`` in place of the words, and the log stays as
it is.

A sealed text stands in an event's msgpack as an extension (``CODE``) where the plain one would be a
string. No text that anybody writes can be mistaken for one. It is opened where an event is decoded
that could not be read otherwise, so that events without one cost nothing.
"""

import secrets
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeVar, Union, get_args, get_origin
from typing import get_type_hints as hints_of

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec.msgpack import Ext

from events.base import Event, Value
from events.episode import ActionFailure, ActionProposed, ActionTaken
from events.study import QuestionsAnswered, SessionBegan

E = TypeVar("E", bound=Event)

CODE: Final = 0x53
"""Of the msgpack extension."""
MARK: Final = b"\xff\xfetroupe\x01"
"""What a sealed text begins with: no UTF-8 holds these bytes."""
ERASED: Final = "[erased]"
"""What stands where the key is gone."""
_ID, _NONCE = 16, 12


class Key(NamedTuple):
    """A participant's."""

    id: bytes
    """16 random bytes; they say nothing of whose it is."""
    secret: bytes
    """32 bytes, for AES-256."""

    @classmethod
    def new(cls) -> "Key":
        """A random one."""
        return cls(secrets.token_bytes(_ID), secrets.token_bytes(32))


class Keyring(Protocol):
    """Where keys are."""

    def secret(self, key: bytes) -> bytes | None:
        """That of the key with this id; None: it is gone, or was never here."""
        ...

    def of(self, participant: str) -> Key | None:
        """The key that what a participant says is sealed with; None: they have none."""
        ...


_keyrings: dict[str, Keyring] = {}


def use(name: str, keyring: Keyring) -> None:
    """Look for keys there, too; one of the same name is replaced."""
    _keyrings[name] = keyring


def forget(name: str) -> None:
    """Look there no more."""
    _keyrings.pop(name, None)


def key_of(participant: str) -> Key | None:
    """The key of a participant, wherever it is; None: they have none. Blocking."""
    found = (ring.of(participant) for ring in list(_keyrings.values()))
    return next((key for key in found if key is not None), None)


# ------------------------------------------------------------------------------ sealing


def sealed(event: E, key: Key) -> E:
    """The event with a person's words sealed: every text of an action but those that its type or
    the rules list, what came instead of an action, answers to questions, and what a link came with.
    All that rules follow is left as it is. It is to be encoded, and good for nothing else."""
    change = msgspec.structs.replace
    match event:
        case ActionTaken() | ActionProposed():
            failure = event.failure and _failure(event.failure, key)
            return change(event, action=_seal(event.action, Any, key), failure=failure)
        case QuestionsAnswered(answers=given):
            answers = tuple(change(one, value=seal_text(one.value, key)) for one in given)
            return change(event, answers=answers)
        case SessionBegan(parameters=given):
            kept = tuple(change(one, value=seal_text(one.value, key)) for one in given)
            return change(event, parameters=kept)
    return event


def seal_text(text: str | Ext, key: Key) -> Any:
    """A text, encrypted; an empty one stays. One that is sealed already is sealed once more, and
    gone when either key is. It says how long the text was, and no more."""
    if not text:
        return text
    nonce = secrets.token_bytes(_NONCE)
    plain_ = text.encode() if isinstance(text, str) else bytes(text.data)
    hidden = AESGCM(key.secret).encrypt(nonce, plain_, key.id)
    return Ext(CODE, MARK + key.id + nonce + hidden)


def _failure(failure: ActionFailure, key: Key) -> ActionFailure:
    return msgspec.structs.replace(
        failure, raw=seal_text(failure.raw, key), detail=seal_text(failure.detail, key)
    )


def _seal(value: Any, hint: Any, key: Key) -> Any:
    """A value whose texts are sealed, but for those that its type lists."""
    match value:
        case str():
            return value if lists(hint, value) else seal_text(value, key)
        case msgspec.Struct():
            hints, listed = types_of(type(value)), listed_in(value)
            changed = {
                name: _seal(getattr(value, name), hints[name], key)
                for name in value.__struct_fields__
                if name not in listed
            }
            return msgspec.structs.replace(value, **changed)
        case tuple() | list():
            inner = inner_type(hint)
            return tuple(_seal(one, inner, key) for one in value)
        case Mapping():
            return {name: _seal(one, Any, key) for name, one in value.items()}
    return value


@cache
def types_of(kind: type) -> dict[str, Any]:
    """The types of a struct's fields."""
    return hints_of(kind)


def listed_in(value: msgspec.Struct) -> tuple[str, ...]:
    """The fields that hold what rules list."""
    return value.listed if isinstance(value, Value) else ()


def lists(hint: Any, value: str) -> bool:
    """Whether a type names this text among its values."""
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return any(lists(one, value) for one in get_args(hint))
    return isinstance(hint, type) and issubclass(hint, Enum)


def inner_type(hint: Any) -> Any:
    """The type of a sequence's values, where it says one."""
    args = [arg for arg in get_args(hint) if arg is not Ellipsis]
    return args[0] if len(args) == 1 else Any


# ------------------------------------------------------------------------------ opening


def is_sealed(payload: bytes | msgspec.Raw) -> bool:
    """Whether an event's bytes may hold a sealed text."""
    return MARK in bytes(payload)


def keys_in(payload: bytes) -> frozenset[bytes]:
    """The ids of the keys that an event's texts are sealed with."""
    parts = payload.split(MARK)[1:]
    return frozenset(part[:_ID] for part in parts)


def opened(payload: bytes | msgspec.Raw) -> bytes:
    """An event's bytes with every sealed text as it was written, or ``[erased]``. Blocking, where
    a key was not asked for lately."""
    return msgspec.msgpack.encode(plain(payload))


def plain(payload: bytes | msgspec.Raw) -> Any:
    """The same as plain data."""
    return msgspec.msgpack.decode(payload, ext_hook=_open)


def _open(code: int, data: memoryview) -> str | Ext:
    held = bytes(data)
    if code != CODE or not held.startswith(MARK):
        return Ext(code, held)
    key, nonce, hidden = _parts(held[len(MARK) :])
    for ring in list(_keyrings.values()):
        if (secret := ring.secret(key)) is None:
            continue
        try:
            words = AESGCM(secret).decrypt(nonce, hidden, key)
        except (InvalidTag, ValueError):
            continue
        return str(_open(CODE, memoryview(words))) if words.startswith(MARK) else words.decode()
    return ERASED


def _parts(held: bytes) -> Sequence[bytes]:
    return held[:_ID], held[_ID : _ID + _NONCE], held[_ID + _NONCE :]
