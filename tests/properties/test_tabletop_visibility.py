"""At a table nobody is told what another seat alone knows: no key point before it is uttered, no
intention and no answer ever; not in a prompt, a frame of the socket, a form, a transcript or an
export, and no guess of a virtual game master in anything."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.port.sight import Viewer
from actors.episodes.registry import environments, game_of
from actors.episodes.rules.decide import INITIAL, Start
from actors.tabletop.setup import AskLearned, Move, Played, Recalled, Session, Settings
from evaluators.tabletop.stage_guesses import TITLE, guesses_of
from events.base import Event, replace
from events.episode import ActionTaken, EpisodeStarted
from events.wire.messages import Observation, Posed
from gateway.pages.stage.stage_page import address_of
from gateway.services.episodes.episode_details import episode_details, replay_details
from gateway.services.viewers.event_frames import FrameBuilder, scene_of
from gateway.services.viewers.packed_frames import packed
from gateway.services.viewers.posed_question import posed_question
from gateway.services.viewers.viewer_frames import ViewerFrames
from store.log.event_store import NEW
from store.open_store import open_store
from tests.properties.test_every_environment import Line, beginning, play_on

TABLETOP = next(one for one in environments() if one.name == "tabletop")
PRIVATE = ("background", "alignment", "ideal", "bond", "flaw", "description")
"""What of a sheet its player alone knows, as far as it is text."""
_json = msgspec.json.Encoder(enc_hook=str).encode


@st.composite
def sessions(draw: st.DrawFn) -> Line:
    """A session of either kind, short enough to come to its questions, played for a while."""
    kind = draw(st.sampled_from(("exchange", "exchange-three", "intention", "intention-three")))
    started = beginning(TABLETOP, f"{kind}-{draw(st.integers(1, 50))}", draw(st.integers(0, 99)))
    chosen = Settings(
        turns=draw(st.integers(1, 9)),
        baseline=draw(st.booleans()),
        wording=draw(st.sampled_from(("named", "hidden"))),
    )
    assert isinstance(started.setup, Session)
    hidden = tuple(
        one and replace(one, text=f"secretly wants number {seat}")
        for seat, one in enumerate(started.setup.intentions)
    )
    characters = tuple(
        replace(one, **{field: f"«{field} of {seat}»" for field in PRIVATE})
        for seat, one in enumerate(started.setup.characters)
    )
    setup = replace(started.setup, settings=chosen, intentions=hidden, characters=characters)
    line = Line(replace(started, setup=setup), [], [INITIAL])
    line.do(Start(started=line.started))
    play_on(draw, TABLETOP, line, draw(st.integers(0, 20)))
    return line


def private(history: Sequence[Event], viewer: Viewer) -> Iterator[str]:
    """What the viewer may not be told after these events."""
    started = history[0]
    assert isinstance(started, EpisodeStarted)
    session: Session = started.setup
    said = " ".join(
        f"{event.action.text} {event.action.deed}"
        for event in history
        if isinstance(event, ActionTaken) and isinstance(event.action, Played)
    )
    if session.sheet is not None and viewer != session.players:
        yield from (point.text for point in session.sheet.points if point.text not in said)
    for seat, intention in enumerate(session.intentions):
        if intention is not None and seat != viewer:
            yield intention.text
    for seat, one in enumerate(session.characters):
        if seat != viewer:
            yield from (getattr(one, field) for field in PRIVATE)
    answers = [
        (event.seat, event.action.text)
        for event in history
        if isinstance(event, ActionTaken) and isinstance(event.action, Recalled)
    ]
    own = " ".join([said, *(text for seat, text in answers if seat == viewer)])
    yield from (text for seat, text in answers if seat != viewer and text not in own)


def sent(history: Sequence[Event], viewer: Viewer) -> Iterator[object]:
    """Everything that a viewer is sent over the socket, by page or with an export."""
    started = history[0]
    assert isinstance(started, EpisodeStarted)
    game = game_of(started)
    scene = scene_of(started, viewer)
    teller = FrameBuilder(started, viewer, scene.portraits)
    frames = [teller.tell(number, event, number) for number, event in enumerate(history)]
    happened = tuple(frame for frame in frames if frame is not None)
    yield packed(ViewerFrames(viewer=viewer, scene=scene, happened=happened))
    view = game.sight.view(history, viewer)
    yield view
    yield game.words.account(view)


def asked(line: Line, history: Sequence[Event], seat: int) -> Iterator[object]:
    """What a seat is asked, as a model, a remote program and a person are."""
    game, session = line.game, line.started.setup
    background = game.sight.background("e1", line.started, seat, "")
    eyes = game.sight.reducer(line.started, seat)
    news = tuple(notice for pair in enumerate(history) for notice in eyes.apply(*pair))
    questions: list[Any] = [Move(move=1, of=9)]
    if session.kind == "exchange" and seat < session.players:
        questions += [AskLearned(moment=when, topic=session.topic) for when in ("before", "after")]
    for question in questions:
        prompt = game.prompts.writer(background).prompt(question, news, 1)
        yield f"{prompt.system}\n{prompt.user}"
        yield posed_question(game, background, Posed(question=question))
    posed = tuple(Posed(question=one) for one in questions)
    yield Observation(
        episode="e1", seat=seat, turn=1, news=news, background=background, questions=posed
    )


def text_of(shown: object) -> str:
    """Words as they are; anything else as the text that would be sent."""
    return shown if isinstance(shown, str) else _json(shown).decode()


@settings(deadline=None, max_examples=25)
@given(line=sessions())
def test_what_a_seat_alone_knows_is_told_to_nobody_else(line: Line):
    seats = range(len(line.started.minds))
    for length in range(1, len(line.history) + 1, 3):
        history = line.history[:length]
        viewers: tuple[Viewer, ...] = (*seats, "spectator")
        for viewer in viewers:
            whole = [*sent(history, viewer)]
            if isinstance(viewer, int):
                whole += asked(line, history, viewer)
            told = "\n".join(map(text_of, whole))
            for secret in private(history, viewer):
                assert _json(secret).decode().strip('"') not in told
            assert TITLE not in told


@settings(deadline=None, max_examples=25)
@given(line=sessions())
def test_each_is_told_what_it_alone_knows(line: Line):
    """So that the property above is about something."""
    session: Session = line.started.setup
    seats = range(len(line.started.minds))
    for seat in seats:
        told = "\n".join(
            map(text_of, (*sent(line.history, seat), *asked(line, line.history, seat)))
        )
        assert _json(session.characters[seat].description).decode().strip('"') in told
        if session.sheet is not None and seat == session.players:
            assert all(point.text in told for point in session.sheet.points)
        if seat < len(session.intentions) and session.intentions[seat] is not None:
            assert session.intentions[seat].text in told


@settings(deadline=None, max_examples=15)
@given(line=sessions())
def test_a_guess_is_made_of_public_moves_alone(line: Line):
    """So it can give away nothing, and the same moves give the same guess whatever is meant."""
    nowhere = Path("there-is-no-such-folder")
    found = guesses_of(line.history, nowhere)
    assert found is not None
    session: Session = line.started.setup
    bare = replace(
        line.started, setup=replace(session, intentions=(), sheet=None, kind=session.kind)
    )
    public = [bare] + [
        event
        for event in line.history[1:]
        if not (isinstance(event, ActionTaken) and isinstance(event.action, Recalled))
    ]
    again = guesses_of(public, nowhere)
    assert again is not None
    said = [[(line.who, line.what) for line in one.lines] for one in found.guesses]
    assert said == [[(line.who, line.what) for line in one.lines] for one in again.guesses]
    who = {one.name for one in session.characters[: session.players]}
    assert {name for one in said for name, _ in one} <= who


@settings(deadline=None, max_examples=5)
@given(line=sessions())
def test_what_is_printed_and_exported_as_a_seat_holds_to_it(line: Line):
    with TemporaryDirectory() as folder, closing(open_store(f"sqlite:///{folder}/t.db")) as store:
        store.append("episode-e1", NEW, list(line.history))
        viewers: list[Viewer] = [*range(len(line.started.minds)), "spectator"]
        for viewer in viewers:
            name = address_of(viewer)
            shown = (
                episode_details(store, "e1", name),
                replay_details(store, "e1", len(line.history) - 1, name),
            )
            told = "\n".join(map(text_of, shown))
            for secret in private(line.history, viewer):
                assert _json(secret).decode().strip('"') not in told
            assert TITLE not in told
