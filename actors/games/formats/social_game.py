"""Reads a ``config.json`` of SOTOPIA's social games: roles, states with who acts and who sees it,
transitions, endings. Its agents stand in the file itself, or in a ``roster.json`` beside it.

What acts do is not in such a file but in a program beside it (``main.py`` of werewolves), which
reads a verb and a name out of free text. That resolution is written here as effects. By night the
wolves name whom they kill, and a tie is broken by lot; the seer learns a team; the witch saves whom
they chose (the verb names nobody else) or poisons another, each once in a game. What the night
brings comes once the witch has acted, or would have. A vote puts out whoever has most votes.
Endings are looked at after every step. After 40 steps a game is over without winners.

Where it differs: ties of a vote are broken by lot and not by the order of the votes; wolves name
nobody of their own; nobody names who is out; a potion is only spent on somebody whom it can help.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Literal, TypeVar

import msgspec

from actors.episodes.formats import PublishedCatalog
from actors.games.catalog_items import Catalog, GameSet
from actors.games.ruleset import (
    LEAST_SEATS,
    MOST_ROUNDS,
    MOST_SEATS,
    Effect,
    GameEnd,
    NextPhase,
    Phase,
    Quantity,
    Requirement,
    Role,
    Ruleset,
    SeatCount,
    SeatFilter,
    Verb,
)
from actors.games.setup import Player
from actors.text.amounts import many
from events.base import replace
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened
from store.files.regular_files import read_regular

T = TypeVar("T")
ROSTER: Final = "roster.json"
_MOST_BYTES: Final = 2**20
_STEPS: Final = 40
"""After so many the program ends a game."""
_VISIBILITY: Final[Mapping[str, Literal["public", "team", "self"]]] = {
    "public": "public",
    "team": "team",
    "private": "self",
}
_PLACE: Final = "{agent_names}"
_WHO_PLAYS: Final = re.compile(r"[^.\n]*\{agent_names\}[^.\n]*\.?")
_PREY, _POISONED = "prey", "poisoned"
_SAVE, _POISON = "save-potion", "poison"


class BadConfig(ValueError):
    """A file that cannot be read as a social game."""


class _Agent(msgspec.Struct):
    name: str
    role: str
    team: str


class _State(msgspec.Struct):
    actions: tuple[str, ...] = ("speak",)
    acting_roles: list[str] = []
    action_order: str = "round-robin"
    visibility: str = "public"


class _End(msgspec.Struct):
    type: str
    team: str
    winner: str
    other: str = ""
    message: str = ""


class _Roster(msgspec.Struct):
    agents: list[_Agent]


class SocialGameConfig(msgspec.Struct):
    """What is read of a file."""

    scenario: str
    description: str
    initial_state: str
    state_transition: dict[str, str]
    state_properties: dict[str, _State]
    agents: list[_Agent] = []
    end_conditions: list[_End] = []
    role_goals: dict[str, str] = {}
    role_secrets: dict[str, str] = {}


def read_catalog(folder: Path, name: str) -> PublishedCatalog:
    """The catalog of a folder with a ``config.json``. Raises ``BadConfig``."""
    config = read_config(folder / "config.json")
    return PublishedCatalog(catalog_of(config, name), notes_of(config))


def read_config(path: Path) -> SocialGameConfig:
    """A file of such a game, with the agents of its roster. Raises ``BadConfig``."""
    config = _read(path, SocialGameConfig)
    roster = path.with_name(ROSTER)
    if not config.agents and roster.exists():
        config.agents = _read(roster, _Roster).agents
    if not config.agents:
        raise BadConfig(f"{shortened(str(path))}: it has no agents, and no {ROSTER} beside it has")
    return config


def _read(path: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(read_regular(path, _MOST_BYTES), type=decodable(kind))
    except OSError as error:
        why = getattr(error, "why", None) or error.strerror
        raise BadConfig(f"{shortened(str(path))}: {why}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        line = _line_of(path)
        why = shortened(str(error), 300)
        raise BadConfig(
            f"{shortened(str(path))}{line}: it is no configuration of a social game: {why}"
        ) from error


def _line_of(path: Path) -> str:
    """Where JSON ends to be JSON; empty: it is JSON."""
    try:
        json.loads(path.read_bytes())
    except json.JSONDecodeError as error:
        return f", line {error.lineno}"
    except (ValueError, RecursionError):
        return ""
    return ""


def catalog_of(config: SocialGameConfig, name: str) -> Catalog:
    """Its one game, with its agents as players. Raises ``BadConfig``."""
    rules = ruleset_of(config)
    players = tuple([Player(id=_id(one.name), name=one.name) for one in config.agents])
    one = GameSet(id=rules.id, ruleset=rules.id, players=len(players))
    return Catalog(name=name, rulesets=(rules,), players=players, sets=(one,))


def notes_of(config: SocialGameConfig) -> tuple[str, ...]:
    """What is odd about it."""
    notes = []
    if _PLACE in config.description:
        why = f"the sentence of the description with {_PLACE} is left out: all see who plays"
        notes.append(why)
    if not any("night" in state.casefold() for state in config.state_properties):
        why = "what the description says beyond talk and votes is decided by no program, nor here"
        notes.append(why)
    return tuple(notes)


def ruleset_of(config: SocialGameConfig) -> Ruleset:
    """The rules of a file. Raises ``BadConfig``."""
    seats = len(config.agents)
    if not LEAST_SEATS <= seats <= MOST_SEATS:
        raise BadConfig(f"agents: a game has {LEAST_SEATS} to {MOST_SEATS} players, not {seats}")
    if len({one.name.casefold().strip() for one in config.agents}) < seats:
        raise BadConfig("agents: two have the same name; names must differ")
    order = _states(config)
    phases = list(_phases(config, order))
    steps = sum(_steps(config, config.state_properties[state]) for state in order)
    lines = _WHO_PLAYS.sub("", config.description).split("\n")
    text = "\n".join(filter(None, map(str.strip, lines)))
    return Ruleset(
        id=_id(config.scenario),
        title=_short(config.scenario, 300),
        about=_short(text, 4_000),
        least=seats,
        most=seats,
        rounds=min(MOST_ROUNDS, max(1, -(-_STEPS // max(1, steps)))),
        roles=tuple(_roles(config)),
        phases=tuple(phases),
        ends=tuple([_end(number, one) for number, one in enumerate(config.end_conditions, 1)]),
    )


def _roles(config: SocialGameConfig) -> Iterator[Role]:
    seats = len(config.agents)
    named = list(dict.fromkeys(one.role for one in config.agents))
    for role in named:
        own = [one for one in config.agents if one.role == role]
        heard = any(
            state.visibility == "team" and role in state.acting_roles
            for state in config.state_properties.values()
        )
        potions = any(
            "witch" in name.casefold() and role in state.acting_roles
            for name, state in config.state_properties.items()
        )
        yield Role(
            id=_id(role),
            name=_short(role, 300),
            team=_id(own[0].team),
            goal=_short(config.role_goals.get(role, ""), 4_000),
            secret=_short(config.role_secrets.get(role, ""), 4_000),
            knows=(_id(own[0].team),) if heard else (),
            counters={_SAVE: 1, _POISON: 1} if potions else {},
            count=(SeatCount(players=seats, count=len(own)),),
        )


def _states(config: SocialGameConfig) -> list[str]:
    """The states that a game comes to, in their order."""
    found: list[str] = []
    state = config.initial_state
    while state not in found:
        if state not in config.state_properties:
            known = ", ".join(config.state_properties)
            raise BadConfig(f"state_properties: there is no state {state!r}, but {known}")
        found.append(state)
        state = config.state_transition.get(state, state)
    return found


def _steps(config: SocialGameConfig, state: _State) -> int:
    """How many steps of the program a state takes."""
    if state.action_order == "simultaneous":
        return 1
    return sum(
        1 for one in config.agents if not state.acting_roles or one.role in state.acting_roles
    )


def _phases(config: SocialGameConfig, order: list[str]) -> Iterator[Phase]:
    kills = next((one for one in order if _kind(one) == "kill"), "")
    witch = next((one for one in order if _kind(one) == "potions"), "")
    after = config.state_transition.get(order[-1], order[-1])
    for name in order:
        state = config.state_properties[name]
        phase = _phase(config, name, state)
        dawn = name == (witch or kills)
        if name == order[-1] and after != order[0] and not dawn:
            phase = replace(phase, next=(NextPhase(phase=_id(after)),))
        yield phase
        if dawn:
            found = _dawn()
            if name == order[-1] and after != order[0]:
                found = replace(found, next=(NextPhase(phase=_id(after)),))
            yield found


def _kind(name: str) -> str:
    """What acts of a state are, by its name, as the program tells them apart."""
    low = name.casefold()
    for word, kind in (
        ("vote", "vote"),
        ("werewol", "kill"),
        ("seer", "inspect"),
        ("witch", "potions"),
    ):
        if word in low:
            return kind
    return ""


def _who(config: SocialGameConfig, state: _State) -> SeatFilter:
    known = {one.role for one in config.agents}
    for role in state.acting_roles:
        if role not in known:
            raise BadConfig(f"acting_roles: no agent has the role {role!r}")
    return SeatFilter(roles=tuple(map(_id, state.acting_roles)))


def _phase(config: SocialGameConfig, name: str, state: _State) -> Phase:
    place = f"state_properties, {name}"
    if state.visibility not in _VISIBILITY:
        known = ", ".join(_VISIBILITY)
        raise BadConfig(f"{place}: visibility is one of {known}, not {state.visibility!r}")
    verbs: list[Verb] = []
    effects: tuple[Effect, ...] = ()
    if "speak" in state.actions:
        verbs.append(Verb(id="say", text="say something", says=True))
    if "action" in state.actions:
        own, effects = _resolved(config, place, name, state)
        verbs += own
    if not verbs:
        raise BadConfig(f"{place}: actions name neither speak nor action")
    return Phase(
        id=_id(name),
        title=_short(name.replace("_", ": ", 1).replace("_", " "), 300),
        who=_who(config, state),
        order="together" if state.action_order == "simultaneous" else "turns",
        visibility=_VISIBILITY[state.visibility],
        verbs=tuple(verbs),
        effects=effects,
    )


def _resolved(
    config: SocialGameConfig, place: str, name: str, state: _State
) -> tuple[tuple[Verb, ...], tuple[Effect, ...]]:
    """The verbs of a state's actions, and what comes of them."""
    match _kind(name):
        case "vote":
            verb = Verb(id="vote", text="name who is to be out", target=SeatFilter())
            return (verb,), (
                Effect(do="vote", name="vote", tie="lot"),
                Effect(do="eliminate", whom="chosen", despite=True),
            )
        case "kill":
            teams = {one.team for one in config.agents if one.role in state.acting_roles}
            others = SeatFilter(not_teams=tuple(sorted(map(_id, teams))))
            verb = Verb(id="kill", text="name who is killed tonight", target=others)
            return (verb,), (
                Effect(do="vote", name="kill", tie="lot"),
                Effect(do="mark", whom="chosen", name=_PREY),
            )
        case "inspect":
            reveal = Effect(do="reveal", whom="target", to="actor", what="team")
            text = "learn on whose team somebody is"
            return (Verb(id="inspect", text=text, target=SeatFilter(), effects=(reveal,)),), ()
        case "potions":
            return (
                Verb(
                    id="save",
                    text="save who is attacked tonight; once in a game",
                    target=SeatFilter(marked=_PREY),
                    oneself=True,
                    costs={_SAVE: 1},
                    effects=(Effect(do="protect", whom="target"),),
                ),
                Verb(
                    id="poison",
                    text="kill somebody; once in a game",
                    target=SeatFilter(),
                    costs={_POISON: 1},
                    effects=(Effect(do="mark", whom="target", name=_POISONED),),
                ),
            ), ()
    known = "vote, werewolf, seer and witch"
    raise BadConfig(f"{place}: what its actions do is known only of states named by {known}")


