"""Fields of an untrusted object, each as the type it should have; what is not is a defect."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeGuard

from rapidfuzz import process

from actors.worldtree.trees.abilities import ABILITIES
from actors.worldtree.trees.defects import KINDS, Defect, Place, path_text
from actors.worldtree.trees.tree import Line, Profile, State
from events.base import replace
from events.untrusted.json_values import is_whole, made_whole
from events.untrusted.safe_text import shortened

MOST_DEFECTS: Final = 1_000
"""Of one tree; more are counted."""
NARRATION: Final = "content"
"""The role of narration in published files."""
_SIGNS: Final = (1, 0, -1)
_LARGEST_ID: Final = 2**31
_MOST_SHOWN: Final = 6
"""Entries of a list that an error shows."""
_LONGEST_FIELD: Final = 40
"""Of names that may be a misspelt field's."""


Fields = Mapping[str, object]
"""An object of a file, by key."""


class FieldReader:
    """Reads one tree, or one sample."""

    def __init__(self, file: str, prefix: Place = ()) -> None:
        self.file, self.prefix = file, prefix
        self.tree = ""
        self.node: int | None = None
        self.defects: list[Defect] = []
        self.fatal = 0
        """How many of all are fatal."""
        self._more = 0

    def add(self, kind: str, place: Place, text: str) -> None:
        """One more defect."""
        if self._has_room(kind):
            self.defects.append(self._defect(kind, place, text))

    def take(self, defects: Iterable[Defect]) -> None:
        """More defects, found in a tree that was read."""
        prefix = path_text(self.prefix)
        for one in defects:
            if self._has_room(one.kind):
                field = ".".join(filter(None, (prefix, one.field)))
                self.defects.append(replace(one, file=self.file, field=field))

    def _has_room(self, kind: str) -> bool:
        """Whether one more is kept; the first fatal one is in any case."""
        first = False
        if KINDS[kind].grade == "fatal":
            self.fatal += 1
            first = self.fatal == 1
        room = first or len(self.defects) < MOST_DEFECTS
        self._more += not room
        return room

    def finished(self) -> list[Defect]:
        """All of them."""
        if self._more:
            self.node = None
            self.defects.append(self._defect("more", (), f"{self._more:,} more are not listed"))
            self._more = 0
        # What a tree is called is known when it has been read.
        return [one if one.tree else replace(one, tree=self.tree) for one in self.defects]

    def _defect(self, kind: str, place: Place, text: str) -> Defect:
        field = path_text((*self.prefix, *place))
        return Defect(
            kind=kind, file=self.file, tree=self.tree, node=self.node, field=field, text=text
        )

    def other_type(self, place: Place, given: object, wanted: str) -> None:
        """A field of another type than it should be."""
        self.add("other_type", place, f"is {shown(given)}; it should be {wanted}")

    def known(self, at: Fields, fields: Sequence[str], place: Place) -> None:
        """Names the fields that are none of an object's: what an author misspelt is not read."""
        for key in [key for key in at if key not in fields][:_MOST_SHOWN]:
            likely = len(key) <= _LONGEST_FIELD and len(self.defects) < MOST_DEFECTS
            near = process.extractOne(key, fields, score_cutoff=75) if likely else None
            right = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(fields)}"
            self.add("unknown_field", place, f"{shown(key)} is not read; {right}")

    # ------------------------------------------------------------ plain types

    def text(self, at: Fields, key: str, place: Place) -> str:
        """A text; empty where there is none."""
        given = at.get(key)
        if isinstance(given, str):
            return given if is_whole(given) else self.cleaned(given, (*place, key))
        if given is None:
            return ""
        self.other_type((*place, key), given, "a text")
        return str(given) if isinstance(given, int | float) and abs(given) < _LARGEST_ID else ""

    def cleaned(self, given: str, place: Place) -> str:
        """A text that can be stored."""
        if is_whole(given):
            return given
        self.add("broken_text", place, "holds half of a surrogate pair; it is read as U+FFFD")
        return made_whole(given)

    def objects(self, at: Fields, key: str, place: Place) -> list[tuple[Place, Fields]]:
        """A list of objects, each with its place; anything else in it is left out."""
        given = at.get(key)
        if given is None:
            return []
        if isinstance(given, dict):
            self.other_type((*place, key), given, "a list of objects")
            return [((*place, key), given)]
        if not isinstance(given, list):
            self.other_type((*place, key), given, "a list of objects")
            return []
        found: list[tuple[Place, Fields]] = []
        for number, one in enumerate(given):
            if isinstance(one, dict):
                found.append(((*place, key, number), one))
            else:
                self.other_type((*place, key, number), one, "an object")
        return found

    def texts(self, at: Fields, key: str, place: Place) -> tuple[str, ...]:
        """A list of texts; a text alone is one."""
        given = at.get(key)
        if given is None:
            return ()
        if not isinstance(given, list):
            self.other_type((*place, key), given, "a list of texts")
            return (self.cleaned(given, (*place, key)),) if isinstance(given, str) else ()
        found = []
        for number, one in enumerate(given):
            if isinstance(one, str):
                found.append(self.cleaned(one, (*place, key, number)))
            else:
                self.other_type((*place, key, number), one, "a text")
        return tuple(found)

    def labels(self, at: Fields, key: str, place: Place) -> tuple[str, ...]:
        """Abilities as a file spells them."""
        found = self.texts(at, key, place)
        if len(found) > len(ABILITIES):
            why = f"names {len(found):,} abilities; there are {len(ABILITIES)}, the first are read"
            self.add("other_type", (*place, key), why)
        return found[: len(ABILITIES)]

    def id(self, at: Fields, place: Place) -> int | None:
        """A node's id; None: it has none."""
        given = at.get("cid")
        if type(given) is int and abs(given) < _LARGEST_ID:
            return given
        if isinstance(given, str) and given.strip().isdecimal() and len(given) < 10:
            self.other_type((*place, "cid"), given, "a whole number")
            return int(given)
        return None

    # ------------------------------------------------------------ the format's own

    def state(
        self, at: Fields, key: str, place: Place, kind: str = "malformed_triple"
    ) -> State | None:
        """A triple. None: there is none, or none that is sound, which is a defect of this kind."""
        given = at.get(key)
        if given is None or given == []:
            return None
        if isinstance(given, list) and len(given) == 3 and all(map(_is_sign, given)):
            return State(self_interest=given[0], altruism=given[1], polarity=given[2])
        why = f"is {shown(given)}; a state is three numbers, each 1, 0 or -1"
        self.add(kind, (*place, key), why)
        return None

    def line(self, at: object, place: Place) -> Line:
        """Something said or told. Of a list, as one published file has it (the line, then its
        state), the first."""
        if isinstance(at, list) and at and isinstance(at[0], dict):
            self.other_type(place, at, "an object with role and content")
            at, place = at[0], (*place, 0)
        if not isinstance(at, dict):
            self.other_type(place, at, "an object with role and content")
            return Line(text=self.cleaned(at, place) if isinstance(at, str) else "")
        role = self.text(at, "role", place)
        return Line(role="" if role == NARRATION else role, text=self.text(at, "content", place))

    def profile(self, at: Fields, place: Place) -> Profile:
        orientation = at.get("orientation")
        pair = None
        if (
            isinstance(orientation, list)
            and len(orientation) == 2
            and all(map(_is_sign, orientation))
        ):
            pair = (orientation[0], orientation[1])
        elif orientation is not None:
            self.other_type((*place, "orientation"), orientation, "two numbers, each 1, 0 or -1")
        behavior = at.get("behavior")
        if behavior is not None and not _is_sign(behavior):
            self.other_type((*place, "behavior"), behavior, "1, 0 or -1")
            behavior = None
        return Profile(
            name=self.text(at, "name", place),
            alias=self.text(at, "alias", place),
            identity=self.text(at, "identity", place),
            public=self.text(at, "public profile", place),
            private=self.text(at, "private profile", place),
            goal=self.text(at, "goal", place),
            orientation=pair,
            behavior=behavior,
            state=self.state(at, "state", place, "other_type"),
        )


def _is_sign(value: object) -> TypeGuard[int]:
    return type(value) is int and value in _SIGNS


def shown(value: object) -> str:
    """A value in an error: what is long or deep, by its type."""
    match value:
        case str():
            return repr(shortened(value, 60))
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int() if abs(value) >= 2**63:
            return "a huge number"
        case dict():
            return "an object" if value else "{}"
        case list():
            short = len(value) <= _MOST_SHOWN and all(isinstance(one, int | str) for one in value)
            return f"[{shortened(', '.join(map(shown, value)), 60)}]" if short else "a list"
    return shortened(str(value), 60)
