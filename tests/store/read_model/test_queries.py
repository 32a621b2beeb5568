"""Questions to the store, and what happens when an id is not quite right."""

import pytest

from events.agent import ModelAnswered, ModelAsked
from events.base import Event, replace
from events.environments import Catalog
from store.id_lookup import AmbiguousId, UnknownId
from store.log.event_store import NEW
from store.open_store import open_store
from store.read_model import queries
from store.read_model.catalogs import WrongCatalog, edition_at, load_catalog, save_catalog
from store.read_model.records import CallTotals
from tests.store.histories import (
    BEN,
    CATALOG,
    LENIENT,
    call,
    evaluate,
    fork,
    planned,
    play,
    whole_run,
)


def test_an_empty_store_has_nothing_to_tell(store):
    assert queries.runs(store) == []
    assert queries.episodes(store) == []
    assert queries.evaluations(store) == []
    assert queries.scores(store) == []
    assert queries.calls(store) == []
    assert queries.call_totals(store) == []
    assert queries.catalogs(store) == []
    assert queries.spent(store, "r1") == (0.0, 0)


def test_a_run_counts_the_episodes_of_its_plan(store):
    whole_run(store)
    (row,) = queries.runs(store)
    assert row == queries.run(store, "r1")
    assert (row.name, row.catalog, row.episodes_planned) == ("trial", "starter", 3)
    # A fork made later belongs to the run, but not to its plan.
    play(store, "e9", run="r1")
    assert queries.run(store, "r1").episodes_ended == 2
    assert queries.run(store, "r1").episodes_failed == 0


def test_a_run_has_its_name_without_a_look_at_its_episodes(store):
    whole_run(store)
    assert queries.named_run(store, "r") == ("r1", "trial")
    with pytest.raises(UnknownId):
        queries.named_run(store, "other")


def test_runs_come_oldest_first(store):
    for run in ("r9", "r1", "r5"):
        store.append(f"run-{run}", NEW, [planned(name=run)])
    assert [row.id for row in queries.runs(store)] == ["r9", "r1", "r5"]


def test_the_plan_of_a_run_can_be_read(store):
    whole_run(store)
    assert queries.plan(store, "r1") == planned("e1", "e2", "e3")


def test_episodes_of_a_run_come_in_the_plans_order_and_then_by_age(store):
    store.append("run-r1", NEW, [planned("e3", "e1", "e2")])
    play(store, "e0", run="r1")
    play(store, "e1", run="r1")
    play(store, "other", run="r2")
    assert [row.id for row in queries.episodes(store, run="r1")] == ["e3", "e1", "e2", "e0"]
    assert len(queries.episodes(store)) == 5


def test_forks_of_an_episode_can_be_listed(store):
    whole_run(store)
    assert [row.id for row in queries.episodes(store, parent="e1f")] == ["e1ff"]


def test_scores_name_the_mind_and_character_they_are_about(store):
    whole_run(store)
    rows = queries.scores(store, episode="e1", judge="strict")
    told = [(r.seat, r.mind, r.character, r.dimension, r.status, r.value) for r in rows]
    assert told == [
        (0, "calm", "Ada Moor", "goal", "scored", 7.0),
        (1, "keen", "Ben Okoye", "goal", "failed", None),
        (1, "keen", "Ben Okoye", "secret", "abstained", None),
    ]
    assert [row.reason for row in rows] == ["got it", "not a number", "never came up"]
    assert [row.evidence for row in rows] == [(2, 4), (), ()]
    assert {(row.run, row.judge_kind, row.judge_hash) for row in rows} == {
        ("r1", "rehearsal", "stricthash")
    }


def test_scores_of_a_fork_name_the_forks_minds(store):
    whole_run(store)
    assert {row.mind for row in queries.scores(store, episode="e1f")} == {"calm"}


def test_scores_and_evaluations_can_be_narrowed(store):
    whole_run(store)

    def evaluations(**by: str) -> list[str]:
        assert {row.evaluation for row in queries.scores(store, **by)} == {
            row.id for row in queries.evaluations(store, **by)
        }
        return [row.id for row in queries.evaluations(store, **by)]

    evaluate(store, "v9", "e9", run="r9")
    assert evaluations() == ["v1", "v2", "v3", "v9"]
    assert evaluations(run="r1") == ["v1", "v2", "v3"]
    assert evaluations(run="r1", judge="strict") == ["v1", "v3"]
    assert evaluations(judge="lenienth") == ["v2"]
    assert evaluations(episode="e1", judge="lenient") == ["v2"]


def test_an_evaluation_asked_for_by_its_episode_belongs_to_the_episodes_run(store):
    whole_run(store)
    evaluate(store, "v8", "e2", judge=LENIENT)
    rows = {row.id: row for row in queries.evaluations(store, run="r1")}
    assert rows["v8"].run == "r1"


