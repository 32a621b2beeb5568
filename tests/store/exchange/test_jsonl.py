"""Runs and episodes as JSON lines: out and in again without loss, or not in at all."""

import json
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from events.base import Envelope, replace
from events.episode import EpisodeForked
from events.evaluation import Scored
from store.id_lookup import UnknownId
from store.jsonl.export_import import RefusedFile, export_episode, export_run, import_file
from store.log.event_store import ANY, NEW, EventStore
from store.log.imported_events import STREAM as IMPORTS
from store.open_store import open_store
from store.read_model import queries
from store.read_model.episode_history import lineage, read_history
from tests.store.histories import (
    call,
    evaluate,
    fork,
    planned,
    play,
    started,
    turn,
    whole_run,
)
from tests.support.builders import started as social_started

POSTGRESQL_LATER = pytest.mark.parametrize(
    "store_url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True
)
"""For files that are refused for what they hold, whatever the store."""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[EventStore]:
    """Another store, where runs come from."""
    store = open_store(f"sqlite:///{tmp_path}/elsewhere.db", durable=False)
    yield store
    store.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "exported.jsonl"


def everything(store: EventStore) -> dict[tuple[str, int], Envelope]:
    """All envelopes, but for their positions, which differ from store to store."""
    return {
        (envelope.stream, envelope.version): msgspec.structs.replace(envelope, position=0)
        for envelope in store.read_all(limit=100_000)
        if envelope.stream != IMPORTS
    }


