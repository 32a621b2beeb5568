"""Hard scenarios from the command line: listed, made of a chain's past, played, and measured."""

import re
import tomllib
from typing import Any

import pytest

from actors.social.catalog.needed_facts import first_key, own_text
from actors.social.catalog_items import Catalog
from gateway.social.continue_chains import prepare_continuation, record_continuation
from store.read_model import queries
from store.read_model.catalogs import load_catalog
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused
from tests.support.runs import REHEARSAL_MINDS, chain_plan
from tests.support.store_checks import check_store

BUILT_IN = {
    "coat_returned",
    "thank_you_supper",
    "piano_again",
    "blank_slate",
    "after_the_storm",
    "two_questions",
}
AT_NOBODY = """
[minds.nobody]
kind = "model"
model = "openai/nobody"
adapter = "direct"
base_url = "http://127.0.0.1:9/v1"
retries = 0
"""


def catalog_named(desk: Desk, name: str) -> Catalog:
    store = desk.open()
    try:
        return load_catalog(store, name)
    finally:
        store.close()


def again(made: dict[str, Any], memory: str) -> str:
    """A plan that holds what `generate` says to put into it."""
    sections = made["plan"].replace('memory = ["summary"]', f"memory = {memory}")
    return f"""
name = "again"
seed = 3
{sections}
{REHEARSAL_MINDS}
[seats]
pairings = [["stubborn", "generous"]]
[rules]
turn_cap = 12
"""


# ---------------------------------------------------------------- listing


def test_the_starter_catalog_s_hard_scenarios_are_listed_with_what_teaches_them(desk: Desk) -> None:
    rows = desk.does("memory-scenarios", "list", "--json").json
    assert {row["id"] for row in rows} == BUILT_IN
    for row in rows:
        assert "memory-hard" in row["tags"]
        assert all(fact["taught_by"] and fact["keys"] for fact in row["needs"])
    said = desk.does("memory-scenarios", "list", "-c", "starter").out
    assert all(name in said for name in BUILT_IN)
    assert "lent_coat" in said
    assert max(map(len, said.splitlines())) <= 80


def test_a_catalog_that_is_not_there_is_refused(desk: Desk) -> None:
    desk.does("memory-scenarios", "list")
    assert "there is no catalog 'satrter'" in refused(
        desk, "memory-scenarios", "list", "-c", "satrter"
    )


# ---------------------------------------------------------------- making


def test_scenarios_are_made_of_a_chain_and_kept_in_a_catalog_with_all_of_the_source(
    chained: Desk, chain: str
) -> None:
    made = chained.does(
        "memory-scenarios", "generate", chain[:8], "--facts", "1", "--scenarios", "2", "--json"
    ).json
    assert (made["catalog"], made["outcome"]) == ("hard", "imported")
    (of_chain,) = made["chains"]
    assert of_chain["chain"] == chain
    assert len(of_chain["scenarios"]) == 2
    catalog = catalog_named(chained, "hard")
    assert {scenario.id for scenario in catalog.scenarios} > BUILT_IN
    told = {fact["text"]: fact for fact in of_chain["found"]}
    for one in of_chain["scenarios"]:
        (scenario,) = (s for s in catalog.scenarios if s.id == one["id"])
        (fact,) = scenario.needs
        assert told[fact.text]["seat"] not in fact.seats, "another seat told it"
        assert first_key(own_text(scenario), fact.keys) is None
    listed = chained.does("memory-scenarios", "list", "-c", "hard", "--json").json
    assert {s["id"] for s in of_chain["scenarios"]} < {row["id"] for row in listed}


def test_making_them_twice_changes_nothing(chained: Desk, chain: str) -> None:
    once = chained.does("memory-scenarios", "generate", chain, "--facts", "1", "--json").json
    before = chained.head()
    twice = chained.does("memory-scenarios", "generate", chain, "--facts", "1", "--json").json
    assert twice["outcome"] == "unchanged"
    assert twice["chains"] == once["chains"]
    assert chained.head() == before


def test_what_was_made_is_told_with_the_facts_and_lines_that_a_plan_takes(
    chained: Desk, chain: str
) -> None:
    said = chained.does(
        "memory-scenarios", "generate", chain, "--facts", "1", "--catalog", "mine"
    ).out
    made = chained.does(
        "memory-scenarios", "generate", chain, "--facts", "1", "--catalog", "mine", "--json"
    )
    (of_chain,) = made.json["chains"]
    assert all(scenario["id"] in said for scenario in of_chain["scenarios"])
    assert "Catalog mine: 2 new scenarios" in said
    for line in made.json["plan"].splitlines():
        assert line in said, "as it is, however narrow the terminal"
    plan = tomllib.loads(made.json["plan"])
    assert plan["catalog"] == "mine"
    assert plan["chains"]["hard"] == [scenario["id"] for scenario in of_chain["scenarios"]]
    assert plan["chains"]["scenarios"][0] == "lent_coat"
    assert f"troupe memory-scenarios play {chain} --catalog mine" in said


