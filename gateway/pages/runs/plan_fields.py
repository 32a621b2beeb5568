"""The fields of a form for plans: what a plan file of an environment may hold, from its types."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, Literal

import msgspec
from msgspec import inspect

from actors.episodes.registry import environment_named
from actors.runs.plan.mind_entries import THINKING
from actors.runs.plan.plan_file import plan_shape
from actors.toml_text import NotToml, parsed
from actors.toml_values import value_text
from events.untrusted.safe_text import shortened
from gateway.services.runs.plan_text import Path

Kind = Literal["text", "whole", "number", "yes", "choice", "names", "any"]
FIRST: Final = (
    "kind",
    "model",
    "temper",
    "temperature",
    "max_tokens",
    "episode",
    "agent",
    "background",
    "module",
)
"""Settings of a mind or a memory that come first; the others are folded away."""
OF_KIND: Final[Mapping[str, Sequence[str]]] = {
    "rehearsal": ("kind", "temper"),
    "recorded": ("kind", "episode"),
    "remote": ("kind",),
    "person": ("kind",),
}
"""What minds that ask no model are set up by."""
LABELS: Final[Mapping[str, str]] = {
    "usd": "Dollars",
    "use": "Who scores",
    "deadline_s": "Deadline, seconds",
    "nudge_s": "Nudge after, seconds",
    "timeout_s": "Time-out, seconds",
    "top_p": "Top p",
    "api_key_env": "Key, by its variable",
}
NO_LIMIT: Final = "0: no limit"
_ENTRY_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,60}")


class PlanField(msgspec.Struct, frozen=True, kw_only=True):
    """A setting that a person fills in."""

    path: Path
    label: str
    kind: Kind
    default: str = ""
    """What counts where it is empty."""
    choices: tuple[str, ...] = ()
    """Of a choice all there are; of ``names`` those that are known."""
    hint: str = ""
    """The range, in words."""
    folded: bool = False

    @property
    def name(self) -> str:
        """In the form, and in errors."""
        return ".".join(self.path)


class PlanFieldGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Fields that belong together."""

    title: str
    path: Path
    fields: tuple[PlanField, ...]
    optional: bool = False
    """A plan may leave the whole of it out."""
    entries: bool = False
    """Each has a name of its own, as minds do; ``fields`` are those of a new one."""


