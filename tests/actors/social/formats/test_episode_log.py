import json
from pathlib import Path
from typing import Any

import pytest

from actors.episodes.formats import (
    UNNAMED,
    LogName,
    catalog_formats,
    episode_formats,
    log_key,
)
from actors.episodes.rules.decide import INITIAL, Continue, Fork, decide, evolve
from actors.social.actions import Action
from actors.social.catalog.cast_task import CatalogIndex
from actors.social.catalog_items import Catalog, Relationship, RelationshipKind
from actors.social.formats.episode_log_reader import (
    EpisodeLogRefused,
    ImportedEpisode,
    read_episode_logs,
)
from actors.social.formats.episode_log_scores import SEVEN
from actors.social.formats.episode_log_writer import EpisodeGoesOn, Judged, episode_log, to_line
from actors.social.formats.episode_words import UnknownWords, action_of, words_of
from actors.social.formats.file_names import CHARACTERS, RELATIONSHIPS, SCENARIOS, TASKS
from evaluators.social.sotopia_eval import DIMENSIONS
from events.episode import ActionFailure, ActionTaken, EpisodeEnded, EpisodeFailed, Origin
from events.evaluation import JudgeSpec, Scored, ScoreFailed
from tests.actors.social.table import Game, table
from tests.support.builders import act, character, episode, mind, opened, scenario
from tests.support.builders import started as social_started

NAMES = ("Ada Reyes", "Ben Okafor")
ZEROES = {dimension.name: 0.0 for dimension in SEVEN}


@pytest.fixture
def index() -> CatalogIndex:
    relationship = Relationship(
        id="r1", characters=("ben", "ada"), kind=RelationshipKind.FRIEND, story="Old friends."
    )
    return CatalogIndex(
        Catalog(
            name="flea",
            characters=tuple(character(name) for name in NAMES),
            relationships=(relationship,),
            scenarios=(scenario(relationships=(RelationshipKind.FRIEND,)),),
        )
    )


def said(sender: str, words: str) -> list[str]:
    return [sender, "Environment", words]


ADA, BEN = NAMES
TALK = [
    [
        ["Environment", ADA, "Here is the context …"],
        ["Environment", BEN, "Here is the context …"],
        said(ADA, 'said: "Hello, "friend"."'),
        said(BEN, "did nothing"),
    ],
    [
        ["Environment", ADA, "Turn #0: …"],
        ["Environment", BEN, "Turn #0: …"],
        said(ADA, "did nothing"),
        said(BEN, " [private to ['Ada Reyes']] said: \"Psst.\""),
    ],
    [said(ADA, "did nothing"), said(BEN, "did nothing")],
    [said(ADA, "did nothing"), said(BEN, "left the conversation")],
    [["Environment", ADA, "…"], ["Environment", BEN, "…"]],
]


def log(**fields: Any) -> dict[str, Any]:
    return {
        "environment": "stall",
        "agents": ["ada", "ben"],
        "tag": "trial",
        "models": ["gpt-4", "gpt-3.5-turbo", "human"],
        "messages": TALK,
        "reasoning": "Environment comments: terminated: Agent 2 is leaving; \n"
        "Agent 1 comments:\ngoal: Half of it.\nA sale\nwas agreed.\nsecret: Kept.\n"
        "Agent 2 comments:\ngoal: None of it.\n",
        "rewards": [
            [0.5, {**ZEROES, "goal": 3.5, "overall_score": 0.5}],
            [0.0, {**ZEROES, "overall_score": 0.0}],
        ],
        "rewards_prompt": "You are to judge …\n" * 30,
        **fields,
    }


def read(tmp_path: Path, index: CatalogIndex, *logs: Any) -> tuple[ImportedEpisode, ...]:
    path = tmp_path / "logs.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in logs))
    return read_episode_logs(path, index)


def test_a_log_of_sotopia_becomes_an_episode(tmp_path: Path, index: CatalogIndex):
    (episode,) = read(tmp_path, index, log())
    started, *rest = episode.events
    assert started.setup.scenario.id == "stall"
    assert [who.id for who in started.setup.cast] == ["ada", "ben"]
    assert started.setup.relationships[0].kind == RelationshipKind.FRIEND
    assert [mind.name for mind in started.minds] == ["gpt-3.5-turbo", "human"]
    assert started.tags == ("trial",)
    assert started.setup.rules.order == "round_robin"
    assert rest == [
        opened(1, (0,)),
        ActionTaken(turn=1, seat=0, action=act("speak", 'Hello, "friend".')),
        opened(2, (1,)),
        ActionTaken(turn=2, seat=1, action=act("speak", "Psst.", to=(0,))),
        opened(3, (0,)),
        ActionTaken(turn=3, seat=0, action=act("none")),
        opened(4, (1,)),
        ActionTaken(turn=4, seat=1, action=act("leave")),
        EpisodeEnded(reason="left", turn=4, detail="Agent 2 is leaving; "),
    ]


