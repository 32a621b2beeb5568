"""What the page shows, and to whom."""

import os
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.port.sight import Viewer
from actors.episodes.registry import game_of
from actors.episodes.rules.decide import INITIAL, Start
from actors.social.catalog_items import RelationshipKind
from actors.social.setup import SeatRelationship
from events.episode import EpisodeForked, TurnOpened
from events.evaluation import EvaluationEnded, EvaluationStarted, JudgeSpec, Scored, ScoreFailed
from events.serialization.codec import encode
from gateway.http.guards import Forbidden
from gateway.http.templates import templates
from gateway.pages.stage import routes
from gateway.pages.stage.handlers import as_json, context
from gateway.pages.stage.stage_page import Watched, stage_page, watched
from gateway.services.access.roles import Principal
from gateway.services.access.token_repository import new_principal
from gateway.services.viewers.viewer_frames import StartedEpisode, told_to
from store.log.event_store import NEW, EventStore
from store.open_store import open_store
from store.read_model import queries
from tests.properties.episodes import Played, episodes
from tests.properties.test_every_environment import (
    ENVIRONMENTS,
    Line,
    beginning,
    catalog_of,
    play_on,
)
from tests.properties.test_visibility import (
    ACQUAINTED,
    known_from_the_start,
    marker,
    markers_in,
    may_be_noticed,
)
from tests.support.builders import act, character, episode, mind, numbered, scenario, started

HOSTILE = '</script><img src=x onerror="alert(1)">\u202egnp.exe {{ 7*7 }}'

TAMED = '" onfocus="alert(5)" {{ 7*7 }} & \u2067gnp.exe'
"""Where a catalog's own markup is read."""


@pytest.fixture
def store(tmp_path: Path) -> EventStore:
    return open_store(f"sqlite:///{tmp_path}/troupe.db")


def rendered(store: Any, seen: Watched, **how: Any) -> str:
    """The page's own part of what is sent."""
    routes()
    shown = stage_page(store, seen, at=how.pop("at", None), **how)
    html: str = (
        templates()
        .get_template("stage/stage.html")
        .render(
            principal=seen.principal,
            here="/",
            navigation=[],
            csrf="",
            **context(shown, None),
        )
    )
    own = html[
        html.index('<script type="application/json" id="stage-data"') : html.index("</main>")
    ]
    return re.sub(r"~[0-9a-f]{12}", "~0", own)


def as_seen_by(
    viewer: Viewer, history: list[Any], *, principal: Principal | None = None
) -> Watched:
    """A history that was never stored, through somebody's own eyes."""
    if principal is None:
        role = "spectator" if viewer == "spectator" else "participant"
        seat = viewer if isinstance(viewer, int) else None
        principal = new_principal(role, name="p-abcdefgh", episode="e1", seat=seat)
    row = queries.EpisodeRow(
        id="e1",
        run="r1",
        task="",
        catalog="",
        scenario_id="",
        scenario="«title»",
        characters=(),
        minds=(),
        status="playing",
        turns=0,
        end_reason="",
        failed_actions=0,
        parent=None,
        forked_at=None,
        started_at=0,
        ended_at=None,
    )
    listed = [one._replace(envelope=_at_noon(one.envelope)) for one in numbered(history)]
    return Watched(row, StartedEpisode(history[0], listed), viewer, principal)


def _at_noon(envelope: Any) -> Any:
    return msgspec.structs.replace(envelope, recorded_at=1_700_000_000_000_000)


def sent(viewer: Viewer, history: list[Any]) -> bytes:
    """Every byte that the stage sends to somebody who does not know everything."""
    seen = as_seen_by(viewer, history)
    told = told_to(None, seen.begun, viewer, knows_all=False)  # type: ignore[arg-type]
    return rendered(None, seen).encode() + as_json(told).encode()


def test_a_hostile_episode_is_shown_and_obeyed_in_nothing(store: EventStore):
    cast = (
        character(f"<b>Ada</b> {HOSTILE}", secret=HOSTILE, public_info=HOSTILE),
        character("Ben\u2066\u202e <script>alert(2)</script>", occupation=HOSTILE),
    )
    first = started(
        cast=cast,
        scenario=scenario(codename=HOSTILE, context=TAMED, goals=(TAMED, "Be safe.")),
        relationships=(SeatRelationship(seats=(0, 1), kind=RelationshipKind.FRIEND, story=TAMED),),
        minds=(mind(HOSTILE), mind("cold", temper="stubborn")),
    )
    moves: list[Any] = [
        (0, HOSTILE),
        (1, act("physical", "javascript:alert(3)")),
        (0, act("non_verbal", "\x1b[2J\x00")),
        (1, act("leave", "'\"><svg/onload=alert(4)>")),
    ]
    store.append("episode-ehostile", NEW, episode(first, moves))
    judge = JudgeSpec(name=HOSTILE, kind="model", dimensions=())
    store.append(
        "evaluation-vhostile",
        NEW,
        [
            EvaluationStarted(episode="ehostile", upto=9, judge=judge, judge_hash="h" * 32),
            Scored(
                seat=0,
                dimension="goal",
                value=7,
                reason=HOSTILE,
                evidence=(2,),
                quotes=("<img src=x",),
            ),
            ScoreFailed(seat=1, dimension=HOSTILE, error=HOSTILE, raw=HOSTILE),
            EvaluationEnded(scored=1, failed=1, abstained=0),
        ],
    )
    principal = new_principal("researcher", name="mara")
    html = rendered(store, watched(store, "ehostile", "", principal), lit="1.goal")
    for obeyed in ("<script>", "<img src=x", "<svg/on", "<b>Ada", "\u202e", "\x1b", "\x00"):
        assert obeyed not in html
    assert html.count("</script>") == html.count("<script ") == 1
    assert "<mark>" in html
    golden("hostile", _without_times(html))
    store.close()


