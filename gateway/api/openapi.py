"""The OpenAPI document, made of the operations and of msgspec's schemas of their structs."""

import ast
import inspect
import re
import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

from events.base import Event
from events.environments import vocabularies
from events.serialization.registry import readable_types
from gateway.api.operations import OPERATIONS, PREFIX, File, Operation
from gateway.api.paging import Page
from gateway.api.problems import CODES, REFUSALS, ProblemDetails
from gateway.api.resources.episodes import EpisodeEvent

TAGS: Final = {
    "runs": "Runs: planned, begun, looked at, stopped and resumed.",
    "results": "What is made of runs: tables, reports, comparisons, exports.",
    "episodes": "Episodes, as the narrator tells them or as somebody may see them.",
    "steering": "Episodes that go on: stop, pause, step, edit, narrate, seats; forks.",
    "judges": "Judges, and what they made of episodes.",
    "chains": "Episodes in which the same characters meet again.",
    "people": "Studies, annotation studies, interviews, and how far people agree.",
    "catalogs": "What can be played; and what comes in from elsewhere.",
    "access": "Tokens: who may do what.",
    "server": "Workers, jobs, tables: what operators look after.",
}
_REF: Final = "#/components/schemas/{name}"
_NAME = re.compile(r"((?:[a-z][a-z0-9_]*\.)*)([A-Za-z0-9]+)(?:_(.*)_)?")
"""A component's as msgspec has it: modules where there are two of a name, the struct's, and what a
generic one holds."""
Plain = dict[str, Any]
"""A part of the document: what JSON calls an object."""
_JSON: Final = "application/json"
_PROBLEM: Final = "application/problem+json"


@cache
def document() -> bytes:
    """The document as JSON. Made once: operations do not change while a process lives."""
    return msgspec.json.encode(as_plain())


@cache
def as_plain() -> Plain:
    """The document as plain data."""
    schemas, components = _schemas()
    paths: dict[str, Plain] = {}
    for operation in OPERATIONS.values():
        path = paths.setdefault(PREFIX + operation.path, {})
        path[operation.method.lower()] = _operation(operation, schemas, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Troupe",
            "version": version("troupe-server"),
            "summary": "Everything the command line can do, over HTTP.",
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}, {"session": []}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": components,
            "responses": {"Problem": _problem()},
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "JWT",
                    "description": "A token of `troupe token issue`.",
                },
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "troupe_session",
                    "description": "The same in a cookie, as pages have it.",
                },
            },
            "parameters": {
                "IdempotencyKey": {
                    "name": "Idempotency-Key",
                    "in": "header",
                    "required": False,
                    "description": "The same key with the same request is done once: what comes "
                    "again within a day is answered as the first was.",
                    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
                },
                "IfNoneMatch": {
                    "name": "If-None-Match",
                    "in": "header",
                    "required": False,
                    "description": "An ETag of an earlier answer: 304 if nothing has changed.",
                    "schema": {"type": "string"},
                },
            },
        },
    }


_ABOUT: Final = (
    "Ids may be given by their beginnings, where only one begins so. Times are microseconds since "
    "1970-01-01 UTC. A field that has its default may be missing from an answer. Lists come in "
    "pages: `next` of one is `cursor` of the following. Errors are `application/problem+json` with "
    "a `code`. Commands may carry an `Idempotency-Key`. What goes on live is told over the "
    "websocket (`/api/asyncapi.json`)."
)


def _shapes(operation: Operation) -> list[object]:
    answer = None if operation.answer is File else operation.answer
    return [shape for shape in (operation.query, operation.body, answer) if shape is not None]


_PUBLISHED: Final = {
    "gateway.services.episodes.episode_details.Happened": "GatewayHappened",
    "evaluators.agreement.people_agreement.AmongPeople": "EvaluatorsAmongPeople",
    "evaluators.statistics.estimates.Estimate": "EvaluatorsEstimate",
}
"""Components that keep the name under which clients know them, though their modules have moved."""


def _schemas() -> tuple[dict[object, Plain], dict[str, Plain]]:
    """The schema of each type that operations name, and the components that they refer to."""
    types: list[object] = [ProblemDetails]
    for operation in OPERATIONS.values():
        types += [shape for shape in _shapes(operation) if shape not in types]
    events = readable_types(vocabularies())
    found, components = msgspec.json.schema_components(
        [*types, *events], schema_hook=lambda _: {}, ref_template=_REF
    )
    for kind in _structs(types):
        described = components.get(kind.__name__) or components.get(
            f"{kind.__module__}.{kind.__name__}"
        )
        if described is not None:
            _describe(described, kind)
    _tell_events(components, found[len(types) :], events)
    names = _short(list(components))
    schemas, components = _renamed((list(found), components), names)
    components = {names[name]: schema for name, schema in components.items()}
    return dict(zip(map(_key, types), schemas, strict=False)), components


def _short(names: list[str]) -> dict[str, str]:
    """Components' names as people would write them: no modules and no lists of what a generic
    struct may hold, but for what tells two apart."""
    found: dict[str, str] = {}
    for name in names:
        parts = _NAME.fullmatch(name)
        assert parts is not None, f"{name} is no name of a component"
        modules, short, held = parts[1].split(".")[:-1], parts[2], parts[3] or ""
        if name in _PUBLISHED:
            short = _PUBLISHED[name]
        elif short == Page.__name__ and held:
            short = f"{short}Of{held.rpartition('.')[2]}"
        elif modules:
            of = modules[1] if len(modules) > 2 else modules[0]
            short = "".join(part.title() for part in of.split("_")) + short
        others = sum(other.rstrip("0123456789") == short for other in found.values())
        found[name] = f"{short}{others + 1}" if others else short
    return found


