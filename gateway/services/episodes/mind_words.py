"""Minds as people type them: one word, or a seat with one."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rapidfuzz import fuzz, process

from actors.runs.plan.mind_entries import MindEntry, mind_specs
from events.minds import MindSpec
from gateway.errors import BadArgument, did_you_mean
from store.log.event_store import EventStore
from store.read_model import queries

KINDS: Final = ("rehearsal", "recorded", "remote", "person")
"""What may stand before a colon; anything else is a model's name."""
_ALMOST: Final = 75.0
"""Of 100: a word spelt this much like a known one is a slip, not a model's name."""


class KnownMinds(NamedTuple):
    """What may sit down without more being said."""

    minds: Mapping[str, MindSpec]
    """By name."""
    tempers: Sequence[str]
    """Of the environment's rehearsal minds."""


def parse_seat(
    store: EventStore, argument: str, seats: int, known: KnownMinds
) -> tuple[int, MindSpec]:
    """``2=rehearsal:stubborn``, ``2=remote``, ``2=person``, ``2=recorded:EPISODE``, ``2=NAME`` of
    a mind that is ``known``, or ``2=MODEL``: the seat, from 0, and its mind.

    Raises ``BadArgument``, also for what is almost one of these words and would be taken for a
    model's name.
    """
    seat, sign, name = argument.partition("=")
    is_number = seat.isascii() and seat.isdigit()
    if not sign or not name or not is_number or not 1 <= int(seat) <= seats:
        raise BadArgument(
            "--seat", argument, f"give a seat from 1 to {seats} and a mind: 2=rehearsal:TEMPER"
        )
    return int(seat) - 1, parse_mind(store, name, known, argument)


def parse_mind(
    store: EventStore, words: str, known: KnownMinds, argument: str, option: str = "--seat"
) -> MindSpec:
    """The mind that is known by a name, else what ``mind_in_words`` makes of it, which raises the
    same."""
    chosen = known.minds.get(words)
    if chosen is None:
        (chosen,) = mind_specs(dict([mind_in_words(store, words, known, argument, option)]))
    return chosen


def mind_in_words(
    store: EventStore, words: str, known: KnownMinds, argument: str, option: str = "--seat"
) -> tuple[str, MindEntry]:
    """``rehearsal:TEMPER``, ``recorded:EPISODE``, ``remote``, ``person`` or a model's name: what
    the mind is called, and its entry in a plan. Raises ``BadArgument`` that names ``argument`` as
    what was given for ``option``, ``UnknownId``."""
    kind, _, detail = words.partition(":")
    match kind:
        case "rehearsal":
            if detail not in (known.tempers or ("",)):
                why = f"there is no temper {detail!r}; there are {', '.join(known.tempers)}"
                raise BadArgument(option, argument, why + did_you_mean(detail, known.tempers))
            return detail or kind, MindEntry(kind="rehearsal", temper=detail)
        case "recorded":
            episode = queries.find_episode(store, detail)
            return f"recorded {episode}", MindEntry(kind="recorded", episode=episode)
        case "remote":
            return kind, MindEntry(kind="remote")
        case "person":
            return kind, MindEntry(kind="person")
        case _:
            _refuse_a_slip(words, kind, argument, known, option)
            return words, MindEntry(kind="model", model=words)


def _refuse_a_slip(name: str, kind: str, argument: str, known: KnownMinds, option: str) -> None:
    meant = {temper: f"rehearsal:{temper}" for temper in known.tempers}
    meant |= {word: word for word in known.minds}
    near = process.extractOne(name, list(meant), scorer=fuzz.ratio, score_cutoff=_ALMOST)
    if near:
        why = f"no mind is called {name!r}; did you mean {meant[near[0]]!r}?"
        raise BadArgument(option, argument, why)
    near = process.extractOne(kind, KINDS, scorer=fuzz.ratio, score_cutoff=_ALMOST)
    if near and near[0] != name:
        why = f"there is no kind of mind {kind!r}; did you mean {near[0]!r}?"
        raise BadArgument(option, argument, why)
