"""Rules of games, in files of every form: refused with the file, the line and the reason, or played
to the end."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

from actors.episodes.port.rules import Ask, End
from actors.games.catalog.starter import starter_catalog
from actors.games.catalog_items import Catalog
from actors.games.checks.ruleset_files import completed, read_rules_files
from actors.games.deals import dealt
from actors.games.rules import RULES
from actors.games.ruleset import PASS, Ruleset
from actors.games.setup import Deal, Decide, Settings
from actors.seeded_draws import SeededDraws
from events.episode import ActionTaken, TurnOpened, WorldChanged
from gateway.games.rules_files import import_rules_files
from gateway.services.catalogs.read_catalog import ensure_starters
from store.open_store import open_store
from tests.actors.games.scripted import act_of
from tests.fuzz.files import step_of_file, step_of_json_lines
from tests.fuzz.oracle import Fault, check_sentence, refused
from tests.fuzz.playing import Kind
from tests.fuzz.spoiling import spoiled
from tests.fuzz.stores import STORE, fingerprint, require_sound

_CATALOG = Path(__file__).parents[2] / "actors/games/catalog"
MOST_TURNS: Final = 20_000
"""More turns than any game has that is played with two rounds."""
NIGHT: Final = json.dumps(
    {
        "scenario": "A night in the valley",
        "description": "Two wolves are among you.\nHere are: {agent_names}",
        "role_goals": {"Wolf": "Stay.", "Seer": "Look.", "Witch": "Brew.", "Peasant": "Vote."},
        "role_secrets": {"Wolf": "You howl."},
        "agents": [
            {"name": name, "role": role, "team": "Wolves" if role == "Wolf" else "Valley"}
            for name, role in (
                ("Ada", "Wolf"), ("Ben", "Wolf"), ("Cleo", "Seer"),
                ("Dan", "Witch"), ("Eve", "Peasant"), ("Flo", "Peasant"),
            )
        ],
        "initial_state": "Night_werewolf",
        "state_transition": {
            "Night_werewolf": "Night_seer",
            "Night_seer": "Night_witch",
            "Night_witch": "Day_discussion",
            "Day_discussion": "Day_vote",
            "Day_vote": "Night_werewolf",
        },
        "state_properties": {
            "Night_werewolf": {
                "acting_roles": ["Wolf"], "actions": ["action"], "visibility": "team",
            },
            "Night_seer": {
                "acting_roles": ["Seer"], "actions": ["action"], "visibility": "private",
            },
            "Night_witch": {
                "acting_roles": ["Witch"], "actions": ["action"], "visibility": "private",
            },
            "Day_discussion": {"actions": ["speak"], "action_order": "round-robin"},
            "Day_vote": {"actions": ["action"], "action_order": "simultaneous"},
        },
        "end_conditions": [
            {"type": "team_eliminated", "team": "Wolves", "winner": "Valley"},
            {"type": "parity", "team": "Wolves", "other": "Valley", "winner": "Wolves"},
        ],
    },
    indent=1,
)  # fmt: skip
"""A game in the form of SOTOPIA's social games."""
BARGAIN: Final = """
id = "bargain"
title = "A bargain"
about = "One sells, one buys, and a third guesses the weather."
least = 3
most = 3
rounds = 3
counters = { deals = 0, right = 0 }

[[values]]
id = "cost"
low = 1
high = 9
step = 2

[[values]]
id = "weather"
words = ["sun", "rain", "snow"]

[[roles]]
id = "seller"
name = "the seller"
team = "market"
goal = "Sell above {cost}."
counters = { ware = 1, coins = 0 }
count = [{ players = 3, count = 1 }]

[[roles]]
id = "buyer"
name = "the buyer"
team = "market"
goal = "Buy cheaply."
knows = ["seller"]
counters = { coins = 20, tries = 2 }
count = [{ players = 3, count = 1 }]

[[roles]]
id = "guesser"
name = "the guesser"
team = "sky"
goal = "Guess the weather."
secret = "It is not {weather}, or is it."

[[phases]]
id = "offer"
title = "The offer"
who = { roles = ["seller"] }
until = { left = { counter = "deals" }, compare = ">", right = 0 }

[[phases.verbs]]
id = "offer"
text = "name a price"
numbers = [{ id = "price", text = "coins", low = { value = "cost" }, high = 20 }]
effects = [{ do = "offer" }]

[[phases]]
id = "reply"
title = "The reply"
who = { roles = ["buyer"] }

[[phases.verbs]]
id = "take"
text = "buy"

[[phases.verbs.effects]]
do = "accept"
transfers = [
  { item = "coins", amount = "price", giver = "actor", taker = "offerer" },
  { item = "ware", amount = 1, giver = "offerer", taker = "actor" },
]

[[phases.verbs.effects]]
do = "count"
counter = "deals"

[[phases.verbs]]
id = "leave"
text = "do not buy"
costs = { tries = 1 }
when = { any = [
  { left = { own = "coins" }, compare = ">", right = 3 },
  { left = { round = true }, compare = ">=", right = 2 },
] }
effects = [{ do = "refuse" }]

[[phases]]
id = "sky"
title = "The sky"
who = { teams = ["sky"], unmarked = "done" }
visibility = "self"

[[phases.verbs]]
id = "say-weather"
text = "name the weather"
among = "weather"
effects = [
  { do = "guess", name = "weather", counter = "right" },
  { do = "mark", whom = "actor", name = "done" },
]

[[ends]]
id = "dealt"
winners = ["market", "guesser"]
text = "All is done."

[ends.when]
all = [{ left = { counter = "deals" }, right = 1 }, { left = { counter = "right" }, right = 1 }]

[[payoffs]]
roles = ["seller"]
terms = [{ counter = "coins" }, { counter = "ware", weight = "cost" }]

[[payoffs]]
terms = [{ counter = "right", shared = true, weight = 2.5, per_seat = true }]
"""
"""A ruleset in a file of its own, with offers, costs, drawn values, guesses and payoffs."""
HUNT: Final = Path(__file__).with_name("hunt.toml").read_text(encoding="utf-8")
"""The hunt in a file of its own."""


