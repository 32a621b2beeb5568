"""A plan some of whose seats are played by the caller."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from actors.runs.plan.plan_file import read_plan_file
from actors.toml_file import BadFile, parse_table, read_table
from evaluators.judges.judge_file import judge_named
from events.evaluation import JudgeSpec
from events.ids import RUN, new_id
from events.minds import MindSpec
from events.run import PlannedEpisode, RunPlanned
from gateway.errors import GatewayError
from gateway.services.runs.plan_run import Prepared, prepare_words
from store.log.event_store import EventStore
from troupe.arguments import Plan, text_of

_HOW = (
    'a mind of kind "remote" is played by the program; say in [seats] where it sits, for example '
    'pairings = [["mine", "wily"]]'
)


class NoSeats(GatewayError):
    """A plan that leaves the caller no seat to play, or more of them than it can."""


class SeatPlan:
    """What a plan says, and which of its minds the caller plays."""

    def __init__(self, plan: Plan, *, mind: str = "") -> None:
        """``plan``: a file's path, its text, or a dict of what it would say. ``mind``: the mind of
        the plan that is played by the caller, whatever the plan says of it; empty: all its remote
        minds. Raises ``BadFile``, and ``GatewayError`` for what is no plan."""
        path = _path_of(plan)
        self._beside = Path() if path is None else path.parent
        self._name = "plan" if path is None else str(path)
        if path is not None:
            read_plan_file(path)  # its errors name the file
            self._given = dict(read_table(path).data)
        elif isinstance(plan, str):
            self._given = dict(parse_table(plan, self._name).data)
        elif isinstance(plan, Mapping):
            self._given = dict(plan)
        else:
            kind = type(plan).__name__
            raise GatewayError(f"a plan is a file's path, its text or a dictionary, not a {kind}")
        if mind:
            minds = self._given.get("minds")
            if not isinstance(minds, Mapping) or mind not in minds:
                known = ", ".join(map(str, minds)) if isinstance(minds, Mapping) else "none"
                raise BadFile(self._name, "minds", f"there is no mind {mind!r}; there are {known}")
            self._given["minds"] = {**minds, mind: {"kind": "remote"}}

    def prepare(self, store: EventStore, seed: int | None = None) -> Prepared:
        """A run that plays it, with another ``seed`` where one is given. Raises ``BadFile``,
        ``NoSeats``."""
        judges: dict[str, JudgeSpec] = {}
        beside = partial(judge_named, beside=self._beside)

        def judge(name: str) -> JudgeSpec:
            return judges.get(name) or beside(name)

        given = self._given if seed is None else {**self._given, "seed": seed}
        text = text_of(store, given, judges)
        prepared = prepare_words(store, text, judge, new_id(RUN), self._beside)
        if prepared.planned.chains:
            why = "programs play episodes by themselves, not chains of them; leave [chains] out"
            raise BadFile(self._name, "chains", why)
        for episode in prepared.planned.episodes:
            if not seats_of(prepared.planned, episode):
                raise NoSeats(f"{episode_words(episode)}: none of its seats is yours; {_HOW}")
        return prepared


def seats_of(planned: RunPlanned, episode: PlannedEpisode) -> tuple[int, ...]:
    """The seats of an episode that the caller plays, from 0."""
    minds = {mind.name: mind for mind in planned.plan.minds}
    return remote_seats([minds[name] for name in episode.minds])


def remote_seats(minds: Sequence[MindSpec]) -> tuple[int, ...]:
    """Where remote minds sit, from 0."""
    return tuple(seat for seat, mind in enumerate(minds) if mind.kind == "remote")


def only_seat(seats: Sequence[int], what: str) -> int:
    """The one seat that the caller plays. Raises ``NoSeats`` where there are several."""
    if len(seats) != 1:
        told = ", ".join(str(seat + 1) for seat in seats)
        raise NoSeats(f"{what}: the program would play seats {told}, not one; {_HOW}")
    return seats[0]


def episode_words(episode: PlannedEpisode) -> str:
    """How errors call an episode of a plan."""
    return f"{episode.task} ({' and '.join(episode.minds)})"


def _path_of(plan: object) -> Path | None:
    if isinstance(plan, Path):
        return plan.expanduser()
    if isinstance(plan, str) and "\n" not in plan and "=" not in plan:
        return Path(plan).expanduser()
    return None