def test_an_evaluation_counts_its_scores(store):
    whole_run(store)
    row = queries.evaluations(store, episode="e1", judge="strict")[0]
    assert row.id == "v1"
    assert (row.episode, row.upto, row.status) == ("e1", 7, "ended")
    assert (row.scored, row.failed, row.abstained) == (1, 1, 1)


def test_calls_are_summed_by_model_and_purpose(store):
    whole_run(store)
    assert queries.call_totals(store, run="r1") == [
        CallTotals(
            run="r1",
            model="acme/m1",
            purpose="act",
            asked=4,
            answered=2,
            failed=2,
            input_tokens=200,
            output_tokens=40,
            cost_usd=0.25,
            unpriced=1,
            latency_s=4.0,
        )
    ]
    assert queries.spent(store, "r1") == (0.25, 240)


def test_what_asking_again_mended_is_counted_by_model_and_fault(store):
    whole_run(store)

    def call(attempt: int, fault: str, mends: str = "", **parameters: bool) -> list[Event]:
        named = {"turn": 90, "attempt": attempt, "request_hash": f"{attempt}{parameters}"}
        asked = ModelAsked(
            **named, purpose="act", model="acme/m9", mends=mends, parameters=dict(parameters)
        )
        return [asked, ModelAnswered(**named, text="x", fault=fault)]

    store.append(
        "agent-e9.0",
        NEW,
        [
            *call(0, "cut_off"),
            *call(0, "cut_off", continues=True),
            *call(1, "wrong_recipient", mends="cut_off"),
            *call(2, "", mends="wrong_recipient"),
            *call(3, "cut_off"),
            *call(3, "", continues=True),
            *call(6, "unreadable"),
            *call(7, "", mends="unreadable"),
            *call(8, "word_count"),
        ],
        correlation="r1",
    )
    (total,) = (one for one in queries.call_totals(store, run="r1") if one.model == "acme/m9")
    assert total.unreadable == 3, "a text of the wrong length was read"
    assert [
        (row.model, row.fault, row.way, row.times, row.mended)
        for row in queries.second_tries(store, "r1")
    ] == [
        ("acme/m9", "cut_off", "gone on with", 2, 1),
        ("acme/m9", "cut_off", "asked again", 1, 0),
        ("acme/m9", "unreadable", "asked again", 1, 1),
        ("acme/m9", "wrong_recipient", "asked again", 1, 1),
    ]


def test_a_judges_calls_count_for_the_run_and_the_episode(store):
    whole_run(store)
    named = {"turn": 0, "attempt": 0, "request_hash": "j"}
    store.append(
        "evaluation-v1",
        4,
        [
            ModelAsked(**named, purpose="judge", model="acme/j1"),
            ModelAnswered(**named, text="", input_tokens=5, output_tokens=5, cost_usd=0.5),
        ],
        correlation="r1",
    )
    assert queries.spent(store, "r1") == (0.75, 250)
    judged = [row for row in queries.calls(store, episode="e1") if row.purpose == "judge"]
    assert [(row.evaluation, row.episode, row.seat, row.cost_usd) for row in judged] == [
        ("v1", "e1", None, 0.5)
    ]
    assert {row.purpose for row in queries.call_totals(store, episode="e1")} == {"act", "judge"}
    assert queries.call_totals(store, episode="e2") == []


def test_a_question_asked_again_after_a_crash_is_one_call(store):
    asked = ModelAsked(turn=1, attempt=0, purpose="act", model="m", request_hash="h")
    answered = ModelAnswered(turn=1, attempt=0, request_hash="h", text="", cost_usd=0.1)
    store.append("agent-e1.0", NEW, [asked, asked, answered], correlation="r1")
    (row,) = queries.calls(store)
    assert (row.asked, row.answered, row.cost_usd, row.seat) == (2, 1, 0.1, 0)


# ------------------------------------------------------------------ ids


def test_the_beginning_of_an_id_is_enough_where_it_is_the_only_one(store):
    for episode in ("ek3w9x", "ek3v2p", "ep77aa"):
        play(store, episode)
    assert queries.episode(store, "ep").id == "ep77aa"
    assert queries.episode(store, "ek3v").id == "ek3v2p"


def test_an_id_that_is_the_beginning_of_another_is_itself(store):
    play(store, "e1")
    play(store, "e11")
    assert queries.episode(store, "e1").id == "e1"


def test_a_beginning_of_several_ids_names_them(store):
    for number in range(7):
        play(store, f"ek{number}")
    with pytest.raises(AmbiguousId, match="7 episodes begin with 'ek': ek0, ek1") as ambiguous:
        queries.episode(store, "ek")
    assert ambiguous.value.total == 7
    assert ambiguous.value.matches == ["ek0", "ek1", "ek2", "ek3", "ek4"]


def test_an_unknown_id_suggests_the_nearest(store):
    for episode in ("ek3w9x", "ep77aa", "ezzzzz"):
        play(store, episode)
    with pytest.raises(UnknownId, match="no episode 'ek3x9x'; did you mean ek3w9x") as unknown:
        queries.episode(store, "ek3x9x")
    assert (unknown.value.kind, unknown.value.given) == ("episode", "ek3x9x")
    assert unknown.value.nearest == ["ek3w9x"]