class Games(Kind):
    """Files of rules."""

    name = "games"
    share = 1.0

    def __init__(self, folder: Path) -> None:
        texts = [
            path.read_text(encoding="utf-8")
            for path in sorted(_CATALOG.glob("*.toml"))
            if "[[ruleset]]" in path.read_text(encoding="utf-8")
        ]
        self._files = [
            *[(text, "it.toml") for text in (BARGAIN, HUNT, BARGAIN, HUNT, *texts)],
            (NIGHT, "config.json"),
        ]
        self.samples = len(self._files)
        self._folder = folder
        self.accepted = self.refused = 0
        self._store = open_store(f"sqlite:///{folder / STORE}", durable=False)
        ensure_starters(self._store)
        self._before = fingerprint(self._store)

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def _write(self, sample: int, steps: Sequence[int]) -> Path:
        text, name = self._files[sample]
        path = self._folder / name
        step = step_of_json_lines if path.suffix == ".json" else step_of_rules
        path.write_bytes(spoiled(text.encode(), steps, step))
        return path

    def play(self, sample: int, steps: Sequence[int]) -> None:
        path = self._write(sample, steps)
        (file,) = read_rules_files([path])
        for remark in file.remarks:
            check_sentence(str(remark))
            if not str(remark).startswith(str(path)):
                raise Fault(f"a remark without its file: {remark}")
        if not file.errors and file.own is not None and file.own.rulesets:
            self.accepted += 1
            for rules in file.own.rulesets:
                play_to_the_end(rules, file.own, steps)
            return
        self.refused += 1
        if not file.errors and file.own is None:
            raise Fault("nothing was read, and nothing is said of it")
        if not refused(lambda: import_rules_files(self._store, [path], "spoiled")):
            raise Fault("what has errors was imported")

    def check_end(self) -> None:
        if fingerprint(self._store) != self._before:
            raise Fault("refused files changed the store")
        require_sound(self._store)

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        return repr(self._write(sample, steps).read_bytes())


