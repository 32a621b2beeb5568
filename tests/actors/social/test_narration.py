"""What a narrator tells in a social episode: noticed by those it is for, and nobody's doing."""

from actors.social import render, sight
from actors.social.environment import GAME
from actors.social.prompt_writer import act_prompt
from events.wire.messages import Narrate
from tests.actors.social.table import Game, table

THUNDER = Narrate(text="The lights go out.", by="researcher")


def whispered(seat: int) -> Narrate:
    return Narrate(text="A hand touches your sleeve.", seats=(seat,), by="researcher")


def told(game: Game, seat: int) -> list[str]:
    view = sight.view(game.history, seat)
    return [render.line(line, view.labels) for line in view.lines]


def test_whoever_is_asked_next_reads_it_in_the_prompt():
    game = Game(table())
    game.do(THUNDER)
    game.act(text="Who is there?")
    first = game.state.started
    background = GAME.sight.background("e1", first, 1, "")
    prompt = act_prompt(background, sight.view(game.history, 1).lines, 2)
    assert "Turn 1. [narrator] The lights go out." in prompt.user


def test_it_is_no_turn_and_no_silence():
    game = Game(table(stale_turns=2))
    before = game.state.open
    game.do(THUNDER)
    assert game.state.open == before
    game.act("none")
    game.do(THUNDER)
    game.act("none")
    assert game.state.ended == "stale"


def test_what_is_told_to_one_only_narrator_and_judge_read_too():
    game = Game(table(3))
    game.do(whispered(1))
    assert told(game, 0) == []
    assert told(game, 1)[0].startswith("[narrator, noticed only by Ben Okafor")
    assert sight.view(game.history, "spectator").lines == ()
    account = GAME.words.account(sight.view(game.history, "judge"))
    assert [(one.seat, one.who, one.kind) for one in account.entries] == [
        (None, "The narrator", "narrated")
    ]


def test_where_all_act_at_once_it_is_noticed_when_the_turn_is_closed():
    game = Game(table(order="simultaneous"))
    game.do(THUNDER)
    game.act(seat=0)
    assert told(game, 1) == []
    game.act(seat=1)
    assert told(game, 1)[0] == "[narrator] The lights go out."


def test_who_has_left_notices_nothing_of_it():
    game = Game(table(3))
    game.act("leave", text="")
    game.do(THUNDER)
    assert len(told(game, 0)) == 1
    assert told(game, 1)[-1] == "[narrator] The lights go out."
