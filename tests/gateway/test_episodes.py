"""Looking at episodes, and forking them, from the command line."""

import json

import pytest

from actors.social.setup import EpisodeRules
from events.episode import ActionTaken, EpisodeEnded, EpisodeFailed, EpisodeReopened
from store.log.event_store import NEW
from tests.gateway.command import Desk
from tests.support.builders import act, opened, started
from tests.support.builders import episode as episode_of


def test_an_episode_reads_from_who_they_are_to_why_they_were_scored_so(
    played: Desk, episode: str
) -> None:
    said = played.does("show", episode[:7])
    assert f"Episode {episode}" in said.out
    assert "played by generous" in said.out
    assert "wants" in said.out
    assert "hides" in said.out
    assert "ended after turn" in said.out
    for judge in ("rehearsal-lenient", "rehearsal-strict"):
        for seat in (1, 2):
            assert f"Scores by {judge}: seat {seat}," in said.out
    order = [said.out.index(f" {name} ") for name in ("Goal", "Believability", "Knowledge")]
    assert order == sorted(order)


def test_a_seat_is_shown_nothing_that_is_anothers(played: Desk, episode: str) -> None:
    whole = played.does("show", episode, "--json").json
    other = whole["view"]["profiles"][1]
    told = played.does("show", episode, "--as", "1", "--json")
    assert told.json["scores"] == []
    assert other["secret"] not in told.out
    assert other["goal"] not in told.out
    assert whole["episode"]["scenario"]
    assert told.json["episode"]["scenario"] == "", "a scenario's name can give a goal away"
    assert "stubborn" not in told.out, "nor does it say what plays the other"
    for arguments in (["show", episode], ["replay", episode], ["watch", episode]):
        printed = " ".join(played.does(*arguments, "--as", "1").out.split())
        assert other["secret"] not in printed
        assert other["goal"] not in printed
        assert "stubborn" not in printed


def test_a_spectator_sees_no_goals_and_no_secrets(played: Desk, episode: str) -> None:
    told = played.does("show", episode, "--as", "spectator", "--json").json
    for profile in told["view"]["profiles"]:
        assert profile.get("secret") is None
        assert profile.get("goal") is None


def test_a_replay_shows_the_state_and_no_more_than_had_happened(played: Desk, episode: str) -> None:
    told = played.does("replay", episode, "--at", "3", "--json").json
    assert (told["at"], told["state"]["turn"], told["state"]["waiting"]) == (3, 2, [1])
    assert [line["number"] for line in told["view"]["lines"]] == [2]
    assert "State: turn 2, waiting for seat 2." in played.does("replay", episode, "--at", "3").out
    end = played.does("replay", episode, "--json").json
    assert end["at"] == end["last"]
    assert "State: ended after turn" in played.does("replay", episode).out
    assert "events" not in played.does("replay", episode, "--as", "2").out


def test_a_fork_goes_on_with_other_minds_and_leaves_its_parent_alone(
    played: Desk, run: str, episode: str
) -> None:
    before = played.does("show", episode, "--json").json
    seats = ["--seat", "1=rehearsal:wily", "--seat", "2=generous"]
    fork = played.does("fork", episode, "--at", "5", *seats, "--json").json
    row = fork["episode"]
    assert (row["parent"], row["forked_at"], row["status"]) == (episode, 5, "ended")
    assert row["minds"] == ["wily", "generous"]
    shared = [line for line in before["view"]["lines"] if line["number"] <= 5]
    assert fork["view"]["lines"][: len(shared)] == shared
    assert played.does("show", episode, "--json").json == before
    assert len(played.does("show", run, "--json").json["episodes"]) == 8, "a fork is of no run"

    second = played.does("fork", row["id"], "--at", "9", "--json").json["episode"]["id"]
    tree = played.does("lineage", second).out
    assert tree.index(episode) < tree.index(row["id"]) < tree.index(second)
    assert tree.count("→") == 1
    assert f"→ {second}" in tree
    root = played.does("lineage", episode, "--json").json
    assert root["forks"][0]["forks"][0]["episode"]["id"] == second


def test_a_fork_says_what_it_is_and_what_to_type_next(played: Desk, episode: str) -> None:
    said = played.does("fork", episode, "--at", "5")
    assert f"of {episode} after event 5" in said.err
    assert f"forked from {episode} after event 5" in said.out
    assert "troupe lineage e" in said.out


