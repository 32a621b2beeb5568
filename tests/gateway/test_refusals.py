"""What a person gets wrong: one sentence, exit code 1, nothing on standard output, and a store in
which nothing has changed."""

import errno
import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from gateway.cli.terminal.errors import INTERRUPTED, report_errors
from gateway.error_sentences import sentence_of
from gateway.errors import BadArgument
from tests.gateway.command import Desk, Said
from tests.support.runs import plan

PLAN = plan()
MODEL_JUDGE = 'kind = "model"\nmodel = "openai/gpt-4o"\n'


def refused(desk: Desk, *arguments: str) -> str:
    """The sentence with which a command is refused."""
    before = desk.head()
    said = desk.says(*arguments)
    assert desk.head() == before, "the store is unchanged"
    return sentence(said)


def sentence(said: Said) -> str:
    assert said.code == 1, said
    assert said.out == ""
    lines = said.err.splitlines()
    assert len(lines) == 1, said.err
    assert lines[0].startswith("troupe: ")
    return lines[0].removeprefix("troupe: ")


@pytest.mark.parametrize(
    "url", ["postgresql://me:hidden@[::1", "postgresql://me:hidden@h:x/y", "20"]
)
@pytest.mark.parametrize("command", ["runs", "backup", "restore", "doctor"])
def test_an_address_that_is_none_is_refused_without_its_password(
    desk: Desk, url: str, command: str
):
    desk.set("TROUPE_DATABASE_URL", url)
    said = desk.says(command, *["file"] * (command in ("backup", "restore")))
    assert said.code == 1
    assert "it is not a database URL" in " ".join((said.out + said.err).split())
    assert "hidden" not in said.out + said.err


@pytest.mark.parametrize("size", ["9" * 5_000, "-1", "0", "1e9", "wide", "1"])
@pytest.mark.parametrize("variable", ["COLUMNS", "LINES"])
def test_a_terminal_of_no_size_is_no_reason_to_fail(desk: Desk, variable: str, size: str):
    desk.set(variable, size)
    assert desk.does("runs").out


def test_a_data_folder_that_is_not_utf_8_is_refused_by_name(desk: Desk):
    before = desk.head()
    desk.set("TROUPE_DATA_DIR", f"{desk.folder}/caf\udce9")
    told = sentence(desk.says("runs"))
    assert "caf[U+DCE9]' is not UTF-8; name a folder whose whole path is" in told
    desk.set("TROUPE_DATA_DIR", str(desk.data_dir))
    assert desk.head() == before


def test_an_id_that_is_not_utf_8_is_unknown(desk: Desk):
    assert "'e[U+DCFF]'" in refused(desk, "show", "e\udcff")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("turn_cap", "turncap", ["rules", "'turncap'", "did you mean 'turn_cap'"]),
        ("limit = 2", 'limit = "two"', ["tasks.limit", "must be a whole number"]),
        ("limit = 2", 'tags = ["nonsense"]', ["tasks", "its tags are: hard"]),
        ("limit = 2", 'ids = ["night_acordion-yuki-noor"]', ["tasks.ids", "night_accordion"]),
        ('"generous"', '"generos"', ["minds.generous.temper", "did you mean 'generous'"]),
        ("concurrency = 16", "concurrency = 0", ["concurrency", "at least 1"]),
        ('pairings = "all"', 'pairings = [["generous", "warm"]]', ["seats.pairings", "'warm'"]),
        ('pairings = "all"', 'pairings = "some"', ["seats.pairings"]),
        ('"starter"', '"satrter"', ["catalog", "did you mean starter", "troupe catalog import"]),
        ("use = []", 'use = ["rehearsal-stict"]', ["judges.use", "rehearsal-strict"]),
        ("use = []", 'use = ["none.toml"]', ["judges.use", "no judge file 'none.toml'"]),
        ("use = []", 'use = ["bad.toml"]', ["bad.toml, kind", "plan.toml names this judge"]),
        ("[rules]", "[rules", ["not valid TOML", "line"]),
        ("[budget]", "[budget]\nusd = -1", ["budget.usd", "from 0 to 1,000,000,000, not -1"]),
        ("[budget]", "[budgets]", ["'budgets'", "did you mean 'budget'"]),
        (
            'kind = "rehearsal"\ntemper = "generous"',
            'kind = "recorded"\nepisode = "enothing"',
            ["minds.generous.episode", "no episode 'enothing'"],
        ),
    ],
)
def test_a_malformed_plan(desk: Desk, old: str, new: str, told: list[str]) -> None:
    desk.does("catalog", "list")
    text = plan(rules="turn_cap = 20")
    assert old in text
    path = desk.file("plan.toml", text.replace(old, new, 1))
    desk.file("bad.toml", "kind = 'wise'")
    said = refused(desk, "run", path)
    assert "plan.toml" in said
    for words in told:
        assert words in said


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("kind = 'model'", ["model", "name the model"]),
        (MODEL_JUDGE + "temprature = 0", ["'temprature'", "did you mean 'temperature'"]),
        (MODEL_JUDGE + 'dimensions = ["gaol"]', ["dimensions[0]", "did you mean 'goal'"]),
        (MODEL_JUDGE + '[[dimension]]\nname = "wit"\ndescription = "x"', ["dimension[0].low"]),
        (MODEL_JUDGE + 'prompt = "judge-v0"', ["prompt", "judge-v1"]),
        ("kind = 'rehearsal'\ntemper = 'mild'", ["temper", "strict, lenient"]),
        ("kind = ", ["not valid TOML"]),
    ],
)
def test_a_malformed_judge(played: Desk, run: str, text: str, told: list[str]) -> None:
    said = refused(played, "score", run, "--judge", played.file("mine.toml", text))
    for words in ("mine.toml", *told):
        assert words in said