def test_its_scores_and_reasons_come_with_it(tmp_path: Path, index: CatalogIndex):
    (episode,) = read(tmp_path, index, log())
    judged = episode.judged
    assert judged is not None
    assert (judged.judge.name, judged.judge.kind) == ("gpt-4", "imported")
    assert judged.judge.prompt_version == ""
    assert [dimension.name for dimension in judged.judge.dimensions] == list(ZEROES)
    assert len(judged.scores) == 14
    goal = Scored(seat=0, dimension="goal", value=3.5, reason="Half of it.\nA sale\nwas agreed.")
    assert goal in judged.scores
    assert episode.notes == ()


@pytest.mark.parametrize("bare", [0.0, 3, None])
def test_a_bare_reward_is_a_missing_score_and_never_a_zero(
    tmp_path: Path, index: CatalogIndex, bare: float | None
):
    (episode,) = read(tmp_path, index, log(rewards=[[0.0, ZEROES], bare]))
    assert episode.judged is not None
    second = [score for score in episode.judged.scores if score.seat == 1]
    assert len(second) == 7
    assert all(isinstance(score, ScoreFailed) for score in second)
    assert any("rewards[1]" in note for note in episode.notes)


@pytest.mark.parametrize("rewards", [[], [None, None], [[None, {}], [None, {}]]])
def test_an_episode_that_nobody_scored_has_no_judge(
    tmp_path: Path, index: CatalogIndex, rewards: list
):
    (episode,) = read(tmp_path, index, log(rewards=rewards))
    assert episode.judged is None


def test_a_value_that_is_not_there_is_missing(tmp_path: Path, index: CatalogIndex):
    values = {name: 0.0 for name in ZEROES if name != "goal"} | {"charm": 3}
    (episode,) = read(tmp_path, index, log(rewards=[[0.0, values], [9.0, ZEROES]]))
    assert episode.judged is not None
    (missing,) = [s for s in episode.judged.scores if isinstance(s, ScoreFailed)]
    assert (missing.seat, missing.dimension) == (0, "goal")
    assert any("'charm'" in note for note in episode.notes)
    assert any("9.0 is not the mean 0.00" in note for note in episode.notes)


def test_seats_that_act_in_one_turn_act_at_once(tmp_path: Path, index: CatalogIndex):
    turn = [said(ADA, 'said: "A"'), said(BEN, "[action] waves")]
    (episode,) = read(tmp_path, index, log(messages=[turn, turn], reasoning=""))
    started, first, *_ = episode.events
    assert started.setup.rules.order == "simultaneous"
    assert first == opened(1, (0, 1))


def test_seats_that_act_out_of_turn_act_in_a_random_order(tmp_path: Path, index: CatalogIndex):
    turns = [[said(BEN, 'said: "A"')], [said(BEN, 'said: "B"')]]
    (episode,) = read(tmp_path, index, log(messages=turns))
    assert episode.events[0].setup.rules.order == "random"


@pytest.mark.parametrize(
    ("reasoning", "messages", "reason"),
    [
        ("Environment comments: terminated: The conversation is too long; ", TALK[:1], "turn_cap"),
        ("Environment comments: terminated: stales for too long", TALK[:1], "stale"),
        ("", TALK[:1] * 20, "turn_cap"),
        ("", [[said(ADA, "did nothing")], [said(BEN, "did nothing")]], "stale"),
        ("", [[said(ADA, "left the conversation")]], "left"),
        ("", TALK[:1], "stopped"),
    ],
)
def test_why_it_ended_is_what_the_log_says_or_else_what_the_rules_tell(
    tmp_path: Path, index: CatalogIndex, reasoning: str, messages: list, reason: str
):
    (episode,) = read(tmp_path, index, log(reasoning=reasoning, messages=messages))
    assert episode.events[-1].reason == reason


