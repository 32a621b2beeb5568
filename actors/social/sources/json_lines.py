"""Published data sets as JSON lines: Social IQa (Sap et al. 2019), CraigslistBargains (He et al.
2018) and MutualFriends (He et al. 2017), each with the fields that their data sets have on Hugging
Face."""

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from actors.social.formats.faults import Faults, FileRefused
from actors.social.formats.rows import RowPlace, read_rows
from actors.social.formats.texts import texts_of
from actors.social.sources.entries import (
    BARGAINS,
    FRIENDS,
    SOCIAL_IQA,
    Attributes,
    Bargain,
    FriendLists,
    Source,
    SourceEntry,
    Vignette,
)
from actors.social.sources.vignette_list import LONGEST

DEAREST: Final = 1e9
"""US dollars."""
MOST_FRIENDS: Final = 40
"""On one list; the data set has twelve at most."""
_LONGEST_DESCRIPTION: Final = 5_000
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw])


class SourceRefused(FileRefused):
    """A source of scenarios with bad rows. Nothing was made of it."""

    what = "the source"


class SocialIqaRow(msgspec.Struct):
    """A row of Social IQa, as far as it is read."""

    context: str


class BargainItems(msgspec.Struct):
    """``items``: one thing, told once for each agent."""

    title: list[str] = msgspec.field(name="Title")
    price: list[float] = msgspec.field(name="Price")
    description: list[str] = msgspec.field(name="Description")


class BargainAgents(msgspec.Struct):
    """``agent_info``: each agent's."""

    role: list[str] = msgspec.field(name="Role")
    target: list[float | None] = msgspec.field(name="Target")


class BargainRow(msgspec.Struct):
    """A row of CraigslistBargains, as far as it is read."""

    items: BargainItems
    agent_info: BargainAgents


class FriendsRow(msgspec.Struct):
    """A row of MutualFriends, as far as it is read: for each agent its friends, each as names of
    attributes and their values."""

    scenario_kbs: list[list[tuple[list[str], list[str]]]]


def _vignette(row: SocialIqaRow, place: RowPlace) -> Vignette | None:
    text = " ".join(row.context.split())
    if not any(map(str.isalpha, text)) or len(text) > LONGEST:
        place.fault("context", f"must be a text of at most {LONGEST:,} characters")
        return None
    return Vignette(f"line {place.line}", text)


def _bargain(row: BargainRow, place: RowPlace) -> Bargain | None:
    items, agents = row.items, row.agent_info
    roles = [role.strip().casefold() for role in agents.role]
    if sorted(roles) != ["buyer", "seller"]:
        place.fault("agent_info.Role", f"must be a buyer and a seller, not {agents.role!r}")
        return None
    for name, values in (("Title", items.title), ("Price", items.price)):
        if not values:
            place.fault(f"items.{name}", "is empty")
            return None
    title = " ".join(items.title[0].split())
    if not title or len(title) > LONGEST:
        place.fault("items.Title", f"must be a text of at most {LONGEST:,} characters")
        return None
    seat = roles.index("buyer")
    target = agents.target[seat] if seat < len(agents.target) else None
    for name, value in (("items.Price", items.price[0]), ("agent_info.Target", target)):
        if value is None or not (math.isfinite(value) and 0 < value <= DEAREST):
            place.fault(name, f"must be US dollars above 0, not {value!r}")
            return None
    assert target is not None, "checked above"
    told = " ".join(" ".join(items.description[:1]).split())
    description = told[:_LONGEST_DESCRIPTION]
    return Bargain(f"line {place.line}", title, description, items.price[0], target, seat)


def _friends(row: FriendsRow, place: RowPlace) -> FriendLists | None:
    if len(row.scenario_kbs) != 2:
        place.fault("scenario_kbs", f"must be the friends of two, not of {len(row.scenario_kbs)}")
        return None
    lists: list[tuple[Attributes, ...]] = []
    for agent, given in enumerate(row.scenario_kbs):
        field = f"scenario_kbs[{agent}]"
        if not 1 <= len(given) <= MOST_FRIENDS:
            place.fault(field, f"must be 1 to {MOST_FRIENDS} friends, not {len(given)}")
            return None
        for number, (names, values) in enumerate(given):
            if len(names) != len(values):
                why = f"has {len(names)} attributes and {len(values)} values"
                place.fault(f"{field}[{number}]", why)
                return None
            if not names:
                place.fault(f"{field}[{number}]", "has no attributes, so nobody can tell who it is")
                return None
        friends = (tuple(zip(names, values, strict=True)) for names, values in given)
        lists.append(tuple(dict.fromkeys(friends)))
    if not set(lists[0]) & set(lists[1]):
        place.fault("scenario_kbs", "the two lists have no friend in common")
        return None
    return FriendLists(f"line {place.line}", (lists[0], lists[1]))


class _Form(NamedTuple):
    """A data set's rows."""

    name: str
    row: type[msgspec.Struct]
    read: Callable[..., SourceEntry | None]
    """Takes a row and its place."""


FORMS: Final[Mapping[str, _Form]] = {
    "scenario_kbs": _Form(FRIENDS, FriendsRow, _friends),
    "agent_info": _Form(BARGAINS, BargainRow, _bargain),
    "context": _Form(SOCIAL_IQA, SocialIqaRow, _vignette),
}
"""By a field that only its rows have."""


def read_json_lines(path: Path) -> Source:
    """What a file of one of the three data sets holds, each entry once. Raises ``SourceRefused``:
    the lines, and what would be right."""
    faults = Faults()
    form = _form_of(path, faults)
    found: dict[str, SourceEntry] = {}
    if form is not None:
        for entry in _entries(path, form, faults):
            found.setdefault(entry.key, entry)
    faults.refuse(SourceRefused)
    assert form is not None, "without a form there is a fault"
    return Source(form.name, f"{form.name}, {path.name}", tuple(found.values()))


def _entries(path: Path, form: _Form, faults: Faults) -> Iterator[SourceEntry]:
    for text, row in read_rows(path, form.row, faults):
        entry = form.read(row, RowPlace(text, faults))
        if entry is not None:
            yield entry


def _form_of(path: Path, faults: Faults) -> _Form | None:
    """What the first row is of; None: that is a fault."""
    known = ", ".join(f"{field!r} ({form.name})" for field, form in FORMS.items())
    for text in texts_of(path, faults):
        try:
            fields = _fields.decode(text.data)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            faults.add(text.file, text.line, "", f"is not one JSON object a line ({error})")
            return None
        for field, form in FORMS.items():
            if field in fields:
                return form
        faults.add(text.file, text.line, "", f"has none of the fields {known}")
        return None
    if not faults.count:
        faults.add(path.name, 0, "", f"is empty; a line is an object with {known}")
    return None
