"""What environments say, as types: the roots of their values, and which environments there are.

An event of an episode holds values that belong to its environment: the setup, questions, actions
and changes. Here nothing is known of them but their roots. Each environment names its own structs
in a ``Vocabulary``, and ``events.serialization.codec`` reads them as what they are.

Environments are found by the entry-point group ``troupe.environments``; each entry is an object
with a ``name`` and a ``vocabulary``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from typing import Any, ClassVar, Final

from events.base import Value
from events.untrusted.safe_text import shortened

GROUP: Final = "troupe.environments"

Fields = dict[str, Any]
Upcaster = Callable[[Fields], Fields]


class Setup(Value, frozen=True, kw_only=True):
    """The root of what an episode of an environment needs: who plays, and what is given."""


class Settings(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The root of a plan's own section of an environment."""


class Catalog(Value, frozen=True, kw_only=True):
    """The root of what can be played. Each further field is a tuple of structs that have an
    ``id``; the field's name is the plural of what they are."""

    name: str
    """The catalog's name."""


class Question(Value, frozen=True, kw_only=True):
    """The root of what a seat can be asked."""


class Action(Value, frozen=True, kw_only=True):
    """The root of what a seat can answer with."""

    said: ClassVar[tuple[str, ...]] = ("text",)
    """Fields with words of its own that others may repeat: what is said and done, and not where."""


class Change(Value, frozen=True, kw_only=True):
    """The root of what happens in an environment without a seat doing it: a clock, dice, a
    scene."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """An environment's structs. Each is tagged ``<environment>.<name>``, so that no two
    environments' are mistaken for each other. What is stored stays readable: fields are only ever
    added, with defaults; a struct of another shape gets another tag beside the old one."""

    setups: tuple[type[Setup], ...]
    """What an episode can begin with."""
    settings: tuple[type[Settings], ...]
    """What a run can record of a plan's section."""
    questions: tuple[type[Question], ...]
    """What a seat can be asked."""
    actions: tuple[type[Action], ...]
    """What a seat can answer with."""
    changes: tuple[type[Change], ...] = ()
    """What can happen without a seat doing it."""
    catalogs: tuple[type[Catalog], ...] = ()
    """What can be played."""
    upcasters: Mapping[tuple[str, int], Upcaster] = field(default_factory=dict)
    """By an event's tag and schema: how its fields get to the next schema, where an older event
    held this environment's values under names of its own."""


class BrokenEnvironment(ImportError):
    """An installed environment that cannot be loaded."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(
            f"environment {shortened(name)!r} is installed but cannot be loaded: "
            f"{shortened(why, 1_000)}"
        )
        self.environment, self.why = name, why


@cache
def installed() -> Mapping[str, Any]:
    """The installed environments by name, in the order of their names. Raises
    ``BrokenEnvironment``."""
    found = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            environment = entry.load()
            assert isinstance(environment.vocabulary, Vocabulary), "its vocabulary is none"
        except Exception as error:
            raise BrokenEnvironment(entry.name, f"{type(error).__name__}: {error}") from error
        if environment.name != entry.name:
            raise BrokenEnvironment(entry.name, f"it calls itself {environment.name!r}")
        for part in ("setups", "settings", "questions", "actions"):
            if not getattr(environment.vocabulary, part):
                raise BrokenEnvironment(entry.name, f"its vocabulary has no {part}")
        _check_tags(entry.name, environment.vocabulary)
        found[entry.name] = environment
    return found


def vocabularies() -> tuple[Vocabulary, ...]:
    """Those of all installed environments."""
    return tuple(environment.vocabulary for environment in installed().values())


def environment_of_tag(tag: object) -> str:
    """The environment a value's tag belongs to; empty where it has no such tag."""
    return tag.partition(".")[0] if isinstance(tag, str) and "." in tag else ""


def environment_of_value(value: Value) -> str:
    """The environment a value belongs to, by its tag."""
    return environment_of_tag(value.__struct_config__.tag)


def _check_tags(name: str, vocabulary: Vocabulary) -> None:
    for part in ("setups", "settings", "questions", "actions", "changes", "catalogs"):
        for struct in getattr(vocabulary, part):
            if environment_of_tag(struct.__struct_config__.tag) != name:
                raise BrokenEnvironment(name, f"{struct.__name__} has no tag {name}.<name>")