def golden(name: str, html: str) -> None:
    """Hold a page to the one that a person has read; ``TROUPE_GOLDEN=write`` writes it anew."""
    path = Path(__file__).parent / "golden" / f"{name}.html"
    if os.environ.get("TROUPE_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(html, encoding="utf-8")
    assert html == path.read_text(encoding="utf-8"), f"read {path.name}, then write it anew"


def _without_times(html: str) -> str:
    html = re.sub(r"<time [^>]*>[^<]*</time>", "<time>", html)
    return re.sub(r'"began":\d+', '"began":0', html)


@ENVIRONMENTS
@settings(max_examples=4)
@given(data=st.data())
def test_who_noticed_the_same_is_sent_the_same_whatever_else_was_done(environment, data):
    """Page and frames of somebody who does not know everything follow from what they noticed and
    from the turns that they may know of: from nothing else, down to the byte."""
    task = data.draw(st.sampled_from(catalog_of(environment.name)[1]))
    first = beginning(environment, task.id, data.draw(st.integers(0, 2**62)))
    public = game_of(first).presentation.turns_are_public or len(first.minds) == 1
    pages: dict[Any, set[bytes]] = defaultdict(set)
    for _ in range(2):
        line = Line(first, [], [INITIAL])
        line.do(Start(started=first))
        play_on(data.draw, environment, line, 8)
        for viewer in (*range(len(first.minds)), "spectator"):
            eyes = game_of(first).sight.reducer(first, viewer)
            noticed: list[Any] = []
            for number, event in enumerate(line.history):
                if found := [_unnumbered(one) for one in eyes.apply(number, event)]:
                    noticed.append(found)
                if isinstance(event, TurnOpened):
                    asked = event.seats if public else [s for s in event.seats if s == viewer]
                    noticed.append((event.turn, tuple(asked)))
            key = (viewer, encode(noticed), line.state.ended)
            shown = sent(viewer, line.history)
            assert b"\xc2\xabmind" not in shown
            assert b"\xc2\xabtitle" not in shown
            pages[key].add(shown)
    assert all(len(different) == 1 for different in pages.values())


def _unnumbered(notice: Any) -> Any:
    return msgspec.structs.replace(notice, number=0)


@settings(max_examples=5)
@given(episodes())
def test_no_byte_of_a_social_stage_holds_what_its_reader_may_not_know(played: Played):
    seats = len(played.started.setup.cast)
    public = {marker("context", 0)}
    public |= {marker(field, seat) for seat in range(seats) for field in ACQUAINTED}
    for viewer in (*range(seats), "spectator"):
        seat = viewer if isinstance(viewer, int) else None
        may = public if seat is None else known_from_the_start(played.started, seat)
        may |= may_be_noticed(played.history, played.state, seat)
        found = markers_in(sent(viewer, list(played.history)).decode())
        assert found <= may


def test_others_eyes_and_other_episodes_are_forbidden(store: EventStore):
    store.append("episode-e1", NEW, episode(started(), [(0, "Hello.")], end=None))
    spectator = new_principal("spectator", episode="e1")
    assert watched(store, "e1", "", spectator).viewer == "spectator"
    for given_, viewer in (("e1", "narrator"), ("e1", "1"), ("e2", ""), ("e", "")):
        with pytest.raises(Forbidden):
            watched(store, given_, viewer, spectator)
    store.close()


def test_a_page_at_an_event_shows_what_was_there_and_leads_on(store: EventStore):
    moves: list[Any] = [(0, "One."), (1, "Two."), (0, act("none"))]
    store.append("episode-e1", NEW, episode(started(), moves))
    store.append("episode-e2", NEW, [EpisodeForked(parent="e1", at=2, minds=started().minds)])
    principal = new_principal("researcher")
    seen = watched(store, "e1", "", principal)
    page = stage_page(store, seen, at=2)
    assert [one.text for one in page.items if one.kind == "entry"] == ["One."]
    assert (page.place, page.count) == (3, 8)
    assert (page.marks.before, page.marks.after) == (1, 3)
    assert page.family is not None
    assert [one.id for one in page.family.branches] == ["e1", "e2"]
    through = stage_page(store, watched(store, "e1", "2", principal), at=2)
    assert [one.text for one in through.items if one.kind == "entry"] == ["One."]
    assert through.seats[0].goal == ""
    store.close()
