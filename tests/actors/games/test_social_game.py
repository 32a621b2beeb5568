"""Configurations of SOTOPIA's social games become rules that decide what its programs decide."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from actors.episodes.port.rules import Ask, End
from actors.games.catalog_items import Catalog
from actors.games.checks.catalog_checks import catalog_remarks
from actors.games.deals import dealt
from actors.games.formats.social_game import BadConfig, read_catalog
from actors.games.rules import RULES
from actors.games.setup import Deal, GameAct, Settings
from actors.games.state import GameState, roles_of
from events.episode import ActionTaken, TurnOpened, WorldChanged
from tests.fuzz.games import NIGHT, play_deal


def night(folder: Path, **changed: object) -> Deal:
    """A game of the night, with parts of its configuration changed."""
    (folder / "config.json").write_text(json.dumps({**json.loads(NIGHT), **changed}))
    catalog, _ = read_catalog(folder, "night")
    assert isinstance(catalog, Catalog)
    assert list(catalog_remarks(catalog)) == []
    return dealt(catalog.rulesets[0], catalog.players, {}, "night", 1, settings=Settings(talk=1))


def seat_of(deal: Deal, role: str, which: int = 0) -> int:
    """A seat with a role."""
    return [seat for seat, one in enumerate(roles_of(deal)) if one.id == role][which]


def played(deal: Deal, acts: dict[tuple[str, str], GameAct], rounds: int = 1) -> GameState:
    """The state after some rounds: who has a role does in a phase what is said, others nothing."""
    state = RULES.initial(deal)
    for turn in range(1, 500):
        step = RULES.next_step(state)
        if isinstance(step, End) or state.round > rounds:
            return state
        if not isinstance(step, Ask):
            state = RULES.evolve(state, WorldChanged(change=step))
            continue
        state = RULES.evolve(state, TurnOpened(turn=turn, asked=step.asked))
        for one in step.asked:
            question: Any = one.question
            role = roles_of(deal)[one.seat].id
            act = acts.get((question.phase, role), GameAct())
            if act.verb != "pass":
                assert RULES.action_fault(question, act, one.seat, len(deal.players)) is None
            state = RULES.evolve(state, ActionTaken(turn=turn, seat=one.seat, action=act))
    raise AssertionError("it does not end")


def test_whom_the_wolves_name_is_out_unless_the_witch_saves_them(tmp_path: Path):
    deal = night(tmp_path)
    prey = seat_of(deal, "peasant")
    kill = {("night-werewolf", "wolf"): GameAct(verb="kill", target=prey)}
    assert not played(deal, kill).alive[prey]
    saved = {**kill, ("night-witch", "witch"): GameAct(verb="save", target=prey)}
    state = played(deal, saved)
    assert state.alive[prey]
    assert state.own[seat_of(deal, "witch")] == {"save-potion": 0, "poison": 1}


def test_poison_spares_nobody_and_is_there_once(tmp_path: Path):
    deal = night(tmp_path)
    wolf, witch = seat_of(deal, "wolf"), seat_of(deal, "witch")
    state = played(deal, {("night-witch", "witch"): GameAct(verb="poison", target=wolf)})
    assert not state.alive[wolf]
    assert state.own[witch]["poison"] == 0


def test_the_kill_counts_although_the_witch_is_out(tmp_path: Path):
    deal = night(tmp_path)
    witch, prey = seat_of(deal, "witch"), seat_of(deal, "peasant")
    first = played(deal, {("night-werewolf", "wolf"): GameAct(verb="kill", target=witch)})
    assert not first.alive[witch]
    acts = {
        ("night-werewolf", "wolf"): GameAct(verb="kill", target=prey),
        **{
            ("day-vote", role): GameAct(verb="vote", target=witch)
            for role in ("wolf", "seer", "peasant")
        },
    }
    gone = night(tmp_path, initial_state="Day_vote")
    voted = played(gone, acts, 2)
    assert not voted.alive[seat_of(gone, "witch")]
    assert not voted.alive[prey]


def test_the_seer_learns_a_team_and_nobody_else_does(tmp_path: Path):
    deal = night(tmp_path)
    wolf, seer = seat_of(deal, "wolf"), seat_of(deal, "seer")
    state, told = RULES.initial(deal), []
    for turn in range(1, 60):
        step = RULES.next_step(state)
        if isinstance(step, End) or state.round > 1:
            break
        if not isinstance(step, Ask):
            told += [one for one in step.facts if one.kind == "revealed"]  # type: ignore[attr-defined]
            state = RULES.evolve(state, WorldChanged(change=step))
            continue
        state = RULES.evolve(state, TurnOpened(turn=turn, asked=step.asked))
        for one in step.asked:
            question: Any = one.question
            looks = question.phase == "night-seer"
            act = GameAct(verb="inspect", target=wolf) if looks else GameAct()
            state = RULES.evolve(state, ActionTaken(turn=turn, seat=one.seat, action=act))
    assert [(one.seat, one.word, one.to) for one in told] == [(wolf, "wolves", (seer,))]


def test_the_wolves_win_at_parity_and_the_valley_without_wolves(tmp_path: Path):
    deal = night(tmp_path)
    endings = {str(play_deal(deal, Random(seed)).reason) for seed in range(40)}
    assert "won" in endings
    assert endings <= {"won", "exhausted"}
    rules = deal.rules
    assert [one.id for one in rules.ends] == ["team-eliminated-1", "parity-2"]
    assert [one.id for one in rules.phases] == [
        *("night-werewolf", "night-seer", "night-witch", "dawn", "day-discussion", "day-vote"),
    ]
    assert rules.rounds == 4  # 40 steps of 2 + 1 + 1 + 6 + 1
    assert roles_of(deal)[seat_of(deal, "wolf")].knows == ("wolves",)


def test_a_game_of_talk_and_votes_has_no_night(tmp_path: Path):
    found = night(
        tmp_path,
        initial_state="Round_talk",
        state_transition={"Round_talk": "Round_vote", "Round_vote": "Round_talk"},
        state_properties={
            "Round_talk": {"actions": ["speak"]},
            "Round_vote": {"actions": ["action"], "action_order": "simultaneous"},
        },
    )
    assert [one.id for one in found.rules.phases] == ["round-talk", "round-vote"]


def test_agents_can_stand_in_a_roster_beside_the_file(tmp_path: Path):
    config = json.loads(NIGHT)
    roster = {"agents": [{**one, "agent_model": "m"} for one in config.pop("agents")]}
    (tmp_path / "roster.json").write_text(json.dumps(roster))
    (tmp_path / "config.json").write_text(json.dumps(config))
    apart, _ = read_catalog(tmp_path, "night")
    (tmp_path / "config.json").write_text(NIGHT)
    assert apart == read_catalog(tmp_path, "night").catalog
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "roster.json").write_text("[]")
    with pytest.raises(BadConfig, match=r"roster\.json: it is no configuration"):
        read_catalog(tmp_path, "night")


@pytest.mark.parametrize(
    ("description", "about"),
    [
        ("Wolves hunt.\n\n The players are: {agent_names}.", "Wolves hunt."),
        ("Wolves hunt. Here are {agent_names}, who talk. Vote.", "Wolves hunt. Vote."),
        ("Here are: {agent_names}\nWolves hunt.", "Wolves hunt."),
    ],
)
def test_only_the_sentence_of_who_plays_is_left_out(tmp_path: Path, description: str, about: str):
    assert night(tmp_path, description=description).rules.about == about


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"initial_state": "Nowhere"}, "there is no state 'Nowhere', but Night_werewolf"),
        ({"agents": []}, "config.json: it has no agents, and no roster.json beside it has"),
        ({"scenario": "???"}, "cannot be made an id"),
        ({"end_conditions": [{"type": "x", "team": "a", "winner": "b"}]}, "no. 1: type is team_el"),
        (
            {"state_transition": {}, "state_properties": {"Night_werewolf": {"visibility": "all"}}},
            "visibility is one of public, team, private, not 'all'",
        ),
        (
            {
                "state_transition": {},
                "state_properties": {"Night_werewolf": {"acting_roles": ["Ghost"]}},
            },
            "no agent has the role 'Ghost'",
        ),
        (
            {"initial_state": "Duel", "state_properties": {"Duel": {"actions": ["action"]}}},
            "what its actions do is known only of states named by vote",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, changed: dict[str, object], why: str):
    (tmp_path / "config.json").write_text(json.dumps({**json.loads(NIGHT), **changed}))
    with pytest.raises(BadConfig, match=re.escape(why)):
        read_catalog(tmp_path, "night")
