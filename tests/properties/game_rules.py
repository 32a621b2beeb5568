"""Random rulesets over the whole format that pass ``troupe games check``, and games dealt by them.
What one part may name is drawn first, so that what is drawn is right as it stands.

Whatever is private is a token: each role's goal and secret, the words of the bank, and what is
said.
"""

from typing import Any, NamedTuple

import msgspec
from hypothesis import assume
from hypothesis import strategies as st

from actors.games.catalog_items import WordBank
from actors.games.checks.ruleset_checks import ruleset_remarks
from actors.games.deals import dealt
from actors.games.rules import RULES
from actors.games.ruleset import Ruleset
from actors.games.setup import Deal, Player, Settings

Fields = dict[str, Any]
TEAMS = ("team-reds", "team-blues", "team-greys")
COUNTERS = ("coins", "hats")
SHARED = ("coins", "pot")
MARKS = ("marked-a", "marked-b")
SEED = 9_182_736_455
"""Of every deal; it decides lots, so nobody may see it."""
NAMES = ("Ada", "Bo", "Cy", "Di", "Eli", "Fay")

BANK = WordBank(
    id="pairs",
    columns=("one", "two"),
    rows=tuple((f"«bank one {row}»", f"«bank two {row}»") for row in range(4)),
)

_small = st.integers(-1, 6)


def some(among: tuple[str, ...], most: int = 2) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(among), max_size=most, unique=True)