@pytest.mark.parametrize("given", ["", "%", "_", "EK3W9X", "ek3w9x\0", "ek" + "z" * 500])
def test_what_only_looks_like_a_beginning_is_unknown(store, given):
    play(store, "ek3w9x")
    with pytest.raises(UnknownId):
        queries.episode(store, given)


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: queries.run(store, "x"),
        lambda store: queries.plan(store, "x"),
        lambda store: queries.episode(store, "x"),
        lambda store: queries.episodes(store, run="x"),
        lambda store: queries.episodes(store, parent="x"),
        lambda store: queries.evaluations(store, run="x"),
        lambda store: queries.scores(store, episode="x"),
        lambda store: queries.scores(store, judge="x"),
        lambda store: queries.calls(store, run="x"),
        lambda store: queries.call_totals(store, episode="x"),
        lambda store: load_catalog(store, "x"),
    ],
)
def test_every_question_about_something_unknown_is_refused(store, ask):
    whole_run(store)
    with pytest.raises(UnknownId, match="'x'"):
        ask(store)


def test_a_misspelt_judge_is_corrected(store):
    whole_run(store)
    with pytest.raises(UnknownId, match="no judge 'strickt'; did you mean strict"):
        queries.scores(store, judge="strickt")


# ------------------------------------------------------------------ catalogs


def test_a_catalog_is_only_loaded_as_what_its_environment_says_it_is(store):
    class Other(Catalog, frozen=True, kw_only=True, tag="other.Catalog"):
        """Of an environment that is not installed."""

        tasks: tuple[str, ...] = ("t1", "t2")

    assert save_catalog(store, Other(name="elsewhere")) == "imported"
    save_catalog(store, CATALOG)
    with pytest.raises(WrongCatalog, match="'other', which is not installed"):
        load_catalog(store, "elsewhere")
    with pytest.raises(WrongCatalog, match="'starter' is of the environment 'social'"):
        load_catalog(store, "starter", Other)
    assert save_catalog(store, Other(name="elsewhere")) == "unchanged"


def test_a_catalog_comes_back_as_it_was_saved(store):
    assert save_catalog(store, CATALOG, "by hand") == "imported"
    assert load_catalog(store, "starter") == CATALOG
    assert load_catalog(store, "sta") == CATALOG
    (row,) = queries.catalogs(store)
    assert (row.name, row.source, row.imports) == ("starter", "by hand", 1)
    assert row.environment == "social"
    assert row.counts == {"characters": 2, "relationships": 1, "scenarios": 1, "tasks": 1}


def test_saving_the_same_catalog_again_changes_nothing(store):
    save_catalog(store, CATALOG)
    head = store.head()
    assert save_catalog(store, CATALOG, "from elsewhere") == "unchanged"
    assert store.head() == head


def test_the_newest_catalog_of_a_name_holds(store):
    older = replace(CATALOG, characters=(BEN,))
    save_catalog(store, older)
    assert save_catalog(store, CATALOG) == "imported"
    assert load_catalog(store, "starter") == CATALOG
    assert save_catalog(store, older) == "imported"
    assert load_catalog(store, "starter") == older
    assert [row.imports for row in queries.catalogs(store)] == [3]


def test_which_catalog_of_a_name_held_at_a_position_can_be_told(store):
    assert edition_at(store, "starter", 0) == NEW
    older = replace(CATALOG, characters=(BEN,))
    save_catalog(store, older)
    then = store.head()
    save_catalog(store, CATALOG)
    assert load_catalog(store, "starter", edition=edition_at(store, "starter", then)) == older
    assert edition_at(store, "starter", store.head()) == 1
    assert edition_at(store, "starter", 0) == 1, "where all came in later, the newest"


def test_of_two_who_save_the_same_catalog_at_once_one_imports_it(store, monkeypatch):
    other = open_store(store.url)
    append = store.append

    def overtaken(*arguments: object, **named: object) -> object:
        save_catalog(other, CATALOG)
        return append(*arguments, **named)

    monkeypatch.setattr(store, "append", overtaken)
    assert save_catalog(store, CATALOG) == "unchanged"
    other.close()
    assert store.version("catalog-starter") == 0


def test_a_misspelt_catalog_is_corrected(store):
    save_catalog(store, CATALOG)
    with pytest.raises(UnknownId, match="no catalog 'startr'; did you mean starter"):
        load_catalog(store, "startr")


def test_prefixes_follow_forks_and_calls_too(store):
    play(store, "ek3w9x")
    fork(store, "ek3w9x", 2, "ef1")
    call(store, "ek3w9x")
    assert [row.id for row in queries.episodes(store, parent="ek")] == ["ef1"]
    assert [row.episode for row in queries.calls(store, episode="ek")] == ["ek3w9x"] * 2
