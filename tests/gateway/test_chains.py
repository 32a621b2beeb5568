"""Chains, memories and curves from the command line."""

from pathlib import Path
from typing import cast
from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from evaluators.report.charts import curve_charts
from evaluators.report.data.run_data import RunData
from evaluators.scores.scales import Scale
from evaluators.scores.seat_scores import Judged
from evaluators.statistics.chain_curves import DimensionCurves
from gateway.services.results import chain_details
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused
from tests.support.runs import chain_plan

LENGTH = 4


def run_of(desk: Desk) -> str:
    return desk.does("runs", "--json").json[0]["id"]


def widest(text: str) -> int:
    return max(map(len, text.splitlines()))


def test_nothing_is_listed_before_a_chain_was_planned(desk: Desk) -> None:
    said = desk.does("chains")
    assert "There are no chains yet." in said.out
    assert "plans/lifelong.toml" in said.out
    assert desk.does("chains", "--json").json == []


def test_chains_are_listed_under_their_run_with_how_far_they_are(chained: Desk) -> None:
    run = run_of(chained)
    rows = chained.does("chains", run[:6], "--json").json
    assert [(row["memory"], row["done"], row["length"]) for row in rows] == [
        ("summary", LENGTH, LENGTH),
        ("none", LENGTH, LENGTH),
    ]
    assert {row["run"] for row in rows} == {run}
    assert chained.does("chains", "--json").json == rows
    said = chained.does("chains").out
    assert said.count(f"Run {run}") == 1
    for row in rows:
        assert row["id"] in said
    assert said.count("4/4") == 2
    assert widest(said) <= 80


def test_a_run_without_chains_says_so(played: Desk, run: str) -> None:
    assert f"Run {run} plays no chains." in played.does("chains", run).out
    assert played.does("show", run, "--json").json["chains"] == []
    assert "Chains" not in played.does("show", run).out


def test_a_run_of_chains_shows_them_instead_of_all_their_episodes(desk: Desk) -> None:
    path = desk.file("plan.toml", chain_plan(length=12, pairs=4, turn_cap=2))
    desk.does("run", path, "--detach")
    desk.width(100)
    run = run_of(desk)
    said = desk.does("show", run).out
    shown = desk.does("show", run, "--json").json
    assert len(shown["episodes"]) == 48
    assert all(row["id"] not in said for row in shown["episodes"])
    assert all(row["id"] in said for row in shown["chains"])
    assert said.count("0/12") == len(shown["chains"]) == 4
    assert "troupe show CHAIN" in said
    assert len(said.splitlines()) < 40
    assert widest(said) <= 100


def test_a_chain_is_shown_in_order_with_what_was_recalled(chained: Desk, chain: str) -> None:
    shown = chained.does("show", chain[:7], "--json").json
    assert shown["chain"]["id"] == chain
    assert [row["index"] for row in shown["episodes"]] == list(range(LENGTH))
    said = chained.does("show", chain).out
    lines = said.splitlines()
    order = [next(n for n, line in enumerate(lines) if e["id"] in line) for e in shown["episodes"]]
    assert order == sorted(order)
    tokens = [row["recalled_tokens"] for row in shown["memories"] if row["seat"] == 0]
    assert tokens[0] == 0
    assert tokens == sorted(set(tokens)), "a summary grows with every episode"
    assert all(f"{count:,}" in said for count in tokens)
    assert f"troupe memory {chain} --seat 1" in said
    assert widest(said) <= 80


def test_a_seat_s_notes_are_shown_and_with_an_index_what_it_was_reminded_of(
    chained: Desk, chain: str
) -> None:
    found = chained.does("memory", chain, "--seat", "2", "--json").json
    assert [(one["row"]["seat"], one["row"]["index"]) for one in found] == [
        (1, index) for index in range(LENGTH)
    ]
    assert all(200 <= one["row"]["words"] <= 300 for one in found)
    assert not any("reminded" in one for one in found)
    (one,) = chained.does("memory", chain, "--seat", "2", "--index", "2", "--json").json
    assert one["row"]["recalled"] == [0, 1]
    first = found[0]["note"]
    assert first["overview"] in one["reminded"]
    said = chained.does("memory", chain, "--seat", "2", "--index", "2").out
    assert "Seat 2, episode 2" in said
    assert "reminded of 2 episodes" in said
    assert "Reminded" in said
    assert "Kept" in said
    for part in ("overview", "strategies", "knowledge"):
        assert part in said