def _dawn() -> Phase:
    """What the night brings. Poison spares nobody."""
    return Phase(
        id="dawn",
        title="Dawn",
        effects=(
            Effect(do="eliminate", whom=SeatFilter(marked=_PREY)),
            Effect(do="eliminate", whom=SeatFilter(marked=_POISONED), despite=True),
            Effect(do="unmark", whom=SeatFilter(status="any", marked=_PREY), name=_PREY),
            Effect(do="unmark", whom=SeatFilter(status="any", marked=_POISONED), name=_POISONED),
        ),
    )


def _end(number: int, one: _End) -> GameEnd:
    alive = Quantity(seats=SeatFilter(teams=(_id(one.team),)))
    match one.type:
        case "team_eliminated":
            when = Requirement(left=alive, right=0)
        case "parity":
            other = Quantity(seats=SeatFilter(teams=(_id(one.other),)))
            when = Requirement(left=alive, compare=">=", right=other)
        case _:
            why = f"type is team_eliminated or parity, not {one.type!r}"
            raise BadConfig(f"end_conditions, no. {number}: {why}")
    return GameEnd(
        id=f"{_id(one.type)}-{number}",
        when=when,
        winners=(_id(one.winner),),
        text=_short(one.message or f"{one.winner} have won.", 300),
    )


def _id(name: str) -> str:
    """A name as an id. Raises ``BadConfig``."""
    found = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40].rstrip("-")
    if not found or not found[0].isalpha():
        raise BadConfig(
            f"{shortened(name)!r} cannot be made an id; begin it with a letter from a to z"
        )
    return found


def _short(text: str, most: int) -> str:
    """A text within what a ruleset takes. Raises ``BadConfig``."""
    if len(text) > most or (most == 300 and not text):
        raise BadConfig(f"{shortened(text)!r} has {many(len(text), 'character')}; 1 to {most} fit")
    return text
