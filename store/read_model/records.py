"""What ``store.read_model.queries`` answers: one struct a row.

Times are microseconds since 1970-01-01 UTC, money is US dollars.
"""

from typing import Literal, NamedTuple

import msgspec

RunStatus = Literal["running", "paused", "ended"]
EpisodeStatus = Literal["planned", "playing", "ended", "failed"]
ChainStatus = Literal["planned", "playing", "ended", "failed"]
EvaluationStatus = Literal["running", "ended", "failed"]
ScoreStatus = Literal["scored", "failed", "abstained"]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The root of all records."""


class CatalogRow(Record, frozen=True, kw_only=True):
    """A catalog as it is now."""

    name: str
    """As in the plan of a run."""
    digest: str
    """Fingerprint of the newest version."""
    source: str
    """Where the newest version came from, in words, or empty."""
    imports: int
    """How many versions of it came in."""
    imported_at: int
    """When the newest version came in."""
    environment: str
    """The environment that plays it."""
    counts: dict[str, int]
    """How many it holds of each kind, by the kind's plural: ``tasks``, and others."""


class RunRow(Record, frozen=True, kw_only=True):
    """A run."""

    id: str
    """As in its stream, ``run-<id>``."""
    name: str
    """The plan's."""
    catalog: str
    """Name of the catalog that its tasks are from."""
    status: RunStatus
    pause_reason: str
    """``budget``, ``model`` or ``stopped`` while paused, else empty."""
    pause_detail: str
    """More about why, in words, or empty."""
    episodes_planned: int
    """Episodes of the plan; one that was played again counts once. Of a study's run: those that
    have begun."""
    episodes_ended: int
    """Of those; forks made later are not counted here."""
    episodes_failed: int
    """Of those planned."""
    episodes_marked: int
    """Of those that ended, the ones in which actions failed."""
    started_at: int | None
    """When it was planned."""
    ended_at: int | None
    """None: not ended, or resumed since."""
    detached: bool = False
    """Left to a server, which carries it out while one is there."""
    stopped: bool = False
    """Somebody ended it for good before all was done."""
    archived: bool = False
    """Lists leave it out."""
    imported: str = ""
    """What its episodes came in, where they were simulated elsewhere: nothing of it is left to do.
    Empty: they were played here."""
    taken_to: str = ""
    """The folder it was archived to: nothing of it is here. Empty: it is here."""
    taken_at: int | None = None
    """When it was archived."""
    taken_events: int = 0
    """Events that were archived."""
    taken_bytes: int = 0
    """Of their payloads."""


class EpisodeRow(Record, frozen=True, kw_only=True):
    """An episode. Of one that is only planned, scenario and characters are not known yet."""

    id: str
    """As in its stream, ``episode-<id>``."""
    run: str
    """Empty when it belongs to no run."""
    task: str
    """Id of the catalog's task; empty: none."""
    catalog: str
    """Name of the catalog; empty: none."""
    scenario_id: str
    """Id in the catalog."""
    scenario: str
    """What is played, as lists call it."""
    characters: tuple[str, ...]
    """Names, one a seat."""
    minds: tuple[str, ...]
    """Names, one a seat."""
    status: EpisodeStatus
    """``failed``: given up."""
    turns: int
    """The last turn in which somebody acted, a fork's shared past included."""
    end_reason: str
    """One of the environment's endings, ``stopped``, or why the episode was given up."""
    failed_actions: int
    """Actions that a mind failed to give, of a fork those in its shared past, too. 0: clean."""
    parent: str | None
    """The episode this is a fork of."""
    forked_at: int | None
    """The last event number shared with the parent."""
    started_at: int | None
    """None: only planned."""
    ended_at: int | None
    """Ended or given up; None: neither, or reopened since."""
    chain: str = ""
    """The chain it belongs to; empty: none."""
    index: int = 0
    """Its place in the chain: 0, 1, 2, …"""
    environment: str = ""
    """The environment's name; empty while nothing says which."""
    summary: dict[str, str | int | float | bool] = {}
    """What the environment says of an episode that has ended, by a short name."""
    superseded_by: str = ""
    """The episode that was played in its place; empty: it stands."""


class EpisodeTotals(Record, frozen=True, kw_only=True):
    """Episodes that stand, summed up."""

    episodes: int
    turns: int
    """Taken, in all of them."""
    failed_actions: int
    """Actions that a mind failed to give."""
    superseded: int
    """Episodes in whose place others were played, not counted above."""


class ChainRow(Record, frozen=True, kw_only=True):
    """A chain: the same characters meet again and again."""

    id: str
    """As in its stream, ``chain-<id>``."""
    run: str
    """Empty when it belongs to no run."""
    catalog: str
    """Name of the catalog."""
    characters: tuple[str, ...]
    """Ids, one a seat."""
    minds: tuple[str, ...]
    """Names, one a seat."""
    memory: str
    """Name of the memory its characters have."""
    module: str
    """An ``events.memory.MemoryModule``; empty while it is not known."""
    length: int
    """Episodes it is to have."""
    done: int
    """Episodes that are over and remembered, those given up included."""
    failed: int
    """Of them, those that were given up."""
    memories_failed: int
    """How often a seat's memory was given up."""
    status: ChainStatus
    """``failed``: given up."""
    reason: str
    """Why it was given up, or empty."""
    started_at: int | None
    """None: only planned."""
    ended_at: int | None
    """Ended or given up; None: neither, or gone on since."""


