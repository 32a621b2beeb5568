"""What an annotator has before them: one item, the form, and what was answered so far."""

import time
from collections.abc import Collection, Mapping, Sequence

import msgspec

from actors.annotation.answers import AnswerFault, asked
from actors.annotation.rules import AnnotationRefused, steps
from actors.annotation.state import Annotator, Study, qualified
from actors.episodes.port.words import Account, Entry
from actors.episodes.views.inconsistent_history import telling
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.registry import rubric_named
from evaluators.scores.dimensions import label
from events.annotation import AttentionCheck, SeatAnswer
from events.base import Envelope
from events.evaluation import Dimension, ScoreAbstained, Scored
from events.ids import derived_id
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from gateway.services.access.roles import Principal
from gateway.services.annotations.answer_form import Quote
from gateway.services.annotations.drafts import AnnotationDraft, draft_of
from gateway.services.episodes.episode_details import memory_of
from gateway.services.repository import Loaded
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history

MOST_CHOICES = 21
"""A range of whole numbers with more of them is set by a slider, as one of fractions is."""


def pseudonym(principal: Principal) -> str:
    """The name of the judge that somebody is: the same whenever they come by the same name; without
    a name of their own, by the same token."""
    key = principal.name if principal.name != principal.role else principal.token
    return f"p-{derived_id('', 'annotator', key)[:8]}"


def now_us() -> int:
    """The time, in microseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1000


class TranscriptLine(msgspec.Struct, frozen=True, kw_only=True):
    entry: Entry
    hidden_from: tuple[int, ...]
    """The seats that did not notice it, from 0."""


class Knowing(msgspec.Struct, frozen=True, kw_only=True):
    """A seat, and what it knew before the first turn."""

    seat: int
    name: str
    account: Account


class AnswerRow(msgspec.Struct, frozen=True, kw_only=True):
    """One seat in one dimension: what is to be answered, and what stands there."""

    seat: int
    key: str
    """Part of the names of the form's fields."""
    answer: SeatAnswer
    fault: str = ""
    """Why the answer cannot be taken; empty: it was not tried, or can."""

    @property
    def picked(self) -> str:
        """The quotes as the form holds them: JSON."""
        both = zip(self.answer.evidence, self.answer.quotes, strict=False)
        return msgspec.json.encode([Quote(number, text) for number, text in both]).decode()


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One dimension of the form."""

    dimension: Dimension
    label: str
    checkpoint: bool
    needs_quote: bool
    """Who fails a seat in it has to quote."""
    choices: tuple[float, ...]
    """What can be chosen from; none: any number within the range."""
    rows: tuple[AnswerRow, ...]
    word: bool = False
    """One word answers it, for the whole episode."""
    check: AttentionCheck | None = None
    """What is asked behind it to see whether somebody reads."""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far an annotator is."""

    done: int
    """Items handed in."""
    whole: int
    """Those, and what could still be given to them."""
    in_qualification: bool


class Workspace(msgspec.Struct, frozen=True, kw_only=True):
    """All that the page of one item needs."""

    study: str
    item: int
    """From 0."""
    name: str
    account: Account
    """As a judge reads it."""
    lines: tuple[TranscriptLine, ...]
    knowing: tuple[Knowing, ...]
    parts: tuple[Part, ...]
    check: float | None
    """What stands at the attention check."""
    seconds: float
    progress: Progress
    qualification: bool
    again: bool
    """It was handed in before."""
    index: int
    """The episode's place in its chain, from 0; -1: it is in none."""

    @property
    def rows(self) -> int:
        """How many answers are asked for."""
        return sum(len(part.rows) + (part.check is not None) for part in self.parts)


def progress_of(study: Study, annotator: str) -> Progress:
    """How far somebody is. Before they are through with the qualification only that is counted."""
    who = study.annotators.get(annotator) or Annotator(name=annotator)
    if study.qualification and qualified(study, who) is None:
        done = sum(at in who.done for at in study.qualification)
        return Progress(done=done, whole=len(study.qualification), in_qualification=True)
    done = sum(at in who.done for at in study.scored)
    free = sum(
        at not in who.done and (at in who.given or study.taken(at) < study.plan.items[at].wanted)
        for at in study.scored
    )
    return Progress(done=done, whole=done + free, in_qualification=False)


def workspace(
    store: EventStore,
    loaded: Loaded[Study],
    annotator: str,
    item: int,
    *,
    typed: AnnotationDraft | None = None,
    faults: Sequence[AnswerFault] = (),
) -> Workspace:
    """An item as one annotator has it. ``typed``: what stands in the form, where it was sent and
    refused; None: what was handed in before, and what was typed since. Raises
    ``AnnotationRefused``. Blocking."""
    study = loaded.state
    who = study.annotators.get(annotator)
    if who is None or (item not in who.given and item not in who.done):
        raise AnnotationRefused("not_given", "this item was not given to you; take the next one")
    planned = study.plan.items[item]
    if planned.known and item in who.done:
        why = "an item of the qualification is answered once; take the next one"
        raise AnnotationRefused("not_given", why)
    episode = JudgedEpisode(read_history(store, planned.episode))
    knowing, hidden = _known(store, episode)
    draft = typed or _so_far(store, loaded.id, who, item)
    wrong = {(one.seat, one.dimension): one.why for one in faults}
    given = who.given.get(item)
    check = given.check if given else None
    started = episode.started
    return Workspace(
        study=loaded.id,
        item=item,
        name=study.plan.name,
        account=episode.account,
        lines=tuple(
            TranscriptLine(entry=entry, hidden_from=hidden.get(entry.number, ()))
            for entry in episode.account.entries
        ),
        knowing=tuple(knowing),
        parts=_parts(study, item, episode.seats, draft.answers, wrong, check),
        check=draft.check,
        seconds=draft.seconds,
        progress=progress_of(study, annotator),
        qualification=bool(planned.known),
        again=item in who.done,
        index=started.index if started.chain else -1,
    )