def test_an_imported_episode_can_be_forked_and_played_on(tmp_path: Path, index: CatalogIndex):
    (episode,) = read(tmp_path, index, log())
    state = INITIAL
    for event in episode.events[:4]:
        state = evolve(state, event)
    minds = (mind("a"), mind("b"))
    for event in decide(state, Fork(parent="e1", minds=minds)):
        state = evolve(state, event)
    assert decide(state, Continue()) == ()
    assert state.waiting == (1,)


@pytest.mark.parametrize(
    ("fields", "field", "reason"),
    [
        ({"environment": "stal"}, "environment", "no scenario 'stal'; the nearest is 'stall'"),
        ({"agents": ["ada", "zoe-9"]}, "agents", "no character 'zoe-9'"),
        ({"agents": ["ada", "ben", "ada"]}, "agents", "must be 2"),
        ({"models": ["a"]}, "models", "not 1 models"),
        (
            {"messages": [[said("Zoe", "did nothing")]]},
            "messages[0]",
            "none of the cast: Ada Reyes",
        ),
        ({"messages": [[said(ADA, "flew away")]]}, "messages[0]", "'flew away' is none"),
        ({"messages": [[["Ada", "did nothing"]]]}, "messages[...][...][...]", "length 3"),
        ({"messages": [[said(ADA, "did nothing")] * 2]}, "messages[0]", "twice in one turn"),
        ({"rewards": [1.0]}, "rewards", "must be 2"),
        ({"rewards": ["x", 0.0]}, "rewards[0]", "[overall, {dimension: value}]"),
        ({"rewards": [[1.0, {**ZEROES, "goal": 11}], 0]}, "rewards[0].goal", "0 to 10, not 11"),
        ({"rewards": [["x", ZEROES], 0]}, "rewards[0]", "overall score must be a number"),
    ],
)
def test_a_bad_line_is_named_with_file_line_field_and_reason(
    tmp_path: Path, index: CatalogIndex, fields: dict[str, Any], field: str, reason: str
):
    with pytest.raises(EpisodeLogRefused) as refused:
        read(tmp_path, index, log(), log(**fields))
    bad = refused.value.rows[0]
    assert (bad.file, bad.line) == ("logs.jsonl", 2)
    assert bad.field == field or field.startswith("messages[...")
    assert reason in str(refused.value)


def test_every_bad_line_is_named(tmp_path: Path, index: CatalogIndex):
    with pytest.raises(EpisodeLogRefused) as refused:
        read(tmp_path, index, log(environment="x"), log(), log(agents=["y", "z"]))
    assert [(row.line, row.field) for row in refused.value.rows] == [
        (1, "environment"),
        (3, "agents"),
        (3, "agents"),
    ]


# ------------------------------------------------------------------------------- out


def test_the_seven_dimensions_are_those_that_judges_here_use():
    ranges = {dimension.name: (dimension.low, dimension.high) for dimension in SEVEN}
    assert ranges == {judged.name: (judged.low, judged.high) for judged in DIMENSIONS}


def ended() -> Game:
    game = Game(table())
    game.act(text="Hello.")
    game.act("leave", "")
    return game


def test_a_log_has_what_readers_of_sotopia_look_for():
    values = {dimension.name: dimension.high for dimension in SEVEN}
    judge = JudgeSpec(name="strict", kind="rehearsal", dimensions=SEVEN, prompt_version="r-1:ab")
    scores = tuple(
        Scored(seat=seat, dimension=name, value=value, reason="Two\nlines.")
        for seat in (0, 1)
        for name, value in values.items()
    )
    judged = Judged(judge=judge, scores=scores)
    line = json.loads(to_line(episode_log(ended().history, judged, LogName("e1", "trial"))))
    assert list(line) == [
        "pk",
        "environment",
        "agents",
        "tag",
        "models",
        "messages",
        "reasoning",
        "rewards",
        "rewards_prompt",
    ]
    assert (line["pk"], line["tag"]) == ("e1", "trial")
    assert line["models"] == ["rehearsal/strict", "rehearsal/mind0", "rehearsal/mind1"]
    first, second, closing = line["messages"]
    assert first[0][2].startswith("\nHere is the context of this interaction:\n")
    assert all(told[2].endswith("\nConversation Starts:\n") for told in first[:2])
    assert first[2:] == [[ADA, "Environment", 'said: "Hello."']]
    assert second == [
        ["Environment", ADA, 'Turn #0: Ada Reyes said: "Hello."\n'],
        ["Environment", BEN, 'Turn #0: Person 1 said: "Hello."\n'],
        [BEN, "Environment", "left the conversation"],
    ]
    assert closing == [
        ["Environment", ADA, "Turn #1: Person 2 left the conversation\n"],
        ["Environment", BEN, "Turn #1: Ben Okafor left the conversation\n"],
    ]
    overall = sum(values.values()) / 7
    assert line["rewards"] == [[overall, {**values, "overall_score": overall}]] * 2
    assert line["reasoning"].startswith(
        "Environment comments: terminated: fewer than two were left\n"
        "Agent 1 comments:\nbelievability: Two\nlines.\nrelationship: Two\nlines.\n"
    )


