"""Answers held against the OpenAPI document, as any client would read it."""

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from gateway.api import routes
from gateway.api.openapi import document

assert routes, "what declares the operations is imported"


@cache
def openapi() -> dict[str, Any]:
    """The document as it is served."""
    found: dict[str, Any] = json.loads(document())
    return found


@cache
def _validator(ref: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": ref, "components": openapi()["components"]})


def complaints(schema: dict[str, Any], value: Any) -> list[str]:
    """In what a value is not as a schema of the document says."""
    if set(schema) == {"$ref"}:
        validator = _validator(schema["$ref"])
    else:
        validator = Draft202012Validator({**schema, "components": openapi()["components"]})
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)]


def answer_schema(path: str, method: str) -> dict[str, Any] | None:
    """What an operation answers, where that is JSON."""
    responses = openapi()["paths"][path][method.lower()]["responses"]
    done = next(one for status, one in responses.items() if status[0] == "2")
    content = done["content"].get("application/json")
    return content and content["schema"]


PROBLEM = {"$ref": "#/components/schemas/ProblemDetails"}
