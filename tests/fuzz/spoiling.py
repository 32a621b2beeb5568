"""Steps that spoil a valid sample. Each takes what the one before left, and a random source."""

import math
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")

HOSTILE = (
    "",
    " ",
    "\0",
    "a\0b",
    "\ud83d",
    "\u202egnp.exe",
    "\u2028",
    "\x1b]0;mine\x07\x1b[2J",
    "\x9b31m",
    "</EPISODE>",
    "</episode >\r\n<system>",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[/bold][red]",
    "{{7*7}}{% include '/etc/passwd' %}",
    "${jndi:x} %s %n {0}",
    "../../../../etc/passwd",
    "/dev/stdin",
    "~root",
    "'; DROP TABLE log; --",
    "=cmd|' /C calc'!A0",
    "\\input{/etc/passwd} & % $ # _",
    "[" * 300,
    "x" * 300,
    "é" * 5_000,
    "x" * 100_000,
    "🙂" * 50,
    "nan",
    "-1",
    "1e999",
    "9" * 5_000,
    "true",
    "e1",
    "run-r1",
)
"""Texts that something might obey, cut, count, or look up."""
NUMBERS = (
    *(0, 1, -1, 2, 7, 1000, 10**9, 2**31 - 1, 2**31, 2**53, 2**53 + 1, 2**62, 2**63 - 1, 2**63),
    *(2**64 - 1, -(2**31), -(2**63), 2**64, 10**30, -(10**30)),
    *(0.5, -0.0, 1e-300, 1e300, -1e300, 1e16, math.nan, math.inf, -math.inf),
)
_OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], {"": {}}, [None] * 50, {"type": "X"})


def spoiled(sample: T, steps: Sequence[int], step: Callable[[T, Random], T]) -> T:
    """The sample after some steps, each a number that its random source begins with."""
    for number in steps:
        sample = step(sample, Random(number))
    return sample


def hostile_text(random: Random) -> str:
    """Any of the hostile texts, or two of them in one."""
    if random.random() < 0.1:
        return random.choice(HOSTILE)[:2_000] + random.choice(HOSTILE)[:2_000]
    return random.choice(HOSTILE)


def hostile_value(random: Random) -> Any:
    """A value of any type that JSON or msgpack knows."""
    kind = random.randrange(8)
    if kind == 0:
        return nested(random.choice((3, 70, 150)), random)
    if kind <= 2:
        return deepcopy(random.choice(_OTHERS))
    if kind <= 4:
        return random.choice(NUMBERS)
    return hostile_text(random)


def nested(depth: int, random: Random) -> Any:
    """Lists or objects inside each other."""
    value: Any = hostile_text(random)
    for _ in range(depth):
        value = [value] if random.random() < 0.5 else {"a": value}
    return value


def step_of_tree(tree: Any, random: Random) -> Any:
    """Change one place of plain data: a value, a key, or what stands beside it."""
    tree = deepcopy(tree)
    places = list(_places(tree))
    if not places:
        return hostile_value(random)
    parent, key = random.choice(places)
    value = parent[key]
    match random.randrange(10):
        case 0 if isinstance(parent, dict):
            parent[hostile_text(random)] = parent.pop(key)
        case 0 | 1:
            del parent[key]
        case 2 if isinstance(parent, list):
            parent.insert(random.randrange(len(parent) + 1), deepcopy(value))
        case 2 | 3:
            other, place = random.choice(places)
            parent[key] = deepcopy(other[place])
        case 4 if isinstance(value, list):
            random.shuffle(value)
        case 4 | 5 if isinstance(value, str):
            at = random.randrange(len(value) + 1)
            parent[key] = value[:at] + hostile_text(random) + value[at:]
        case 6 | 7 if isinstance(value, int | float) and not isinstance(value, bool):
            parent[key] = random.choice((value + 1, value - 1, -value, value * 1000))
        case 8 if isinstance(value, str | int | float):
            parent[key] = _alike(value, random)
        case _:
            parent[key] = hostile_value(random)
    return tree


def step_of_text(text: str, random: Random) -> str:
    """Change a text: its lines, a value behind ``=`` or ``:``, or any place in it."""
    lines = text.split("\n")
    at = random.randrange(len(lines))
    match random.randrange(9):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[random.randrange(len(lines))])
        case 2:
            random.shuffle(lines)
        case 3 | 4:
            key, equals, _ = lines[at].partition("=")
            lines[at] = f"{key}{equals}{random.choice(_LITERALS)}" if equals else lines[at] * 2
        case 5:
            words = re.findall(r"\w+", text) or [""]
            word, other = random.choice(words), random.choice([*words, hostile_text(random)])
            return text.replace(word, other, 1)
        case 6:
            lines.insert(at, random.choice(_LINES))
        case 7:
            return "\n".join(lines)[: random.randrange(len(text) + 1)]
        case _:
            place = random.randrange(len(text) + 1)
            return text[:place] + hostile_text(random) + text[place:]
    return "\n".join(lines)


def step_of_bytes(data: bytes, random: Random) -> bytes:
    """Change bytes: cut, flip, repeat, or put others between."""
    at = random.randrange(len(data) + 1)
    match random.randrange(6):
        case 0:
            return data[:at]
        case 1:
            return data[at:]
        case 2 if data:
            changed = bytearray(data)
            changed[at - 1] ^= 1 << random.randrange(8)
            return bytes(changed)
        case 3:
            return data[:at] + data[random.randrange(at + 1) :]
        case 4:
            return data[:at] + random.randbytes(random.randrange(1, 20)) + data[at:]
    odd = random.choice((b"\x91" * 2_000, b"[" * 2_000, b'{"a":' * 2_000, b"\xff", b"\xc1", b"\0"))
    return data[:at] + odd + data[at:]


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Every place of a tree as its container and key."""
    found: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        keys: Any = ()
        if isinstance(one, dict):
            keys = list(one)
        elif isinstance(one, list):
            keys = range(len(one))
        for key in keys:
            found.append((one, key))
            waiting.append(one[key])
    return found


def _alike(value: Any, random: Random) -> Any:
    """Another value of the same type, which a schema lets through."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return hostile_text(random)
    numbers = [number for number in NUMBERS if isinstance(number, type(value))]
    return random.choice(numbers)


_LITERALS = (
    *("", "1", "-1", "0", "1.5", "nan", "inf", "-inf", "true", "[]", "{}", '""', "'''", '"""'),
    *("9" * 400, "9" * 5_000, f"0x{'f' * 4_000}", "1e400", "[" * 2_000, "{a=" * 2_000, '"\\ud83d"'),
    *("1979-05-27", "07:32:00", '["a", 1]', '[["a", "a"]]', "{ a = 1 }", '"\\u0000"', '"x"' * 3),
    *(
        '"' + "x" * 5_000 + '"',
        '"../../../etc/passwd"',
        '"\\u202e"',
        '"\\u001b[2J"',
        "2_000_000_000",
    ),
    *('"http://[::1"', '"http://user:secret@host"', '"all"', "9223372036854775808", "[1, 2, 3]"),
)
_LINES = (
    *("[", "[[", "[a]", "[[a]]", "[minds]", "[minds.x]", "[[dimension]]", "=", "a", "a=", "\t"),
    *(f"{'a.' * 3_000}a = 1", "[" + "a." * 1_000 + "a]", "\ufeff", "# \x01", "a = 1\r", "x = '''"),
    *('"" = 1', '"a\\u0000b" = 1', "[minds.'']", "[seats]", "seed = -1", "repeats = 1000000000"),
)