def test_what_a_seat_was_told_names_no_stranger():
    told = episode_log(ended().history).messages[0]
    assert told[0][:2] == ("Environment", ADA)
    assert "Participants: Ada Reyes and Person 2" in told[0][2]
    assert "Ben" not in told[0][2]
    assert "Person 2's goal: Unknown" in told[0][2]


def test_a_missing_score_is_left_out_and_the_reasoning_says_why():
    judge = JudgeSpec(name="strict", kind="rehearsal", dimensions=SEVEN)
    scores = tuple(Scored(seat=0, dimension=dimension.name, value=0.0) for dimension in SEVEN[:-1])
    scores = (*scores, ScoreFailed(seat=0, dimension="goal", error="no JSON"))
    exported = episode_log(ended().history, Judged(judge=judge, scores=scores))
    six = {name: 0.0 for name in ZEROES if name != "goal"}
    assert exported.rewards == ((0.0, {**six, "overall_score": 0.0}), (0.0, {}))
    assert "goal: no score: no JSON" in exported.reasoning
    assert exported.reasoning.endswith("goal: not asked\n")


def test_the_first_and_last_action_stand_where_readers_cut():
    """As SOTOPIA's ``get_social_interactions_from_episode`` does: after the second start, and
    without the last list."""
    messages = episode_log(ended().history).messages
    told = "\n".join(text for _, _, text in messages[0])
    assert told.split("Conversation Starts:\n\n")[2] == 'said: "Hello."'
    assert any("left the conversation" in text for _, _, text in messages[-2])


def test_an_episode_that_goes_on_is_no_log():
    with pytest.raises(EpisodeGoesOn, match="turn 1"):
        episode_log(Game(table()).history)


def test_a_failed_episode_comes_back_failed(tmp_path: Path, index: CatalogIndex):
    history = [*Game(table()).history, EpisodeFailed(reason="boom", attempts=3)]
    line = json.loads(to_line(episode_log(history)))
    (episode,) = read(tmp_path, index, line)
    assert isinstance(episode.events[-1], EpisodeFailed)


@pytest.mark.parametrize(
    "action",
    [
        act("speak", 'He said: "no", then\nleft. '),
        act("speak", "[action] ]] ['", to=(1,)),
        act("non_verbal", " nods  "),
        act("physical", "[private to ['Ben Okafor']] x"),
        act("leave", "Bye."),
        act("leave", "Bye.", to=(1,)),
        act("leave"),
        act("none"),
    ],
)
def test_an_action_in_words_is_read_back_as_it_was(action: Action):
    assert action_of(words_of(action, NAMES), ADA, NAMES) == action
    odd = ("A]] B", "C'] ]]D")
    assert action_of(words_of(action, odd), "A]] B", odd) == action


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ('Ada Reyes said: "Hi"', act("speak", "Hi")),
        ("said: Hi", act("speak", "Hi")),
        (" did nothing.", act("none")),
        ("left the conversation.", act("leave")),
        ("[non-verbal communication]", act("non_verbal")),
    ],
)
def test_other_programs_words_are_understood(words: str, action: Action):
    assert action_of(words, ADA, NAMES) == action


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("danced", "'danced' is none of SOTOPIA's actions"),
        ("[private to ['Zoe']] said: \"x\"", "'Zoe' is none of those present"),
        ('[private to Ben] said: "x"', "must name its recipients"),
    ],
)
def test_words_that_are_no_action_are_refused(words: str, reason: str):
    with pytest.raises(UnknownWords, match=r"is none|must name") as refused:
        action_of(words, ADA, NAMES)
    assert reason in str(refused.value)


def test_other_programs_files_are_found_by_name_and_by_how_they_begin():
    environment, form = episode_formats()["sotopia"]
    assert environment == "social"
    assert form.write is not None
    assert form.recognizes(form.write(ended().history, None, UNNAMED).encode())
    assert form.recognizes(b'{\n  "pk": "x",\n  "environment": "y",')
    assert form.recognizes(b'{"episode_id": "x", "environment_id": "y",')
    assert not form.recognizes(b"")
    assert catalog_formats()["sotopia"].files == (CHARACTERS, SCENARIOS, RELATIONSHIPS, TASKS)


