"""Everything that is wrong or odd with a ruleset, each with its place and its remedy."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from actors.episodes.catalogs.entries import Remark
from actors.games.catalog_items import WordBank
from actors.games.checks.bounds import Reach, RuleNames, deals_of, fits, names_of
from actors.games.checks.effect_checks import Parts, Setting, error, twice, unknown, warning
from actors.games.deals import BadDeal, places_of, role_counts
from actors.games.effects import TIME
from actors.games.ruleset import ACTOR, PASS, DrawnValue, NumberField, Phase, Role, Ruleset, Verb
from actors.games.theory import theory_fault
from actors.toml_lines import Place, dotted
from events.serialization.identity_key import cached_by_identity

TAKEN: Final = frozenset(
    {
        *("verb", "target", "word", "say", "to", "numbers", "action", "act", "do", "move", "whom"),
        *("player", "vote", "text", "words", "speech", "message", "guess", "answer", "kind"),
        *("type", "name", "seat", "said", "recipient"),
    }
)
"""What answers call something else, so that no number of an act is called so."""

_REFERENCE: Final = re.compile(r"\b(?:value|among|name|weight)='-?([a-z0-9.-]+)'")
"""Where the representation of a ruleset names a drawn value."""


def ruleset_remarks(
    rules: Ruleset, banks: Mapping[str, WordBank] | None = None
) -> Iterator[Remark]:
    """What is wrong with a ruleset, with places from its top. ``banks``: those that are at hand;
    None: nobody knows."""
    yield from _Check(rules, banks).remarks()


@cached_by_identity(maxsize=256)
def ruleset_fault(rules: Ruleset) -> str | None:
    """The first thing that keeps a ruleset from being played, with its place; None if nothing
    does. Setups share one ruleset where theirs are equal, so it is looked through once."""
    for one in ruleset_remarks(rules):
        if one.grade == "error":
            return f"{dotted(one.place)}: {one.why}" if one.place else one.why
    return None


class _Check:
    """Looks through one ruleset."""

    def __init__(self, rules: Ruleset, banks: Mapping[str, WordBank] | None) -> None:
        self._rules, self._banks = rules, banks
        self._names: RuleNames = names_of(rules)
        self._deals = deals_of(rules)
        self._reach = Reach(rules, self._names, self._deals)
        self._drawn = _drawn(rules, banks)
        self._parts = Parts(rules, self._names, self._reach, self._drawn)

    def remarks(self) -> Iterator[Remark]:
        rules = self._rules
        yield from twice(("roles",), "role", [one.id for one in rules.roles])
        yield from twice(("values",), "drawn value", [one.id for one in rules.values])
        yield from twice(("phases",), "phase", [one.id for one in rules.phases])
        yield from twice(("ends",), "ending", [one.id for one in rules.ends])
        yield from self._deal()
        for number, role in enumerate(rules.roles):
            yield from self._role(("roles", number), role)
        for number, value in enumerate(rules.values):
            yield from self._value(("values", number), value)
        for number, phase in enumerate(rules.phases):
            yield from self._phase(("phases", number), phase)
        yield from self._course()
        yield from self._ends()
        yield from self._payoffs()
        if why := theory_fault(rules):
            yield error(("theory",), why)
        yield from self._unused()
        yield from self._texts()

    # Roles and values

    def _deal(self) -> Iterator[Remark]:
        rules = self._rules
        if rules.least > rules.most:
            yield error(("least",), f"least is {rules.least} and most {rules.most}; swap them")
            return
        bad = []
        for players in range(rules.least, rules.most + 1):
            try:
                role_counts(rules, players)
            except BadDeal as fault:
                bad.append(str(fault))
        if bad:
            why = bad[0].removeprefix(f"{rules.title}: ")
            more = f" (and of {len(bad) - 1} more numbers of players)" if bad[1:] else ""
            remedy = "correct the counts, or leave out count of one role, which has the rest"
            yield error(("roles",), f"{why}{more}; {remedy}")
        for team, roles in self._names.teams.items():
            if team in self._names.roles and roles != (team,):
                number = next(n for n, one in enumerate(rules.roles) if one.id == team)
                why = f"{team!r} is a role and a team of other roles; give one of them another name"
                yield error(("roles", number, "id"), why)

    def _role(self, place: Place, role: Role) -> Iterator[Remark]:
        names, rules = self._names, self._rules
        for number, given in enumerate(role.knows):
            known = {*names.roles, *names.teams}
            yield from unknown((*place, "knows", number), "role or team", given, known)
        yield from twice((*place, "count"), "number of players",
                         [str(one.players) for one in role.count], "players")  # fmt: skip
        for number, one in enumerate(role.count):
            if one.players > rules.most:
                why = f"there are never {one.players} players: most is {rules.most}"
                yield warning((*place, "count", number, "players"), why)
        if self._deals and not any(one[role.id] for one in self._deals.values()):
            why = (
                f"nobody can be dealt the role {role.id!r} with {players_of(rules)}; "
                "correct its count, or take it out"
            )
            yield error(place, why)

    def _value(self, place: Place, value: DrawnValue) -> Iterator[Remark]:
        ranged = value.low is not None or value.high is not None
        forms = [
            name
            for name, there in (
                ("bank", value.bank), ("low and high", ranged), ("words", value.words)
            )
            if there
        ]  # fmt: skip
        if len(forms) != 1:
            has = f"it has {', '.join(forms)}" if forms else "it has none"
            why = f"a drawn value has just one of bank, low and high, and words; {has}"
            yield error(place, why)
        if ranged and (value.low is None or value.high is None):
            missing = "low" if value.low is None else "high"
            yield error(place, f"a range has low and high; {missing} is missing")
        elif value.low is not None and value.high is not None and value.high < value.low:
            yield error((*place, "high"), f"high is {value.high}, less than low, {value.low}")
        if value.swap and not value.bank:
            yield error((*place, "swap"), "only the columns of a bank change places")
        if value.step != 1 and not ranged:
            yield error((*place, "step"), "only a range has steps")
        if value.bank and self._banks is not None:
            here = (*place, "bank")
            yield from unknown(here, "bank in the catalog", value.bank, self._banks)

    # Phases

    def _phase(self, place: Place, phase: Phase) -> Iterator[Remark]:
        parts = self._parts
        yield from parts.filter((*place, "who"), phase.who, "asked in this phase")
        yield from parts.condition((*place, "until"), phase.until)
        yield from twice((*place, "verbs"), "verb", [one.id for one in phase.verbs])
        for number, verb in enumerate(phase.verbs):
            yield from self._verb((*place, "verbs", number), phase, verb)
        yield from parts.effects((*place, "effects"), phase.effects, Setting(phase))
        if not phase.verbs and not phase.effects:
            yield warning(place, "nothing happens in this phase: it has no verbs and no effects")
        if phase.verbs and phase.visibility == "named" and not any(
            verb.target is not None for verb in phase.verbs
        ):  # fmt: skip
            why = (
                "no verb here names anybody, so nobody learns of an act; say self, or give targets"
            )
            yield warning((*place, "visibility"), why)
        if phase.verbs and phase.visibility == "team":
            yield from self._strangers(place, phase)
        closed = False
        known = [one.id for one in self._rules.phases]
        for number, one in enumerate(phase.next):
            here = (*place, "next", number)
            yield from unknown((*here, "phase"), "phase", one.phase, known)
            yield from parts.condition((*here, "when"), one.when)
            if closed:
                yield warning(here, "it never counts: the one before it has no condition")
            closed = closed or one.when is None

    def _strangers(self, place: Place, phase: Phase) -> Iterator[Remark]:
        """Who hears their team without having been told who is in it."""
        for role in self._rules.roles:
            team = self._names.teams[role.team]
            seats = max(
                (sum(one[name] for name in team) for one in self._deals.values()), default=0
            )
            told = role.team in role.knows or set(team) <= set(role.knows)
            if fits(role, phase.who) and seats > 1 and not told:
                why = (
                    f"the role {role.id!r} speaks to its team {role.team!r} and is not told who is "
                    f'in it; give it knows = ["{role.team}"]'
                )
                yield warning((*place, "visibility"), why)

    def _verb(self, place: Place, phase: Phase, verb: Verb) -> Iterator[Remark]:
        parts, at = self._parts, Setting(phase, verb)
        if verb.id == PASS:
            why = f"{PASS!r} is what a seat does that does nothing; give the verb another id"
            yield error((*place, "id"), f"{why}, and say passes = true in the phase")
        if verb.target is not None:
            yield from parts.filter((*place, "target"), verb.target, "named")
        elif verb.oneself:
            yield error((*place, "oneself"), "the verb names nobody; give it a target")
        if verb.direct and not verb.says:
            yield error((*place, "direct"), "only words go to one seat; say says = true")
        elif verb.direct and phase.visibility in ("self", "named"):
            why = (
                f"nobody else hears a phase of visibility {phase.visibility!r}; say public or team"
            )
            yield warning((*place, "direct"), why)
        if verb.words and verb.among:
            yield error((*place, "among"), "a verb has words or among, not both")
        if verb.among:
            here, known = (
                (*place, "among"),
                [one.id for one in self._rules.values if one.words or one.bank],
            )
            yield from unknown(here, "drawn value of words or of a bank", verb.among, known)
        yield from parts.condition((*place, "when"), verb.when, at)
        for name in verb.costs:
            here = (*place, "costs", name)
            yield from unknown(here, "counter of seats", name, self._names.own)
            if verb.costs[name] and name in _given(verb):
                why = (
                    f"an effect moves {name!r} of who acts, too, and only what the cost leaves; "
                    "let one of them take it, or see by when that there is enough for both"
                )
                yield warning(here, why)
        yield from twice((*place, "numbers"), "number", [one.id for one in verb.numbers])
        for number, one in enumerate(verb.numbers):
            yield from self._number((*place, "numbers", number), one, at)
        yield from parts.effects((*place, "effects"), verb.effects, at)

    def _number(self, place: Place, one: NumberField, at: Setting) -> Iterator[Remark]:
        if one.id in TAKEN:
            why = f"{one.id!r} is something else in an answer; give the number another id"
            yield error((*place, "id"), why)
        yield from self._parts.number((*place, "low"), one.low, at)
        yield from self._parts.number((*place, "high"), one.high, at)
        low, high = self._reach.number(one.low)[0], self._reach.number(one.high)[1]
        if high < low:
            yield error((*place, "high"), f"high is at most {high:g}, and low at least {low:g}")

    def _course(self) -> Iterator[Remark]:
        """Phases that are not reached, and rounds without an end."""
        phases = self._rules.phases
        places = {phase.id: place for place, phase in reversed(list(enumerate(phases)))}
        reached, waiting, back = {0}, [0], None
        while waiting:
            here = waiting.pop()
            for there in self._after(here, places):
                if there <= here and back is None:
                    back = here
                if there not in reached:
                    reached.add(there)
                    waiting.append(there)
        for place, phase in enumerate(phases):
            if place not in reached:
                why = f"the phase {phase.id!r} is never reached: name it in next of another phase"
                yield error(("phases", place), why)
        if back is not None and self._rules.rounds is None:
            why = (
                "the phases come round again here and nothing says how often; give the ruleset "
                "rounds (1 where a game has only one)"
            )
            yield error(("phases", back), why)

    def _after(self, here: int, places: Mapping[str, int]) -> Iterator[int]:
        phases = self._rules.phases
        for one in phases[here].next:
            if one.phase in places and self._reach.can_hold(one.when):
                yield places[one.phase]
            if one.when is None or self._reach.must_hold(one.when):
                return
        yield (here + 1) % len(phases)

    # Endings

    def _ends(self) -> Iterator[Remark]:
        rules, parts = self._rules, self._parts
        for number, one in enumerate(rules.ends):
            place: Place = ("ends", number)
            if one.id == TIME:
                yield error((*place, "id"), f"{TIME!r} is the end of the rounds; name it otherwise")
            found = list(parts.forms((*place, "when"), one.when))
            yield from found
            if not found and not self._reach.can_hold(one.when):
                yield error((*place, "when"), "it can never hold; correct it or take the end out")
            elif not found:
                yield from self._at_once(place, number)
            yield from self._winners((*place, "winners"), one.winners)
        yield from self._winners(("rounds_winners",), rules.rounds_winners)
        if not rules.payoffs and not any(
            (rules.rounds_winners, *[one.winners for one in rules.ends])
        ):
            why = "nobody can win: give an end winners, or the ruleset rounds_winners or payoffs"
            yield error(("ends",) if rules.ends else (), why)

    def _at_once(self, place: Place, number: int) -> Iterator[Remark]:
        """An end that holds before anybody has acted."""
        for players, deal in self._deals.items():
            start = Reach(self._rules, self._names, {players: deal}, begun=False)
            if start.must_hold(self._rules.ends[number].when):
                why = f"with {players} players it holds before anybody acts; correct it"
                yield error((*place, "when"), why)
                return

    def _winners(self, place: Place, winners: tuple[str, ...]) -> Iterator[Remark]:
        names = self._names
        for number, given in enumerate(winners):
            yield from unknown((*place, number), "role or team", given,
                               {*names.roles, *names.teams})  # fmt: skip
            roles = names.teams.get(given, ()) or ((given,) if given in names.roles else ())
            if roles and self._deals and not any(
                one[role] for one in self._deals.values() for role in roles
            ):  # fmt: skip
                yield error((*place, number), f"nobody can be dealt {given!r}, so nobody wins")

    def _payoffs(self) -> Iterator[Remark]:
        rules = self._rules
        for number, rule in enumerate(rules.payoffs):
            for which, role in enumerate(rule.roles):
                here: Place = ("payoffs", number, "roles", which)
                yield from unknown(here, "role", role, self._names.roles)
            for which, term in enumerate(rule.terms):
                here = ("payoffs", number, "terms", which)
                known = self._names.shared if term.shared else self._names.own
                what = "counter of the game" if term.shared else "counter of seats"
                if term.counter:
                    yield from unknown((*here, "counter"), what, term.counter, known)
                if isinstance(term.weight, str):
                    given = term.weight.removeprefix("-")
                    yield from self._parts.value((*here, "weight"), given)

    # What is named nowhere, and places in texts

    def _unused(self) -> Iterator[Remark]:
        rules = self._rules
        used = set(_REFERENCE.findall(repr(rules)))
        for role in rules.roles:
            used.update(places_of(role.goal + role.secret))
        heads = {name.partition(".")[0] for name in used}
        for number, value in enumerate(rules.values):
            if value.id not in heads:
                yield warning(("values", number), f"the drawn value {value.id!r} is used nowhere")

    def _texts(self) -> Iterator[Remark]:
        rules = self._rules
        for number, role in enumerate(rules.roles):
            for field in ("goal", "secret"):
                for given in places_of(getattr(role, field)):
                    yield from self._parts.value(("roles", number, field), given, number=False)
        others: list[tuple[Place, str]] = [(("about",), rules.about)]
        for number, phase in enumerate(rules.phases):
            others.append((("phases", number, "text"), phase.text))
            others += [
                (("phases", number, "verbs", which, "text"), verb.text)
                for which, verb in enumerate(phase.verbs)
            ]
        for place, text in others:
            for given in places_of(text):
                why = f"{{{given}}} is filled in only in the goal and secret of a role"
                yield warning(place, why)


def _given(verb: Verb) -> set[str]:
    """Counters of which who acts gives something."""
    transfers = [one for effect in verb.effects for one in effect.transfers]
    return {one.item for one in transfers if one.giver == ACTOR}


def _drawn(rules: Ruleset, banks: Mapping[str, WordBank] | None) -> Mapping[str, bool | None]:
    """The values that are drawn, and whether each is a number."""
    found: dict[str, bool | None] = {}
    for one in rules.values:
        bank = (banks or {}).get(one.bank)
        if bank is not None:
            found |= {f"{one.id}.{column}": False for column in bank.columns}
        elif one.bank:
            found[f"{one.id}.*"] = None
        else:
            found[one.id] = one.low is not None or one.high is not None
    return found


def players_of(rules: Ruleset) -> str:
    """How many play by some rules, in words."""
    if rules.least == rules.most:
        return f"{rules.least} players"
    return f"{rules.least} to {rules.most} players"
