"""What can be wrong with the filters, numbers, conditions and effects of a ruleset."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from actors.episodes.catalogs.entries import Remark
from actors.games.checks.bounds import Reach, RuleNames
from actors.games.ruleset import (
    Effect,
    Number,
    Phase,
    Quantity,
    Requirement,
    Ruleset,
    SeatFilter,
    Transfer,
    Verb,
)
from actors.toml_lines import Place
from actors.typed_values import suggestion
from events.base import Value

_NOBODY_YET: Final = "nobody is chosen yet; put an effect vote before it"
_LISTED: Final = 12
"""RuleNames that are listed where none is near."""
_TAKES: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = {
    "eliminate": (frozenset({"whom"}), frozenset({"shows", "despite"})),
    "protect": (frozenset({"whom"}), frozenset()),
    "reveal": (frozenset({"whom"}), frozenset({"to", "what"})),
    "mark": (frozenset({"whom", "name"}), frozenset()),
    "unmark": (frozenset({"whom", "name"}), frozenset()),
    "vote": (frozenset({"name"}), frozenset({"tie", "least", "majority"})),
    "give": (frozenset({"transfers"}), frozenset()),
    "offer": (frozenset(), frozenset()),
    "accept": (frozenset(), frozenset({"transfers"})),
    "refuse": (frozenset(), frozenset()),
    "guess": (frozenset({"name", "counter"}), frozenset()),
    "count": (frozenset({"counter"}), frozenset({"whom", "by"})),
}
"""The fields that each effect needs, and those that it can have, beside ``do`` and ``when``."""
_OF_VERBS: Final = ("offer", "accept", "refuse", "guess")
"""Effects of an act alone."""


class Setting(NamedTuple):
    """Where an effect or a condition stands."""

    phase: Phase | None = None
    verb: Verb | None = None
    """None: nobody acts there."""


NOWHERE: Final = Setting()


def error(place: Place, why: str) -> Remark:
    """Something that keeps a game from being played."""
    return Remark("error", place, why)


def warning(place: Place, why: str) -> Remark:
    """Something that is probably not meant."""
    return Remark("warning", place, why)


def unknown(place: Place, what: str, given: str, known: Iterable[str]) -> Iterator[Remark]:
    """A remark where a name is none of those that are known."""
    names = sorted(set(known))
    if given in names:
        return
    hint = suggestion(given, names)
    if not hint and names:
        more = ", …" if len(names) > _LISTED else ""
        hint = f", but {', '.join(names[:_LISTED])}{more}"
    yield error(place, f"there is no {what} {given!r}{hint or '; there are none'}")


def twice(place: Place, what: str, ids: Iterable[str], field: str = "id") -> Iterator[Remark]:
    """A remark for each id that is there already."""
    seen: dict[str, int] = {}
    for number, id_ in enumerate(ids):
        if id_ in seen:
            first = f"no. {seen[id_] + 1} has it already; ids must differ"
            yield error((*place, number, field), f"the {what} {id_!r} is there twice: {first}")
        seen.setdefault(id_, number)


class Parts:
    """Checks parts of one ruleset by what can be named in it."""

    def __init__(
        self, rules: Ruleset, names: RuleNames, reach: Reach, drawn: Mapping[str, bool | None]
    ) -> None:
        """``drawn``: the values that are drawn, and whether each is a number; a value of a bank
        that is not at hand is an id with ``.*``, and None."""
        self._rules, self._names, self._reach, self._drawn = rules, names, reach, drawn

    def value(self, place: Place, given: str, *, number: bool = True) -> Iterator[Remark]:
        """A drawn value that something names."""
        if f"{given.partition('.')[0]}.*" in self._drawn and "." in given and not number:
            return
        if self._drawn.get(given) is False and number:
            yield error(place, f"{given!r} is a word; a number is needed: one with low and high")
            return
        known = [one for one, is_number in self._drawn.items() if is_number or not number]
        yield from unknown(place, "drawn number" if number else "drawn value", given, known)

    def filter(self, place: Place, wanted: SeatFilter, what: str) -> Iterator[Remark]:
        """Seats that are named. ``what``: they, in words."""
        found = []
        for field, known, other in (
            ("roles", self._names.roles, self._names.teams),
            ("teams", self._names.teams, self._names.roles),
            ("not_teams", self._names.teams, self._names.roles),
        ):
            for number, given in enumerate(getattr(wanted, field)):
                here = (*place, field, number)
                if given not in known and given in other:
                    is_role = field == "roles"
                    why = (
                        f"{given!r} is a {'team' if is_role else 'role'}; name it in "
                        f"{'teams' if is_role else 'roles'}"
                    )
                    found.append(error(here, why))
                else:
                    found += unknown(here, field.removeprefix("not_")[:-1], given, known)
        for field in ("marked", "unmarked"):
            if given := getattr(wanted, field):
                found += unknown((*place, field), "mark that an effect sets", given, self._marks)
        yield from found
        if not found and self._reach.seats(wanted)[1] == 0:
            yield error(place, f"nobody can be {what}; take out what narrows it too far")

    @property
    def _marks(self) -> Iterable[str]:
        return self._names.marks

    def number(self, place: Place, given: Number | None, at: Setting) -> Iterator[Remark]:
        """A number that may be looked up."""
        if not isinstance(given, Quantity):
            return
        forms = [name for name in given.__struct_fields__ if getattr(given, name)]
        forms = [*forms, "seats"] if given.seats is not None and "seats" not in forms else forms
        if len(forms) != 1:
            wanted = ", ".join(given.__struct_fields__)
            has = f"it has {' and '.join(forms)}" if forms else "it has none"
            yield error(place, f"a looked-up number has just one of {wanted}; {has}")
        if given.seats is not None:
            yield from self._counted(place, given.seats)
        if given.counter:
            here = (*place, "counter")
            if given.counter in self._names.own and given.counter not in self._names.shared:
                yield error(here, f"{given.counter!r} is a counter of seats; name it in own")
            else:
                yield from unknown(here, "counter of the game", given.counter, self._names.shared)
        if given.own:
            if at.verb is None:
                why = "nobody acts here, so there is no counter of one's own; own is for verbs"
                yield error((*place, "own"), why)
            else:
                here = (*place, "own")
                yield from unknown(here, "counter of seats", given.own, self._names.own)
        if given.value:
            yield from self.value((*place, "value"), given.value)

    def _counted(self, place: Place, wanted: SeatFilter) -> Iterator[Remark]:
        """Seats that are only counted: there may be none of them."""
        for remark in self.filter((*place, "seats"), wanted, "counted"):
            if remark.place != (*place, "seats"):
                yield remark

    def condition(
        self, place: Place, given: Requirement | None, at: Setting = NOWHERE
    ) -> Iterator[Remark]:
        """A condition; one that is well formed and cannot hold is a warning."""
        if given is None:
            return
        found = list(self.forms(place, given, at))
        yield from found
        if not found and not self._reach.can_hold(given):
            yield warning(place, "it can never hold; correct it or take it out")

    def forms(self, place: Place, given: Requirement, at: Setting = NOWHERE) -> Iterator[Remark]:
        """What is wrong with the form of a condition, and with the names in it."""
        forms = [
            name
            for name, there in (
                ("left", given.left is not None),
                ("all", bool(given.all)),
                ("any", bool(given.any)),
            )
            if there
        ]
        if len(forms) != 1:
            has = f"it has {' and '.join(forms)}" if forms else "it has none"
            why = f"a condition has just one of left (with compare and right), all and any; {has}"
            yield error(place, why)
        elif given.left is None and (given.right != 0 or given.compare != "="):
            yield error(place, f"compare and right go with left, not with {forms[0]}")
        yield from self.number((*place, "left"), given.left, at)
        yield from self.number((*place, "right"), given.right, at)
        for name, inner in (("all", given.all), ("any", given.any)):
            for number, one in enumerate(inner):
                yield from self.forms((*place, name, number), one, at)

    def effects(self, place: Place, effects: Iterable[Effect], at: Setting) -> Iterator[Remark]:
        """Effects, in their order."""
        chosen = False
        for number, effect in enumerate(effects):
            yield from self._effect((*place, number), effect, at, chosen)
            chosen = chosen or effect.do == "vote"

    def _effect(self, place: Place, effect: Effect, at: Setting, chosen: bool) -> Iterator[Remark]:
        yield from self.condition((*place, "when"), effect.when, at)
        yield from _fields(place, effect)
        if effect.do in _OF_VERBS and at.verb is None:
            why = f"{effect.do} is of an act; nobody acts here, so put it into a verb"
            yield error((*place, "do"), why)
            return
        if effect.whom is not None:
            yield from self._whom((*place, "whom"), effect.whom, at, chosen)
        if effect.do == "reveal" and effect.to != "all":
            yield from self._whom((*place, "to"), effect.to, at, chosen)
        match effect.do:
            case "vote":
                yield from _vote(place, effect, at)
            case "unmark" if effect.name:
                yield from unknown(
                    (*place, "name"), "mark that an effect sets", effect.name, self._marks
                )
            case "guess":
                yield from self._guess(place, effect, at)
            case "count":
                yield from self._count(place, effect, at)
            case "accept" | "refuse" if not self._names.offers:
                why = f"there is nothing to {effect.do}: no verb has an effect offer"
                yield error((*place, "do"), why)
            case "offer" if at.verb is not None and not at.verb.numbers:
                yield warning((*place, "do"), "an offer keeps the verb's numbers; it has none")
        for number, one in enumerate(effect.transfers):
            yield from self._transfer((*place, "transfers", number), one, effect, at, chosen)

    def _whom(
        self, place: Place, whom: str | SeatFilter, at: Setting, chosen: bool
    ) -> Iterator[Remark]:
        if isinstance(whom, SeatFilter):
            yield from self.filter(place, whom, "meant")
            return
        yield from self._named(place, whom, at)
        if whom == "chosen" and not chosen:
            yield error(place, _NOBODY_YET)

    def _named(self, place: Place, whom: str, at: Setting) -> Iterator[Remark]:
        if whom in ("actor", "target") and at.verb is None:
            why = (
                f"nobody acts here, so there is no {whom}; name chosen, or seats: {{ roles = [ ] }}"
            )
            yield error(place, why)
        elif whom == "target" and at.verb is not None and at.verb.target is None:
            yield error(place, f"the verb {at.verb.id!r} names nobody; give it a target")
        elif whom == "offerer" and not self._names.offers:
            yield error(place, "nobody makes an offer: no verb has an effect offer")

    def _guess(self, place: Place, effect: Effect, at: Setting) -> Iterator[Remark]:
        if effect.name:
            yield from self.value((*place, "name"), effect.name, number=False)
        if at.verb is not None and not at.verb.words and not at.verb.among:
            yield error(place, f"the verb {at.verb.id!r} names no word; give it words or among")

    def _count(self, place: Place, effect: Effect, at: Setting) -> Iterator[Remark]:
        yield from self.number((*place, "by"), effect.by, at)
        if effect.by == 0:
            yield warning((*place, "by"), "it adds nothing")
        declared = any(effect.counter in role.counters for role in self._rules.roles)
        if effect.whom is None and declared and effect.counter not in self._rules.counters:
            why = f"{effect.counter!r} is a counter of seats; say whom, or give the game one, too"
            yield error((*place, "counter"), why)

    def _transfer(
        self, place: Place, one: Transfer, effect: Effect, at: Setting, chosen: bool
    ) -> Iterator[Remark]:
        if isinstance(one.amount, str):
            known = self._names.offered
            if effect.do == "give" and at.verb is not None:
                known = frozenset(number.id for number in at.verb.numbers)
            yield from unknown((*place, "amount"), "number of the act", one.amount, known)
        else:
            yield from self.number((*place, "amount"), one.amount, at)
            if self._reach.number(one.amount)[1] <= 0:
                yield error((*place, "amount"), "it moves nothing; give an amount from 1")
        if one.giver == one.taker:
            yield error(place, f"the giver and the taker are the same: {one.giver}")
        for side in ("giver", "taker"):
            who = getattr(one, side)
            if who == "target" and effect.do == "accept":
                yield error((*place, side), "who accepts an offer names nobody; say offerer")
            elif who == "chosen" and not chosen:
                yield error((*place, side), _NOBODY_YET)
            elif who != "game":
                yield from self._named((*place, side), who, at)
        if one.giver == "game":
            known, what = self._names.shared, "counter of the game"
        else:
            known, what = self._names.own, "counter of seats"
        yield from unknown((*place, "item"), what, one.item, known)


def _fields(place: Place, effect: Effect) -> Iterator[Remark]:
    """Fields that an effect needs and has not, or has and does not use."""
    needs, may = _TAKES[effect.do]
    for field in msgspec.structs.fields(Effect):
        name, given = field.encode_name, getattr(effect, field.name)
        if name in needs and not isinstance(given, Value) and not given:
            yield error(place, f"{effect.do} needs the field {name!r}")
        elif name not in ("do", "when", *needs, *may) and given != field.default:
            takes = ", ".join(sorted({*needs, *may})) or "no other field"
            yield error((*place, name), f"{effect.do} does not use {name!r}; it takes {takes}")


def _vote(place: Place, effect: Effect, at: Setting) -> Iterator[Remark]:
    if at.verb is not None or at.phase is None:
        why = "votes are counted once all have voted; put vote into the effects of the phase"
        yield error((*place, "do"), why)
        return
    if not effect.name:
        return
    verbs = {verb.id: verb for verb in at.phase.verbs}
    yield from unknown((*place, "name"), "verb of this phase", effect.name, verbs)
    if effect.name in verbs and verbs[effect.name].target is None:
        why = f"the verb {effect.name!r} names nobody; give it a target to vote for"
        yield error((*place, "name"), why)
