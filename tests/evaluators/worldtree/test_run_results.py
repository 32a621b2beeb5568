"""Results from lists of episodes."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from actors.worldtree.catalog_items import Catalog
from actors.worldtree.setup import Chose, NoChoice, Settings
from evaluators.tables.plain_tables import cell_text
from evaluators.worldtree.run_results import RunEpisodes, results_of_runs
from evaluators.worldtree.tables.letter_tables import by_the_letter, letter_table
from evaluators.worldtree.values.results import Lettered
from events.episode import ActionTaken
from events.minds import MindSpec
from store.read_model.records import EpisodeRow
from tests.actors.worldtree.example_trees import CATALOG, LAMP
from tests.support.builders import mind

WALK, ASK = "walk.lamp-en", "ask.lamp-en.0.1"


def row(id_: str, task: str = WALK, **fields: Any) -> EpisodeRow:
    own: dict[str, Any] = {
        "id": id_,
        "run": "r1",
        "task": task,
        "catalog": "landing",
        "scenario_id": "",
        "scenario": "",
        "characters": (),
        "minds": ("calm",),
        "status": "ended",
        "turns": 1,
        "end_reason": "ended",
        "failed_actions": 0,
        "parent": None,
        "forked_at": None,
        "started_at": 1,
        "ended_at": 2,
    }
    return EpisodeRow(**own | fields)


def run(
    *rows: EpisodeRow,
    id_: str = "r1",
    minds: tuple[MindSpec, ...] = (mind("calm"),),
    catalog: Catalog = CATALOG,
    **settings: Any,
) -> RunEpisodes:
    episodes = [replace(one, run=id_) for one in rows]
    return RunEpisodes(id_, minds, Settings(**settings), episodes, {id_: catalog})


def test_what_ended_is_as_its_summary_says_and_what_was_given_up_is_no_finding() -> None:
    found = results_of_runs(
        [
            run(
                row("e1", summary={"kind": "walk", "outcome": "partly", "path": "0 1 5"}),
                row("e2", status="failed", end_reason="the model cannot be asked"),
                row("e3", ASK, summary={"kind": "ability", "verdict": "right"}),
                row("e4", ASK, status="failed"),
            )
        ]
    )
    assert [(walk.outcome, walk.path) for walk in found.walks] == [("partly", (0, 1, 5))]
    assert [answer.verdict for answer in found.answers] == ["right"]
    assert found.left_out.given_up == 2
    assert (found.minds, found.rehearsal) == (("calm",), frozenset({"calm"}))
    assert set(found.trees) == {"lamp-en"}
    assert "lamp-en.0.1" in found.samples


def taken(episode: str, *options: int | None) -> Iterator[tuple[str, ActionTaken[Any]]]:
    for option in options:
        action = NoChoice() if option is None else Chose(option=option)
        yield episode, ActionTaken(turn=1, seat=0, action=action)


def test_the_letters_of_options_in_an_order_of_chance_are_counted() -> None:
    rows = row("e1", summary={"outcome": "partly"}), row("e2", ASK, summary={"verdict": "right"})
    actions = [*taken("e1", 0, 0, None, 2), *taken("e2", 0, 1), *taken("a fork", 3)]
    (found,) = results_of_runs([run(*rows, shuffles=3)._replace(taken=actions)]).letters
    assert found == Lettered(who="calm", counts=(3, 1, 1))
    # A walk that is asked once shows the options as they were filed.
    (found,) = results_of_runs([run(*rows, shuffles=1)._replace(taken=actions)]).letters
    assert found.counts == (1, 1)
    assert results_of_runs([run(rows[0], shuffles=1)._replace(taken=actions)]).letters == ()


def test_who_takes_nearly_always_the_same_letter_is_said_to_go_by_it() -> None:
    said = by_the_letter(Lettered(who="small", counts=(19, 1, 0)))
    assert said.startswith("small chose A in 19 of 20 choices")
    assert by_the_letter(Lettered(who="small", counts=(0, 18, 2))).startswith("small chose B in 18")
    assert by_the_letter(Lettered(who="small", counts=(19,))) == ""
    assert by_the_letter(Lettered(who="calm", counts=(17, 3))) == ""
    rows = Lettered(who="small", counts=(19, 1)), Lettered(who="c", counts=(1, 1, 2))
    table = letter_table(rows)
    assert [cell_text(cell) for cell in table.rows[0]] == ["small", "20", "95", "5", "0"]
    assert [cell_text(cell) for cell in table.rows[1]] == ["c", "4", "25", "25", "50"]
    assert table.note.splitlines()[1:] == [said]


def test_what_is_no_result_is_counted() -> None:
    left = results_of_runs(
        [
            run(
                row("e1", status="planned"),
                row("e2", status="playing"),
                row("e3", end_reason="stopped"),
                row("e4", parent="e1"),
                row("e5", superseded_by="e6"),
                row("e6", "walk.gone"),
                row("e7", "line.lamp-en.0"),
            )
        ]
    ).left_out
    assert (left.unfinished, left.forks, left.superseded, left.others) == (3, 1, 1, 2)


def test_a_mind_of_several_runs_is_one_row_where_it_was_asked_the_same_way() -> None:
    said = {"kind": "walk", "outcome": "not", "path": "0 2"}
    first, second = row("e1", summary=said), row("e2", summary=said)
    together = results_of_runs([run(first, seed=1), run(second, id_="r2", seed=2)])
    assert together.minds == ("calm",)
    apart = results_of_runs([run(first), run(second, id_="r2", shuffles=1)])
    assert apart.minds == ("calm (A)", "calm (B)")
    assert [walk.who for walk in apart.walks] == ["calm (A)", "calm (B)"]
    assert apart.rehearsal == {"calm (A)", "calm (B)"}


def test_a_tree_that_changed_between_runs_is_another_one() -> None:
    said = {"kind": "walk", "outcome": "not", "path": "0 2"}
    changed = Catalog(name="landing", trees=(replace(LAMP, scenario="At dawn."),))
    rows = row("e1", summary=said), row("e2", summary=said)
    found = results_of_runs([run(rows[0]), run(rows[1], id_="r2", catalog=changed)])
    assert [walk.tree for walk in found.walks] == ["lamp-en", "lamp-en~2"]
    again = results_of_runs([run(rows[0]), run(rows[1], id_="r2")])
    assert [walk.tree for walk in again.walks] == ["lamp-en", "lamp-en"]


def test_an_episode_whose_catalog_is_not_here_is_counted_as_another() -> None:
    played = run(row("e1"))._replace(catalogs={})
    assert results_of_runs([played]).left_out.others == 1


def test_what_older_episodes_call_failed_is_undecided() -> None:
    for said in ("failed", "undecided"):
        found = results_of_runs(
            [
                run(
                    row("e1", end_reason="undecided", summary={"kind": "walk", "outcome": said}),
                    row("e2", ASK, summary={"kind": "ability", "verdict": said}),
                )
            ]
        )
        assert [one.outcome for one in found.walks] == ["undecided"]
        assert [one.verdict for one in found.answers] == ["undecided"]