def test_every_chain_of_a_run_has_scenarios_of_its_own(chained: Desk) -> None:
    run = chained.does("runs", "--json").json[0]["id"]
    made = chained.does(
        "memory-scenarios", "generate", run, "--facts", "1", "--scenarios", "1", "--json"
    ).json
    chains = {row["id"] for row in chained.does("chains", run, "--json").json}
    assert {one["chain"] for one in made["chains"]} == chains
    ids = [scenario["id"] for one in made["chains"] for scenario in one["scenarios"]]
    assert len(set(ids)) == len(ids) == len(chains)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("hnothing",), "there is no chain 'hnothing'"),
        (("EPISODE",), "is an episode; name its chain or its run"),
        (("CHAIN", "--catalog", "starter"), "--catalog 'starter': is Troupe's own catalog"),
        (("CHAIN", "--catalog", "a b"), "--catalog 'a b': a name is 1 to 64 letters"),
        (("CHAIN", "--written"), "scenarios are written by a model; name one: --model"),
        (("CHAIN", "--facts", "90"), "no scenario could be made: seat 1 of chain"),
    ],
)
def test_what_cannot_be_made_is_refused_with_a_sentence(
    chained: Desk, chain: str, arguments: tuple[str, ...], told: str
) -> None:
    chained.does("memory-scenarios", "list")
    episode = chained.does("show", chain, "--json").json["episodes"][0]["id"]
    meant = {"CHAIN": chain, "EPISODE": episode}
    words = [meant.get(word, word) for word in arguments]
    assert told in refused(chained, "memory-scenarios", "generate", *words)


def test_a_chain_of_which_nothing_was_played_has_nothing_to_find(desk: Desk) -> None:
    desk.does("run", desk.file("plan.toml", chain_plan()), "--detach")
    run = desk.does("runs", "--json").json[0]["id"]
    assert "was played yet, so there is nothing to find" in refused(
        desk, "memory-scenarios", "generate", run
    )


def test_a_run_without_chains_is_refused(played: Desk, run: str) -> None:
    sentence = refused(played, "memory-scenarios", "generate", run)
    assert "plays no chains; a plan with [chains] does" in sentence


def test_a_model_that_cannot_be_reached_is_named_and_nothing_is_made(desk: Desk) -> None:
    text = chain_plan(length=1, pairs=1, turn_cap=4, minds=REHEARSAL_MINDS + AT_NOBODY)
    desk.does("run", desk.file("plan.toml", text))
    run = desk.does("runs", "--json").json[0]["id"]
    said = desk.says("memory-scenarios", "generate", run, "--facts", "1", "--model", "nobody")
    assert said.code == 3
    sentence = said.err.splitlines()[-1]
    assert sentence.startswith("troupe: openai/nobody cannot be reached")
    assert "http://127.0.0.1:9/v1 runs" in sentence
    assert all(row["name"] != "hard" for row in desk.does("catalog", "list", "--json").json)


# ---------------------------------------------------------------- playing and measuring


def test_generated_scenarios_are_played_after_the_past_they_need_and_their_use_is_measured(
    chained: Desk, chain: str
) -> None:
    made = chained.does("memory-scenarios", "generate", chain, "--facts", "1", "--json").json
    chained.does("run", chained.file("again.toml", again(made, '["summary", "none"]')))
    run = next(row["id"] for row in chained.does("runs", "--json").json if row["name"] == "again")
    found = chained.does("memory-scenarios", "recall", run, "--json").json
    own = {scenario["id"] for scenario in made["chains"][0]["scenarios"]}
    wanted = {fact["id"] for s in made["chains"][0]["scenarios"] for fact in s["needs"]}
    rows = [row for row in found["rows"] if row["fact"]["id"] in wanted]
    assert {row["fact"]["id"] for row in rows} == wanted
    # Which facts are drawn goes by the chain's id; without a memory not every one is told again.
    assert all(row["came_up"] for row in rows if row["memory"] == "summary")
    assert {row["memory"] for row in rows if row["used"]} == {"summary"}
    for row in rows:
        assert bool(row["quotes"]) is row["used"]
    shares = {(one["mind"], one["memory"]): one for one in found["shares"]}
    assert sum(one["needed"] for one in shares.values()) == len(found["rows"])
    planned = chained.does("show", run, "--json").json["episodes"]
    assert own == {row["scenario_id"] for row in planned if row.get("index", 0) >= 4}
    said = chained.does("memory-scenarios", "recall", run).out
    unused = sum(not row["used"] for row in found["rows"])
    assert len(re.findall(r"not used[,;] ", " ".join(said.split()))) == unused
    assert "Rehearsal minds" in said
    curves = chained.does("curves", run, "-j", "facts", "--json").json["figures"]
    scored = {
        one["label"]: [place["mean"]["value"] for place in one["places"] if place["scored"]]
        for one in curves[0]["curves"]
    }
    assert all(set(values) == {0.0} for label, values in scored.items() if "none" in label)
    assert any(1.0 in values for label, values in scored.items() if "summary" in label)


