"""Files for trainers: six episodes of a model, two judges, and what is written of them."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.episodes.catalogs.scenario_lists import ListedScenario, ScenarioList
from actors.models import tokens
from actors.social.actions import WholeScript
from events.agent import ModelAsked
from events.episode import ActionTaken
from events.serialization.codec import event_of
from events.wire.subjects import split_stream
from gateway.social.training_files import export
from gateway.social.training_files.material import attributions_of
from store.read_model import queries
from tests.benchmarks.stub import stub_server
from tests.gateway.command import Desk
from tests.gateway.social.conftest import JUDGES, exported
from tests.support.runs import REHEARSAL_MINDS, model_minds, plan


def goals(desk: Desk, run: str) -> dict[tuple[str, int], float]:
    """By episode and seat from 1."""
    store = desk.open()
    try:
        return {
            (row.episode, row.seat + 1): row.value
            for row in queries.scores(store, run=run, judge="rehearsal-strict")
            if row.dimension == "goal" and row.value is not None
        }
    finally:
        store.close()


def hashes(desk: Desk) -> set[str]:
    store = desk.open()
    try:
        return {
            event.request_hash
            for envelope in store.read_all(0, tags=(ModelAsked.__name__,))
            if isinstance(event := event_of(envelope), ModelAsked)
        }
    finally:
        store.close()


def test_every_line_is_what_a_model_was_asked_and_did(asked: Desk, asked_run: str) -> None:
    lines, card = exported(asked, asked_run, "sft", "--filter", "goal=0")
    stored = hashes(asked)
    assert len(lines) == card["lines"] == 6 * 6
    assert {tuple(line) for line in lines} == {("instruction", "input", "output", "origin")}
    assert all(line["instruction"] == "" for line in lines)
    assert all(line["origin"]["request_hash"] in stored for line in lines)
    assert not any(line["origin"]["cut"] for line in lines)
    assert len({line["origin"]["request_hash"] for line in lines}) == 18, "repeats were asked alike"
    # The calls of the run tell it by another way.
    calls = asked.folder / "calls.jsonl"
    asked.does("export", asked_run, "--format", "calls", "--out", str(calls))
    sent = {}
    for call in map(json.loads, calls.read_text().splitlines()):
        if call["asker"] == "seat":
            sent[call["episode"], call["seat"] + 1, call["turn"]] = call
    for line in lines:
        origin = line["origin"]
        call = sent[origin["episode"], origin["seat"], origin["turn"]]
        assert line["input"] == "\n\n".join(m["content"] for m in call["messages"][:2])
        assert call["request_hash"] == origin["request_hash"]
        assert json.loads(line["output"])["text"] == call["read"]["text"]


def test_the_filters_count_as_by_hand(asked: Desk, asked_run: str) -> None:
    goal = goals(asked, asked_run)
    assert len(goal) == 12
    least = sorted(goal.values())[6]
    passed = {place for place, value in goal.items() if value >= least}
    lines, card = exported(asked, asked_run, "sft", "--filter", f"goal={least}")
    assert {(x["origin"]["episode"], x["origin"]["seat"]) for x in lines} == passed
    assert [(s["filter"], s["left_out"], s["left"]) for s in card["steps"]] == [
        ("hard", 0, 12),
        ("no goal score", 0, 12),
        ("goal", 12 - len(passed), len(passed)),
    ]
    assert card["least_goal"] == least
    assert card["runs"] == [{"id": asked_run, "name": "test", "episodes": 6}]
    assert [(j["name"], j["scores"]) for j in card["judges"]] == [("rehearsal-strict", "goal")]
    assert card["models"] == ["openai/stub"]
    assert any("rehearsal" in note for note in card["notes"])
    # One of each seat of a scenario: three scenarios with two seats.
    lines, card = exported(asked, asked_run, "sft", "--filter", "goal=0", "--filter", "top=1")
    seats = {(x["origin"]["episode"], x["origin"]["seat"]) for x in lines}
    assert (len(seats), card["steps"][-1]["left"]) == (6, 6)


def test_rewards_are_shares_of_the_goal(asked: Desk, asked_run: str) -> None:
    lines, card = exported(asked, asked_run, "rewards")
    goal = goals(asked, asked_run)
    assert {tuple(line) for line in lines} == {("input", "output", "value", "origin")}
    assert len(lines) == 36
    for line in lines:
        most = goal[line["origin"]["episode"], line["origin"]["seat"]]
        assert line["value"] == -1 or any(
            line["value"] == pytest.approx(a / 3 * most) for a in range(4)
        )
    assert [(j["name"], j["scores"]) for j in card["judges"]] == [
        ("rehearsal-strict", "goal"),
        ("attribution-rehearsal", "attribution"),
    ]
    assert hashes(asked).issuperset(line["origin"]["request_hash"] for line in lines)


def test_an_action_without_an_attribution_never_enters(
    asked: Desk, asked_run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = attributions_of

    def some(*arguments: Any) -> Any:
        judge, found = real(*arguments)
        return judge, {place: one for place, one in found.items() if place[1] == 0}

    monkeypatch.setattr(export, "attributions_of", some)
    lines, card = exported(asked, asked_run, "rewards")
    assert {line["origin"]["seat"] for line in lines} == {1}
    assert card["actions_left_out"] == [{"reason": export.NO_ATTRIBUTION, "count": 18}]
    assert card["actions"] == 36


def test_a_script_is_one_line_with_all_that_was_written(desk: Desk) -> None:
    with stub_server() as stub:
        text = plan(
            model_minds(stub.url),
            tasks=3,
            judges=JUDGES,
            rules='turn_cap = 6\nmode = "script"',
        )
        desk.does("run", desk.file("plan.toml", text))
    run = desk.does("runs", "--json").json[0]["id"]
    lines, card = exported(desk, run, "sft", "--filter", "goal=0", "--filter", "prompt_tokens=0")
    store = desk.open()
    try:
        written = {
            split_stream(envelope.stream)[1]: event.action
            for envelope in store.read_all(0, tags=(ActionTaken.__name__,))
            if isinstance(event := event_of(envelope), ActionTaken)
            and isinstance(event.action, WholeScript)
        }
    finally:
        store.close()
    assert len(lines) == len(written) > 0
    for line in lines:
        first = written[line["origin"]["episode"]]
        assert [(one["who"], one["kind"], one.get("text", "")) for one in said(line)] == [
            (line["origin"]["seat"], first.kind, first.text),
            *((one.seat + 1, one.kind, one.text) for one in first.lines),
        ]
    (left_out,) = card["actions_left_out"]
    assert "given with an earlier one" in left_out["reason"]
    lines, card = exported(desk, run, "rewards", "--filter", "prompt_tokens=0")
    assert lines == []
    assert {"reason": export.OF_ALL_SEATS, "count": len(written)} in card["actions_left_out"]


def said(line: Any) -> Any:
    return json.loads(line["output"])["lines"]


def test_pairs_are_of_one_event(asked: Desk, asked_run: str) -> None:
    lines, card = exported(asked, asked_run, "pairs", "--filter", "margin=0.01")
    stored, store = hashes(asked), asked.open()
    forks = [row for row in queries.episodes(store) if row.parent]
    expected = []
    for seat, turn, fork in ((1, 2, forks[0]), (0, 3, forks[1])):
        assert fork.parent is not None
        value = {
            row.episode: row.value
            for row in queries.scores_of(store, [fork.id, fork.parent])
            if (row.dimension, row.seat) == ("goal", seat)
        }
        if margin := abs(value[fork.id] - value[fork.parent]):  # type: ignore[operator]
            best = max(value, key=value.__getitem__)  # type: ignore[arg-type]
            expected.append((seat + 1, turn, best, margin))
    store.close()
    assert expected
    assert expected == [
        (x["origin"]["seat"], x["origin"]["turn"], x["origin"]["episode"], x["margin"])
        for x in lines
    ]
    for line in lines:
        assert list(line) == [
            *("prompt", "chosen", "rejected", "margin", "origin", "rejected_origin")
        ]
        assert line["chosen"] != line["rejected"]
        assert line["margin"] > 0
        assert line["origin"]["request_hash"] in stored
        assert line["rejected_origin"]["request_hash"] in stored
        assert line["origin"]["episode"] != line["rejected_origin"]["episode"]
    assert card["actions"] == 4, "from two events the episode and a fork went on"
    assert card["actions_left_out"] == []


def test_pairs_say_why_an_action_is_no_alternative(asked: Desk, asked_run: str) -> None:
    lines, card = exported(asked, asked_run, "pairs", "--filter", "prompt_tokens=20")
    assert (lines, card["actions"]) == ([], 4)
    (left_out,) = card["actions_left_out"]
    assert left_out["count"] == 4
    assert "the prompt is too long" in left_out["reason"]


def test_chats_say_the_same(asked: Desk, asked_run: str) -> None:
    plain, _ = exported(asked, asked_run, "sft", "--filter", "goal=0")
    chat, _ = exported(asked, asked_run, "sft", "--filter", "goal=0", "--filter", "form=chat")
    for one, other in zip(plain, chat, strict=True):
        assert [m["role"] for m in other["prompt"]] == ["system", "user"]
        assert "\n\n".join(m["content"] for m in other["prompt"]) == one["input"]
        assert other["completion"] == [{"role": "assistant", "content": one["output"]}]


def test_long_prompts_lose_the_oldest_dialogue(asked: Desk, asked_run: str) -> None:
    whole, _ = exported(asked, asked_run, "sft", "--filter", "goal=0")
    longest = max(tokens.count(line["input"]) for line in whole)
    most = f"prompt_tokens={longest - 20}"
    cut, card = exported(asked, asked_run, "sft", "--filter", "goal=0", "--filter", most)
    before = {x["origin"]["request_hash"]: x["input"] for x in whole}
    shorter = [x for x in cut if x["origin"]["cut"]]
    assert shorter
    assert card["cut"] == len(shorter)
    for line in shorter:
        sent = before[line["origin"]["request_hash"]]
        happened = line["input"].partition("<happened")[2]
        assert "Turn 1. " in sent.partition("<happened")[2]
        assert "Turn 1. " not in happened
        assert f"Turn {line['origin']['turn'] - 1}. " in happened, "what was said last stays"
        assert line["input"].partition("<happened")[0] == sent.partition("<happened")[0]
    _, card = exported(
        asked, asked_run, "sft", "--filter", "goal=0", "--filter", "prompt_tokens=20"
    )
    assert card["lines"] == 0
    assert [one["count"] for one in card["actions_left_out"]] == [36]


@given(st.lists(st.sampled_from([*"ab1. \t\n\r'é\u2028\x1c\x85", "n't", "\n\n", "...\n", "word"])))
def test_tokens_of_lines_are_those_of_the_whole(parts: list[str]) -> None:
    text = "".join(parts)
    assert tokens.count_by_line(text) == tokens.count(text)


def test_scenarios_of_a_list_are_left_out(asked: Desk, asked_run: str) -> None:
    rows = asked.does("show", asked_run, "--json").json["episodes"]
    hard = rows[0]["scenario_id"]
    listed = asked.file(
        "hard.jsonl", f'{{"scenario": "{hard}", "seat": 2}}\n\n{{"scenario": "x"}}\n'
    )
    lines, card = exported(asked, asked_run, "sft", "--filter", "goal=0", "--exclude", listed)
    assert len(lines) == 24
    assert (card["excluded_lists"], card["excluded_scenarios"]) == (["hard"], [hard])
    assert card["steps"][0] == {"filter": "hard", "left_out": 4, "left": 8}


def test_our_own_hard_scenarios_are_left_out_unless_they_are_asked_for(
    asked: Desk, asked_run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = asked.does("show", asked_run, "--json").json["episodes"]
    own = ScenarioList(name="own", entries=(ListedScenario(scenario=rows[0]["scenario_id"]),))
    monkeypatch.setattr(export, "hard_lists", lambda: [own])
    lines, card = exported(asked, asked_run, "sft", "--filter", "goal=0")
    assert (len(lines), card["excluded_lists"]) == (24, ["own"])
    options = ("--filter", "goal=0", "--filter", "include_hard=true")
    lines, card = exported(asked, asked_run, "sft", *options)
    assert (len(lines), card["excluded_lists"], card["excluded_scenarios"]) == (36, [], [])


def test_there_are_no_lines_without_their_card(
    asked: Desk, asked_run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("export", asked_run, "--format", "sft", "--out", str(asked.folder / "x.jsonl"))
    card = asked.folder / "x.card.json"
    card.mkdir()
    said = asked.says(*options)
    assert (said.code, "which is no file" in " ".join(said.err.split())) == (1, True)
    card.rmdir()

    real = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        if path.parent == asked.folder:
            raise OSError(28, "No space left on device")
        return real(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    assert asked.says(*options).code == 1
    assert not [*asked.folder.glob("x.*")]


@pytest.mark.parametrize("step", range(3))
def test_a_kill_at_any_step_leaves_no_card_of_other_lines(
    asked: Desk, asked_run: str, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    exported(asked, asked_run, "sft", "--filter", "goal=0")
    steps = 0

    class Killed(BaseException):
        pass

    def killed_at(does: Callable[..., Any]) -> Callable[..., Any]:
        def counted(path: Path, *given: Any, **more: Any) -> Any:
            nonlocal steps
            ours = path.parent == asked.folder and not path.name.endswith(".part")
            if ours or given:
                steps += 1
                if steps > step:
                    raise Killed
            return does(path, *given, **more)

        return counted

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", killed_at(Path.replace))
        patch.setattr(Path, "unlink", killed_at(Path.unlink))
        with pytest.raises(Killed):
            exported(asked, asked_run, "sft", "--filter", "goal=0", "--filter", "top=1")
    out, card = asked.folder / "out.jsonl", asked.folder / "out.card.json"
    if card.exists():
        told = json.loads(card.read_text())
        assert told["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
        assert told["lines"] == len(out.read_text().splitlines())
    exported(asked, asked_run, "sft", "--filter", "goal=0", "--filter", "top=1")
    told = json.loads(card.read_text())
    assert told["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()


def test_a_file_that_is_read_is_not_written_over(asked: Desk, asked_run: str) -> None:
    listed = asked.file("hard.jsonl", '{"scenario": "x"}\n')
    said = asked.says("export", asked_run, "-f", "sft", "-o", listed, "--exclude", listed)
    assert said.code != 0
    assert "is another file of this command" in " ".join(said.err.split())
    assert Path(listed).read_text() == '{"scenario": "x"}\n'
    said = asked.says("export", asked_run, "-f", "sft", "-o", "/dev/null")
    assert "is no file, and a card is written beside it" in " ".join(said.err.split())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            '{"scenario": "a"}\n{"scenario": 3}\n',
            "line 2, scenario: must be text at least 1 characters, not 3",
        ),
        ('{"scene": "a"}\n', "line 1, scene: there is no field 'scene'"),
        (
            '{"scenario": "a", "seat": 0}\n',
            "line 1, seat: must be a whole number at least 1, not 0",
        ),
        ('{"scenario": ""}\n', "line 1, scenario: must be text at least 1 characters"),
        ("scenario\n", "line 1: "),
        ("\n", "lists nothing"),
    ],
)
def test_lists_that_cannot_be_right_are_refused(
    asked: Desk, asked_run: str, text: str, why: str
) -> None:
    listed = asked.file("hard.jsonl", text)
    out = asked.folder / "out.jsonl"
    said = asked.says(*("export", asked_run, "-f", "sft", "-o", str(out), "--exclude", listed))
    assert said.code != 0
    assert f"hard.jsonl, {why}" in " ".join(said.err.split()) or "hard.jsonl: lists" in said.err
    assert not out.exists()


def test_filters_that_cannot_be_right_are_refused(asked: Desk, asked_run: str) -> None:
    out = asked.folder / "out.jsonl"
    bad = asked.file("filters.toml", "goal = 7\ntop = 0\n")
    for options, why in (
        (("--filters", bad), "filters.toml, line 2, top: must be a whole number at least 1"),
        (("--filter", "top=x"), "--filter, top: "),
        (("--filter", "judge=nobody"), "no judge that scored goal here is called so"),
        (("--filter", "cloning.expert=gpt-9"), "'gpt-9' has no goal score here"),
        (("--filter", 'minds=["gpt-9"]'), "'gpt-9' has no seat here; those who sit here: "),
    ):
        said = asked.says("export", asked_run, "-f", "sft", "-o", str(out), *options)
        assert said.code != 0
        assert why in " ".join(said.err.split())
        assert not out.exists()
    said = asked.says("export", asked_run, "-f", "jsonl", "-o", str(out), "--filter", "top=1")
    assert said.code != 0
    assert "takes no --filter; sft, rewards, pairs do" in " ".join(said.err.split())


def test_two_judges_of_goals_are_told_apart(asked: Desk, asked_run: str) -> None:
    asked.does("score", asked_run, "--judge", "rehearsal-lenient")
    out = str(asked.folder / "out.jsonl")
    said = asked.says("export", asked_run, "-f", "sft", "-o", out)
    assert said.code != 0
    assert "several judges scored goal here" in " ".join(said.err.split())
    exported(asked, asked_run, "sft", "--filter", "judge=rehearsal-lenient")


def test_what_no_model_was_asked_for_is_left_out_and_counted(desk: Desk) -> None:
    text = plan(REHEARSAL_MINDS, tasks=1, pairings='[["generous", "stubborn"]]', judges=JUDGES)
    desk.does("run", desk.file("plan.toml", text))
    run = desk.does("runs", "--json").json[0]["id"]
    lines, card = exported(desk, run, "sft", "--filter", "goal=0")
    assert lines == []
    (left_out,) = card["actions_left_out"]
    assert left_out["count"] == card["actions"] > 0
    assert "no model was asked for it" in left_out["reason"]


def test_a_run_that_nobody_judged_is_told_how_to_be(desk: Desk) -> None:
    text = plan(REHEARSAL_MINDS, tasks=1, pairings='[["generous", "stubborn"]]')
    desk.does("run", desk.file("plan.toml", text))
    run = desk.does("runs", "--json").json[0]["id"]
    said = desk.says("export", run, "-f", "sft", "-o", str(desk.folder / "out.jsonl"))
    assert said.code != 0
    assert "nobody has scored goal here" in " ".join(said.err.split())
