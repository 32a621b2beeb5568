"""Nobody sees what their seat may not: every private text is a marker, and markers are looked for
in the bytes of everything that a seat or a spectator is shown."""

import re
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.port.sight import Viewer
from actors.episodes.rules.decide import EpisodeState
from actors.lifelong import prompts as memories
from actors.lifelong.memory.recall import seen_in
from actors.social import prompt_writer, render
from actors.social.catalog.cast_task import CatalogIndex
from actors.social.catalog_items import RelationshipKind
from actors.social.chains.rule_notes import rule_note
from actors.social.formats.catalog_reader import read_published
from actors.social.formats.episode_log_writer import episode_log
from actors.social.render import account
from actors.social.setup import EpisodeRules, SeatRelationship
from actors.social.sight import SocialReducer, background, view
from actors.social.views import SeenAction
from events.base import Event
from events.episode import ActionTaken, EpisodeStarted, TurnOpened
from events.serialization.codec import encode
from tests.properties.episodes import FIELDS, Played, episodes, marker, mind
from tests.properties.published import SOTOPIA, needs_sotopia
from tests.support.builders import social_start
from tests.support.social_episodes import cast_episode

quick = settings(deadline=None)

MARKER = re.compile("«[^»]*»")

# SOTOPIA's rule, written down a second time on purpose, by the codes of the published data.
NAME = {"last_name"}
ACQUAINTED = NAME | {"occupation", "pronouns", "public_info"}
CLOSE = ACQUAINTED | {
    "gender",
    "personality",
    "decision_style",
    "moral",
    "value",
    "trait",
}
RULE: dict[RelationshipKind, set[str]] = {
    RelationshipKind.STRANGER: set(),
    RelationshipKind.KNOWN_BY_NAME: NAME,
    RelationshipKind.ACQUAINTANCE: ACQUAINTED,
    RelationshipKind.FRIEND: CLOSE,
    RelationshipKind.ROMANTIC: CLOSE,
    RelationshipKind.FAMILY: CLOSE,
}
EVERY_FIELD = {*FIELDS, "moral", "value", "trait"}
UNTOLD = {"act-paper-3": {"decision_style", "moral", "value", "trait"}}
"""By prompt, what a character may know of itself and others and is not told by it."""


def text_of(shown: object) -> str:
    """Words as they are; anything else as the bytes that would be sent."""
    return shown if isinstance(shown, str) else encode(shown).decode("utf-8", "replace")


def markers_in(*shown: object) -> set[str]:
    """The markers in some things that are shown."""
    return {found for thing in shown for found in MARKER.findall(text_of(thing))}


def kinds_of(started: EpisodeStarted, seat: int) -> dict[int, RelationshipKind]:
    """How each other seat stands to this one."""
    kinds = dict.fromkeys(range(len(started.setup.cast)), RelationshipKind.STRANGER)
    for tie in started.setup.relationships:
        if seat in tie.seats:
            kinds[sum(tie.seats) - seat] = tie.kind
    del kinds[seat]
    return kinds


def known_from_the_start(started: EpisodeStarted, seat: int) -> set[str]:
    """Exactly the markers that a seat must and may know before the first turn."""
    known = {marker("context", 0), marker("scene", seat)}
    known |= {marker(field, seat) for field in EVERY_FIELD}
    known |= {marker(what, seat) for what in ("goal", "extra", "hint")}
    for other, kind in kinds_of(started, seat).items():
        known |= {marker(field, other) for field in RULE[kind]}
        close = kind not in (RelationshipKind.STRANGER, RelationshipKind.KNOWN_BY_NAME)
        if close and started.setup.rules.stories:
            one, two = sorted((seat, other))
            known |= {marker("story", one * 10 + two), marker(f"told{one}{two}", seat)}
    return known


def told_by_prompt(started: EpisodeStarted, known: set[str]) -> set[str]:
    """What of a seat's knowledge the prompt tells."""
    untold = UNTOLD.get(started.setup.rules.prompt, set())
    seats = range(len(started.setup.cast))
    return known - {marker(field, seat) for field in untold for seat in seats}