class Unusable(ValueError):
    """What somebody typed into a field."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{shortened(field)}: {shortened(why, 1_000)}")
        self.field, self.why = field, why


@cache
def groups(environment: str) -> tuple[PlanFieldGroup, ...]:
    """All that a plan of this environment may hold. Raises ``UnknownEnvironment``."""
    own = environment_named(environment)
    info = inspect.type_info(plan_shape(environment))
    assert isinstance(info, inspect.StructType)
    plain: list[PlanField] = []
    found: list[PlanFieldGroup] = []
    for field in info.fields:
        if field.name in own.plans.older_sections:
            continue
        kind, optional = _without_none(field.type)
        path = (field.encode_name,)
        if isinstance(kind, inspect.StructType):
            fields = tuple(_fields(kind, path))
            found.append(
                PlanFieldGroup(title=_title(path), path=path, fields=fields, optional=optional)
            )
        elif isinstance(kind, inspect.DictType):
            inner = kind.value_type
            assert isinstance(inner, inspect.StructType)
            fields = tuple(_fields(inner, (*path, "")))
            found.append(PlanFieldGroup(title=_title(path), path=path, fields=fields, entries=True))
        else:
            plain.append(_field(field, kind, path))
    order = ["minds", own.name, "tasks", "seats", "judges", "budget", "people"]
    found.sort(key=lambda one: order.index(one.path[0]) if one.path[0] in order else len(order))
    return (PlanFieldGroup(title="Plan", path=(), fields=tuple(plain)), *found)


def fields_of(environment: str, data: Mapping[str, object]) -> dict[str, PlanField]:
    """By name the fields that a form for this plan shows."""
    found: dict[str, PlanField] = {}
    for group in groups(environment):
        if group.entries:
            for entry in _table(data, group.path):
                found |= {one.name: one for one in entry_fields(group, entry, data)}
        elif not group.optional or group.path[0] in data:
            found |= {one.name: one for one in group.fields}
    return found


def entry_fields(
    group: PlanFieldGroup, entry: str, data: Mapping[str, object]
) -> tuple[PlanField, ...]:
    """The fields of one that has a name: those that its kind has, and those that are given."""
    given = _table(data, (*group.path, entry))
    kind = str(given.get("kind", ""))
    only = OF_KIND.get(kind)
    others = () if kind in ("", "generative") else THINKING
    return tuple(
        msgspec.structs.replace(one, path=(*group.path, entry, one.path[-1]))
        for one in group.fields
        if one.path[-1] in given or _has(one.path[-1], only, others)
    )


def _has(field: str, only: Sequence[str] | None, others: Sequence[str]) -> bool:
    return field in only if only is not None else field not in others


def entries_of(group: PlanFieldGroup, data: Mapping[str, object]) -> list[str]:
    return list(_table(data, group.path))


def shown(field: PlanField, data: Mapping[str, object]) -> str:
    """What stands in a field; empty: the plan says nothing of it."""
    value: object = data
    for name in field.path:
        value = value.get(name) if isinstance(value, dict) else None
    if value is None:
        return ""
    if field.kind == "names" and isinstance(value, list) and all(map(_plain, value)):
        return ", ".join(value)
    if isinstance(value, str):
        return value
    return value_text(value, inline=True)


def read(field: PlanField, typed: str) -> object:
    """The value that somebody typed; None: nothing. Raises ``Unusable``."""
    text = typed.strip()
    if not text:
        return None
    if field.kind in ("text", "choice"):
        return text
    if field.kind == "yes":
        return text == "true"
    if field.kind == "names" and not text.startswith("["):
        return [one.strip() for one in re.split(r"[,\n]", text) if one.strip()]
    if field.kind == "any" and text in field.choices:
        return text
    if field.kind in ("whole", "number"):
        text = text.replace("_", "").replace("\u202f", "")
    try:
        return parsed(f"value = {text}")["value"]
    except NotToml:
        what = {"whole": "a whole number", "number": "a number"}.get(field.kind, "a list")
        raise Unusable(field.name, f"must be {what}, is {typed.strip()!r}") from None


def new_entry(name: str, taken: Sequence[str]) -> str:
    """The name of a new mind or memory. Raises ``Unusable``."""
    text = name.strip()
    if not _ENTRY_NAME.fullmatch(text):
        raise Unusable("new", "names are letters, digits, '-', '_' and '.', 60 at most")
    if text in taken:
        raise Unusable("new", f"there is a {text!r} already")
    return text


def _fields(info: inspect.StructType, path: Path) -> Iterator[PlanField]:
    for field in info.fields:
        kind, _ = _without_none(field.type)
        one = _field(field, kind, (*path, field.encode_name))
        folded = len(path) > 1 and field.name not in FIRST
        yield msgspec.structs.replace(one, folded=folded)


def _field(field: inspect.Field, type_: inspect.Type, path: Path) -> PlanField:
    default = field.default
    if default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
        default = field.default_factory()
    text = ""
    if default not in (msgspec.NODEFAULT, None, msgspec.UNSET, "", (), {}):
        plain = msgspec.to_builtins(default)
        text = plain if isinstance(plain, str) else value_text(plain, inline=True)
    kind, choices, hint = _kind(type_)
    hint = NO_LIMIT if ".".join(path) in ("budget.usd", "budget.tokens") else hint
    return PlanField(
        path=path,
        label=LABELS.get(path[-1]) or path[-1].replace("_", " ").capitalize(),
        kind=kind,
        default=text,
        choices=choices,
        hint=hint,
    )


def _kind(type_: inspect.Type) -> tuple[Kind, tuple[str, ...], str]:
    match type_:
        case inspect.BoolType():
            return "yes", (), ""
        case inspect.IntType():
            return "whole", (), _range(type_)
        case inspect.FloatType():
            return "number", (), _range(type_)
        case inspect.LiteralType():
            return "choice", tuple(str(one) for one in type_.values if one != ""), ""
        case inspect.StrType():
            return "text", (), ""
        case inspect.VarTupleType(item_type=inspect.StrType()):
            return "names", (), "names with commas between them"
        case inspect.VarTupleType(item_type=inspect.LiteralType() as item):
            return "names", tuple(map(str, item.values)), "names with commas between them"
        case inspect.UnionType():
            words = [
                str(value)
                for one in type_.types
                if isinstance(one, inspect.LiteralType)
                for value in one.values
            ]
            return "any", tuple(words), f"{', '.join(words)}, or a list" if words else ""
    return "any", (), "as TOML writes it"


def _range(type_: inspect.IntType | inspect.FloatType) -> str:
    low, high = type_.ge if type_.ge is not None else type_.gt, type_.le
    if low is not None and high is not None and abs(high) < 10**6:
        return f"{low:,} to {high:,}"
    if low is not None and abs(low) < 10**6:
        return f"{'more than' if type_.ge is None else 'at least'} {low:,}"
    return ""


def _without_none(type_: inspect.Type) -> tuple[inspect.Type, bool]:
    """A type without the ways to say nothing, and whether None was among them."""
    while isinstance(type_, inspect.Metadata):
        type_ = type_.type
    if not isinstance(type_, inspect.UnionType):
        return type_, False
    some = [one for one in type_.types if not isinstance(one, inspect.NoneType)]
    none = any(isinstance(one, inspect.NoneType) for one in type_.types)
    return (some[0], none) if len(some) == 1 else (inspect.UnionType(tuple(some)), none)


def _table(data: Mapping[str, object], path: Path) -> Mapping[str, object]:
    value: object = data
    for name in path:
        value = value.get(name, {}) if isinstance(value, dict) else {}
    return value if isinstance(value, dict) else {}


def _plain(one: object) -> bool:
    """Whether it can stand among others with commas between them."""
    return isinstance(one, str) and one == one.strip() and not set(one) & set(",\n[")


def _title(path: Path) -> str:
    return path[-1].replace("_", " ").capitalize()