# ------------------------------------------------------------------- as SOTOPIA writes them


def kept(tmp_path: Path, **fields: Any) -> Path:
    """A file as SOTOPIA keeps an episode: one log over many lines."""
    folder = tmp_path / "EpisodeLog"
    folder.mkdir(exist_ok=True)
    given = {"pk": "p1", **log(), **fields}
    path = folder / f"{given['pk']}.json"
    path.write_text(json.dumps(given, indent=2))
    return path


def test_a_folder_of_files_over_many_lines_comes_in(tmp_path: Path, index: CatalogIndex):
    alone = read_episode_logs(kept(tmp_path), index)
    kept(tmp_path, pk="p2", tag="other")
    both = read_episode_logs(tmp_path / "EpisodeLog", index)
    assert [episode.key for episode in both] == ["p1", "p2"]
    assert both[0] == alone[0]
    assert both[0].place == "p1.json, line 1"
    assert both[0].events[0].origin == Origin(id="p1", tag="trial")


def test_lines_of_its_other_spelling_come_in_as_the_same(tmp_path: Path, index: CatalogIndex):
    names = {
        "pk": "episode_id",
        "environment": "environment_id",
        "agents": "agent_ids",
        "tag": "experiment_tag",
        "models": "experiment_model_name_pairs",
        "messages": "raw_messages",
        "rewards": "raw_rewards",
        "rewards_prompt": "raw_rewards_prompt",
        "reasoning": "reasoning",
    }
    plain = log(pk="p1")
    other = {names[field]: value for field, value in plain.items()}
    one, again = read(tmp_path, index, plain, {**other, "scenario": "…", "codename": "…"})
    assert one._replace(place="") == again._replace(place="")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"environment": "stal"}, "environment"),
        ({"messages": [TALK[0], [said("Zoe", "did nothing")]]}, "messages[1]"),
        ({"rewards": [[0.5, ZEROES], "x"]}, "rewards[1]"),
        ({"models": "gpt-4"}, "models"),
    ],
)
def test_a_fault_in_a_file_over_many_lines_has_its_line(
    tmp_path: Path, index: CatalogIndex, fields: dict[str, Any], field: str
):
    path = kept(tmp_path, **fields)
    with pytest.raises(EpisodeLogRefused) as refused:
        read_episode_logs(path, index)
    (bad,) = refused.value.rows
    assert (bad.file, bad.field) == ("p1.json", field)
    lines = path.read_text().splitlines()
    name, _, index_ = field.partition("[")
    begins = next(n for n, line in enumerate(lines, 1) if line.startswith(f'  "{name}":'))
    if index_:
        # The second item: behind the line that closes the first.
        closing = {"    ],", "    ]"}
        begins = next(n for n, line in enumerate(lines, 1) if n > begins and line in closing) + 1
    assert bad.line == begins


def test_what_is_no_json_has_the_line_where_it_ceases_to_be(tmp_path: Path, index: CatalogIndex):
    path = kept(tmp_path)
    lines = path.read_text().splitlines()
    lines[4] = "  oops"
    path.write_text("\n".join(lines))
    with pytest.raises(EpisodeLogRefused) as refused:
        read_episode_logs(path, index)
    assert [row.line for row in refused.value.rows] == [5]


@pytest.mark.parametrize("name", ["logs.jsonl", "logs.json"])
def test_a_byte_order_mark_before_a_log_is_passed_over(
    tmp_path: Path, index: CatalogIndex, name: str
):
    path = tmp_path / name
    path.write_text(json.dumps(log()), encoding="utf-8-sig")
    assert read_episode_logs(path, index)[0].events == read(tmp_path, index, log())[0].events


def test_what_is_no_json_is_called_that(tmp_path: Path, index: CatalogIndex):
    path = tmp_path / "logs.jsonl"
    path.write_text("{nothing}")
    with pytest.raises(EpisodeLogRefused, match="line 1: JSON is malformed"):
        read_episode_logs(path, index)


def test_scores_of_an_episode_in_which_nobody_did_anything_are_noted(
    tmp_path: Path, index: CatalogIndex
):
    (scored,) = read(tmp_path, index, log(messages=[]))
    assert any("nobody did anything" in note for note in scored.notes)
    (alone,) = read(tmp_path, index, log(messages=[], rewards=[], reasoning=""))
    assert alone.notes == ()