def play_to_the_end(rules: Ruleset, own: Catalog, steps: Sequence[int]) -> None:
    """A game by random legal acts. Raises what is raised."""
    random = Random(str(steps))
    players = random.randint(rules.least, rules.most)
    catalog = completed([own], "spoiled")
    banks = {bank.id: bank for bank in catalog.banks}
    found = {player.name: player for player in (*catalog.players, *starter_catalog().players)}
    deal = dealt(
        rules,
        list(found.values())[:players],
        banks,
        "spoiled",
        random.randrange(1, 50),
        settings=Settings(rounds=2, talk=1),
    )
    if fault := RULES.setup_fault(deal, players):
        raise Fault(f"what passed the check cannot be dealt: {fault}")
    play_deal(deal, random)


def play_deal(deal: Deal, random: Random) -> End:
    """Play a game that was dealt. Raises ``Fault`` where it does not end."""
    state, seats = RULES.initial(deal), len(deal.players)
    for turn in range(1, MOST_TURNS):
        step = RULES.next_step(state)
        if isinstance(step, End):
            return step
        if not isinstance(step, Ask):
            state = RULES.evolve(state, WorldChanged(change=step))
            continue
        state = RULES.evolve(state, TurnOpened(turn=turn, asked=step.asked))
        for one in step.asked:
            question = one.question
            assert isinstance(question, Decide), "there is no other question"
            draws = SeededDraws(str(random.random()))
            act = act_of(draws.one("verb", question.options), draws)
            act = type(act)() if act.verb == PASS else act
            if why := RULES.action_fault(question, act, one.seat, seats):
                raise Fault(f"what is offered is no answer: {why}")
            state = RULES.evolve(state, ActionTaken(turn=turn, seat=one.seat, action=act))
    raise Fault(f"it has not ended after {MOST_TURNS:,} steps")


def step_of_rules(data: bytes, random: Random) -> bytes:
    """Change a file of rules: half of the time as any text, else so that it stays TOML: a table, a
    value or a name in the place of another."""
    if random.random() < 0.5:
        return step_of_file(data, random)
    text = data.decode("utf-8", "replace")
    lines = text.split("\n")
    keyed = [number for number, line in enumerate(lines) if re.match(r"[a-z_]+ = ", line)]
    match random.randrange(5):
        case 0 if keyed:
            del lines[random.choice(keyed)]
        case 1 if keyed:
            number, other = random.choice(keyed), random.choice(keyed)
            key = lines[number].partition(" = ")[0]
            lines[number] = f"{key} = {lines[other].partition(' = ')[2]}"
        case 2:
            tables = re.split(r"\n(?=\[\[)", text)
            number, other = random.randrange(len(tables)), random.randrange(len(tables))
            if random.random() < 0.5:
                tables.insert(other, tables[number])
            else:
                del tables[number]
            return "\n".join(tables).encode()
        case 3:
            names = re.findall(r'"([a-z][a-z.-]*)"', text) or ["x"]
            places = [found.span(1) for found in re.finditer(r'"([a-z][a-z.-]*)"', text)]
            if places:
                begin, end = random.choice(places)
                return (text[:begin] + random.choice(names) + text[end:]).encode()
        case _:
            places = [found.span() for found in re.finditer(r"\b\d+\b", text)]
            if places:
                begin, end = random.choice(places)
                number = random.choice((0, 1, 2, 3, 5, 8, 12, 13, 99, -1, 1_000_000))
                return f"{text[:begin]}{number}{text[end:]}".encode()
    return "\n".join(lines).encode()
