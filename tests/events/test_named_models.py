"""Which models events name: by type, so that none is forgotten."""

import re
from collections.abc import Iterator
from typing import Any, get_args, get_origin

import msgspec
import pytest
from msgspec import inspect

from events.environments import vocabularies
from events.minds import GenerativeSpec, MindSpec, ModelSpec
from events.serialization.named_models import holders, named_models, names_models
from events.serialization.registry import EVENTS, readable_types
from events.wire import messages

_ALL = inspect.multi_type_info(readable_types(vocabularies()))


def _made(info: Any, models: list[ModelSpec], within: tuple[type, ...] = ()) -> Any:
    """A value of a type with a model of its own name wherever one can stand."""
    match info:
        case inspect.StructType():
            kind = get_origin(info.cls) or info.cls
            if kind is ModelSpec:
                models.append(ModelSpec(name=f"openai/m{len(models)}"))
                return models[-1]
            if kind in within:
                return msgspec.UNSET
            given = {
                field.name: value
                for field in info.fields
                if (value := _made(field.type, models, (*within, kind))) is not msgspec.UNSET
            }
            return kind(**given)
        case inspect.UnionType(types=types):
            # What can hold a model, if one can.
            for one in sorted(types, key=lambda one: not _holds(one)):
                if not isinstance(one, inspect.NoneType):
                    return _made(one, models, within)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            made = _made(item, models, within)
            return () if made is msgspec.UNSET else (made,)
        case inspect.TupleType(item_types=items):
            return tuple(_made(one, models, within) for one in items)
        case inspect.DictType():
            return {}
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.StrType():
            return "x"
        case inspect.BoolType():
            return False
        case inspect.IntType() | inspect.FloatType():
            return 1
        case inspect.BytesType():
            return b""
    return None


def _holds(info: Any) -> bool:
    kind = getattr(info, "cls", None)
    return isinstance(info, inspect.StructType) and (get_origin(kind) or kind) in _HOLDERS


_HOLDERS = holders(readable_types(vocabularies()))


@pytest.mark.parametrize("info", _ALL, ids=lambda info: (get_origin(info.cls) or info.cls).__name__)
def test_every_model_that_an_event_can_name_is_found(info: Any):
    models: list[ModelSpec] = []
    event = _made(info, models)
    tag = type(event).__name__
    assert bool(models) == names_models(tag)
    embedded = {mind.embedding_model for mind in _minds(event) if mind.embedding_model is not None}
    assert named_models(event) == {*models, *embedded}


def _minds(value: Any) -> Iterator[MindSpec]:
    if isinstance(value, MindSpec):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _minds(getattr(value, name))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _minds(one)


def test_those_that_an_import_can_bring_are_among_them():
    naming = {tag for tag in EVENTS if names_models(tag)}
    assert naming >= {
        *("InterviewBegan", "EpisodeStarted", "EpisodeForked", "ChainStarted", "MemoryOpened"),
        *("SeatTaken", "SeatReleased", "EvaluationStarted", "RunPlanned", "JudgeAdded"),
    }


_LOOKS = re.compile(
    r"model|embed|ur[il]\b|_url|address|host|server|env\b|environ$|variable|key|path|folder|file"
    r"|redirect|link|endpoint|command"
)
LOOKED_AT = {
    ("ModelSpec", "base_url"): "with the specification",
    ("ModelSpec", "api_key_env"): "with the specification; bound to hosts by TROUPE_KEYS",
    ("GenerativeSpec", "embedder"): "MindSpec.embedding_model",
}
"""Texts that name a model, an address, a variable or a path, and where they are looked at."""
TOLD = {
    ("ModelAsked", "model"): "whom somebody asked",
    ("ModelAnswered", "model"): "who answered",
    ("ModelHeld", "model"): "who was held",
    ("ModelReleased", "model"): "who was held",
    ("FormLowered", "model"): "who was asked",
    ("AnswersUnusable", "model"): "who was asked",
    ("ItemGenerated", "model"): "who was asked",
    ("Recruitment", "redirect"): "no file brings a study; participants are shown it",
    ("DeedDone", "address"): "where somebody called from",
    ("Block", "address"): "a place in a town",
    ("StreamsTakenOut", "folder"): "no file brings it; it is shown, not opened",
    ("StreamsBroughtBack", "folder"): "no file brings it; it is shown, not opened",
}
"""Texts that are shown and nothing else."""


def test_no_text_names_a_model_an_address_a_variable_or_a_path_unseen():
    commands = [
        kind[Any] if getattr(kind, "__parameters__", ()) else kind
        for kind in (*get_args(messages.Command), *get_args(messages.Job))
    ]
    found: set[tuple[str, str]] = set()
    seen: set[type] = set()

    def look(info: Any) -> None:
        if isinstance(info, inspect.StructType):
            kind = get_origin(info.cls) or info.cls
            if kind in seen or kind.__module__.partition(".")[0] != "events":
                return
            seen.add(kind)
            for field in info.fields:
                if _LOOKS.search(field.name) and _is_text(field.type):
                    found.add((kind.__name__, field.name))
                look(field.type)
        elif isinstance(info, inspect.Type):
            for name in info.__struct_fields__:
                inner = getattr(info, name)
                for one in inner if isinstance(inner, tuple) else (inner,):
                    look(one)

    for info in (*_ALL, *inspect.multi_type_info(commands)):
        look(info)
    assert found == {*LOOKED_AT, *TOLD}


def _is_text(info: Any) -> bool:
    match info:
        case inspect.StrType():
            return True
        case inspect.UnionType(types=types):
            return any(map(_is_text, types))
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return _is_text(item)
    return False


def test_an_embedder_is_a_model_that_is_asked():
    model = ModelSpec(name="direct/m", base_url="http://h/v1")
    spec = GenerativeSpec(embedder="voyage/v", background=ModelSpec(name="openai/b"))
    mind = MindSpec(name="m", kind="generative", model=model, generative=spec)
    assert {one.name for one in named_models(mind)} == {"direct/m", "voyage/v", "openai/b"}
