"""The virtual game master's guesses stand on the stage of researchers, and nowhere else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from actors.tabletop.setup import Played, Settings
from evaluators.tabletop.gap.real_data import own_transcripts
from evaluators.tabletop.stage_guesses import DM_FILE, TITLE, guesses_of
from evaluators.tabletop.virtual_dms.dm_file import LexiconFile, LinearFile, make_dm
from evaluators.tabletop.virtual_dms.lexicon import LexiconDM
from evaluators.tabletop.virtual_dms.saved import _checksum, save
from events.base import replace
from events.episode import ActionTaken, EpisodeStarted
from gateway.http.app import make_app
from store.log.event_store import NEW
from store.open_store import open_store
from tests.actors.tabletop.test_session import played, session
from tests.gateway.served import gateway_over, signed_in

NOWHERE = Path("there-is-no-such-folder")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[tuple[TestClient[Any], Any]]:
    """A server with one session, in which players show plainly what they mean."""
    store = open_store(f"sqlite:///{tmp_path / 'troupe.db'}", durable=False)
    events, _ = played(session("intention-1", Settings(turns=10)), "plain")
    store.append("episode-e1", NEW, events)
    gateway = gateway_over(store, tmp_path / "data")
    yield TestClient(make_app(gateway)), gateway
    store.close()


def test_a_researcher_is_shown_the_guess_at_the_event_that_is_looked_at(world: Any):
    client, gateway = world
    _, researcher = signed_in(gateway, "researcher")
    stage = client.get("/episodes/e1", headers=researcher).text
    assert TITLE in stage
    assert "after turn 10" in stage
    part = client.get("/episodes/e1/guesses?at=4", headers={**researcher, "x-part": "1"}).text
    assert "after turn 2" in part
    assert "<html" not in part
    assert TITLE in client.get("/episodes/e1/guesses", headers=researcher).text
    before = client.get("/episodes/e1/guesses?at=0", headers=researcher).text
    assert "Nothing has happened yet" in before


@pytest.mark.parametrize("role", ["participant", "spectator", "annotator"])
def test_nobody_else_is(world: Any, role: Any):
    client, gateway = world
    seat = 0 if role == "participant" else None
    _, headers = signed_in(gateway, role, episode="e1", seat=seat)
    assert client.get("/episodes/e1/guesses", headers=headers).status_code == 403
    for path in ("/episodes/e1", "/episodes/e1/told", "/seat/e1/1", "/api/episodes/e1"):
        assert TITLE not in client.get(path, headers=headers).text


def test_a_guess_is_compared_with_what_is_meant():
    setup = session("intention-1", Settings(turns=10))
    meant = setup.intentions[0]
    assert meant is not None
    words = "I use Stealth: I sneak, hide and creep quietly through the shadows."
    started = played(setup, "plain")[0][0]
    assert isinstance(started, EpisodeStarted)

    def found(skill: str, **changed: Any) -> str:
        intended = (replace(meant, skill=skill), *setup.intentions[1:])
        event = replace(started, setup=replace(setup, intentions=intended, **changed))
        history = [event, _moved(words)]
        guesses = guesses_of(history, NOWHERE)
        assert guesses is not None
        (line,) = guesses.guesses[-1].lines
        assert (line.seat, line.what) == (0, "Stealth")
        return line.found

    assert found("Stealth") == "right"
    assert found("Arcana") == "partly"
    nobody = replace(started, setup=replace(setup, intentions=(None,) * 4))
    guesses = guesses_of([nobody, _moved(words)], NOWHERE)
    assert guesses is not None
    assert guesses.guesses[-1].lines[0].found == ""


def _moved(words: str) -> ActionTaken[Any]:
    return ActionTaken(turn=1, seat=0, action=Played(text=words))


def test_other_environments_have_nobody_who_guesses():
    assert guesses_of([], NOWHERE) is None


def test_a_file_that_fit_has_written_guesses_in_the_lexicons_place(tmp_path: Path):
    pytest.importorskip("sklearn")
    file = LinearFile(name="own")
    dm = make_dm(file, _nobody)
    samples = own_transcripts().samples[::4]
    dm.fit(samples)
    save(tmp_path / DM_FILE, file, dm, 0)
    events, _ = played(session("intention-1", Settings(turns=10)), "plain")
    guesses = guesses_of(events, tmp_path)
    assert guesses is not None
    assert (guesses.fault, len(guesses.guesses)) == ("", 10)
    assert DM_FILE in guesses.by
    # What is written anew is read anew.
    counting = LexiconDM()
    counting.fit(samples)
    save(tmp_path / DM_FILE, LexiconFile(), counting, 0)
    again = guesses_of(events, tmp_path)
    lexicon = guesses_of(events, NOWHERE)
    assert again is not None
    assert lexicon is not None
    assert again.guesses == lexicon.guesses


TAKES = "the stage takes lexicon and linear"


def sealed(text: str) -> str:
    """A file's text with its checksum."""
    return f'{text[:-1]}, "checksum": "{_checksum(text.encode())}"}}'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{}", "no virtual game master that `troupe tabletop fit` wrote"),
        (
            sealed(
                '{"kind": "llm", "trained_on": "' + "0" * 32 + '", "dm": {"model": "openai/x"}}'
            ),
            TAKES,
        ),
    ],
)
def test_a_file_that_cannot_guess_here_is_named_with_the_reason(
    tmp_path: Path, text: str, why: str
):
    (tmp_path / DM_FILE).write_text(text)
    events, _ = played(session("intention-1", Settings(turns=10)), "plain")
    guesses = guesses_of(events, tmp_path)
    assert guesses is not None
    assert guesses.guesses == ()
    assert why in guesses.fault
    assert guesses.fault.count(DM_FILE) == 1


def _nobody() -> Any:
    raise AssertionError
