"""Conversations: deciding to talk, the talk itself, and its end (Generative Agents, section
4.3.1)."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from actors.episodes.planning_support import Experience, Living, Met
from actors.minds.generative import questions
from actors.minds.generative.answers import LastUtterance, Reaction, TextAnswer, Utterance
from actors.minds.generative.day_plan import day_now, minute_now
from actors.minds.generative.decision import (
    KEPT_FOR,
    DecisionProcess,
    Unconcluded,
    asked_together,
    shortly,
)
from actors.minds.generative.next_action import around, today
from actors.minds.generative.perception import LEAST, rate, rate_each
from actors.minds.generative.placement import parts_of, steps_fault
from actors.minds.generative.schedule import (
    DAY,
    bend_until,
    bent,
    clock,
    due,
    fitted,
    overlaid,
)
from actors.models.response_formats.schemas import choice_schema
from actors.text.quotes import nonce_for
from events.base import replace
from events.environments import Action
from events.thoughts import Block, MemoryAdded

OF_ONE: Final = 10
"""Memories that come to mind of one who is met."""
MOST_MET: Final = 4
"""People met at once who are thought of."""
IN_TALK: Final = 20
"""Memories that come to mind for an utterance, with few calls."""
OF_PARTNER: Final = 15
"""Memories of the partner from which the published code has the relationship summed up."""
OF_EACH: Final = 5
"""Memories of each thing that a published utterance looks up."""
OF_EACH_AT_FIRST: Final = 7
"""The same before anything is said."""
WAITED: Final = 10
"""Minutes that one waits for somebody."""
WORTH_TELLING: Final = 30
"""Minutes of a block to come that is told in a talk."""
MOST_COMING: Final = 10
"""Blocks to come that are told in a talk."""
EARLIER: Final = 480
"""Minutes after one's first talk in which an earlier one is told in the next."""
NOBODY: Final = "nobody"
"""Whom one talks to who goes on; an empty text, too."""
BENT: Final = "a talk was had"
"""``DayPlanned.why``."""


async def react(thinking: DecisionProcess, life: Living) -> Action:
    """To talk to somebody who came into view, or to go on. Raises ``Unconcluded``."""
    met = thinking.situation.met[: MOST_MET if thinking.lean else 1]
    if not met:
        return life.carry_on()
    told = []
    for one in met:
        found = await thinking.retrieve([f"{one.name}: {one.doing}"], OF_ONE)
        told.append((one, thinking.shown(found)))
    by_name = {one.name.casefold(): one for one in met}

    def fault(answer: Reaction) -> list[str]:
        given = answer.talk_to.strip().casefold()
        if given in ("", NOBODY) or given in by_name:
            return []
        names = ", ".join(one.name for one in met)
        return [f"talk_to is {names}, or empty"]

    situation = thinking.situation
    words = {
        "now": situation.now,
        "place": situation.place,
        "doing": situation.doing,
        "met": told,
        "talks": [_last_talk(thinking, one) for one in met],
    }
    whom = choice_schema([NOBODY, *dict.fromkeys(one.name for one in met)])
    answer = await thinking.ask(questions.REACTION, words, fault, {"talk_to": whom})
    chosen = by_name.get(answer.talk_to.strip().casefold())
    if chosen is not None:
        return life.talk_to(chosen.seat)
    if not thinking.lean and met[0].address and met[0].address == situation.place:
        # Both want the same thing: the published code then asks whether one waits for the other.
        waits = await thinking.ask(questions.WAITING, {**words, "other": met[0]})
        if waits.wait:
            text = f"waiting until {met[0].name} is done"
            block = Block(start=0, minutes=WAITED, text=text, address=situation.place, emoji="⏳")
            return life.act(block)
    return life.carry_on()