def rarely(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """None in most cases."""
    return st.one_of(st.none(), st.none(), strategy)


def given(**fields: Any) -> Fields:
    """Without fields that are None."""
    return {name: value for name, value in fields.items() if value is not None}


class At(NamedTuple):
    """Where an effect stands, or a number is looked up: what can be named there."""

    by_act: bool = False
    """Whether a seat acts there."""
    numbers: tuple[str, ...] = ()
    """Those that the act names."""
    words: bool = False
    """Whether the act names a word."""
    target: bool = False
    """Whether the act names a seat."""
    votes: tuple[str, ...] = ()
    """Verbs whose votes can be counted."""
    chosen: bool = False
    """Whether some have been."""


NOBODY = At()
"""Where no seat acts."""


class Drawing:
    """What the parts of one ruleset may name."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.seats = draw(st.integers(2, 5))
        shared = draw(st.booleans()) and self.seats > 2
        self.roles = tuple(f"role{n}x" for n in range(self.seats - shared))
        self.team_of = {one: draw(st.sampled_from(TEAMS)) for one in self.roles}
        self.sides = (*self.roles, *sorted(set(self.team_of.values())))
        self.rounds = draw(st.integers(1, 3))
        self.values = self._values()
        self.numbers = tuple(one["id"] for one in self.values if "low" in one)
        self.words = tuple(one["id"] for one in self.values if "words" in one)
        # What some effect does, wherever it stands; ``whole`` sees to it.
        self.marks = tuple(draw(some(MARKS)))
        self.eliminates = draw(st.integers(0, 3)) > 0
        self.offers = draw(st.integers(0, 2)) > 0

    def pick(self, strategy: st.SearchStrategy[Any]) -> Any:
        return self.draw(strategy)

    def _values(self) -> list[Fields]:
        found: list[Fields] = []
        if self.draw(st.booleans()):
            found.append({"id": "pair", "bank": "pairs", "swap": self.draw(st.booleans())})
        if self.draw(st.booleans()):
            found.append({"id": "price", "low": 1, "high": 9, "step": 2})
        if self.draw(st.integers(0, 2)):
            found.append({"id": "place", "words": ["mill", "well", "inn"]})
        return found

    def filter(self) -> Fields:
        """Some of the seats; often all. One role at least is among them."""
        if self.draw(st.integers(0, 2)):
            return {}
        role = self.pick(st.sampled_from(self.roles))
        team = self.team_of[role]
        others = tuple(one for one in self.sides if one in TEAMS and one != team)
        status = ("in", "out", "any") if self.eliminates else ("in", "any")
        marks = rarely(st.sampled_from(self.marks)) if self.marks else st.none()
        return given(
            roles=self.pick(
                rarely(some(self.roles).map(lambda more: [*{role: 0, **dict.fromkeys(more)}]))
            ),
            teams=self.pick(rarely(st.just([team]))),
            not_teams=self.pick(rarely(some(others, 1))) if others else None,
            status=self.pick(rarely(st.sampled_from(status))),
            marked=self.pick(marks),
            unmarked=self.pick(marks),
        )

    def number(self, at: At) -> int | Fields:
        kind = self.draw(st.integers(0, 8))
        found: int = self.pick(_small) if kind > 4 else 0
        return found if kind > 4 else self.looked_up(at, kind)

    def looked_up(self, at: At, kind: int) -> Fields:
        match kind:
            case 0:
                return {"seats": self.filter()}
            case 1 if at.by_act:
                return {"own": self.pick(st.sampled_from(COUNTERS))}
            case 2 if self.numbers:
                return {"value": self.pick(st.sampled_from(self.numbers))}
            case 3:
                return {"round": True}
        return {"counter": self.pick(st.sampled_from(SHARED))}

    def requirement(self, at: At, depth: int = 1) -> Fields:
        kind = self.draw(st.sampled_from(("one", "one", "all", "any"))) if depth else "one"
        if kind != "one":
            return {kind: [self.requirement(at, depth - 1) for _ in range(2)]}
        compare = self.draw(st.sampled_from(("<", "<=", "=", "!=", ">=", ">")))
        left = self.looked_up(at, self.draw(st.integers(0, 4)))
        return {"left": left, "compare": compare, "right": self.number(at)}

    def maybe(self, at: At = NOBODY) -> Fields | None:
        """A condition, in few cases."""
        return self.requirement(at) if self.draw(st.integers(0, 4)) == 0 else None

    def named(self, at: At) -> tuple[str, ...]:
        """The words that mean seats there."""
        there = {
            "actor": at.by_act,
            "target": at.target,
            "offerer": self.offers,
            "chosen": at.chosen,
        }
        return tuple(one for one, is_there in there.items() if is_there)

    def whom(self, at: At) -> str | Fields:
        return self.pick(st.sampled_from((*self.named(at), ""))) or self.filter()

    def transfer(self, at: At, do: str) -> Fields:
        sides = tuple(one for one in (*self.named(at), "game") if (one, do) != ("target", "accept"))
        giver, taker = self.pick(st.permutations(sides))[:2]
        amount = self.pick(st.sampled_from((*at.numbers, 1, 2)))
        if self.pick(st.integers(0, 3)) == 0:
            amount = self.looked_up(at, self.draw(st.integers(0, 4)))
        return {
            "item": self.pick(
                st.sampled_from(SHARED if giver == "game" else ("coins", "coins", "hats"))
            ),
            "amount": amount,
            "giver": giver,
            "taker": taker,
        }

    def effects(self, at: At, most: int) -> list[Fields]:
        """Some, in order: those whom a vote chose can be named after it."""
        found: list[Fields] = []
        for _ in range(self.pick(st.integers(0, most))):
            found.append(self.effect(at))
            if found[-1]["do"] == "vote":
                at = at._replace(chosen=True)
        return found

    def effect(self, at: At) -> Fields:
        kinds = ["protect", "reveal", "count"]
        kinds += ["eliminate"] if self.eliminates else []
        kinds += ["mark", "unmark"] if self.marks else []
        kinds += ["give"] if self.named(at) else []
        kinds += ["vote"] * 3 if at.votes and not at.chosen else []
        if self.offers and at.by_act:
            kinds += ["accept", "accept", "refuse"] + ["offer", "offer"] * bool(at.numbers)
        kinds += ["guess"] * 3 if at.words and self.words else []
        do = self.pick(st.sampled_from(kinds))
        fields: Fields = {"do": do, **given(when=self.maybe(at))}
        match do:
            case "eliminate":
                fields["shows"] = self.pick(st.sampled_from(("role", "team", "nothing")))
                fields["despite"] = self.pick(st.booleans())
            case "reveal":
                fields["to"] = "all" if self.pick(st.integers(0, 5)) == 0 else self.whom(at)
                fields["what"] = self.pick(st.sampled_from(("role", "team")))
            case "mark" | "unmark":
                fields["name"] = self.pick(st.sampled_from(self.marks))
            case "vote":
                fields["name"] = self.pick(st.sampled_from(at.votes))
                fields["tie"] = self.pick(st.sampled_from(("nobody", "lot", "all")))
                fields["least"] = self.pick(st.integers(1, 2))
                fields["majority"] = self.pick(st.booleans())
            case "give" | "accept":
                if do == "accept":
                    at = at._replace(numbers=("amount",))
                count = self.pick(st.integers(1, 2))
                fields["transfers"] = [self.transfer(at, do) for _ in range(count)]
            case "guess":
                fields |= {"name": self.pick(st.sampled_from(self.words)), "counter": "points"}
            case "count":
                fields |= {"counter": self.pick(st.sampled_from(SHARED)), "by": self.number(at)}
        if do in ("eliminate", "protect", "reveal", "mark", "unmark"):
            fields["whom"] = self.whom(at)
        elif do == "count" and self.pick(st.booleans()):
            fields |= {"whom": self.whom(at), "counter": self.pick(st.sampled_from(COUNTERS))}
        return fields

    def verb(self, id_: str, votes: tuple[str, ...]) -> Fields:
        says = self.pick(st.booleans())
        # Else nobody could do anything in most games.
        easy = self.pick(st.integers(0, 3)) > 0
        named = id_ in votes or self.pick(st.booleans())
        numbers = ("amount",) if self.pick(st.integers(0, 2)) == 0 else ()
        words: Fields = {}
        if self.pick(st.integers(0, 3)) == 0:
            words = {"words": ["mill", "moon"]}
            if self.words:
                words = {"among": self.pick(st.sampled_from(self.words))}
        at = At(by_act=True, numbers=numbers, words=bool(words), target=named)
        return given(
            id=id_,
            text=f"do {id_}",
            says=says,
            direct=says and self.pick(st.booleans()),
            target=({} if easy else self.filter()) if named else None,
            oneself=named and self.pick(st.booleans()),
            numbers=[
                {"id": one, "text": "so much", "low": 0, "high": 3 if easy else self.most(at)}
                for one in numbers
            ],
            when=None if easy else self.maybe(at),
            costs={"coins": 1} if self.pick(st.integers(0, 5 if easy else 1)) == 0 else {},
            effects=self.effects(at, 2),
            **words,
        )

    def most(self, at: At) -> int | Fields:
        """The most that an act can name; never less than nothing whatever happens."""
        found = self.number(at)
        return max(found, 0) if isinstance(found, int) else found

    def phase(self, place: int, phases: int) -> Fields:
        most = self.pick(st.sampled_from((0, 1, 1, 2, 2, 3)))
        verbs = [f"verb{place}x{n}" for n in range(most)]
        votes = tuple(verbs[: self.pick(st.sampled_from((0, 1, 1)))])
        return given(
            id=f"phase{place}",
            title=f"Phase {place}",
            who=self.who(),
            order=self.pick(st.sampled_from(("turns", "together"))),
            repeat=self.pick(st.integers(1, 2)),
            until=self.maybe(),
            visibility=self.pick(st.sampled_from(("public", "team", "self", "named"))),
            passes=self.pick(st.booleans()),
            verbs=[*[self.verb(one, votes) for one in verbs], *self._bundle(place)],
            effects=[*self._ballot(votes), *self.effects(At(votes=votes), 3)],
            next=self._next(place, phases) if self.pick(st.booleans()) else [],
        )

    def who(self) -> Fields:
        """Who acts in a phase; in some games nobody, so that it is skipped."""
        if self.pick(st.integers(0, 4)):
            return self.filter()
        return {"status": "out"} if self.eliminates else given(marked=next(iter(self.marks), None))

    def _next(self, place: int, phases: int) -> list[Fields]:
        """Another phase than the one after it, which must still be reached."""
        found = given(phase=f"phase{self.pick(st.integers(0, phases - 1))}", when=self.maybe())
        if "when" in found or place == phases - 1:
            return [found]
        at_times = self.at_times()
        return [{"phase": f"phase{place + 1}", "when": at_times}, found] if at_times else []

    def at_times(self) -> Fields | None:
        """A condition that does not hold at the beginning and can hold later; None: there is no
        such."""
        if self.eliminates:
            return {"left": {"seats": {}}, "compare": "<", "right": self.seats}
        if self.rounds > 1:
            return {"left": {"round": True}, "compare": ">", "right": 1}
        return None

    def _ballot(self, votes: tuple[str, ...]) -> list[Fields]:
        """In some phases whom most have named is out."""
        if not (votes and self.eliminates and self.pick(st.booleans())):
            return []
        vote = given(
            do="vote",
            name=votes[0],
            tie=self.pick(st.sampled_from(("nobody", "lot", "all"))),
            least=self.pick(st.integers(1, 2)),
            majority=self.pick(st.booleans()),
        )
        return [vote, {"do": "eliminate", "whom": "chosen", "despite": self.pick(st.booleans())}]

    def _bundle(self, place: int) -> list[Fields]:
        """Verbs that belong together, in some phases: by chance they are drawn too seldom."""
        kind = self.pick(st.sampled_from(("", "", "market", "market", "night", "riddle")))
        if kind == "night":
            effects: tuple[Fields, ...] = (
                {"do": "protect", "whom": "target"},
                {"do": "eliminate", "whom": "target"},
                {"do": "count", "whom": "target", "counter": "hats"},
            )
            return [
                {
                    "id": f"verb{place}x{effect['do']}",
                    "text": "at night",
                    "target": {},
                    "effects": [effect],
                }
                for effect in effects
                if effect["do"] != "eliminate" or self.eliminates
            ]
        if kind == "riddle" and self.words:
            guess = {"do": "guess", "name": self.words[0], "counter": "points"}
            verb = {"id": f"verb{place}xguess", "text": "guess", "among": self.words[0]}
            return [{**verb, "effects": [guess]}]
        return self._market(place) if kind == "market" and self.offers else []

    def _market(self, place: int) -> list[Fields]:
        """Verbs to trade with."""
        price = {"id": "amount", "text": "so much", "low": 0, "high": 2}
        bought = [
            {"item": "coins", "amount": "amount", "giver": "actor", "taker": "offerer"},
            {"item": "hats", "amount": 1, "giver": "offerer", "taker": "actor"},
        ]
        moved = bought[: self.pick(st.integers(1, 2))]
        effects: tuple[Fields, ...] = (
            {"do": "offer"},
            {"do": "accept", "transfers": moved},
            {"do": "refuse"},
        )
        return [
            {
                "id": f"verb{place}x{effect['do']}",
                "text": "trade",
                "effects": [effect],
                "numbers": [price] if effect["do"] == "offer" else [],
            }
            for effect in effects
        ]

    def role(self, id_: str, last: bool) -> Fields:
        named = "".join(f" {{{one}}}" for one in self._named())
        count = [] if last else [{"players": 2, "count": 1}]
        return {
            "id": id_,
            "name": f"the «{id_}»",
            "team": self.team_of[id_],
            "goal": f"«goal of {id_}»",
            "secret": f"«secret of {id_}»{named}",
            "knows": self.pick(some(self.sides)),
            "counters": {one: self.pick(st.integers(0, 4)) for one in COUNTERS},
            "count": count,
        }

    def _named(self) -> list[str]:
        ids = [one["id"] for one in self.values if one["id"] != "pair"]
        if any(one["id"] == "pair" for one in self.values):
            ids += ["pair.one", "pair.two"]
        found: list[str] = self.pick(some(tuple(ids))) if ids else []
        return found

    def payoff(self) -> Fields:
        weights = st.sampled_from((1.0, -0.5, 2.0, *self.numbers))
        terms = []
        for _ in range(self.pick(st.integers(1, 2))):
            shared = self.pick(st.booleans())
            terms.append(
                {
                    "counter": self.pick(st.sampled_from(SHARED if shared else COUNTERS)),
                    "shared": shared,
                    "weight": self.pick(weights),
                    "per_seat": self.pick(st.booleans()),
                }
            )
        return {"roles": self.pick(some(self.roles)), "terms": terms}

    def phases(self) -> list[Fields]:
        """Phases in which everything is done that others name."""
        count = self.pick(st.integers(1, 5))
        found = [self.phase(place, count) for place in range(count)]
        done = {
            (effect["do"], effect.get("name"))
            for phase in found
            for effects in (phase["effects"], *(verb["effects"] for verb in phase["verbs"]))
            for effect in effects
        }
        missing: list[Fields] = [
            {"do": "mark", "name": one} for one in self.marks if ("mark", one) not in done
        ]
        if self.eliminates and ("eliminate", None) not in done:
            missing.append({"do": "eliminate", "shows": "team"})
        for effect in missing:
            phase = self.pick(st.sampled_from(found))
            phase["verbs"].append(
                {
                    "id": f"last{len(phase['verbs'])}x{phase['id']}",
                    "text": "what is missing",
                    "target": {},
                    "effects": [{**effect, "whom": "target"}],
                }
            )
        if self.offers and ("offer", None) not in done:
            place = self.pick(st.integers(0, count - 1))
            found[place]["verbs"] += self._market(place)
        return found

    def whole(self) -> Fields:
        payoffs = [self.payoff() for _ in range(self.pick(st.integers(0, 2)))]
        winners = st.lists(
            st.sampled_from(self.sides), min_size=not payoffs, max_size=2, unique=True
        )
        last, at_times = len(self.roles) - 1, self.at_times()
        return {
            "id": "random",
            "title": "A random game",
            "about": "What comes is what comes.",
            "least": self.seats,
            "most": self.seats,
            "rounds": self.rounds,
            "rounds_winners": self.pick(winners),
            "roles": [self.role(one, place == last) for place, one in enumerate(self.roles)],
            "values": self.values,
            "counters": {one: self.pick(st.integers(1, 3)) for one in SHARED},
            "phases": self.phases(),
            "ends": [
                {
                    "id": f"end{n}",
                    "when": {
                        "all": [{"any": [self.requirement(NOBODY, 0) for _ in range(2)]}, at_times]
                    },
                    "winners": self.pick(some(self.sides)),
                    "text": "So it ends.",
                }
                for n in range(self.pick(st.sampled_from((0, 0, 0, 1, 2))) if at_times else 0)
            ],
            "payoffs": payoffs,
            "roles_at_end": self.pick(st.booleans()),
        }


def faults(rules: Ruleset) -> list[str]:
    """What ``troupe games check`` refuses rules for."""
    remarks = ruleset_remarks(rules, {BANK.id: BANK})
    return [f"{one.place}: {one.why}" for one in remarks if one.grade == "error"]


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """A game by random rules, dealt as games of a catalog are."""
    drawing = Drawing(draw)
    rules = msgspec.convert(drawing.whole(), Ruleset)
    # Few are left out: an end, say, that by chance can never hold.
    assume(not faults(rules))
    deal = dealt(
        rules,
        [Player(id=name.lower(), name=name) for name in NAMES[: drawing.seats]],
        {BANK.id: BANK},
        "set",
        draw(st.integers(1, 50)),
        settings=Settings(talk=draw(st.sampled_from((None, None, 1, 2)))),
        seed=SEED,
    )
    assert RULES.setup_fault(deal, drawing.seats) is None
    return deal
