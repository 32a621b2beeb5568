"""What the contracts of imports refuse, on graphs of a few modules."""

from importlib.metadata import entry_points

import pytest
from grimp import ImportGraph

from scripts.import_contracts import Apart, ForCommands


def graph(*imports: tuple[str, str]) -> ImportGraph:
    found = ImportGraph()
    for importer, imported in imports:
        found.add_import(importer=importer, imported=imported)
    found.add_module("actors.lifelong")
    for environment in entry_points(group="troupe.environments"):
        found.add_module(environment.module.removesuffix(".environment"))
    return found


def apart() -> Apart:
    options = {"unknown": ["actors.lifelong"]}
    return Apart("apart", {}, options)


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("gateway.pages.runs", "actors.social.rules"),
        ("evaluators.report", "evaluators.sandbox.plugin"),
        ("actors.social.rules", "actors.sandbox.rules"),
        ("gateway.social.catalog_commands", "evaluators.worldtree"),
        ("actors.socialites", "actors.social"),
    ],
)
def test_an_environment_is_imported_by_nobody_else(importer: str, imported: str) -> None:
    found = apart().check(graph((importer, imported)), verbose=False)
    assert not found.kept
    assert found.metadata["found"] == [(importer, imported)]


def test_what_is_its_own_may_import_it_and_it_what_is_shared() -> None:
    own = graph(
        ("gateway.social.catalog_commands", "actors.social.rules"),
        ("evaluators.social", "actors.social"),
        ("actors.social.rules", "actors.episodes.port.rules"),
    )
    assert apart().check(own, verbose=False).kept


def test_it_reaches_nothing_longer_than_an_episode_by_any_way() -> None:
    ways = graph(("actors.social.rules", "actors.text"), ("actors.text", "actors.lifelong.rules"))
    found = apart().check(ways, verbose=False)
    assert found.metadata["found"] == [("actors.social.rules", "actors.lifelong.rules")]


def test_the_command_line_is_for_environments_own_commands() -> None:
    contract = ForCommands("commands", {}, {"package": "gateway.cli"})
    assert contract.check(
        graph(("gateway.social", "gateway.cli.terminal.output")), verbose=False
    ).kept
    assert not contract.check(
        graph(("gateway.api", "gateway.cli.terminal.output")), verbose=False
    ).kept
