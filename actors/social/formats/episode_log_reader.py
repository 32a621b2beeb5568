"""SOTOPIA's ``EpisodeLog`` as the events of episodes, so that they can be judged again here.

A log may be a line of a file, in either spelling that SOTOPIA writes, or a file of its own, over
many lines, as SOTOPIA keeps it in a folder. What has the same ``pk`` is the same episode.

Nothing is half-imported: ``EpisodeLogRefused`` lists every bad line.

A log of SOTOPIA's own lists, in each turn, the seats that were not asked as having done nothing.
Where no turn has two seats doing something, seats are taken to have acted one at a time, and those
fillers are left out.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from actors.episodes.formats import ImportedEpisode
from actors.episodes.port.rules import Ask, End, Happening
from actors.social import render
from actors.social.actions import ACT, Action
from actors.social.catalog.cast_task import CatalogIndex
from actors.social.formats.episode_log_cast import judge_name, started_of, told_stories
from actors.social.formats.episode_log_failures import failures_in
from actors.social.formats.episode_log_rewards import judged_of
from actors.social.formats.episode_log_rows import SPELLINGS, LogRow
from actors.social.formats.episode_log_scores import ENDING
from actors.social.formats.episode_log_writer import AT_ONCE
from actors.social.formats.episode_words import ENVIRONMENT, UnknownWords, action_of
from actors.social.formats.faults import Faults, FileRefused
from actors.social.formats.rows import RowPlace, read_rows
from actors.social.rules import RULES, SocialWorld
from actors.social.setup import EpisodeRules, SocialSetup, TurnOrder
from actors.social.sight import labels
from events.base import Event, replace
from events.episode import (
    ActionTaken,
    Asked,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeStarted,
    TurnOpened,
)

_ENDINGS: Final = {
    "left": (render.ending("left"), "leaving", "left the conversation", "Too few active"),
    "stale": (render.ending("stale"), "stales for too long"),
    "turn_cap": (render.ending("turn_cap"), "too long"),
    "stopped": (render.ending("stopped"),),
    "abandoned": (render.ending("abandoned"),),
    "failed": (render.ending("failed"),),
}
_UNKNOWN_END: Final = "the log does not say why it ended"
_ENDLESS: Final = 1_000_000
_SIGNS: Final = ("environment", "agents", "messages", "agent_ids", "raw_messages", *SPELLINGS)
"""Fields by any of which a log is known: so that one without another is told what it lacks."""

Turn = list[tuple[int, Action]]


class EpisodeLogRefused(FileRefused):
    """A file of episode logs with bad lines."""

    what = "the file of episode logs"


def is_log(start: bytes) -> bool:
    """Whether a file that begins so may hold logs."""
    return any(f'"{name}"'.encode() in start for name in _SIGNS)


def read_episode_logs(path: Path, index: CatalogIndex) -> tuple[ImportedEpisode, ...]:
    """Every episode of a file, or of the files in a folder. Raises ``EpisodeLogRefused`` with every
    bad line."""
    faults = Faults()
    episodes = []
    for text, row in read_rows(path, LogRow, faults, SPELLINGS):
        place = RowPlace(text, faults)
        started = started_of(row, index, place)
        if started is not None:
            episodes.append(_episode(row, started, place))
    faults.refuse(EpisodeLogRefused)
    return tuple(episodes)


def _episode(row: LogRow, started: EpisodeStarted, place: RowPlace) -> ImportedEpisode:
    turns = [turn for turn in _turns(row, labels(started.setup, "narrator"), place) if turn]
    first = row.messages[0] if row.messages else []
    told_at_once = any(
        who == ENVIRONMENT and AT_ONCE in text.splitlines() for who, _, text in first
    )
    if told_at_once or any(sum(a.kind != "none" for _, a in turn) > 1 for turn in turns):
        order: TurnOrder = "simultaneous"
    else:
        order, turns = _one_at_a_time(turns, started)
    cap = max(EpisodeRules().turn_cap, len(turns))
    ended, said = _ending(row)
    if ended == "turn_cap":
        cap = max(1, len(turns))
    stories = told_stories(started, first)
    setup = replace(started.setup, rules=EpisodeRules(order=order, turn_cap=cap, stories=stories))
    started = replace(started, setup=setup)
    failures = failures_in(row.reasoning or "")
    events: list[Event] = [started]
    for number, turn in enumerate(turns, start=1):
        asked = [seat for seat, _ in turn]
        if order == "simultaneous" and number == len(turns):
            # Where the episode broke off within a turn, not everybody asked has acted.
            asked += [seat for seat in _present(setup, turns[:-1]) if seat not in asked]
        events.append(_opened(number, asked))
        events += [
            ActionTaken(turn=number, seat=seat, action=action, failure=failures.get((number, seat)))
            for seat, action in turn
        ]
    events.append(_end(ended, said, _fold(setup, events[1:]), len(turns)))
    judged, notes = judged_of(
        row.rewards,
        row.reasoning or "",
        seats=len(started.minds),
        judge=judge_name(row),
        prompt=row.rewards_prompt or "",
        place=place,
    )
    if judged and not turns:
        notes = (*notes, "messages: nobody did anything; the scores were taken over all the same")
    key = started.origin.id if started.origin else ""
    return ImportedEpisode(str(place), key, tuple(events), judged, notes)


def _turns(row: LogRow, names: Sequence[str], place: RowPlace) -> list[Turn]:
    """For each turn who acted and how, as the log lists them."""
    turns = []
    for number, messages in enumerate(row.messages):
        turn: Turn = []
        for sender, _, text in messages:
            if sender == ENVIRONMENT:
                continue
            field = f"messages[{number}]"
            if sender not in names:
                place.fault(field, f"{sender!r} is none of the cast: {', '.join(names)}")
                continue
            seat = names.index(sender)
            if seat in (acted for acted, _ in turn):
                place.fault(field, f"{sender} acts twice in one turn")
                continue
            try:
                turn.append((seat, action_of(text, sender, names)))
            except UnknownWords as unknown:
                place.fault(field, str(unknown))
        turns.append(turn)
    return turns


def _one_at_a_time(turns: list[Turn], started: EpisodeStarted) -> tuple[TurnOrder, list[Turn]]:
    """The turns without the fillers of seats that were not asked, and in which order they came."""
    endless = EpisodeRules(turn_cap=_ENDLESS, stale_turns=0)
    world = RULES.initial(replace(started.setup, rules=endless))
    order: TurnOrder = "round_robin"
    kept = []
    for number, turn in enumerate(turns, start=1):
        due = RULES.next_step(world)
        expected = due.asked[0].seat if isinstance(due, Ask) else None
        doing = [(seat, action) for seat, action in turn if action.kind != "none"]
        passing = [(seat, action) for seat, action in turn if seat == expected]
        seat, action = (doing or passing or turn)[0]
        if seat != expected:
            order = "random"
        kept.append([(seat, action)])
        world = RULES.evolve(world, _opened(number, [seat]))
        world = RULES.evolve(world, ActionTaken(turn=number, seat=seat, action=action))
    return order, kept


def _present(setup: SocialSetup, turns: list[Turn]) -> list[int]:
    """The seats that have not left in some turns."""
    left = {seat for turn in turns for seat, action in turn if action.kind == "leave"}
    return [seat for seat in range(len(setup.cast)) if seat not in left]


def _opened(turn: int, seats: Sequence[int]) -> TurnOpened:
    return TurnOpened(turn=turn, asked=tuple(Asked(seat=seat, question=ACT) for seat in seats))


def _fold(setup: SocialSetup, events: Sequence[Event]) -> SocialWorld:
    world = RULES.initial(setup)
    for event in events:
        assert isinstance(event, Happening)
        world = RULES.evolve(world, event)
    return world


def _ending(row: LogRow) -> tuple[str, str]:
    """Why the episode ended, as the log says, and its words; empty where it does not."""
    first = (row.reasoning or "").split("\n", 1)[0]
    if not first.startswith(ENDING.rstrip()):
        return "", ""
    said = first.removeprefix(ENDING.rstrip()).removeprefix(" ")
    reasons = (reason for reason, words in _ENDINGS.items() if any(word in said for word in words))
    reason = next(reasons, "")
    # Words of ours say no more than the reason does.
    return reason, "" if reason and said == render.ending(reason) else said


def _end(ended: str, said: str, world: SocialWorld, turn: int) -> EpisodeEnded | EpisodeFailed:
    match ended:
        case "failed":
            return EpisodeFailed(reason="the log says that it failed", attempts=0)
        case "left" | "stale" | "turn_cap" | "stopped" | "abandoned":
            return EpisodeEnded(reason=ended, turn=turn, detail=said)
        case _:
            # As the rules would have it, with SOTOPIA's cap of 20 turns, if they tell.
            due = RULES.next_step(world)
            if isinstance(due, End):
                return EpisodeEnded(reason=due.reason, turn=turn, detail=said)
            return EpisodeEnded(reason="stopped", turn=turn, detail=said or _UNKNOWN_END)