def may_be_noticed(history: Sequence[Event], state: EpisodeState, viewer: int | None) -> set[str]:
    """Exactly the actions' markers that a seat (None: a spectator) may have noticed by now."""
    noticed = set()
    simultaneous = state.started is not None and state.started.setup.rules.order == "simultaneous"
    left_in = 10**9
    for _, taken in actions_of(history):
        if taken.seat == viewer and taken.action.kind == "leave":
            left_in = taken.turn
    for _, event in actions_of(history):
        if not event.action.text:
            continue
        if event.seat != viewer:
            if event.action.to and viewer not in event.action.to:
                continue
            if simultaneous and event.turn == state.turn and not closed(history, event.turn):
                continue
            if event.turn >= left_in:
                continue
        noticed.add(event.action.text)
    return noticed


def closed(history: Sequence[Event], turn: int) -> bool:
    """Whether everybody who was asked in a turn has acted."""
    asked = {s for e in history if isinstance(e, TurnOpened) and e.turn == turn for s in e.seats}
    acted = {e.seat for e in history if isinstance(e, ActionTaken) and e.turn == turn}
    return asked == acted


def actions_of(history: Sequence[Event]) -> list[tuple[int, ActionTaken]]:
    return [(n, event) for n, event in enumerate(history) if isinstance(event, ActionTaken)]


@quick
@given(episodes())
def test_a_seat_is_shown_what_it_may_know_and_nothing_else(played: Played):
    started = played.started
    for length in range(1, len(played.history) + 1):
        history, state = played.history[:length], played.states[length]
        for seat in range(len(started.setup.cast)):
            known = background("e1", started, seat)
            noticed = view(history, seat).lines
            may = known_from_the_start(started, seat)
            now = may_be_noticed(history, state, seat)
            assert markers_in(known) == may
            assert markers_in(*noticed) - may == now
            prompt = prompt_writer.act_prompt(known, noticed, state.turn)
            assert markers_in(*prompt) == told_by_prompt(started, may) | now
            shown = view(history, seat)
            assert markers_in(shown, render.account(shown)) == may | now


@quick
@given(episodes())
def test_a_spectator_is_shown_what_is_public(played: Played):
    started = played.started
    public = {marker("context", 0)}
    for seat in range(len(started.setup.cast)):
        public |= {marker(field, seat) for field in ACQUAINTED}
    for length in range(1, len(played.history) + 1):
        history = played.history[:length]
        shown = view(history, "spectator")
        now = may_be_noticed(history, played.states[length], None)
        assert markers_in(shown, render.transcript(shown)) == public | now


@quick
@given(episodes(), st.sampled_from(["narrator", "judge"]))
def test_narrator_and_judge_are_shown_all_but_the_minds(played: Played, viewer: Viewer):
    shown = view(played.history, viewer)
    everything = markers_in(*played.history)
    minds = {marker("mind", seat) for seat in range(len(played.started.setup.cast))}
    unsaid = {marker("codename", 0)}
    if not played.started.setup.rules.stories:
        unsaid |= {
            mark for tie in played.started.setup.relationships for mark in markers_in(tie.story)
        }
    assert markers_in(shown, render.account(shown)) == everything - minds - unsaid


@quick
@given(episodes())
def test_what_an_exported_log_says_each_seat_was_told_is_what_it_may_know(played: Played):
    if played.state.ended is None:
        return
    seats = len(played.started.setup.cast)
    for seat, (_, _, text) in enumerate(episode_log(played.history).messages[0][:seats]):
        assert markers_in(text) <= known_from_the_start(played.started, seat)