def test_a_line_beyond_the_limit_is_refused(
    tmp_path: Path, index: CatalogIndex, monkeypatch: pytest.MonkeyPatch
):
    line = json.dumps(log())
    monkeypatch.setattr("actors.social.formats.texts.LONGEST", len(line) + 1)
    assert len(read(tmp_path, index, log(), log())) == 2
    with pytest.raises(EpisodeLogRefused) as refused:
        read(tmp_path, index, log(), log(tag="x" * 3 * len(line)), log(environment="y"))
    assert [(row.line, row.reason.split(" than")[0]) for row in refused.value.rows] == [
        (2, "is longer"),
        (3, "catalog 'flea' has no scenario 'y'"),
    ]
    with pytest.raises(EpisodeLogRefused, match="longer than"):
        read_episode_logs(kept(tmp_path), index)


def test_an_empty_folder_is_refused(tmp_path: Path, index: CatalogIndex):
    with pytest.raises(EpisodeLogRefused, match=r"no \.json or \.jsonl files"):
        read_episode_logs(tmp_path, index)


def test_the_reasons_of_a_bare_reward_are_kept_and_go_out_again(
    tmp_path: Path, index: CatalogIndex
):
    (episode,) = read(tmp_path, index, log(rewards=[0.0, 0.0]))
    assert episode.judged is not None
    assert all(isinstance(score, ScoreFailed) for score in episode.judged.scores)
    raw = {(s.seat, s.dimension): s.raw for s in episode.judged.scores if s.raw}
    assert raw == {
        (0, "goal"): "Half of it.\nA sale\nwas agreed.",
        (0, "secret"): "Kept.",
        (1, "goal"): "None of it.",
    }
    out = episode_log(episode.events, episode.judged)
    assert out.rewards == ((0.0, {}), (0.0, {}))
    assert "\ngoal: Half of it.\nA sale\nwas agreed.\n" in out.reasoning
    (again,) = read(tmp_path, index, json.loads(to_line(out)))
    assert again.judged is not None
    assert {(s.seat, s.dimension): s.raw for s in again.judged.scores if s.raw} == raw


def test_what_the_log_said_of_its_end_goes_out_again(tmp_path: Path, index: CatalogIndex):
    (episode,) = read(tmp_path, index, log())
    out = episode_log(episode.events, episode.judged)
    assert out.reasoning.startswith(
        "Environment comments: terminated: Agent 2 is leaving; \nAgent 1 comments:\n"
    )


def test_a_rehearsal_stays_one_and_a_person_is_no_model(tmp_path: Path, index: CatalogIndex):
    models = ["rehearsal/strict", "rehearsal/wily", "human"]
    (episode,) = read(tmp_path, index, log(models=models))
    wily, human = episode.events[0].minds
    assert (wily.name, wily.kind, wily.temper) == ("wily", "rehearsal", "wily")
    assert (human.name, human.kind) == ("human", "remote")
    assert episode.judged is not None
    assert (episode.judged.judge.name, episode.judged.judge.kind) == ("strict", "rehearsal")
    assert list(episode_log(episode.events, episode.judged).models) == models


def test_the_same_episode_may_have_several_judges(tmp_path: Path, index: CatalogIndex):
    logs = [log(pk=log_key("e1", number)) for number in range(3)]
    found = read(tmp_path, index, *logs)
    assert [row["pk"] for row in logs] == ["e1", "e1~2", "e1~3"]
    assert {episode.key for episode in found} == {"e1"}
    assert all(episode.events == found[0].events for episode in found)


def test_an_action_that_failed_is_no_choice_on_the_way_round(tmp_path: Path, index: CatalogIndex):
    history = episode(
        social_started(),
        [(0, "Hello."), (1, ActionFailure(reason="timeout")), (0, act("none")), (1, "Bye.")],
    )
    line = json.loads(to_line(episode_log(history)))
    assert [turn[2][2] for turn in line["messages"][1:3]] == ["did nothing", "did nothing"]
    assert "\nEnvironment comments: no answer: seat 2 in turn 2 (timeout)\n" in line["reasoning"]
    (back,) = read(tmp_path, index, line)
    failed = [e.failure and e.failure.reason for e in back.events if isinstance(e, ActionTaken)]
    assert failed == [None, "timeout", None, None]
