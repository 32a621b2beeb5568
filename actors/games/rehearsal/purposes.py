"""What verbs are for and who has what to do with whom, read off a ruleset."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from actors.games.deals import BadDeal, role_counts
from actors.games.ruleset import Effect, Phase, Role, Ruleset, SeatFilter, Verb
from events.serialization.identity_key import cached_by_identity

Purpose = Literal[
    "accept", "refuse", "offer", "guess", "harm", "help", "learn", "give", "talk", "other"
]
_BY_EFFECT: Final = ("accept", "refuse", "offer", "guess")


class Purposes(NamedTuple):
    """What a ruleset is read for."""

    verbs: Mapping[tuple[str, str], Purpose]
    """By phase and verb."""
    rules_of: Mapping[tuple[str, str], Verb]
    """The same verbs as they stand in the rules."""
    harmful: frozenset[tuple[str, str]]
    """Those that are for harm."""
    roles: Mapping[str, Role]
    single: frozenset[str]
    """Roles that one seat has at most."""
    by_title: Mapping[str, str]
    """Roles by their names in lower case without articles."""
    titles: tuple[tuple[str, str], ...]
    """Names of roles and teams in lower case, each with the team of who bears it, longest first."""


@cached_by_identity(maxsize=1024)
def purposes_of(rules: Ruleset) -> Purposes:
    """The purposes of a ruleset's verbs."""
    deadly = {
        effect.whom.marked
        for effect in _all_effects(rules)
        if effect.do == "eliminate" and isinstance(effect.whom, SeatFilter)
    }
    verbs = {(phase.id, verb.id): verb for phase in rules.phases for verb in phase.verbs}
    titles: dict[str, set[str]] = {}
    for role in rules.roles:
        for title in (bare(role.name), role.team.replace("-", " ").casefold()):
            titles.setdefault(title, set()).add(role.team)
    purposes = {
        (phase.id, verb.id): _purpose(phase, verb, deadly)
        for phase in rules.phases
        for verb in phase.verbs
    }
    return Purposes(
        verbs=purposes,
        rules_of=verbs,
        harmful=frozenset(verb for verb, purpose in purposes.items() if purpose == "harm"),
        roles={role.id: role for role in rules.roles},
        single=frozenset(
            role.id
            for role in rules.roles
            if role.count and all(one.count <= 1 for one in role.count)
        ),
        by_title={bare(role.name): role.id for role in rules.roles},
        titles=tuple(
            (title, next(iter(teams)))
            for title, teams in sorted(titles.items(), key=lambda one: -len(one[0]))
            if len(teams) == 1
        ),
    )


def bare(name: str) -> str:
    """A role's name in lower case without its article."""
    first, _, rest = name.casefold().partition(" ")
    return rest if rest and first in ("a", "an", "the") else name.casefold()


def _all_effects(rules: Ruleset) -> list[Effect]:
    return [
        effect
        for phase in rules.phases
        for effects in (phase.effects, *[verb.effects for verb in phase.verbs])
        for effect in effects
    ]


def _purpose(phase: Phase, verb: Verb, deadly: set[str]) -> Purpose:
    kinds = {effect.do for effect in verb.effects}
    for kind in _BY_EFFECT:
        if kind in kinds:
            return kind
    if "protect" in kinds:
        return "help"
    if "reveal" in kinds and verb.target is not None:
        return "learn"
    if "give" in kinds:
        return "give"
    if verb.target is not None and (_voted(phase, verb) or _harms(verb.effects, deadly)):
        return "harm"
    return "talk" if verb.says else "other"


def _voted(phase: Phase, verb: Verb) -> bool:
    return any(effect.do == "vote" and effect.name == verb.id for effect in phase.effects)


def _harms(effects: Sequence[Effect], deadly: set[str]) -> bool:
    return any(
        effect.do == "eliminate" or (effect.do == "mark" and effect.name in deadly)
        for effect in effects
    )


@cached_by_identity(maxsize=1024)
def minorities(rules: Ruleset) -> Mapping[int, frozenset[str]]:
    """Teams that are fewer than half of the players, of at least three, by the number of players:
    they have something to hide."""
    return {players: _minorities(rules, players) for players in range(rules.least, rules.most + 1)}


def _minorities(rules: Ruleset, players: int) -> frozenset[str]:
    try:
        counts = role_counts(rules, players)
    except BadDeal:
        return frozenset()
    sizes: dict[str, int] = {}
    for role in rules.roles:
        sizes[role.team] = sizes.get(role.team, 0) + counts[role.id]
    if players < 3 or len(sizes) < 2:
        return frozenset()
    return frozenset(team for team, size in sizes.items() if 2 * size < players)


def own_team(rules: Ruleset, role: Role) -> str:
    """The team that a seat of a role knows to be its own; empty where it is not told: where another
    role has the same name and goal."""
    alike = {one.team for one in rules.roles if (one.name, one.goal) == (role.name, role.goal)}
    return role.team if len(alike) == 1 else ""
