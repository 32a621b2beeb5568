"""The API's documentation as a page: made of the same document that programs read."""

from functools import cache
from typing import Final, NamedTuple

from litestar import Response, get
from litestar.di import NamedDependency

from gateway.api.openapi import TAGS, Plain, as_plain
from gateway.api.problems import CODES, REFUSALS
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest
from gateway.http.origins import own_origin
from gateway.http.templates import page
from gateway.services.access.roles import Principal

_METHODS: Final = ("get", "post", "delete")


class FieldRow(NamedTuple):
    """A parameter, or a field of a struct."""

    name: str
    type: str
    required: bool
    about: str


class OperationView(NamedTuple):
    """An operation as the page has it."""

    id: str
    method: str
    path: str
    summary: str
    about: str
    parameters: list[FieldRow]
    body: str
    fields: list[FieldRow]
    answer: str


class OperationGroup(NamedTuple):
    """Operations of one tag."""

    name: str
    about: str
    operations: list[OperationView]


class Struct(NamedTuple):
    """A struct that answers and bodies are made of."""

    name: str
    about: str
    fields: list[FieldRow]


@get("/api/docs", sync_to_thread=True)
def docs_page(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    visitor: NamedDependency[Principal | None],
) -> Response[bytes]:
    """What the API can do, for people."""
    groups, structs = _content()
    problems = sorted({**CODES, **REFUSALS}.items())
    return page(
        request,
        "api/docs.html",
        principal=visitor,
        origin=own_origin(request.scope, gateway.access.outside),
        groups=groups,
        structs=structs,
        names=frozenset(struct.name for struct in structs),
        problems=[(code, status, about) for code, (status, about) in problems],
        about=as_plain()["info"]["description"],
    )


@cache
def _content() -> tuple[list[OperationGroup], list[Struct]]:
    document = as_plain()
    schemas = document["components"]["schemas"]
    groups = [OperationGroup(name, about, []) for name, about in TAGS.items()]
    used: dict[str, None] = {}
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if (operation := methods.get(method)) is not None:
                group = next(one for one in groups if one.name == operation["tags"][0])
                group.operations.append(_shown(method, path, operation, schemas, used))
    structs, waiting = [], list(used)
    while waiting:
        name = waiting.pop(0)
        struct = Struct(name, _text(schemas[name]), _fields(schemas[name], used))
        structs.append(struct)
        known = {one.name for one in structs} | set(waiting)
        waiting += [other for other in used if other not in known]
    return [group for group in groups if group.operations], sorted(structs)


def _shown(
    method: str,
    path: str,
    operation: Plain,
    schemas: dict[str, Plain],
    used: dict[str, None],
) -> OperationView:
    parameters = [
        FieldRow(
            one["name"],
            f"{_type(one['schema'], used)}, in the {one['in']}",
            one["required"],
            _text(one),
        )
        for one in operation["parameters"]
        if "$ref" not in one
    ]
    content = operation.get("requestBody", {}).get("content", {})
    body, fields = next(iter(content), ""), []
    if schema := content.get("application/json", {}).get("schema"):
        body = "JSON"
        fields = _fields(schemas[schema["$ref"].rpartition("/")[2]], used)
    done = next(one for status, one in operation["responses"].items() if status[0] == "2")
    answer, shape = next(iter(done["content"].items()))
    if "schema" in shape:
        answer = _type(shape["schema"], used)
    return OperationView(
        operation["operationId"],
        method.upper(),
        path,
        operation["summary"],
        operation["description"],
        parameters,
        body,
        fields,
        answer,
    )


def _fields(schema: Plain, used: dict[str, None]) -> list[FieldRow]:
    required = schema.get("required", ())
    return [
        FieldRow(name, _type(one, used), name in required, _text(one))
        for name, one in schema.get("properties", {}).items()
        if name != "event"
    ]


def _text(schema: Plain) -> str:
    return " ".join(str(schema.get("description", "")).split())


def _type(schema: Plain, used: dict[str, None]) -> str:
    """A schema in a few words; structs by their names, which are noted."""
    if ref := schema.get("$ref"):
        name = str(ref).rpartition("/")[2]
        used.setdefault(name)
        return name
    if several := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(_type(one, used) for one in several))
    if "enum" in schema:
        return " | ".join(str(one) for one in schema["enum"])
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        if items := schema.get("prefixItems"):
            return "[" + ", ".join(_type(one, used) for one in items) + "]"
        inner = _type(schema["items"], used) if "items" in schema else "anything"
        return f"list of {inner}"
    if kind == "object" and isinstance(more := schema.get("additionalProperties"), dict):
        return f"object of {_type(more, used)}"
    return str(kind)