def test_without_a_seat_all_memories_are_a_table_with_a_row_an_episode_and_seat(
    chained: Desk, chain: str
) -> None:
    found = chained.does("memory", chain, "--json").json
    said = chained.does("memory", chain).out
    rows = [line.split() for line in said.splitlines() if line.split()[-1:] == ["rehearsal"]]
    assert [(int(row[0]) - 1, int(row[1]), int(row[2])) for row in rows] == [
        (one["row"]["seat"], one["row"]["index"], one["row"]["words"]) for one in found
    ]
    assert len(rows) == 2 * LENGTH
    assert f"troupe memory {chain} --seat 1" in said
    assert widest(said) <= 80


def test_a_memory_that_keeps_nothing_says_so(chained: Desk, chain: str) -> None:
    rows = chained.does("chains", "--json").json
    (none,) = (row["id"] for row in rows if row["id"] != chain)
    said = chained.does("memory", none, "--seat", "1").out
    assert said.count("Nothing kept.") == LENGTH
    assert "reminded of 0 episodes" in said


def test_of_a_chain_that_has_not_begun_nothing_is_remembered(desk: Desk) -> None:
    desk.does("run", desk.file("plan.toml", chain_plan()), "--detach")
    chain = desk.does("chains", "--json").json[0]["id"]
    assert "Nothing was remembered here yet." in desk.does("memory", chain).out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("show", "hnothing"), "there is no chain 'hnothing'"),
        (("memory", "hnothing"), "there is no chain 'hnothing'"),
        (("chains", "rnothing"), "there is no run 'rnothing'"),
        (("curves", "rnothing"), "there is no run 'rnothing'"),
        (("memory", "CHAIN", "--seat", "3"), "--seat '3': the seats of this chain are 1 to 2"),
        (("memory", "CHAIN", "--seat", "0"), "--seat '0': the seats of this chain are 1 to 2"),
        (("memory", "CHAIN", "--index", "4"), "--index '4': the episodes of this chain are 0 to 3"),
        (("curves", "RUN", "--judge", "belext-rul"), "did you mean"),
        (("curves", "RUN", "--dimension", "gaol"), "--dimension 'gaol': nothing here was scored"),
        (("curves", "RUN", "--people", "none.csv"), "none.csv: there is no such file"),
    ],
)
def test_what_is_not_there_is_refused_with_a_sentence(
    chained: Desk, chain: str, arguments: tuple[str, ...], told: str
) -> None:
    meant = {"CHAIN": chain, "RUN": run_of(chained)}
    assert told in refused(chained, *(meant.get(word, word) for word in arguments))


def test_an_id_s_beginning_that_several_chains_share_is_refused(chained: Desk) -> None:
    sentence = refused(chained, "show", "h")
    assert "2 chains begin with 'h'" in sentence


def test_a_run_without_chains_has_no_curves(played: Desk, run: str) -> None:
    sentence = refused(played, "curves", run)
    assert f"run '{run}': plays no chains; a plan with [chains] does" in sentence


def test_curves_say_first_last_slope_and_how_many_scores_are_missing(chained: Desk) -> None:
    run = run_of(chained)
    shown = chained.does("curves", run, "--json").json
    assert shown["run"] == run
    figures = {(one["judge"]["label"], one["dimension"]): one for one in shown["figures"]}
    extended = figures["belext-rehearsal", "belext"]["curves"]
    assert [one["label"] for one in extended] == [
        "generous, none",
        "generous, summary",
        "stubborn, none",
        "stubborn, summary",
    ]
    for one in extended:
        assert [place["index"] for place in one["places"]] == list(range(LENGTH))
        assert one["slope"]["chains"] == 1
        assert one["slope"]["p_value"] is None
        assert "one chain alone" in one["slope"]["change"]["why"]
    facts = figures["facts", "facts_used"]["curves"]
    for one in facts:
        scored = sum(place["scored"] for place in one["places"])
        asked = sum(place["asked"] for place in one["places"])
        assert (scored, asked) == (1, 1), "seat 1 alone needs a fact, in the last episode"
    assert {one["label"] for one in facts} == {"stubborn, none", "stubborn, summary"}
    desk = chained
    desk.width(100)
    said = desk.does("curves", run, "-j", "facts").out
    assert said.count("1/1") == 2
    assert "no slope for stubborn, none; stubborn, summary" in said
    assert "Rehearsal minds" in said
    assert widest(said) <= 100


