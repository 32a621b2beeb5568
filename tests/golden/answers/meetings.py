"""Answers that were recorded with their requests: ``python -m tests.golden.answers.meetings FILE``
adds them, each with what reading it needs, as its request tells it. A line of the file holds
``request`` and ``response``, as they were sent."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from actors.episodes.registry import environment_named, game_of
from actors.lifelong import prompts as note_prompts
from actors.social.catalog_items import Character
from actors.social.prompt_names import NEWEST
from actors.social.views import Background, OtherSeat
from actors.worldtree.setup import Choose, Settings
from actors.worldtree.trees.tree import Line
from evaluators.judges.judge_file import parse_judge
from events.base import replace
from events.episode import EpisodeStarted
from events.memory import MemorySpec
from events.minds import MindSpec
from tests.golden.answers import (
    Case,
    GoldenAnswer,
    answers,
    cases,
    kept,
    read_again,
    write,
)
from tests.golden.scenes import haggled, pair

MODEL: Final = "smollm2-135m-instruct, first meetings"


def meetings(path: Path) -> Iterator[tuple[Case, GoldenAnswer]]:
    """The answers of a file; those to probes are left out, since nothing reads them."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        choices = row["response"].get("choices")
        case = _case(row["request"]["messages"]) if choices else None
        if case is None:
            continue
        yield (
            case,
            GoldenAnswer(
                case=case.case,
                model=MODEL,
                text=choices[0]["message"]["content"],
                finish_reason=choices[0]["finish_reason"],
                longest=row["request"]["max_tokens"],
                schema="response_format" in row["request"],
            ),
        )


def _case(messages: list[dict[str, str]]) -> Case | None:
    system, user = messages[0]["content"], messages[1]["content"] if messages[1:] else ""
    if found := re.match(r"You play (.+) in a social situation with 1 other", system):
        return _social(found[1], system)
    if found := re.match(r"You play (.+) in a story that unfolds", system):
        return _walk(user)
    if system.startswith("You judge social interactions"):
        spec = parse_judge('model = "test/judge"')
        return Case(
            case="met-judge",
            kind="judge",
            environment="social",
            judge=msgspec.to_builtins(replace(spec, model=None)),
            history=kept(haggled(pair())),
        )
    if "private notebook" in system:
        low, high = re.search(r"together have (\d+) to (\d+) words", user).groups()  # type: ignore[union-attr]
        version = note_prompts.version("note-5")
        memory = MemorySpec(
            name="m",
            module="summary" if "importance" not in user else "retrieval",
            words_low=int(low),
            words_high=int(high),
            prompt_version=version,
        )
        return Case(
            case=f"met-note-{low}-{high}-{memory.module}",
            kind="note",
            environment="social",
            memory=msgspec.to_builtins(memory),
            history=kept(haggled(pair())),
        )
    if "Plan this day of" in user:
        return Case(case="form-day", kind="form", form="DAY")
    return None


def _social(name: str, system: str) -> Case:
    label = re.search(r"WHO ELSE IS THERE\n- (Person (\d)|[^:]+):", system)
    assert label is not None
    other = int(label[2]) - 1 if label[2] else 1
    first, _, last = name.partition(" ")
    known = OtherSeat(seat=other, label=label[1], relationship="stranger")
    background = Background(
        episode="e1",
        seat=1 - other,
        character=Character(id="met", first_name=first, last_name=last, age=40),
        context="",
        goal="",
        others=(known,),
        turn_cap=8,
        order="round_robin",
        seed=0,
        prompt=NEWEST["act"],
    )
    (question,) = environment_named("social").vocabulary.questions
    return Case(
        case=f"met-{first}-{known.label}".lower().replace(" ", "-"),
        kind="act",
        environment="social",
        question=msgspec.to_builtins(question()),
        background=msgspec.to_builtins(background),
        seat=1 - other,
    )


def _walk(user: str) -> Case:
    trees = environment_named("worldtree")
    setup = trees.begin(trees.starter(), "walk.the-last-week-en", Settings(shuffles=1), 7).setup
    minds = (MindSpec(name="m", kind="rehearsal"),)
    begun = EpisodeStarted(
        run="", task="walk", catalog="c", environment="worldtree", setup=setup, minds=minds
    )
    told = user.partition("THE OPTIONS\n")[2].partition("\n\nAnswer with")[0]
    options = tuple(Line(text=one[1]) for one in re.finditer(r"^[A-Z]\. (.+)$", told, re.MULTILINE))
    assert options, user
    background: Any = game_of(begun).sight.background("e1", begun, 0, "")
    return Case(
        case=f"met-walk-{len(options)}-{abs(hash_of(told)) % 10_000}",
        kind="act",
        environment="worldtree",
        question=msgspec.to_builtins(Choose(options=options)),
        background=msgspec.to_builtins(background),
        seats=1,
    )


def hash_of(text: str) -> int:
    """The same number for the same text, in every process."""
    return int.from_bytes(text.encode()[-24:], "big")


def main(path: Path) -> None:
    """Add what is not there yet."""
    known, there = cases(), answers()
    if any(one.model == MODEL for one in there):
        sys.exit("They are there already.")
    for case, answer in meetings(path):
        known[case.case] = case
        there.append(read_again(case, answer))
    write(known.values(), there)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
