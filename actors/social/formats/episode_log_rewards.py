"""The ``rewards`` and ``reasoning`` of SOTOPIA's episode logs as scores.

A trap in published logs: where the judge's answer was misread, SOTOPIA stores ``0.0`` for the seat
in place of ``[overall, {dimension: value}]``. Such a value cannot be told from a failure, so a bare
number is recorded as a failure in each of the seven dimensions, never as a score; the reasons that
``reasoning`` may give all the same are kept with it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeGuard

from actors.episodes.formats import Judged, Score
from actors.social.formats.episode_log_scores import (
    ABSTAINED,
    AGENT,
    NO_SCORE,
    NOT_ASKED,
    SEVEN,
    heading,
)
from actors.social.formats.episode_log_writer import REHEARSAL
from actors.social.formats.rows import RowPlace
from events.evaluation import JudgeSpec, ScoreAbstained, Scored, ScoreFailed

_RANGES: Final = {dimension.name: dimension for dimension in SEVEN}
_OVERALL: Final = ("overall_score", "overall")
_PROMPT_NAME: Final = 100
"""The longest ``rewards_prompt`` that names a prompt's version; a longer one is the prompt itself,
which differs from episode to episode and so does not belong to the judge."""
_ROUNDING: Final = 0.011
"""Published overall scores have two digits."""

_LARGEST: Final = 1e9
"""What is beyond is no score of any scale, and JSON has integers that are no floating-point number.
"""

Comments = dict[tuple[int, str], str]


def judged_of(
    rewards: Sequence[object],
    reasoning: str,
    *,
    seats: int,
    judge: str,
    prompt: str,
    place: RowPlace,
) -> tuple[Judged | None, tuple[str, ...]]:
    """The scores in a log and notes on what is odd; None where nobody scored it."""
    comments = comments_of(reasoning)
    if all(reward in (None, [None, {}]) for reward in rewards):
        return None, ()
    if not comments and all(reward == [0.0, {}] for reward in rewards):
        return None, ()
    if len(rewards) != seats:
        place.fault("rewards", f"must be {seats}, one a seat, not {len(rewards)}")
        return None, ()
    scores: list[Score] = []
    notes: list[str] = []
    for seat, reward in enumerate(rewards):
        scores += seat_scores(seat, reward, comments, place, notes)
    return Judged(judge=_judge(judge, prompt), scores=tuple(scores)), tuple(notes)


def _judge(name: str, prompt: str) -> JudgeSpec:
    rehearsal = name.startswith(REHEARSAL)
    return JudgeSpec(
        name=name.removeprefix(REHEARSAL) or "imported",
        kind="rehearsal" if rehearsal else "imported",
        dimensions=SEVEN,
        prompt_version=prompt if len(prompt) <= _PROMPT_NAME and "\n" not in prompt else "",
    )


def seat_scores(
    seat: int,
    reward: object,
    comments: Comments,
    place: RowPlace,
    notes: list[str],
    *,
    source: str = "the log",
) -> Iterator[Score]:
    """The scores in a seat's reward. What cannot be one is a fault of the row; what is odd is added
    to ``notes``, and ``source`` is what they are said of."""
    field = f"rewards[{seat}]"
    if reward is None or _is_number(reward):
        why = f"{source} has no reward"
        if reward is not None:
            why = f"{source} has the bare reward {reward}, which may be a judge's answer misread"
        notes.append(f"{field}: {why}; the seat's scores are missing")
        for dimension in SEVEN:
            name = dimension.name
            yield ScoreFailed(
                seat=seat, dimension=name, error=why, raw=comments.get((seat, name), "")
            )
        return
    if not (isinstance(reward, list) and len(reward) == 2 and isinstance(reward[1], dict)):
        place.fault(field, "must be [overall, {dimension: value}] or a number")
        return
    overall, values = reward
    for name in values.keys() - _RANGES.keys() - set(_OVERALL):
        notes.append(f"{field}: {name!r} is none of SOTOPIA's seven dimensions and was left out")
    for dimension in SEVEN:
        name = dimension.name
        comment = comments.get((seat, name), "")
        value = values.get(name)
        if value is None:
            if name not in values or comment:
                # A null without a reason: our logs of old had it where the judge was not asked.
                yield from _missing(seat, name, comment, source)
        elif not _is_number(value) or not dimension.low <= value <= dimension.high:
            span = f"{dimension.low:g} to {dimension.high:g}"
            place.fault(f"{field}.{name}", f"must be a number of {span}, not {value!r}")
        else:
            yield Scored(seat=seat, dimension=name, value=float(value), reason=comment)
    _check_overall(field, overall, values, place, notes)


def _missing(seat: int, name: str, comment: str, source: str) -> Iterator[Score]:
    """What a log says of a missing score; nothing where the judge was not asked for it."""
    if comment == NOT_ASKED:
        return
    if comment.startswith(ABSTAINED.rstrip()):
        reason = comment.removeprefix(ABSTAINED.rstrip()).lstrip()
        yield ScoreAbstained(seat=seat, dimension=name, reason=reason)
    elif comment.startswith(NO_SCORE.rstrip()):
        error = comment.removeprefix(NO_SCORE.rstrip()).lstrip()
        yield ScoreFailed(seat=seat, dimension=name, error=error)
    else:
        error = f"{source} has no value for it"
        yield ScoreFailed(seat=seat, dimension=name, error=error, raw=comment)


def _check_overall(
    field: str, overall: object, values: Mapping[str, object], place: RowPlace, notes: list[str]
) -> None:
    if overall is not None and not _is_number(overall):
        place.fault(field, f"the overall score must be a number, not {overall!r}")
        return
    there = [value for name in _RANGES if _is_number(value := values.get(name))]
    if overall is None or len(there) < len(_RANGES):
        return
    mean = sum(there) / len(there)
    if abs(mean - overall) > _ROUNDING:
        notes.append(
            f"{field}: the overall score {overall} is not the mean {mean:.2f} of the seven"
        )


def comments_of(reasoning: str) -> Comments:
    """Reasons by seat and dimension; a line that names no dimension goes on with the one before."""
    comments: Comments = {}
    seat, key = -1, None
    for line in reasoning.split("\n"):
        if agent := AGENT.fullmatch(line):
            seat, key = int(agent[1]) - 1, None
        elif seat >= 0 and (name := heading(line)):
            key = (seat, name)
            comments[key] = line.partition(":")[2].strip()
        elif key is not None and line.strip():
            comments[key] = f"{comments[key]}\n{line.strip()}".strip()
    return comments


def _is_number(value: object) -> TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= _LARGEST
