"""What docs/reference/rulesets.md shows is so."""

import re
from pathlib import Path
from random import Random
from typing import get_args

import msgspec
import pytest

from actors.games import ruleset
from actors.games.catalog.starter import starter_catalog
from actors.games.catalog_items import GameScene, GameSet, WordBank
from actors.games.checks.ruleset_files import read_rules_files
from actors.games.deals import dealt
from actors.games.setup import Player
from events.base import Value
from tests.fuzz.games import play_deal

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "rulesets.md").read_text()
WORDS = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
STRUCTS = [
    one
    for one in vars(ruleset).values()
    if isinstance(one, type) and issubclass(one, Value) and one is not Value
] + [GameSet, GameScene, Player, WordBank]


def test_the_example_is_right_and_can_be_played(tmp_path: Path):
    path = tmp_path / "henhouse.toml"
    path.write_text(PAGE.partition("```toml\n")[2].partition("```")[0])
    (file,) = read_rules_files([path])
    assert list(file.remarks) == []
    assert file.own is not None
    (rules,) = file.own.rulesets
    for players in range(rules.least, rules.most + 1):
        people = starter_catalog().players[:players]
        end = play_deal(dealt(rules, people, {}, "page", players), Random(players))
        assert end.reason in ("won", "exhausted")


@pytest.mark.parametrize("kind", STRUCTS, ids=lambda kind: kind.__name__)
def test_every_field_is_on_the_page(kind: type[Value]):
    names = [one.encode_name for one in msgspec.structs.fields(kind)]
    said = set(re.findall(r"[\w-]+", " ".join(re.findall(r"`([^`]+)`", WORDS))))
    assert [name for name in names if name not in said] == []


def test_every_effect_is_in_its_table():
    rows = re.findall(r"^\| (`.*?) \|", PAGE.partition("## Effects")[2].partition("### Who")[0],
                      re.MULTILINE)  # fmt: skip
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row) if name != "do"]
    field = next(one for one in msgspec.structs.fields(ruleset.Effect) if one.name == "do")
    assert sorted(named) == sorted(get_args(field.type))