def test_a_fork_whose_model_cannot_be_asked_is_not_announced(
    played: Desk, episode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    head = played.head()
    said = played.says("fork", episode, "--at", "2", "--seat", "1=openai/gpt-4o-mini", "--yes")
    assert said.code == 3
    assert "OPENAI_API_KEY" in said.err
    assert "Fork " not in said.err
    assert played.head() == head


def test_a_transcript_of_a_fork_marks_where_the_shared_past_ends(
    played: Desk, episode: str
) -> None:
    seat = ("--seat", "2=rehearsal:guarded")
    fork = played.does("fork", episode, "--at", "5", *seat, "--json").json
    (mark,) = fork["forks"]
    assert (mark["number"], mark["parent"], mark["minds"][0][0]) == (6, episode, 1)
    told = f"— from here on: fork of {episode}, seat 2 now rehearsal:guarded —"
    for command in ("show", "watch", "replay"):
        said = " ".join(played.does(command, fork["episode"]["id"]).out.split())
        before, after = said.split(told)
        assert ("#4 " in before, "#7 " in after) == (True, True)
    seen = " ".join(played.does("show", fork["episode"]["id"], "--as", "1").out.split())
    assert f"— from here on: fork of {episode} —" in seen, "who plays is for the narrator"


def test_a_fork_is_held_beside_its_parent_and_beside_another(played: Desk, episode: str) -> None:
    def fork(*seats: str) -> str:
        return played.does("fork", episode, "--at", "5", *seats, "--json").json["episode"]["id"]

    other, same = fork("--seat", "1=rehearsal:stubborn"), fork()
    played.does("score", other, "--judge", "rehearsal-strict")
    found = played.does("diff", other, "--json").json
    assert (found["first"]["id"], found["differences"]["shared"]) == (episode, 5)
    goal = next(row for row in found["scores"] if (row["dimension"], row["seat"]) == ("goal", 1))
    assert None not in goal["values"]
    assert {row["judge"] for row in found["scores"]} == {"rehearsal-strict"}

    said = played.does("diff", other).out
    assert "rehearsal:generous → rehearsal:stubborn" in said
    assert said.index("events 0–5 shared") < said.index("as it was") < said.index("the fork: ")
    assert "#4 " not in said, "what is shared is not told again"
    apart = next(turn for turn in found["differences"]["turns"] if not turn["same"])
    for side, entries in zip(said.split("the fork: "), apart["entries"], strict=True):
        assert f"#{entries[0]['number']} " in side
    played.width(120)
    wide = played.does("diff", other).out
    titles = next(line for line in wide.splitlines() if "as it was" in line)
    assert "the fork: " in titles, "side by side"

    assert "the same to the end" in played.does("diff", same).out
    assert played.does("diff", same, other, "--json").json["differences"]["shared"] == 5
    assert "is no fork" in played.says("diff", episode).err


def test_repeated_forks_differ_in_their_seeds_alone_and_are_held_beside_the_parent(
    played: Desk, episode: str
) -> None:
    how = ("--at", "5", "--seat", "2=rehearsal:guarded", "--repeats", "3")
    found = played.does("fork", episode, *how, "-j", "rehearsal-strict", "--json").json
    ids = [row["id"] for row in found["forks"]]
    lines = {
        str([line["text"] for line in played.does("show", id_, "--json").json["view"]["lines"]])
        for id_ in ids
    }
    assert len(lines) > 1
    goal = next(row for row in found["scores"] if row["dimension"] == "goal")
    assert goal["values"][0] is not None, "the parent's"
    assert goal["repeats"]["n"] == 3
    assert set(played.does("diff", ids[1], "--json").json["repeats"]) == set(ids)
    between = played.does("diff", ids[1], ids[0], "--json").json
    assert between["repeats"] == []
    assert {score.get("repeats") for score in between["scores"]} == {None}

    again = played.does("fork", episode, *how[:-1], "2", "-j", "rehearsal-strict")
    assert "mean of 2" in again.out
    table = played.does("diff", ids[0], "--format", "csv").out
    assert "mean of 5 forks_low,mean of 5 forks_high" in table
    assert table.count("\nGoal,") == 2, "a table a seat"
    assert "Forks of" in again.out
    seeds = {
        mind["seed"]
        for id_ in played.does("diff", ids[0], "--json").json["repeats"]
        for _, mind in played.does("show", id_, "--json").json["forks"][0]["minds"]
    }
    assert len(seeds) == 2 * 5, "each seat of each fork has a seed of its own"


def test_what_has_no_chance_is_not_repeated(played: Desk, episode: str) -> None:
    seats = [word for seat in "12" for word in ("--seat", f"{seat}=recorded:{episode}")]
    said = played.says("fork", episode, "--at", "5", *seats, "--repeats", "3")
    assert (said.code, "nothing differs from fork to fork" in said.err) == (1, True)


def test_watching_an_episode_that_is_over_prints_it_once(played: Desk, episode: str) -> None:
    view = played.does("show", episode, "--json").json["view"]
    said = played.does("watch", episode)
    assert said.out.count("#") == len(view["lines"])
    assert "ended after turn" in said.out


def test_watching_one_that_was_given_up_and_reopened_goes_on_to_its_end(desk: Desk) -> None:
    events = episode_of(started(), [(0, "Here I am."), (1, "So am I.")], end=None)
    store = desk.open()
    store.append(
        "episode-e1",
        NEW,
        [
            *events[:3],
            EpisodeFailed(reason="no memory left", attempts=3),
            EpisodeReopened(),
            *events[3:],
            EpisodeEnded(reason="left", turn=2),
        ],
    )
    store.close()
    lines = [json.loads(line) for line in desk.does("watch", "e1", "--json").out.splitlines()]
    assert [line.get("text") for line in lines] == ["Here I am.", "So am I.", None]
    assert lines[-1] == {"ended": "left", "turn": 2}
    assert "ended after turn 2: fewer than two were left" in desk.does("watch", "e1").out


def test_who_watches_a_turn_of_all_at_once_misses_nobody(desk: Desk) -> None:
    first = started(rules=EpisodeRules(order="simultaneous", turn_cap=1))
    taken = [ActionTaken(turn=1, seat=seat, action=act("speak", "Hello.")) for seat in (1, 0)]
    store = desk.open()
    ended = EpisodeEnded(reason="turn_cap", turn=1)
    store.append("episode-e1", NEW, [first, opened(1, (0, 1)), *taken, ended])
    store.close()
    for seat in ("1", "2"):
        said = desk.does("watch", "e1", "--as", seat, "--json").out.splitlines()
        assert sorted(json.loads(line)["seat"] for line in said[:-1]) == [0, 1]