def published(folder: Path) -> Path:
    """The smallest published catalog: two characters, their tie, a scenario, a task."""
    folder.mkdir()
    rows = {
        "agent_profiles.jsonl": [
            {"agent_id": "a", "first_name": "Ada", "age": 40},
            {"agent_id": "b", "first_name": "Ben", "age": 30},
        ],
        "environment_profiles.jsonl": [
            {"env_id": "s", "scenario": "Two meet.", "agent_goals": ["Sell.", "Buy."]}
        ],
        "relationship_profiles.jsonl": [
            {"relationship_id": "r", "agent1_id": "a", "agent2_id": "b", "relationship": 3}
        ],
        "env_agent_combo_storages.jsonl": [
            {"combo_id": "t", "env_id": "s", "agent_ids": ["a", "b"]}
        ],
    }
    for name, some in rows.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in some))
    return folder


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("agent_profiles", '"age": 30', '"age": "thirty"', ["line 2, age"]),
        ("agent_profiles", '"agent_id": "b"', '"agent_id": "a"', ["line 2", "'a'"]),
        ("environment_profiles", '"Sell.", "Buy."', "", ["line 1, agent_goals"]),
        ("environment_profiles", "Sell.", "Sell <extra_info>now.", ["line 1, agent_goals"]),
        ("relationship_profiles", '"relationship": 3', '"relationship": 9', ["line 1"]),
        ("env_agent_combo_storages", '"env_id": "s"', '"env_id": "x"', ["line 1", "'x'"]),
        ("env_agent_combo_storages", '{"combo_id"', '{"combo_id', ["line 1"]),
    ],
)
def test_a_malformed_catalog(desk: Desk, file: str, old: str, new: str, told: list[str]) -> None:
    folder = published(desk.folder / "published")
    path = folder / f"{file}.jsonl"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    said = refused(desk, "import", "sotopia", str(folder))
    for words in (f"{file}.jsonl", "not imported", *told):
        assert words in said
    assert "sotopia" not in desk.does("catalog", "list").out


def test_a_sound_catalog_comes_in_and_comes_in_again_without_a_change(desk: Desk) -> None:
    folder = str(published(desk.folder / "published"))
    assert desk.does("import", "sotopia", folder, "--json").json["outcome"] == "imported"
    before = desk.head()
    assert desk.does("import", "sotopia", folder, "--json").json["outcome"] == "unchanged"
    assert desk.head() == before


def test_a_folder_without_the_published_files(desk: Desk) -> None:
    said = refused(desk, "import", "sotopia", str(desk.folder))
    assert "agent_profiles.jsonl" in said
    assert "no such folder" in refused(desk, "import", "sotopia", str(desk.folder / "none"))


def without_last_line(lines: list[bytes]) -> list[bytes]:
    return lines[:-1]