def test_only_the_judges_and_dimensions_that_are_asked_for_are_shown(chained: Desk) -> None:
    arguments = ("-j", "belext-rehearsal", "-d", "no_parroting", "-d", "believability")
    shown = chained.does("curves", run_of(chained), *arguments, "--json").json
    assert [one["dimension"] for one in shown["figures"]] == ["no_parroting", "believability"]
    assert shown["rehearsal_judges"] == ["belext-rehearsal"]


def test_what_is_kept_but_not_shown_is_drawn_where_it_is_asked_for(chained: Desk) -> None:
    arguments = ("curves", run_of(chained), "-j", "belext-rehearsal", "--json")
    shown = {one["dimension"] for one in chained.does(*arguments).json["figures"]}
    assert "belext" in shown
    assert "belext_raw" not in shown
    (raw,) = chained.does(*arguments, "-d", "belext_raw").json["figures"]
    assert raw["dimension"] == "belext_raw"
    (judged,) = (
        table
        for table in chained.does("show", run_of(chained), "--json").json["tables"]
        if table["judge"]["name"] == "belext-rehearsal"
    )
    assert "belext_raw" not in judged["dimensions"]


def test_curves_are_drawn_into_files_that_are_images_of_their_own(
    chained: Desk, tmp_path: Path
) -> None:
    folder = tmp_path / "drawn" / "here"
    arguments = ("-j", "belext-rehearsal", "-d", "believability", "--svg", str(folder))
    said = chained.does("curves", run_of(chained), *arguments)
    (drawn,) = folder.iterdir()
    assert drawn.name == "belext-rehearsal-believability.svg"
    assert str(drawn) in said.out
    root = ElementTree.parse(drawn).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    text = "".join(root.itertext())
    assert "stubborn, summary" in text
    assert "var(--" not in drawn.read_text(encoding="utf-8"), "no colours of the page's"


def test_curves_are_drawn_inside_the_folder_whatever_a_dimension_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain_details, "scale_of", lambda *_: Scale(0, 1))
    monkeypatch.setattr(curve_charts, "curve", lambda *_, **__: Markup("<svg/>"))
    names = ["a/b", "a-b", "../../a", "/etc/a", "a\0b", "\ud83d", "ä" * 300, "ä" * 301]
    for judge in ("j", "..", "/"):
        judged = Judged(name=judge, hash="0" * 32, label=judge)
        figures = [DimensionCurves(judge=judged, dimension=name, curves=()) for name in names]
        folder = tmp_path / "deep" / judge.replace("/", "slash").replace("..", "dots")
        written = chain_details.draw(cast(RunData, None), figures, folder)
        assert len(set(written)) == len(names)
        assert sorted(written) == sorted(folder.iterdir())


def test_people_stand_beside_the_minds(chained: Desk) -> None:
    rows = "".join(f"{index},believability,{9 - index},p1\n" for index in range(LENGTH))
    path = chained.file("people.csv", f"index,dimension,value,participant\n{rows}")
    arguments = ("-j", "belext-rehearsal", "-d", "believability", "--people", path)
    (figure,) = chained.does("curves", run_of(chained), *arguments, "--json").json["figures"]
    (people,) = (one for one in figure["curves"] if one["label"] == "people")
    assert [place["mean"]["value"] for place in people["places"]] == [9, 8, 7, 6]
    assert people["slope"]["change"]["value"] == pytest.approx(-1)
    assert "people" in chained.does("curves", run_of(chained), *arguments).out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("index,value\n0,1\n", "people.csv, line 1: has no column 'dimension'"),
        ("index,dimension,value\n0,goal,7\nx,goal,7\n", "people.csv, line 3: index must be"),
        ("index,dimension,value\n0,goal,good\n", "people.csv, line 2: value must be a number"),
        ("index,dimension,value\n", "people.csv: holds no scores"),
    ],
)
def test_a_bad_file_of_people_is_refused_with_its_line(chained: Desk, text: str, told: str) -> None:
    path = chained.file("people.csv", text)
    assert told in refused(chained, "curves", run_of(chained), "--people", path)


def test_chains_that_nobody_judged_have_no_curves_yet(desk: Desk) -> None:
    desk.does("run", desk.file("plan.toml", chain_plan(length=1, pairs=1, turn_cap=2)))
    run = run_of(desk)
    assert "No judge has scored an episode of a chain yet." in desk.does("curves", run).out
    assert desk.does("curves", run, "--json").json["figures"] == []