def _renamed(shape: Any, names: Mapping[str, str]) -> Any:
    """Schemas with references to components by their other names."""
    begin = _REF.format(name="")
    if isinstance(shape, str):
        return begin + names[shape.removeprefix(begin)] if shape.startswith(begin) else shape
    if isinstance(shape, list | tuple):
        return [_renamed(part, names) for part in shape]
    if isinstance(shape, dict):
        found = {key: _renamed(part, names) for key, part in shape.items()}
        if isinstance(title := found.get("title"), str):
            found["title"] = title.partition("[")[0]
        return found
    return shape


def _key(shape: object) -> object:
    return str(shape) if get_origin(shape) else shape


def _tell_events(
    components: dict[str, Plain], found: Sequence[Plain], events: Sequence[type[Event]]
) -> None:
    """Say of an episode's event that it is one of all, told apart by its type."""
    tags = {}
    for kind, schema in zip(events, found, strict=True):
        struct = get_origin(kind) or kind
        tags[str(struct.__struct_config__.tag)] = schema["$ref"]
    components[EpisodeEvent.__name__]["properties"]["event"] = {
        "description": "The event itself.",
        "oneOf": [{"$ref": ref} for ref in tags.values()],
        "discriminator": {"propertyName": "type", "mapping": tags},
    }


def _structs(types: list[object]) -> list[type[msgspec.Struct]]:
    """All structs among some types and in their fields."""
    found: dict[type[msgspec.Struct], None] = {}
    waiting = list(types)
    while waiting:
        kind = waiting.pop()
        waiting += get_args(kind)
        struct = get_origin(kind) or kind
        if isinstance(struct, type) and issubclass(struct, msgspec.Struct) and struct not in found:
            found[struct] = None
            try:
                waiting += get_type_hints(struct).values()
            except (NameError, TypeError):
                continue
    return list(found)


def _describe(schema: Plain, kind: type[msgspec.Struct]) -> None:
    """Put what stands below each field in the source into a struct's schema."""
    for base in reversed(kind.__mro__):
        if base is msgspec.Struct or not issubclass(base, msgspec.Struct):
            continue
        for name, text in field_texts(base).items():
            if name in schema.get("properties", {}):
                shown = schema["properties"][name]
                schema["properties"][name] = {**shown, "description": text}


@cache
def field_texts(kind: type) -> dict[str, str]:
    """What stands below each field of a struct in its source."""
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    assert isinstance(tree, ast.ClassDef), "the source of a class is one"
    found = {}
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = " ".join(text.split()).replace("``", "`")
    return found


def _operation(
    operation: Operation, schemas: dict[object, Plain], components: dict[str, Plain]
) -> Plain:
    found: Plain = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary.replace("``", "`"),
        "description": _description(operation),
        "x-roles": list(operation.roles),
    }
    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "minLength": 1, "maxLength": 200},
        }
        for name in operation.parameters
    ]
    if operation.query is not None:
        parameters += _query(operation.query, schemas, components)
    if operation.method == "GET":
        parameters.append({"$ref": "#/components/parameters/IfNoneMatch"})
    else:
        parameters.append({"$ref": "#/components/parameters/IdempotencyKey"})
    found["parameters"] = parameters
    if operation.uploads:
        found["requestBody"] = {"required": True, "content": {operation.media_type: {}}}
    elif operation.body is not None:
        required = any(field.required for field in msgspec.structs.fields(operation.body))
        found["requestBody"] = {
            "required": required,
            "content": {_JSON: {"schema": schemas[_key(operation.body)]}},
        }
    found["responses"] = _responses(operation, schemas)
    return found


def _description(operation: Operation) -> str:
    roles = ", ".join(operation.roles)
    told = operation.description.replace("``", "`").strip()
    return f"{told}\n\nFor: {roles}.".strip()


def _query(
    shape: type[msgspec.Struct], schemas: dict[object, Plain], components: dict[str, Plain]
) -> list[Plain]:
    schema = schemas[_key(shape)]
    whole = components[schema["$ref"].rpartition("/")[2]]
    found = []
    for name, one in whole["properties"].items():
        plain = {key: value for key, value in one.items() if key != "description"}
        parameter = {
            "name": name,
            "in": "query",
            "required": name in whole.get("required", ()),
            "schema": plain,
        }
        if one.get("description"):
            parameter["description"] = one["description"]
        if plain.get("type") == "array":
            parameter |= {"style": "form", "explode": True}
        found.append(parameter)
    return found


def _responses(operation: Operation, schemas: dict[object, Plain]) -> Plain:
    if operation.answer is File:
        content: Plain = {operation.media_type: {}}
    else:
        content = {_JSON: {"schema": schemas[_key(operation.answer)]}}
    problem = {"$ref": "#/components/responses/Problem"}
    found: Plain = {
        str(operation.status): {"description": "Done.", "content": content},
    }
    if operation.method == "GET" and operation.answer is not File:
        found[str(operation.status)]["headers"] = {
            "ETag": {"description": "Names this answer.", "schema": {"type": "string"}}
        }
        found["304"] = {"description": "Nothing has changed since."}
    return found | {"4XX": problem, "5XX": problem}


def _problem() -> Plain:
    codes = sorted({**CODES, **REFUSALS})
    return {
        "description": f"It was not done. `code` is one of: {', '.join(codes)}.",
        "content": {_PROBLEM: {"schema": {"$ref": _REF.format(name=ProblemDetails.__name__)}}},
    }