class MemoryRow(Record, frozen=True, kw_only=True):
    """What one seat recalled before an episode of a chain, and wrote down after it."""

    chain: str
    """Id."""
    seat: int
    """From 0; -1 where the stream names none."""
    index: int
    """The episode's place in the chain: 0, 1, 2, …"""
    episode: str
    """Id."""
    recalled: tuple[int, ...]
    """Indices of the earlier episodes that were in the prompt, in the prompt's order."""
    dropped: tuple[int, ...]
    """Indices of those left out because they did not fit, oldest first."""
    recalled_tokens: int
    """Tokens of what was recalled."""
    limit_tokens: int
    """Tokens there was room for."""
    recalled_at: int | None
    """None: nothing was recalled yet."""
    words: int
    """Words of the note."""
    tokens: int
    """Tokens that what was kept takes in a prompt."""
    writer: str
    """The model that wrote the note, or ``rehearsal``; empty where nobody had to."""
    attempts: int
    """Questions put to the writer."""
    within_bounds: bool
    """False where no note kept to the length it was asked for."""
    cost_usd: float | None
    """Of all attempts; None where the price is not known or nobody was paid."""
    input_tokens: int
    """Of all attempts."""
    output_tokens: int
    """Of all attempts."""
    written_at: int | None
    """None: the episode is not over, or not remembered yet."""


class EvaluationRow(Record, frozen=True, kw_only=True):
    """One judge's reading of one episode."""

    id: str
    """As in its stream, ``evaluation-<id>``."""
    episode: str
    """Id of the episode judged."""
    run: str
    """The run it was made for, else the episode's; empty: none."""
    judge: str
    """Name."""
    judge_kind: str
    """An ``events.evaluation.JudgeKind``."""
    judge_hash: str
    """Fingerprint of the judge's whole specification; same hash, same judge."""
    upto: int
    """The last event number judged."""
    status: EvaluationStatus
    """``failed``: given up."""
    scored: int
    """Scores with a value."""
    failed: int
    """Scores missing because the judge failed to give them."""
    abstained: int
    """Scores that the judge declined to give."""
    reason: str
    """Why it was given up, or empty."""
    started_at: int | None
    """None: its start is not known."""
    ended_at: int | None
    """Ended or given up; None: neither, or reopened since."""
    superseded_by: str = ""
    """The evaluation by the same judge that counts in its place; empty: it stands."""


class ScoreRow(Record, frozen=True, kw_only=True):
    """One seat's score in one dimension, or that it is missing."""

    evaluation: str
    """Id."""
    episode: str
    """Id of the episode judged."""
    run: str
    """As in ``EvaluationRow``, as are the judge's fields."""
    judge: str
    judge_kind: str
    judge_hash: str
    seat: int
    """From 0."""
    mind: str
    """Name of the seat's mind."""
    character: str
    """Name of the seat's character."""
    dimension: str
    """Name, unique within its judge."""
    status: ScoreStatus
    value: float | None
    """None unless ``status`` is ``scored``."""
    reason: str
    """The judge's reason, or why there is no value."""
    evidence: tuple[int, ...]
    """Event numbers of the episode that the score rests on."""
    quotes: tuple[str, ...] = ()
    """Words that the score rests on, as they stand there."""


class CallRow(Record, frozen=True, kw_only=True):
    """One question put to a model, with all the times it was sent."""

    run: str
    """Empty: none."""
    episode: str
    """The episode of the agent that asked, or the one that the judge was reading."""
    seat: int | None
    """The seat of the agent or the memory that asked; None for a judge."""
    evaluation: str
    """The evaluation of the judge that asked, or empty."""
    turn: int
    """The turn it was for; 0 for a judge."""
    attempt: int
    """0, then one more each time an answer could not be read."""
    purpose: str
    """``act``, ``judge`` or another; see ``events.agent.ModelAsked``."""
    model: str
    """As configured, provider included."""
    asked: int
    """How often it was sent: more than once after a crash before the answer."""
    answered: int
    """Answers received."""
    failed: int
    """Calls that failed for good."""
    failure: str
    """The last failure's reason, or empty."""
    input_tokens: int
    """Of all answers."""
    output_tokens: int
    """Of all answers."""
    cost_usd: float | None
    """None where an answer's price is not known or there was no answer."""
    latency_s: float
    """Of all answers and failures, retries included."""
    retries: int
    """Repeated requests within the calls."""
    chain: str = ""
    """The chain of the memory that asked, or empty; ``turn`` is then the episode's index."""


class CallTotals(Record, frozen=True, kw_only=True):
    """All calls of one run to one model for one purpose."""

    run: str
    model: str
    purpose: str
    asked: int
    """Requests sent."""
    answered: int
    """Answers received."""
    failed: int
    """Calls that failed for good."""
    input_tokens: int
    output_tokens: int
    cost_usd: float
    """The answers whose price is known."""
    unpriced: int
    """Answers whose price is not known."""
    latency_s: float
    """Of all calls together; divide by ``answered + failed`` for the mean."""
    unreadable: int = 0
    """Calls whose last answer could not be used, as far as that was recorded."""
    unanswered: int = 0
    """Calls that brought neither an answer nor a failure: under way, or lost with a process that
    was killed. A question that is recorded twice before it is sent is one."""


class SecondTries(Record, frozen=True, kw_only=True):
    """What was done about one kind of unusable answers of a model, and how often that helped."""

    run: str
    model: str
    fault: str
    """As ``ModelAnswered.fault``."""
    way: Literal["asked again", "gone on with"]
    """The question was put again; or the model was let go on from where its answer was cut off."""
    times: int
    mended: int
    """Of them, how often the answer could then be used."""


class Spent(NamedTuple):
    """What a run has spent on models so far; answers of unknown price count in tokens only."""

    usd: float
    """Answers of known price."""
    tokens: int
    """Input and output."""
