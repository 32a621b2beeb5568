"""What can be played, from the command line."""

from pathlib import Path

from tests.gateway.command import Desk


def test_troupes_own_catalog_is_there_from_the_start(desk: Desk) -> None:
    rows = {row["name"]: row for row in desk.does("catalog", "list", "--json").json}
    assert rows["starter"]["environment"] == "social"
    assert rows["starter"]["tasks"] >= 12
    assert "starter" in desk.does("catalog", "list").out


def test_words_find_things_of_every_kind_in_every_catalog(desk: Desk) -> None:
    desk.does("catalog", "sample", "starter", "--name", "mine", "--pairs", "1")
    hits = desk.does("catalog", "search", "noor", "--json").json
    assert {hit["kind"] for hit in hits} == {"character", "relationship", "task", "player"}
    assert {hit["catalog"] for hit in hits} == {"starter", "mine", "parlour"}
    assert "character noor_aziz, catalog starter" in desk.does("catalog", "search", "noor").out
    only = desk.does("catalog", "search", "noor", "-c", "mine", "--json").json
    assert {hit["catalog"] for hit in only} == {"mine"}


def test_a_task_is_shown_with_its_scene_goals_hints_secrets_and_tie(desk: Desk) -> None:
    page = " ".join(desk.does("catalog", "show", "one_van-ines-adaeze").out.split())
    for words in ("A hired van", "wants", "(extra info: The landlord", "hides", "friend"):
        assert words in page
    assert "<extra_info>" not in page


def test_every_kind_is_listed_and_each_thing_listed_can_be_shown(desk: Desk) -> None:
    for kind in ("characters", "relationships", "scenarios", "tasks"):
        items = desk.does("catalog", "show", kind, "--json").json
        printed = desk.does("catalog", "show", kind).out
        assert f"{len(items)} {kind} in catalog starter" in printed
        for item in items[:3]:
            assert item["id"] in printed
            assert item["id"] in desk.does("catalog", "show", item["id"]).out


def test_tasks_are_sampled_by_a_seed_and_can_be_planned(desk: Desk) -> None:
    sample = ["catalog", "sample", "starter", "--pairs", "2"]
    first = desk.does(*sample, "--name", "one", "--seed", "1", "--json").json
    assert first["outcome"] == "imported"
    assert 0 < first["tasks"] <= 2 * first["scenarios"]
    assert (
        desk.does(*sample, "--name", "one", "--seed", "1", "--json").json["outcome"] == "unchanged"
    )
    desk.does(*sample, "--name", "two", "--seed", "2")

    def tasks(name: str) -> list[str]:
        found = desk.does("catalog", "show", "tasks", "-c", name, "--json").json
        return [task["id"] for task in found]

    assert tasks("one") != tasks("two")
    plan = 'catalog = "one"\n[minds.a]\nkind = "rehearsal"\ntemper = "wily"\n'
    told = desk.does("run", desk.file("plan.toml", plan), "--dry-run", "--json").json
    assert told["tasks"] == first["tasks"]


def test_a_sample_ignores_a_constraint_casts_both_orders_and_lists_what_has_few_pairs(
    desk: Desk,
) -> None:
    sample = ["catalog", "sample", "starter", "--pairs", "50"]
    plain = desk.does(*sample, "--name", "plain", "--json").json
    assert any("two_keys" in short for short in plain["shortfalls"])
    said = desk.does(*sample, "--name", "plain")
    assert "scenario 'two_keys' was cast 12 times instead of 50" in " ".join(said.err.split())
    every = desk.does(*sample, "--name", "every", "--ignore", "relationship", "--json").json
    assert every["tasks"] > plain["tasks"]
    assert not any("two_keys" in short for short in every["shortfalls"])
    both = desk.does(*sample, "--name", "both", "--both-orders", "--json").json
    assert plain["tasks"] < both["tasks"] <= 2 * plain["tasks"]
    rows = {row["name"]: row["source"] for row in desk.does("catalog", "list", "--json").json}
    assert rows["every"].endswith("50 pairs a scenario, whatever the relationship")
    assert rows["both"].endswith("50 pairs a scenario, in both orders")
    head = desk.head()
    said = desk.says(*sample, "--name", "wrong", "--ignore", "job")
    assert said.code == 1
    assert "a scenario asks for relationship, age, occupation" in said.err
    assert desk.head() == head


def test_a_sample_never_takes_the_place_of_a_catalog_that_was_imported(desk: Desk) -> None:
    desk.does("catalog", "list")
    before = desk.head()
    said = desk.says("catalog", "sample", "starter", "--name", "starter")
    assert said.code == 1
    assert desk.head() == before


def test_a_catalog_that_is_missing_names_the_command_that_brings_one_in(desk: Desk) -> None:
    path = str(Path(__file__).parents[2] / "examples" / "sotopia.toml")
    for arguments in (["run", path, "--dry-run"], ["catalog", "show", "tasks", "-c", "startr"]):
        said = desk.says(*arguments)
        assert said.code == 1
        assert "`troupe catalog import" in " ".join(said.err.split())
