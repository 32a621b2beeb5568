"""Random rulesets over the whole format, and games dealt by them.

Whatever is private is a token: each role's goal and secret, the words of the bank, and what is
said.
"""

from typing import Any

import msgspec
from hypothesis import strategies as st

from actors.games.catalog_items import WordBank
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


class Drawing:
    """What the parts of one ruleset may name."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.seats = draw(st.integers(2, 5))
        shared = draw(st.booleans()) and self.seats > 2
        self.roles = tuple(f"role{n}x" for n in range(self.seats - shared))
        self.values = self._values()
        self.numbers = tuple(one["id"] for one in self.values if "low" in one)
        self.words = tuple(one["id"] for one in self.values if "words" in one)

    def pick(self, strategy: st.SearchStrategy[Any]) -> Any:
        return self.draw(strategy)

    def _values(self) -> list[Fields]:
        found: list[Fields] = []
        if self.draw(st.booleans()):
            found.append({"id": "pair", "bank": "pairs", "swap": self.draw(st.booleans())})
        if self.draw(st.booleans()):
            found.append({"id": "price", "low": 1, "high": 9, "step": 2})
        if self.draw(st.booleans()):
            found.append({"id": "place", "words": ["mill", "well", "inn"]})
        return found

    def filter(self) -> Fields:
        """Some of the seats; often all."""
        if self.draw(st.integers(0, 2)):
            return {}
        return given(
            roles=self.pick(rarely(some(self.roles))),
            teams=self.pick(rarely(some(TEAMS))),
            not_teams=self.pick(rarely(some(TEAMS, 1))),
            status=self.pick(rarely(st.sampled_from(("in", "out", "any")))),
            marked=self.pick(rarely(st.sampled_from(MARKS))),
            unmarked=self.pick(rarely(st.sampled_from(MARKS))),
        )

    def number(self) -> int | Fields:
        match self.draw(st.integers(0, 8)):
            case 0:
                return {"seats": self.filter()}
            case 1:
                return {"counter": self.pick(st.sampled_from(SHARED))}
            case 2:
                return {"own": self.pick(st.sampled_from(COUNTERS))}
            case 3 if self.numbers:
                return {"value": self.pick(st.sampled_from(self.numbers))}
            case 4:
                return {"round": True}
        found: int = self.pick(_small)
        return found

    def requirement(self, depth: int = 1) -> Fields:
        kind = self.draw(st.sampled_from(("one", "one", "all", "any"))) if depth else "one"
        if kind != "one":
            return {kind: [self.requirement(depth - 1) for _ in range(2)]}
        compare = self.draw(st.sampled_from(("<", "<=", "=", "!=", ">=", ">")))
        return {"left": self.number(), "compare": compare, "right": self.number()}

    def maybe(self) -> Fields | None:
        """A condition, in few cases."""
        return self.requirement() if self.draw(st.integers(0, 4)) == 0 else None

    def whom(self) -> str | Fields:
        names = st.sampled_from(("actor", "target", "offerer", "chosen", ""))
        return self.pick(names) or self.filter()

    def transfer(self, numbers: tuple[str, ...]) -> Fields:
        sides = st.sampled_from(("actor", "target", "offerer", "chosen", "game"))
        amount = self.pick(st.sampled_from((*numbers, 1)))
        if self.pick(st.integers(0, 3)) == 0:
            amount = self.number()
        return {
            "item": self.pick(st.sampled_from(("coins", "coins", "hats"))),
            "amount": amount,
            "giver": self.pick(sides),
            "taker": self.pick(sides),
        }

    def effect(self, votes: tuple[str, ...], numbers: tuple[str, ...], by_act: bool) -> Fields:
        kinds = ["eliminate", "protect", "reveal", "mark", "unmark", "give", "count"]
        kinds += ["vote"] if votes else []
        kinds += ["give", "offer", "offer", "accept", "accept", "refuse"] if by_act else []
        kinds += ["guess"] if by_act and self.words else []
        do = self.pick(st.sampled_from(kinds))
        fields: Fields = {"do": do, **given(when=self.maybe())}
        match do:
            case "eliminate":
                fields["shows"] = self.pick(st.sampled_from(("role", "team", "nothing")))
                fields["despite"] = self.pick(st.booleans())
            case "reveal":
                fields["to"] = "all" if self.pick(st.integers(0, 5)) == 0 else self.whom()
                fields["what"] = self.pick(st.sampled_from(("role", "team")))
            case "mark" | "unmark":
                fields["name"] = self.pick(st.sampled_from(MARKS))
            case "vote":
                fields["name"] = self.pick(st.sampled_from(votes))
                fields["tie"] = self.pick(st.sampled_from(("nobody", "lot", "all")))
                fields["least"] = self.pick(st.integers(1, 2))
                fields["majority"] = self.pick(st.booleans())
            case "give" | "accept":
                count = self.pick(st.integers(1, 2))
                fields["transfers"] = [self.transfer(numbers) for _ in range(count)]
            case "guess":
                fields |= {"name": self.pick(st.sampled_from(self.words)), "counter": "points"}
            case "count":
                fields |= {"counter": self.pick(st.sampled_from(SHARED)), "by": self.number()}
        if do in ("eliminate", "protect", "reveal", "mark", "unmark"):
            fields["whom"] = self.whom()
        elif do == "count" and self.pick(st.booleans()):
            fields |= {"whom": self.whom(), "counter": self.pick(st.sampled_from(COUNTERS))}
        return fields

    def verb(self, id_: str, votes: tuple[str, ...]) -> Fields:
        says = self.pick(st.booleans())
        # Else nobody could do anything in most games.
        easy = self.pick(st.integers(0, 3)) > 0
        numbers = ["amount"] if self.pick(st.integers(0, 2)) == 0 else []
        words: Fields = {}
        if self.pick(st.integers(0, 3)) == 0:
            words = {"words": ["mill", "moon"]}
            if self.words:
                words = {"among": self.pick(st.sampled_from(self.words))}
        effects = [
            self.effect(votes, tuple(numbers), True) for _ in range(self.pick(st.integers(0, 2)))
        ]
        return given(
            id=id_,
            text=f"do {id_}",
            says=says,
            direct=says and self.pick(st.booleans()),
            target=({} if easy else self.filter())
            if id_ in votes or self.pick(st.booleans())
            else None,
            oneself=self.pick(st.booleans()),
            numbers=[
                {"id": one, "text": "so much", "low": 0, "high": 3 if easy else self.number()}
                for one in numbers
            ],
            when=None if easy else self.maybe(),
            costs={"coins": 1} if not easy and self.pick(st.booleans()) else {},
            effects=effects,
            **words,
        )

    def phase(self, place: int, phases: int) -> Fields:
        most = self.pick(st.sampled_from((0, 1, 1, 2, 2, 3)))
        verbs = [f"verb{place}x{n}" for n in range(most)]
        votes = tuple(verbs[: self.pick(st.integers(0, 1))])
        return given(
            id=f"phase{place}",
            title=f"Phase {place}",
            who=self.filter(),
            order=self.pick(st.sampled_from(("turns", "together"))),
            repeat=self.pick(st.integers(1, 2)),
            until=self.maybe(),
            visibility=self.pick(st.sampled_from(("public", "team", "self", "named"))),
            passes=self.pick(st.booleans()),
            verbs=[*[self.verb(one, votes) for one in verbs], *self._bundle(place)],
            effects=[self.effect(votes, (), False) for _ in range(self.pick(st.integers(0, 3)))],
            next=[
                given(phase=f"phase{self.pick(st.integers(0, phases - 1))}", when=self.maybe())
                for _ in range(self.pick(st.integers(0, 1)))
            ],
        )

    def _bundle(self, place: int) -> list[Fields]:
        """Verbs that belong together, in some phases: by chance they are drawn too seldom."""
        kind = self.pick(st.sampled_from(("", "", "market", "night")))
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
            ]
        return self._market(place) if kind else []

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
            "team": self.pick(st.sampled_from(TEAMS)),
            "goal": f"«goal of {id_}»",
            "secret": f"«secret of {id_}»{named}",
            "knows": self.pick(some((*self.roles, *TEAMS))),
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
        terms = [
            {
                "counter": self.pick(st.sampled_from(COUNTERS)),
                "shared": self.pick(st.booleans()),
                "weight": self.pick(weights),
                "per_seat": self.pick(st.booleans()),
            }
            for _ in range(self.pick(st.integers(1, 2)))
        ]
        return {"roles": self.pick(some(self.roles)), "terms": terms}

    def whole(self) -> Fields:
        phases = self.pick(st.integers(1, 5))
        sides = (*self.roles, *TEAMS)
        last = len(self.roles) - 1
        return {
            "id": "random",
            "title": "A random game",
            "about": "What comes is what comes.",
            "least": 2,
            "most": 6,
            "rounds": self.pick(st.integers(1, 3)),
            "rounds_winners": self.pick(some(sides)),
            "roles": [self.role(one, place == last) for place, one in enumerate(self.roles)],
            "values": self.values,
            "counters": {one: self.pick(st.integers(0, 3)) for one in SHARED},
            "phases": [self.phase(place, phases) for place in range(phases)],
            "ends": [
                {
                    "id": f"end{n}",
                    "when": {
                        "all": [
                            self.requirement(0),
                            {"left": {"seats": {}}, "compare": "<", "right": self.seats},
                        ]
                    },
                    "winners": self.pick(some(sides)),
                    "text": "So it ends.",
                }
                for n in range(self.pick(st.sampled_from((0, 0, 0, 1, 2))))
            ],
            "payoffs": [self.payoff() for _ in range(self.pick(st.integers(0, 2)))],
            "roles_at_end": self.pick(st.booleans()),
        }


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """A game by random rules, dealt as games of a catalog are."""
    drawing = Drawing(draw)
    rules = msgspec.convert(drawing.whole(), Ruleset)
    deal = dealt(
        rules,
        [Player(id=name.lower(), name=name) for name in NAMES[: drawing.seats]],
        {"pairs": BANK},
        "set",
        draw(st.integers(1, 50)),
        settings=Settings(talk=draw(st.sampled_from((None, None, 1, 2)))),
        seed=SEED,
    )
    assert RULES.setup_fault(deal, drawing.seats) is None
    return deal