async def say(thinking: DecisionProcess, life: Living) -> Action:
    """An utterance. Raises ``Unconcluded``."""
    situation = thinking.situation
    partner = situation.met[0]
    lines = [text for _, text in situation.said[-4:]]
    queries, each = [f"{partner.name}: {partner.doing}"], 0
    if thinking.ranks_as_published:
        queries.append("\n".join(f"{who}: {text}" for who, text in situation.said[-4:]))
        each = OF_EACH if lines else OF_EACH_AT_FIRST
    else:
        queries.append(" ".join(lines) if thinking.lean else "".join(lines[-1:]))
    if thinking.lean:
        memories = await thinking.retrieve(queries, IN_TALK, each)
        words = _talk_words(thinking, partner) | {
            "memories": thinking.shown(memories),
            "relation": "",
        }
        words["about"] = True
        last = await thinking.ask(questions.LAST_UTTERANCE, words, _blank)
        return life.say(last.text, last.ends, last.about)
    memories = await thinking.retrieve([partner.name], each=OF_PARTNER if each else 0)
    words = _talk_words(thinking, partner) | {"memories": thinking.shown(memories), "about": False}
    relation = (await thinking.ask(questions.RELATION, words)).text
    memories = await thinking.retrieve([relation, *queries], each=each)
    words |= {"memories": thinking.shown(memories), "relation": relation}
    utterance = await thinking.ask(questions.UTTERANCE, words, _blank)
    ends, about = utterance.ends, ""
    if ends or situation.rounds_left <= 1:
        said = (*situation.said, (thinking.persona.name, utterance.text))
        about = await _about(thinking, words | {"said": said, "nonce": _nonce(said)})
    return life.say(utterance.text, ends, about)


def _blank(answer: Utterance | LastUtterance | TextAnswer) -> list[str]:
    return [] if answer.text.strip() else ["text holds nothing but blanks"]


async def _about(thinking: DecisionProcess, words: dict[str, object]) -> str:
    try:
        return (await thinking.ask(questions.ABOUT, words)).text[:200]
    except Unconcluded as why:
        thinking.fell_back("talk's subject", why, "it is not said")
        return ""


async def recap(thinking: DecisionProcess, life: Living) -> Action:
    """What came of a talk. Raises ``Unconcluded``."""
    partner = thinking.situation.met[0]
    words = _talk_words(thinking, partner)
    return life.recap((await thinking.ask(questions.RECAP, words, _blank)).text)


async def note(thinking: DecisionProcess) -> None:
    """After a talk: it is remembered, and what it means for one's plans, and what is worth
    keeping."""
    talk = next((one for one in reversed(thinking.pending) if one.kind == "talk"), None)
    if thinking.situation.met and thinking.means.spec.after_talk:
        await _note(thinking, thinking.situation.met[0], talk)
    elif talk is not None:
        await _remember(thinking, talk, (await rate(thinking, (talk.text,)))[0])


async def _remember(thinking: DecisionProcess, talk: Experience, importance: float) -> None:
    """Keep that there was a talk."""
    kept = MemoryAdded(
        id=0,
        kind="talk",
        text=talk.text,
        at=talk.at,
        importance=importance,
        subject=talk.subject,
    )
    await thinking.remember([kept])


async def _note(thinking: DecisionProcess, partner: Met, talk: Experience | None) -> None:
    """``talk``: what is to be remembered of it, where it is not yet."""
    words = _talk_words(thinking, partner)
    name = thinking.persona.name
    try:
        if thinking.lean:
            answer = await thinking.ask(questions.AFTER, words)
            texts, ratings = [answer.note, answer.memo], [float(answer.importance)] * 2
        else:
            noted = await asked_together(
                thinking, ((questions.NOTE, words), (questions.MEMO, words))
            )
            texts = [one.text for one in noted]
            ratings = await rate_each(thinking, texts)
    except Unconcluded as why:
        thinking.fell_back("note after a talk", why, "only that there was a talk is remembered")
        texts, ratings = [], [LEAST]
    if talk is not None:
        await _remember(thinking, talk, ratings[0])
    evidence = [one.id for one in thinking.state.memories if one.kind == "talk"][-1:]
    starts = (f"For {name}'s plans: ", f"{name} keeps in mind: ")
    await thinking.remember(
        [
            MemoryAdded(
                id=0,
                kind="thought",
                text=start + text,
                at=thinking.at,
                importance=rating,
                subject=partner.name,
                evidence=tuple(evidence),
                expires=thinking.at + KEPT_FOR,
            )
            for start, text, rating in zip(starts, texts, ratings, strict=False)
        ]
    )


