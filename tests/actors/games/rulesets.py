"""Small rulesets of several kinds, as tests play them."""

import tomllib
from pathlib import Path

import msgspec

from actors.games.catalog_items import WordBank
from actors.games.ruleset import Ruleset

_TEXT = Path(__file__).with_name("rulesets.toml").read_text(encoding="utf-8")
DIVISION, SALE, POT, WORDS = msgspec.convert(tomllib.loads(_TEXT)["ruleset"], tuple[Ruleset, ...])

BANK = WordBank(
    id="pairs",
    columns=("common", "odd"),
    rows=(
        ("kettle", "washing machine"),
        ("apple", "pear"),
        ("violin", "accordion"),
        ("swan", "pelican"),
    ),
)