def without_a_middle_line(lines: list[bytes]) -> list[bytes]:
    return lines[:7] + lines[8:]


def cut_in_a_line(lines: list[bytes]) -> list[bytes]:
    return [*lines[:9], lines[9][:40]]


def with_a_word_changed(lines: list[bytes]) -> list[bytes]:
    at = next(n for n, line in enumerate(lines) if b'"speak"' in line)
    return [*lines[:at], lines[at].replace(b'"speak"', b'"physical"'), *lines[at + 1 :]]


def with_an_unknown_event(lines: list[bytes]) -> list[bytes]:
    return [lines[0], lines[1].replace(b"RunPlanned", b"RunPlaned"), *lines[2:]]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (without_last_line, "cut short"),
        (without_a_middle_line, "needs its version"),
        (cut_in_a_line, "cut short"),
        (with_a_word_changed, "altered"),
        (with_an_unknown_event, "line 2"),
        (lambda _: [], "empty"),
        (lambda _: [b"\x00\x01\x02"], "line 1"),
    ],
)
def test_a_truncated_or_altered_export(
    played: Desk, run: str, spoil: Callable[[list[bytes]], list[bytes]], told: str
) -> None:
    whole = played.folder / "whole.jsonl"
    played.does("export", run, "--out", str(whole))
    spoilt = played.folder / "spoilt.jsonl"
    spoilt.write_bytes(b"".join(spoil(whole.read_bytes().splitlines(keepends=True))))
    played.move(played.folder / "elsewhere")
    said = refused(played, "import", "episodes", str(spoilt))
    assert "spoilt.jsonl" in said
    assert told in said
    assert "No runs yet" in played.does("runs").out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "rnothing"], "there is no run 'rnothing'; `troupe runs` lists them"),
        (["show", "nothing"], "there is no run or episode 'nothing'; `troupe runs`"),
        (["catalog", "show", "noor_azziz"], "did you mean noor_aziz or idris_aziz?"),
        (["catalog", "show", "tasks", "-c", "startr"], "did you mean starter?"),
        (["catalog", "search", "xyzzyx"], "nothing in any catalog"),
        (["catalog", "sample", "starter", "--name", "a b"], "letters, digits"),
        (["catalog", "sample", "starter", "--name", "starter"], "choose another name"),
        (["import", "episodes", "none.jsonl"], "there is no such file"),
        (["projections", "rebuild", "run"], "did you mean"),
        (["worker"], "set TROUPE_NATS_URL"),
    ],
)
def test_unknown_things(desk: Desk, arguments: list[str], told: str) -> None:
    desk.does("catalog", "list")
    assert told in refused(desk, *arguments)


