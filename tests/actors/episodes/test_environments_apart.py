"""No module outside an environment's own folders names it, or what it asks, does and scores."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from actors.episodes.registry import environment_named
from evaluators.registry import judging_of
from events.environments import installed

ROOT = Path(__file__).parents[3]
PACKAGES = ("events", "store", "actors", "evaluators", "gateway", "troupe")
DEFAULTS = {
    "actors/runs/plan/environment_section.py": {
        "social"
    },  # the environment of a plan that names none
    "gateway/api/request_handler.py": {"sandbox"},  # a directive of a header
    "events/evaluation.py": {"sotopia"},  # the rubric of judges from before there were others
    # Migrations speak of the one environment that there was.
    "store/migrations/versions/0004_environments.py": {"social"},
}
COMMON = {
    "Match",
    "Settings",
    "goal",
    "secret",
    "knowledge",
    "relationship",
    "Action",
    "Act",
    "Catalog",
    "Decided",
    "Happened",
    "Told",
    "games",  # what an environment consists of
    "facts",
    "learned",
    "not_asked",
    "turns",
    "won",
}
"""Words of every day, which mean something else elsewhere."""


def neutral() -> Iterator[Path]:
    """The modules that belong to no environment."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if not set(path.parts) & set(installed()):
                yield path


def own_words(name: str) -> set[str]:
    """What only an environment's own folders may say."""
    vocabulary, judging = environment_named(name).vocabulary, judging_of(name)
    structs = {
        struct.__name__
        for part in ("setups", "settings", "questions", "actions", "changes", "catalogs")
        for struct in getattr(vocabulary, part)
    }
    rubrics = {rubric.name for rubric in judging.rubrics}
    dimensions = {d.name for rubric in judging.rubrics for d in rubric.dimensions}
    judges = {judge.name for judge in judging.judges}
    return ({name} | structs | rubrics | dimensions | judges) - COMMON


@cache
def said_in_neutral() -> dict[str, frozenset[str]]:
    """What each of those modules says."""
    return {str(path.relative_to(ROOT)): frozenset(said(path)) for path in neutral()}


def said(path: Path) -> Iterator[str]:
    """The names and the texts in a module, its docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = ""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.alias(name=word):
                yield word.rpartition(".")[2]
            case ast.Constant(value=str(word)):
                yield word


@pytest.mark.parametrize("name", installed())
def test_only_its_own_folders_name_an_environment_and_what_it_says(name: str) -> None:
    words = own_words(name)
    found = {
        (path, word)
        for path, told in said_in_neutral().items()
        for word in told & words - DEFAULTS.get(path, set())
    }
    assert found == set()