async def bend(thinking: DecisionProcess) -> None:
    """The schedule goes around the talk that is over. Raises ``Unconcluded`` where there is no plan
    of the day, and none can be had."""
    situation = thinking.situation
    assert situation.now is not None
    plan = await today(thinking)
    end = minute_now(situation.now)
    began = situation.now - timedelta(seconds=thinking.at - situation.since)
    start = minute_now(began) if began.date() == situation.now.date() else 0
    if end <= start:
        return
    text = situation.doing or "conversing"
    talk = Block(start=start, minutes=end - start, text=text, emoji="💬")
    schedule = bent(plan.schedule, talk)
    if not thinking.lean and end < DAY:
        rest = Block(
            start=end, minutes=bend_until(plan.schedule, end) - end, text=due(schedule, end).text
        )
        words = around(plan.schedule, rest) | {
            "talk": text,
            "planned": [
                (one.text, one.minutes)
                for one in schedule
                if rest.start <= one.start < rest.start + rest.minutes
            ],
        }
        try:
            answer = await thinking.ask(questions.REST, words, steps_fault)
            schedule = overlaid(schedule, fitted(parts_of(answer), rest))
        except Unconcluded as why:
            thinking.fell_back("rest of the hour", why, "each of it is done for less")
    bent_plan = replace(plan, schedule=schedule, why=BENT)
    thinking.conclude(bent_plan)


def _talk_words(thinking: DecisionProcess, partner: Met) -> dict[str, object]:
    """What every call about a talk is told."""
    situation, task = thinking.situation, thinking.state.task
    planned = thinking.means.spec.agent == "ga+tdp" and thinking.aim is not None
    return {
        "now": situation.now,
        "place": situation.place,
        "doing": situation.doing,
        "coming": _coming(thinking),
        "earlier": _earlier(thinking, partner),
        "partner": partner,
        "said": situation.said,
        "nonce": _nonce(situation.said),
        "left": situation.rounds_left,
        "aim": thinking.aim if planned else None,
        "task": task if planned else None,
    }


def _talks(thinking: DecisionProcess, partner: Met) -> list[MemoryAdded]:
    return [
        one for one in thinking.state.memories if one.kind == "talk" and one.subject == partner.name
    ]


def _last_talk(thinking: DecisionProcess, partner: Met) -> str:
    """When one last talked with somebody, and about what; empty: never."""
    return "".join(thinking.shown(_talks(thinking, partner)[-1:]))


def _earlier(thinking: DecisionProcess, partner: Met) -> tuple[int, str] | None:
    """How many minutes ago one last talked with somebody, and about what. As in the published code
    nothing of it is told once one's very first talk is more than eight hours past."""
    talks = _talks(thinking, partner)
    first = next((one for one in thinking.state.memories if one.kind == "talk"), None)
    if first is None or not talks or (thinking.at - first.at) // 60 > EARLIER:
        return None
    return int((thinking.at - talks[-1].at) // 60), shortly(talks[-1].text)


def _coming(thinking: DecisionProcess) -> list[tuple[str, str]]:
    """What else the day holds, as far as it is planned: the longer blocks to come."""
    now = thinking.situation.now
    plan = thinking.state.days.get(day_now(thinking)) if now is not None else None
    if now is None or plan is None:
        return []
    coming = [
        block
        for block in plan.schedule
        if block.start > minute_now(now) and block.minutes >= WORTH_TELLING
    ]
    return [(clock(block.start), block.text) for block in coming[:MOST_COMING]]


def _nonce(said: Sequence[tuple[str, str]]) -> str:
    return nonce_for(*(text for line in said for text in line))