@quick
@given(episodes())
def test_a_seat_remembers_what_it_was_shown_and_is_told_its_own_memories_alone(played: Played):
    """Whatever becomes a memory, whole or as a note, is made of what its owner may know; and no
    door lets it out to anybody else."""
    started, history = played.started, played.history
    minds = {marker("mind", seat) for seat in range(len(started.setup.cast))}
    for seat in range(len(started.setup.cast)):
        may = known_from_the_start(started, seat) | may_be_noticed(history, played.state, seat)
        seen = seen_in(history, seat)
        assert seen is not None
        note = rule_note(seen.view, 50, 1000)
        told_again = memories.retelling(seen.account, seat)
        assert markers_in(told_again, memories.note_text(note)) <= may - minds
        me = seen.support.writer(seen.view, seen.account.portraits[seat])
        asked = memories.note_prompt(me, told_again, 50, 100)
        assert markers_in(*asked) <= may - minds

    def memory(seat: int) -> str:
        return f"remembered {marker('memory', seat)}"

    for seat in range(len(started.setup.cast)):
        told = background("e2", started, seat, memory(seat))
        mine = known_from_the_start(started, seat) | {marker("memory", seat)}
        assert markers_in(told) == mine
        prompt = prompt_writer.act_prompt(told, (), 1)
        assert markers_in(*prompt) == told_by_prompt(started, mine)
        shown = view(history, seat, memory(seat))
        assert marker("memory", seat) in markers_in(shown)
        assert marker("memory", seat) not in markers_in(memories.retelling(account(shown), seat))
        for viewer in ("narrator", "judge", "spectator"):
            assert marker("memory", seat) not in markers_in(view(history, viewer, memory(seat)))


@quick
@given(episodes())
def test_no_mind_is_named_to_anybody_who_plays(played: Played):
    named = {marker("mind", seat) for seat in range(len(played.started.setup.cast))}
    for viewer in (*range(len(played.started.setup.cast)), "spectator", "judge"):
        assert not named & markers_in(view(played.history, viewer))


@quick
@given(episodes())
def test_what_is_noticed_event_by_event_is_what_the_whole_shows(played: Played):
    """Without a gap and without repetition."""
    for viewer in (*range(len(played.started.minds)), "spectator", "narrator", "judge"):
        eyes = SocialReducer(played.started.setup, viewer)
        told: list[SeenAction] = []
        for number, event in enumerate(played.history):
            told += eyes.apply(number, event)
            whole = view(played.history[: number + 1], viewer).lines
            assert sorted(told, key=lambda line: line.number) == list(whole)


class TestPublishedRelationships:
    pytestmark = needs_sotopia

    def test_all_120_show_what_sotopia_lets_them_see_in_both_directions(self):
        index = CatalogIndex(read_published(SOTOPIA))
        assert len(index.relationships) == 120
        for relationship in index.relationships.values():
            one, other = (index.characters[id_] for id_ in relationship.characters)
            started = social_start(
                run="",
                task="",
                catalog="",
                scenario=next(iter(index.scenarios.values())),
                cast=(one, other),
                relationships=(
                    SeatRelationship(
                        seats=(0, 1), kind=relationship.kind, story=relationship.story
                    ),
                ),
                minds=(mind(0), mind(1)),
            )
            for seat, them in ((0, other), (1, one)):
                (shown,) = background("e1", started, seat).others
                rule = RULE[relationship.kind]
                assert shown.relationship == relationship.kind
                assert shown.story == ""
                assert shown.name == (them.name if "last_name" in rule else None)
                assert shown.label == (them.name if rule else f"Person {2 - seat}")
                for field in ("gender", "pronouns", "occupation", "public_info", "personality"):
                    expected = getattr(them, field) if field in rule else None
                    assert getattr(shown, field) == expected
                close = rule == CLOSE
                assert shown.age == (them.age if close else None)
                assert shown.decision_style == (them.decision_style if close else None)
                assert shown.moral_values == (them.moral_values if close else None)
                assert shown.schwartz_values == (them.schwartz_values if close else None)
                assert (shown.big_five is not None) == close
                assert them.secret not in text_of(shown)

    def test_no_task_shows_a_seat_the_others_secret_goal_or_hidden_passage(self):
        catalog = read_published(SOTOPIA)
        assert len(catalog.tasks) == 450
        for task in catalog.tasks:
            rules = EpisodeRules(prompt="act-paper-1")
            started = cast_episode(catalog, task, (mind(0), mind(1)), rules)
            for seat in (0, 1):
                shown = background("e1", started, seat)
                text = "\n".join(prompt_writer.act_prompt(shown, (), 1)[:2]) + text_of(shown)
                assert started.setup.cast[1 - seat].secret not in text
                assert "common friends" not in text
                assert "<extra_info>" not in text
                other_goal = view([started], 1 - seat).profiles[1 - seat].goal
                assert other_goal == shown.goal or other_goal not in text
