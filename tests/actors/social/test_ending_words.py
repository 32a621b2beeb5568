"""How the end of an episode is told."""

from actors.social.environment import SOCIAL


def test_who_sat_in_a_seat_reads_that_their_turns_are_over() -> None:
    assert SOCIAL.ending_for(0, "turn_cap") == "you have had all your turns"
    assert SOCIAL.ending_for("narrator", "turn_cap") == "all turns were taken"
    assert SOCIAL.ending_for(0, "left") == SOCIAL.ending("left") == "fewer than two were left"
