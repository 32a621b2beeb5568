"""How a run stands, from what its row says and who is there."""

import pytest
import typer
from msgspec.structs import replace

from actors.runs.execution.work import Progress
from gateway.cli.play_with_progress import leave_unless_done
from gateway.process.discovery import Carrier
from gateway.services.runs.awaited_seats import AwaitedSeat
from gateway.services.runs.run_status import standing
from gateway.services.runs.stop import BY, FOR_GOOD
from store.read_model.records import RunRow

ROW = RunRow(
    id="r1",
    name="plan",
    catalog="small",
    status="running",
    pause_reason="",
    pause_detail="",
    episodes_planned=8,
    episodes_ended=3,
    episodes_failed=0,
    episodes_marked=0,
    started_at=1,
    ended_at=None,
)
MINE = Carrier(name="pid 7", runs=("r1",))
ANOTHER = Carrier(name="pid 8", runs=("r2",))
SERVER = Carrier(name="pid 9", serves=True)


def paused(reason: str, detail: str = "") -> RunRow:
    return replace(ROW, status="paused", pause_reason=reason, pause_detail=detail)


def awaited(episode: str, seat: int) -> AwaitedSeat:
    return AwaitedSeat(run="r1", episode=episode, seat=seat, mind="m", subject="s", since=1)


@pytest.mark.parametrize(
    ("row", "carriers", "state", "words", "in_the_sentence"),
    [
        (ROW, [ANOTHER, MINE], "running", "running", "pid 7"),
        (ROW, [ANOTHER], "process gone", "its process is gone", "`troupe resume r1`"),
        (ROW, [SERVER], "process gone", "its process is gone", "`troupe resume r1`"),
        (replace(ROW, detached=True), [], "waits for a server", "waits for a server", "serve"),
        (replace(ROW, detached=True), [ANOTHER], "waits for a server", "waits for a server", ""),
        (replace(ROW, detached=True), [SERVER], "is taken up", "is taken up", "pid 9"),
        (replace(ROW, detached=True), [MINE], "running", "running", "pid 7"),
        (paused("budget", "0.50 USD are spent"), [], "paused", "paused (budget)", "0.50 USD"),
        (paused("budget"), [], "paused", "paused (budget)", "--budget-usd"),
        (paused("model", "gpt: 401"), [MINE], "paused", "paused (model)", "gpt: 401"),
        (paused("stopped", "stopped by you"), [], "stopped", "stopped", "`troupe resume r1`"),
        (replace(ROW, status="ended"), [], "ended", "ended", "ended"),
        (replace(ROW, status="ended", stopped=True), [], "ended early", "ended early", "--end"),
        (replace(ROW, imported="EpisodeLog"), [], "ended", "ended", "ended"),
    ],
)
def test_each_way_a_run_may_stand(row, carriers, state, words, in_the_sentence):
    stands = standing(row, carriers)
    assert (stands.state, stands.words) == (state, words)
    assert in_the_sentence in stands.sentence


def test_a_run_all_of_whose_episodes_under_way_wait_for_seats_waits_for_them():
    seats = [awaited("e1", 0), awaited("e2", 0), awaited("e2", 2)]
    stands = standing(ROW, [MINE], seats, playing=2)
    assert (stands.state, stands.seats, stands.waiting) == ("waits for seats", (1, 3), 2)
    assert stands.words == "waits for seats 1, 3 (2 episodes)"
    one = standing(ROW, [MINE], [awaited("e1", 0)], playing=1)
    assert one.words == "waits for seat 1 (1 episode)"


def test_a_run_of_which_other_episodes_go_on_is_running_and_says_what_waits():
    stands = standing(ROW, [MINE], [awaited("e1", 1)], playing=4)
    assert (stands.state, stands.waiting) == ("running", 1)
    assert "waits for seat 2 (1 episode of 4 under way)" in stands.sentence


def test_nobody_waits_for_seats_of_a_run_that_nobody_carries_out():
    assert standing(ROW, [], [awaited("e1", 0)], playing=1).state == "process gone"


def test_who_is_ended_for_good_is_not_told_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    for why, told in ((BY, True), (FOR_GOOD, False)):
        with pytest.raises(typer.Exit) as left:
            leave_unless_done(Progress(episodes=2, paused=why, pause_reason="stopped"), "go on")
        assert left.value.exit_code == 130
        said = capsys.readouterr().err
        assert (". Go on\n" in said) is told, "it is a sentence of its own"