def rewrite(file: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Change the lines of a file and give it the checksum that goes with them."""
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    change(lines)
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines[:-1])
    last = {"count": len(lines) - 2, "blake2b": blake2b(body, digest_size=32).hexdigest()}
    file.write_bytes(body + json.dumps(last).encode() + b"\n")


def refused(store: EventStore, file: Path) -> RefusedFile:
    """The refusal of a file, which leaves the store as it was."""
    head = store.head()
    with pytest.raises(RefusedFile) as refusal:
        import_file(store, file)
    assert store.head() == head
    assert str(file) in str(refusal.value)
    assert "\n" not in str(refusal.value)
    return refusal.value


def test_a_run_arrives_as_it_left(store, elsewhere, file):
    whole_run(elsewhere)
    count = export_run(elsewhere, "r1", file)
    imported = import_file(store, file)
    assert imported == ("run", "r1", count, count)
    assert everything(store) == everything(elsewhere)
    assert queries.runs(store) == queries.runs(elsewhere)
    assert queries.episodes(store) == queries.episodes(elsewhere)
    assert queries.scores(store) == queries.scores(elsewhere)
    assert queries.calls(store) == queries.calls(elsewhere)
    assert queries.spent(store, "r1") == queries.spent(elsewhere, "r1")
    assert lineage(store, "e1") == lineage(elsewhere, "e1")


def test_importing_twice_changes_nothing(store, elsewhere, file):
    whole_run(elsewhere)
    count = export_run(elsewhere, "r1", file)
    import_file(store, file)
    head = store.head()
    assert import_file(store, file) == ("run", "r1", count, 0)
    assert store.head() == head


def test_what_happened_since_the_last_import_is_added(store, elsewhere, file):
    elsewhere.append("run-r1", NEW, [planned("e1")], correlation="r1")
    elsewhere.append("episode-e1", NEW, [started("r1")])
    export_run(elsewhere, "r1", file)
    import_file(store, file)
    elsewhere.append("episode-e1", 0, turn(1))
    play(elsewhere, "e2", run="r1", turns=1)
    export_run(elsewhere, "r1", file)
    assert import_file(store, file) == ("run", "r1", 8, 6)
    assert everything(store) == everything(elsewhere)


def test_exporting_the_same_again_writes_the_same_file(elsewhere, tmp_path):
    whole_run(elsewhere)
    export_run(elsewhere, "r1", tmp_path / "a.jsonl")
    export_run(elsewhere, "r1", tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_both_backends_write_what_both_can_read(store, elsewhere, file):
    whole_run(store)
    export_run(store, "r1", file)
    import_file(elsewhere, file)
    assert everything(elsewhere) == everything(store)


def test_an_episode_brings_its_past_its_agents_and_its_evaluations(store, elsewhere, file):
    whole_run(elsewhere)
    export_episode(elsewhere, "e1ff", file)
    assert import_file(store, file).of == "episode"
    assert {stream for stream, _ in everything(store)} == {
        *("episode-e1", "agent-e1.0", "agent-e1.1", "evaluation-v1", "evaluation-v2"),
        *("episode-e1f", "evaluation-v3"),
        "episode-e1ff",
    }
    told = [n.event for n in read_history(elsewhere, "e1ff")]
    assert [n.event for n in read_history(store, "e1ff")] == told


def test_a_run_brings_the_parents_of_its_forks_from_other_runs(store, elsewhere, file):
    play(elsewhere, "e1", run="r0")
    elsewhere.append("run-r1", NEW, [planned()], correlation="r1")
    fork(elsewhere, "e1", 4, "f1", run="r1")
    export_run(elsewhere, "r1", file)
    import_file(store, file)
    assert len(read_history(store, "f1")) == 6
    assert [row.id for row in queries.episodes(store, run="r1")] == ["f1"]


def test_a_run_does_not_bring_what_is_not_its_own(store, elsewhere, file):
    whole_run(elsewhere)
    play(elsewhere, "e8", run="r2")
    evaluate(elsewhere, "v8", "e8", run="r2")
    call(elsewhere, "e8", run="r2")
    export_run(elsewhere, "r1", file)
    import_file(store, file)
    assert not [stream for stream, _ in everything(store) if "8" in stream]


def test_numbers_that_json_does_not_know_survive(store, elsewhere, file):
    whole_run(elsewhere)
    odd = [
        Scored(seat=0, dimension="goal", value=value)
        for value in (float("nan"), float("inf"), -0.0, 1e300, 5.0, 0.1 + 0.2)
    ]
    elsewhere.append("evaluation-v1", ANY, odd, correlation="r1")
    export_run(elsewhere, "r1", file)
    import_file(store, file)
    assert everything(store) == everything(elsewhere)


@settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives(store, elsewhere, file, text):
    number = elsewhere.head()
    said = replace(started(), tags=(text,))
    elsewhere.append(f"episode-t{number}", NEW, [said])
    export_episode(elsewhere, f"t{number}", file)
    import_file(store, file)
    assert read_history(store, f"t{number}")[0].event == said


def test_every_event_is_readable_in_the_file(elsewhere, file):
    # A map of 15 fields is written by msgpack in two ways, by the kind of value it comes from.
    elsewhere.append("episode-s1", NEW, [social_started()])
    export_episode(elsewhere, "s1", file)
    _, line, _ = file.read_bytes().splitlines()
    assert json.loads(line)["event"]["setup"]["cast"][0]["first_name"] == "Ada"


def test_what_was_exported_is_no_change_where_it_came_from(store, elsewhere, file):
    elsewhere.append("episode-s1", NEW, [social_started()])
    export_episode(elsewhere, "s1", file)
    assert import_file(elsewhere, file).stored == 0
    import_file(store, file)
    export_episode(store, "s1", file)
    assert import_file(elsewhere, file).stored == 0
    assert import_file(store, file).stored == 0


def test_an_export_of_something_unknown_leaves_no_file(store, file):
    with pytest.raises(UnknownId):
        export_run(store, "r1", file)
    assert list(file.parent.glob("*.jsonl*")) == []


def test_an_export_that_is_interrupted_leaves_what_was_there(elsewhere, file, monkeypatch):
    whole_run(elsewhere)
    export_run(elsewhere, "r1", file)
    before = file.read_bytes()
    play(elsewhere, "e3", run="r1")
    read, left = elsewhere.read, [5]

    def read_some(stream: str) -> list[Envelope]:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return read(stream)

    monkeypatch.setattr(elsewhere, "read", read_some)
    with pytest.raises(KeyboardInterrupt):
        export_run(elsewhere, "r1", file)
    assert [path.name for path in file.parent.glob("*.jsonl*")] == [file.name]
    assert file.read_bytes() == before


# ------------------------------------------------------------------ refusals


@pytest.fixture
def exported(elsewhere: EventStore, file: Path) -> Path:
    whole_run(elsewhere)
    export_run(elsewhere, "r1", file)
    return file


def test_a_file_cut_anywhere_is_refused(store, exported):
    whole = exported.read_bytes()
    lines = whole.count(b"\n")
    for length in (*range(0, len(whole) - 1, 997), len(whole) - 2):
        exported.write_bytes(whole[:length])
        error = refused(store, exported)
        assert 0 <= error.line <= lines


def test_a_file_without_its_last_line_was_cut_short(store, exported):
    lines = exported.read_bytes().splitlines(keepends=True)
    exported.write_bytes(b"".join(lines[:-1]))
    error = refused(store, exported)
    assert error.line == len(lines) - 1
    assert "cut short" in error.why


def test_a_changed_byte_is_noticed_wherever_it_is(store, exported):
    whole = exported.read_bytes()
    # The line break at the very end may go: nothing is lost with it.
    for place in range(0, len(whole) - 1, 499):
        changed = bytearray(whole)
        changed[place] ^= 0x01
        exported.write_bytes(changed)
        refused(store, exported)


def test_a_missing_line_in_the_middle_is_noticed(store, exported):
    lines = exported.read_bytes().splitlines(keepends=True)
    # Between its line and the next of its stream: the versions tell at once.
    exported.write_bytes(b"".join(lines[:5] + lines[6:]))
    assert refused(store, exported).line == 6
    # The last event of the file: only the checksum can tell.
    exported.write_bytes(b"".join(lines[:-2] + lines[-1:]))
    error = refused(store, exported)
    assert (error.line, "was altered" in error.why) == (len(lines) - 1, True)


def test_lines_after_the_checksum_are_refused(store, exported):
    with exported.open("ab") as more:
        more.write(b"{}\n")
    assert refused(store, exported).line == len(exported.read_bytes().splitlines()) - 1


def test_another_version_of_the_format_is_refused_by_name(store, exported):
    rewrite(exported, lambda lines: lines[0].update(version=2))
    error = refused(store, exported)
    assert error.line == 1
    assert "version 2 of the format, but this version of Troupe reads version 1" in error.why


@POSTGRESQL_LATER
@pytest.mark.parametrize("content", [b"hello\n", b"{}\n", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_something_else_than_an_export_is_refused(store, file, content):
    file.write_bytes(content)
    assert "must be the header of a troupe-events file" in refused(store, file).why


def test_an_empty_or_missing_file_is_refused(store, file):
    assert "No such file" in refused(store, file).why
    file.write_bytes(b"")
    assert refused(store, file).why == "it is empty"
    file.unlink()
    file.mkdir()
    assert "Is a directory" in refused(store, file).why


@POSTGRESQL_LATER
@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"tag": "EpisodeImagined"}, "the tag is unknown"),
        ({"tag": "RunPaused", "schema": 1}, "its tag is RunPaused but its event is a RunPlanned"),
        ({"schema": 9}, "schemas up to 2"),
        ({"version": 1}, "needs its version 0 here, not 1"),
        ({"version": -1}, "`$.version`"),
        ({"position": 0}, "`$.position`"),
        ({"position": 2**70}, "position"),
        ({"event_id": "x"}, "`$.event_id`"),
        ({"stream": "run-../../etc"}, "`$.stream`"),
        ({"stream": "catalog-starter"}, "`$.stream`"),
        ({"stream": "episode-r1"}, "cannot hold a RunPlanned"),
        ({"correlation": "a\0b"}, "`$.correlation`"),
        ({"recorded_at": "now"}, "`$.recorded_at`"),
        ({"event": None}, "`$.event`"),
        ({"event": {"type": "RunPlanned"}}, "missing required field `plan`"),
        ({"payload": "AAAA"}, "either an event or a payload"),
        ({"extra": 1}, "unknown field `extra`"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused_by_its_number(store, exported, changes, why):
    rewrite(exported, lambda lines: lines[1].update(changes))
    error = refused(store, exported)
    assert error.line == 2
    assert why in error.why


def test_a_line_nested_without_end_is_refused(store, exported):
    lines = exported.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"event":{', b'"event":{"deep":' + b"[" * 100_000, 1)
    exported.write_bytes(b"".join(lines))
    assert refused(store, exported).line == 2


def test_a_stream_out_of_order_is_refused(store, exported):
    def swap(lines: list[dict[str, Any]]) -> None:
        lines[3]["position"], lines[4]["position"] = lines[4]["position"], lines[3]["position"]

    rewrite(exported, swap)
    error = refused(store, exported)
    assert (error.line, "its position must be above" in error.why) == (5, True)


def test_a_fork_without_its_parent_is_refused(store, exported):
    def orphan(lines: list[dict[str, Any]]) -> None:
        lines[0] |= {"of": "episode", "id": "e1f"}
        lines[1:-1] = [line for line in lines[1:-1] if line["stream"] == "episode-e1f"]

    rewrite(exported, orphan)
    error = refused(store, exported)
    assert (error.line, "'e1' it was forked from is neither" in error.why) == (2, True)


Line = dict[str, Any]


def of_stream(lines: list[Line], stream: str) -> list[Line]:
    return [line for line in lines if line.get("stream") == stream]


def of_two_runs(lines: list[Line]) -> None:
    of_stream(lines, "episode-e1")[2]["correlation"] = "r2"


def of_no_run(lines: list[Line]) -> None:
    of_stream(lines, "episode-e1")[2]["correlation"] = ""


def run_of_another_run(lines: list[Line]) -> None:
    for line in of_stream(lines, "run-r1"):
        line["correlation"] = "r2"


def nested_deeply(lines: list[Line]) -> None:
    setup = of_stream(lines, "episode-e1")[0]["event"]["setup"]
    setup["unknown"] = json.loads("[" * 100 + "]" * 100)


def forked(**changes: Any) -> Callable[[list[Line]], None]:
    def change(lines: list[Line]) -> None:
        of_stream(lines, "episode-e1f")[0]["event"].update(changes)

    change.__name__ = "-".join(f"{name}-{value}" for name, value in changes.items())
    return change


def forked_later(lines: list[Line]) -> None:
    fork = of_stream(lines, "episode-e1f")[0]
    of_stream(lines, "episode-e1")[3].update({key: fork[key] for key in ("tag", "schema", "event")})


def planned_as(id_: str) -> Callable[[list[Line]], None]:
    """A report has a file for each episode, and tables count it with the run that plans it."""

    def change(lines: list[Line]) -> None:
        of_stream(lines, "run-r1")[0]["event"]["episodes"][0]["id"] = id_

    change.__name__ = f"planned-{id_}"
    return change


def of_chain_outside(lines: list[Line]) -> None:
    of_stream(lines, "episode-e1")[0]["event"]["chain"] = "../../outside"


def not_planned(lines: list[Line]) -> None:
    [first] = of_stream(lines, "run-r1")
    first.update(tag="RunPaused", schema=1, event={"type": "RunPaused", "reason": "stopped"})


def of_nothing(lines: list[Line]) -> None:
    lines[0]["id"] = "r9"


def superseding(lines: list[Line]) -> None:
    ended = next(line for line in lines if line.get("tag") == "EvaluationEnded")
    ended["event"]["supersedes"] = "v9"


@POSTGRESQL_LATER
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (of_two_runs, "is correlated to 'r2', but the stream's first event to 'r1'"),
        (of_no_run, "is correlated to '', but the stream's first event to 'r1'"),
        (run_of_another_run, "must be correlated to the run itself, not to 'r2'"),
        (nested_deeply, "nested more than 64 deep"),
        (forked(at=-1), "whose numbers go from 0 to"),
        (forked(at=2**63), "whose numbers go from 0 to"),
        (forked(parent="e1ff", at=0), "is itself a fork of it"),
        (forked(parent="e1f", at=0), "is itself a fork of it"),
        (forked(parent="a\0b"), "can be nobody's id"),
        (forked_later, "is a fork from its first event on, or not at all"),
        (planned_as("../../outside"), "'../../outside' can be nobody's id"),
        (planned_as("efork"), "which is of no run"),
        (of_chain_outside, "'../../outside' can be nobody's id"),
        (not_planned, "a run's stream begins with RunPlanned"),
        (of_nothing, "holds nothing of the run that it is said to be of"),
        (superseding, "takes the place of evaluation 'v9', which it does not better"),
    ],
)
def test_what_would_never_be_sound_again_is_refused(store, exported, change, why):
    play(store, "efork")
    rewrite(exported, change)
    assert why in refused(store, exported).why


def test_what_is_added_to_a_stream_belongs_to_its_run(store, elsewhere, file):
    for there, run in ((store, "r1"), (elsewhere, "r2")):
        ids = ["0" * 31 + "1"]
        there.append("episode-e1", NEW, [started()], correlation=run, event_ids=ids)
    elsewhere.append("episode-e1", 0, turn(1), correlation="r2")
    export_episode(elsewhere, "e1", file)
    refused(store, file)
    rewrite(file, lambda lines: lines[1].update(correlation="r1"))
    assert "correlated to 'r2', but the stream's first event to 'r1'" in refused(store, file).why


def test_numbers_that_no_database_takes_are_read_all_the_same(store):
    whole_run(store)
    for number in (2**63, 2**64 - 1):
        forked = EpisodeForked(parent="e1", at=number, minds=())
        store.append(f"episode-f{number}", NEW, [forked])
    store.append("episode-f0", NEW, [EpisodeForked(parent="a\0b", at=0, minds=())])
    assert sum(row.parent is not None for row in queries.episodes(store)) == 5


def test_a_stream_that_is_here_with_another_history_is_refused(store, exported):
    play(store, "e2", run="r1")
    error = refused(store, exported)
    line = json.loads(exported.read_bytes().splitlines()[error.line - 1])
    assert (line["stream"], line["version"]) == ("episode-e2", 0)


def test_an_event_id_used_twice_is_refused(store, exported):
    rewrite(exported, lambda lines: lines[5].update(event_id=lines[1]["event_id"]))
    assert refused(store, exported).line == 6


@settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_no_garbage_gets_in(store, elsewhere, file, data):
    if elsewhere.head() == 0:
        whole_run(elsewhere)
    export_run(elsewhere, "r1", file)
    lines = file.read_bytes().splitlines(keepends=True)
    where = data.draw(st.integers(0, len(lines) - 1))
    lines[where] = data.draw(st.binary(max_size=200)) + b"\n"
    file.write_bytes(b"".join(lines))
    refused(store, file)