def test_an_id_that_is_almost_right_suggests_the_right_one(
    played: Desk, run: str, episode: str
) -> None:
    slip = {"a": "b"}
    for id_ in (run, episode):
        wrong = id_[:5] + slip.get(id_[5], "a") + id_[6:]
        assert f"did you mean {id_}?" in refused(played, "show", wrong)
    assert "did you mean" in refused(played, "compare", run, "rehearsal-strict", "rehearsal-len")
    assert "rehearsal-strict" in refused(played, "score", run, "-j", "rehersal-strict")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["replay", "{}", "--at", "900"], "numbered 0 to"),
        (["replay", "{}", "--as", "3"], "give a seat from 1 to 2, narrator or spectator"),
        (["show", "{}", "--as", "0"], "give a seat from 1 to 2"),
        (["fork", "{}", "--at", "900"], "its numbers go from 0 to"),
        (["fork", "{}", "--at", "3", "--seat", "2"], "give a seat from 1 to 2 and a mind"),
        (["fork", "{}", "--at", "3", "--seat", "9=remote"], "give a seat from 1 to 2"),
        (["fork", "{}", "--at", "3", "--seat", "2=rehearsal:cand"], "did you mean 'candid'?"),
        (["fork", "{}", "--at", "3", "--seat", "2=rehersal:wily"], "did you mean 'rehearsal'?"),
        (["fork", "{}", "--at", "3", "--seat", "2=generos"], "did you mean 'generous'?"),
        (["fork", "{}", "--at", "3", "--seat", "1=remote", "--seat", "1=remote"], "given twice"),
        (["export", "{}", "--format", "parquet"], "tables are made of a run"),
        (["export", "{}", "--out", "/nowhere/x.jsonl"], "the folder to write it in"),
        (["resume", "{}", "--detach"], "only a run"),
        (["resume", "{}", "--budget-usd", "-1"], "0 (no limit) or more"),
    ],
)
def test_arguments_that_do_not_fit_the_episode(
    played: Desk, episode: str, arguments: list[str], told: str
) -> None:
    assert told in refused(played, *(word.format(episode) for word in arguments))


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("TROUPE_NATS_URL", "foo", "give nats://host:port"),
        ("TROUPE_NATS_URL", "http://localhost:4222", "give nats://host:port"),
        ("TROUPE_NATS_URL", "nats://localhost:4222,localhost", "give nats://host:port"),
        ("TROUPE_NATS_URL", "nats://localhost:port", "give nats://host:port"),
        ("TROUPE_SPACE", "a b", "letters, digits"),
        ("TROUPE_LOG", "loud", "debug, info, warning, error"),
        ("TROUPE_DATABASE_URL", "foo", "give sqlite:////absolute/path.db or postgresql://"),
        ("TROUPE_DATABASE_URL", "mysql://u:secret@h/d", "there is no backend for 'mysql'"),
        ("TROUPE_DATABASE_URL", "sqlite:////nowhere/x.db", "unable to open database file"),
        ("TROUPE_DATA_DIR", "/dev/null/x", "name a folder you may write to"),
    ],
)
def test_settings_that_make_no_sense(
    played: Desk, episode: str, variable: str, value: str, told: str
) -> None:
    before = played.head()
    played.set(variable, value)
    said = sentence(played.says("fork", episode, "--at", "3"))
    assert told in said
    assert "secret" not in said
    assert played.head() == before


def test_nothing_is_begun_when_no_nats_server_answers(played: Desk, episode: str) -> None:
    played.set("TROUPE_NATS_URL", "nats://127.0.0.1:1")
    path = played.file("plan.toml", PLAN)
    before = played.head()
    said = played.says("run", path)
    assert said.code == 1
    assert "no NATS server answers at nats://127.0.0.1:1" in said.err
    assert said.err.rstrip().endswith("use the embedded server")
    assert played.head() == before


def test_a_port_that_is_taken(desk: Desk) -> None:
    desk.does("catalog", "list")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused(desk, "serve", "--port", port)
    assert f"--port '{port}'" in said
    assert "choose another" in said


def test_a_command_line_that_is_incomplete_or_wrong_is_a_usage_error(desk: Desk) -> None:
    for arguments in (
        ["show"],
        ["fork", "e1"],
        ["replay", "e1", "--at", "x"],
        ["export", "r1", "-f", "csv"],
    ):
        said = desk.says(*arguments)
        assert said.code == 2
        assert "Traceback" not in said.err
        assert said.err.startswith("Usage: ")


def test_a_full_disk_is_a_sentence_also_where_standard_output_is_on_it():
    assert "No space" in sentence_of(OSError(errno.ENOSPC, "No space left on device"))


def test_who_has_read_enough_of_what_is_printed_is_no_failure():
    enough = SystemExit(1)
    enough.__context__ = BrokenPipeError()
    for leaving, code in ((enough, 0), (SystemExit(3), 3)):
        with pytest.raises(SystemExit) as left, report_errors():
            raise leaving
        assert left.value.code == code


def test_ctrl_c_is_told_of_whichever_command_it_meets(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    app = typer.Typer()

    @app.command()
    def work(*, said: bool = False) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            if said:
                raise typer.Exit(INTERRUPTED) from None
            raise

    for given, told in (([], "troupe: stopped\n"), (["--said"], "")):
        monkeypatch.setattr("sys.argv", ["troupe", *given])
        with pytest.raises(SystemExit) as left, report_errors():
            app()
        assert (left.value.code, capsys.readouterr().err) == (INTERRUPTED, told)


def test_on_a_terminal_a_sentence_is_broken_between_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with pytest.raises(SystemExit), report_errors():
        raise BadArgument("--seat", "3=rehearsal:stubborn", "there are two seats")
    said = capsys.readouterr().err.splitlines()
    assert len(said) > 1
    assert "rehearsal:stubborn" in " ".join(said), "no word is broken"