def gone_on(desk: Desk, run: str) -> str:
    """A run that went on with what was made of another's chains; its id."""
    desk.does("memory-scenarios", "generate", run, "--facts", "1")
    desk.does("memory-scenarios", "play", run)
    return desk.does("runs", "--json").json[0]["id"]


def test_chains_go_on_with_what_was_made_of_them_and_nothing_is_played_again(
    chained: Desk,
) -> None:
    (first,) = chained.does("runs", "--json").json
    store = chained.open()
    before = {envelope.stream: envelope.version for envelope in store.read_all()}
    run = gone_on(chained, first["id"])
    plan = queries.plan(store, run)
    assert [judge.name for judge in plan.plan.judges] == [
        "belext-rehearsal",
        "belext-rule",
        "facts",
    ]
    rows = queries.episodes(store, run=run)
    assert min(row.index for row in rows) == 4
    assert not {f"episode-{row.id}" for row in rows} & before.keys()
    check_store(store, run)
    assert {stream: store.version(stream) for stream in before} == before, "nothing was added"
    chains = queries.chains(store, run=run)
    assert [row.memory for row in chains] == ["summary", "none"]
    assert all(row.done == row.length > 4 for row in chains)
    for row in queries.memories(store, chains[0].id):
        assert row.recalled == tuple(range(row.index))
    store.close()
    found = chained.does("memory-scenarios", "recall", run, "--json").json
    assert all(row["came_up"] for row in found["rows"])
    assert {row["memory"] for row in found["rows"] if row["used"]} == {"summary"}
    shown = chained.does("show", chains[0].id, "--json").json
    assert [row["index"] for row in shown["episodes"]] == list(range(chains[0].length))
    assert "Everything is as it must be." in chained.does("verify-store").out


def test_a_chain_that_went_on_can_be_found_in_and_go_on_again(chained: Desk) -> None:
    run = gone_on(chained, chained.does("runs", "--json").json[0]["id"])
    again = gone_on(chained, run)
    chains = chained.does("chains", again, "--json").json
    assert all(row["done"] == row["length"] > 6 for row in chains)


def test_a_continuation_that_was_stopped_is_resumed(chained: Desk, chain: str) -> None:
    chained.does("memory-scenarios", "generate", chain, "--facts", "1")
    store = chained.open()
    try:
        run = record_continuation(store, prepare_continuation(store, chain, "hard"))
    finally:
        store.close()
    assert chained.does("chains", run, "--json").json[0]["done"] == 4
    chained.does("resume", run)
    (row,) = chained.does("chains", run, "--json").json
    assert (row["status"], row["done"]) == ("ended", row["length"])


def test_a_chain_goes_on_only_with_what_was_made_of_it(chained: Desk, chain: str) -> None:
    assert "there is no catalog 'hard'" in refused(chained, "memory-scenarios", "play", chain)
    sentence = refused(chained, "memory-scenarios", "play", chain, "--catalog", "starter")
    assert (
        "nothing in catalog 'starter' was made of it; `troupe memory-scenarios generate`"
        in sentence
    )
    episode = chained.does("show", chain, "--json").json["episodes"][0]["id"]
    assert "is an episode; name its chain or its run" in refused(
        chained, "memory-scenarios", "play", episode
    )


def test_recall_tells_of_one_chain_alone(chained: Desk, chain: str) -> None:
    found = chained.does("memory-scenarios", "recall", chain, "--json").json
    assert {row["chain"] for row in found["rows"]} == {chain}
    (row,) = found["rows"]
    assert (row["seat"], row["index"], row["fact"]["id"]) == (0, 3, "the_promise")
    said = chained.does("memory-scenarios", "recall", chain).out
    assert "The coat comes home (index 3), seat 1" in said


def test_a_machine_is_told_seats_from_0_as_the_facts_count_them(chained: Desk, chain: str) -> None:
    rows = chained.does("memory-scenarios", "recall", chain, "--json").json["rows"]
    assert rows
    assert all(row["seat"] in row["fact"]["seats"] for row in rows if row["fact"]["seats"])


def test_the_commands_name_before_still_works(chained: Desk, chain: str) -> None:
    asked = ("memory-scenarios", "use", chain, "--json")
    assert (
        chained.does(*asked).json
        == chained.does("memory-scenarios", "recall", chain, "--json").json
    )
    assert "use" not in chained.does("memory-scenarios", "--help").out.split("Commands:")[1].split()


def test_a_run_that_needed_nothing_says_so(played: Desk, run: str) -> None:
    said = played.does("memory-scenarios", "recall", run).out
    assert f"No episode of {run} that was played needs facts of earlier ones." in said
    assert played.does("memory-scenarios", "recall", run, "--json").json["rows"] == []


@pytest.mark.parametrize(
    ("given", "told"),
    [("rnothing", "there is no run 'rnothing'"), ("x1", "there is no run or episode 'x1'")],
)
def test_recall_of_what_is_not_there_is_refused(chained: Desk, given: str, told: str) -> None:
    assert told in refused(chained, "memory-scenarios", "recall", given)