def may_read(study: Study, annotator: str, item: int) -> bool:
    """Whether an item was given to somebody, now or before."""
    who = study.annotators.get(annotator)
    return who is not None and (item in who.given or item in who.done)


def choices_of(dimension: Dimension, *, checkpoint: bool) -> tuple[float, ...]:
    """What can be chosen from in a dimension; none: any number within its range."""
    if checkpoint:
        return (1.0, 0.0)
    whole = dimension.integer and dimension.high - dimension.low < MOST_CHOICES
    return tuple(steps(dimension)) if whole else ()


def _parts(
    study: Study,
    item: int,
    seats: int,
    answers: Mapping[tuple[int, str], SeatAnswer],
    wrong: Mapping[tuple[int, str], str],
    check: AttentionCheck | None,
) -> tuple[Part, ...]:
    plan = study.plan
    words = rubric_named(plan.rubric).words
    which = list(dict.fromkeys(seat for seat, _ in asked(plan, plan.items[item], seats)))
    return tuple(
        Part(
            dimension=dimension,
            label=label(dimension.name),
            checkpoint=dimension.name in plan.checkpoints,
            word=dimension.name in words,
            needs_quote=dimension.name in plan.checkpoints
            and dimension.name not in plan.by_absence,
            choices=choices_of(dimension, checkpoint=dimension.name in plan.checkpoints),
            rows=tuple(
                AnswerRow(
                    seat=seat,
                    key=f"{seat}.{place}",
                    answer=answers.get((seat, dimension.name))
                    or SeatAnswer(seat=seat, dimension=dimension.name),
                    fault=wrong.get((seat, dimension.name), ""),
                )
                for seat in which
            ),
            check=check if check and check.dimension == dimension.name else None,
        )
        for place, dimension in enumerate(plan.dimensions)
    )


def _known(
    store: EventStore, episode: JudgedEpisode
) -> tuple[list[Knowing], dict[int, tuple[int, ...]]]:
    """What each seat knew, and for each event the seats that did not notice it."""
    game, started = episode.game, episode.started
    knowing = []
    noticed: list[Collection[int]] = []
    for seat in range(episode.seats):
        memory = memory_of(store, started, seat)
        with telling(game.environment):
            account = game.words.account(game.sight.view(episode.events, seat, memory))
        noticed.append({entry.number for entry in account.entries})
        knowing.append(Knowing(seat=seat, name=account.portraits[seat].name, account=account))
    hidden = {
        entry.number: tuple(
            seat for seat, numbers in enumerate(noticed) if entry.number not in numbers
        )
        for entry in episode.account.entries
    }
    return knowing, hidden


def _so_far(store: EventStore, study: str, who: Annotator, item: int) -> AnnotationDraft:
    done = who.done.get(item)
    if done is None or not done.evaluation:
        return draft_of(store, study, who.name, item)
    # What was typed before it was handed in is in what was handed in; time begins anew.
    stored = store.read(stream_name("evaluation", done.evaluation))
    handed_in = {(one.seat, one.dimension): one for one in _handed_in(stored)}
    draft = draft_of(store, study, who.name, item, after=stored[-1].position)
    return AnnotationDraft(answers={**handed_in, **draft.answers}, seconds=draft.seconds)


def _handed_in(stored: Sequence[Envelope]) -> Sequence[SeatAnswer]:
    found = []
    for envelope in stored:
        event = event_of(envelope)
        if isinstance(event, Scored):
            found.append(
                SeatAnswer(
                    seat=event.seat,
                    dimension=event.dimension,
                    value=event.value,
                    reason=event.reason,
                    evidence=event.evidence,
                    quotes=event.quotes,
                )
            )
        elif isinstance(event, ScoreAbstained):
            found.append(
                SeatAnswer(
                    seat=event.seat, dimension=event.dimension, abstained=True, reason=event.reason
                )
            )
    return found


def earlier_account(store: EventStore, episode: str, index: int) -> Account | None:
    """What happened in an earlier episode of an episode's chain, as a judge reads it; None: there
    is none."""
    row = queries.episode(store, episode)
    if not row.chain or not 0 <= index < row.index:
        return None
    from evaluators.judges.earlier_episodes import past_of

    past = past_of(store, read_history(store, row.id))
    if index >= len(past) or not past[index]:
        return None
    return JudgedEpisode(past[index]).account
