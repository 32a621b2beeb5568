"""Describes the format errors of an answer in plain words, from the decoder's messages."""

import re
from typing import Final

_AT: Final = re.compile(r" - at `(?:key in )?(\$[^`]*)`$")
_NAMES: Final = re.compile(r"\.([^.\[\]]+)")
_MISSING: Final = re.compile(r"Object missing required field `([^`]+)`")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `([^`]+)`")
_ENUM: Final = re.compile(r"Invalid enum value (.+)", re.DOTALL)
_EXPECTED: Final = re.compile(
    r"Expected `([^`]+)`(?: (of length )?(<=|>=|<|>|==) (\S+?))?(?:, got .*)?$"
)
_LENGTH: Final = re.compile(r"Expected `array` of length (\d+), got ")
_SIZES: Final = {
    "<=": "at most",
    ">=": "at least",
    "<": "less than",
    ">": "more than",
    "==": "exactly",
}
_KINDS: Final = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "a JSON object",
}


def form_fault(said: str, text: str) -> str:
    """Half a sentence about an answer whose ``text`` the decoder refused, and ``said`` why: ``the
    field "kind" is missing``."""
    at = _AT.search(said)
    path, said = (at[1], said[: at.start()]) if at else ("$", said)
    where = _place(path)
    if found := _MISSING.match(said):
        return f'the field "{found[1]}" is missing' + (f" in {where}" if path != "$" else "")
    if found := _UNKNOWN.match(said):
        return f'there is no field "{found[1]}"'
    if found := _ENUM.match(said):
        value = found[1]
        quoted = f'"{value[1:-1]}"' if value[:1] == value[-1:] == "'" else value
        return f"{where} may not be {quoted}"
    if found := _LENGTH.match(said):
        return f"{where} must be a list of exactly {found[1]}"
    if found := _EXPECTED.match(said):
        kind = " or ".join(_KINDS.get(one, "something else") for one in found[1].split(" | "))
        if path == "$":
            return "it held no JSON object"
        size = f" of {_SIZES[found[3]]} {found[4]}" if found[3] else ""
        return f"{where} must be {kind}{size}" + " characters" * bool(found[2] and kind == "a text")
    if "{" not in text:
        return "it held no JSON object, but other words"
    return "its JSON is not complete, or not well-formed"


def _place(path: str) -> str:
    names = _NAMES.findall(path)
    if not names:
        return "an entry" if "[" in path else "it"
    inside = path.rpartition(f".{names[-1]}")[2]
    return ("an entry of " if "[" in inside else "") + f'the field "{names[-1]}"'
