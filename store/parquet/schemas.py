"""The tables for analysis and their columns: what Parquet files hold and notebooks read.

Times are UTC timestamps, money is US dollars, latencies are seconds, seats count from 0. What is
not known is null. Each column carries what it is in its metadata, under ``what``.
"""

import pyarrow as pa

_TEXT, _WHOLE, _NUMBER, _FLAG = pa.string(), pa.int64(), pa.float64(), pa.bool_()
_TIME = pa.timestamp("us", tz="UTC")
_WORDS, _NUMBERS = pa.list_(_TEXT), pa.list_(_WHOLE)


def _schema(*columns: tuple[str, pa.DataType, str]) -> pa.Schema:
    return pa.schema(
        [pa.field(name, kind, metadata={"what": what}) for name, kind, what in columns]
    )


def meaning(field: pa.Field) -> str:
    """What a column is; empty where an environment brought it."""
    told: bytes = (field.metadata or {}).get(b"what", b"")
    return told.decode()


RUNS = _schema(
    ("run", _TEXT, "its id"),
    ("name", _TEXT, "the plan's"),
    ("catalog", _TEXT, "the catalog that its tasks are from"),
    ("status", _TEXT, "running, paused or ended"),
    ("pause_reason", _TEXT, "budget, model or stopped while it is paused, else empty"),
    ("episodes_planned", _WHOLE, "episodes of its plan; one that was played again counts once"),
    ("episodes_ended", _WHOLE, "of those planned; forks are not counted"),
    ("episodes_failed", _WHOLE, "of those planned, the ones given up"),
    ("episodes_marked", _WHOLE, "of those ended, the ones in which actions failed"),
    ("started_at", _TIME, "when it was planned"),
    ("ended_at", _TIME, "null: it has not ended"),
)
EPISODES = _schema(
    ("run", _TEXT, "the run's id"),
    ("episode", _TEXT, "its id"),
    ("task", _TEXT, "the task's id; empty in a chain and without a catalog"),
    ("catalog", _TEXT, "the catalog that the task is from; empty: none"),
    ("scenario_id", _TEXT, "the scenario's id: what standard errors are clustered by"),
    ("scenario", _TEXT, "what lists call the scenario"),
    ("seed", _WHOLE, "what chance began with, by the plan; null for a fork"),
    ("characters", _WORDS, "names, one a seat"),
    ("minds", _WORDS, "names, one a seat"),
    ("status", _TEXT, "planned, playing, ended, or failed: given up"),
    ("turns", _WHOLE, "the last turn in which somebody acted"),
    ("end_reason", _TEXT, "one of the environment's endings, or why the episode was given up"),
    ("failed_actions", _WHOLE, "actions that a mind failed to give; 0: a clean episode"),
    ("parent", _TEXT, "of a fork: the episode that it was forked from"),
    ("forked_at", _WHOLE, "of a fork: the number of the last event they share"),
    ("started_at", _TIME, "null while it is planned"),
    ("ended_at", _TIME, "null while it goes on"),
    ("chain", _TEXT, "its chain; empty: none"),
    ("index", _WHOLE, "its place in the chain, from 0"),
    ("superseded_by", _TEXT, "always empty here: the episode played in its place"),
    ("hard", _FLAG, "it ends its chain and needs what came up in earlier episodes"),
    ("tags", _WORDS, "the task's, the scenario's, and of whoever began it; null before it began"),
)
"""Columns follow of what its environment tells of the setup (``Environment.labels``)."""
ACTIONS = _schema(
    ("run", _TEXT, "the run's id"),
    ("episode", _TEXT, "the episode's id"),
    ("number", _WHOLE, "the event's number in the history"),
    ("turn", _WHOLE, "from 1"),
    ("seat", _WHOLE, "who acted"),
    ("character", _TEXT, "name"),
    ("mind", _TEXT, "name"),
    ("action", _TEXT, "all of the action, as JSON"),
    ("kind", _TEXT, "what it has of this"),
    ("text", _TEXT, "the words said or done"),
    ("to", _NUMBERS, "the seats that alone noticed it; empty: everybody"),
    ("inherited", _FLAG, "a fork shares it with its parent"),
    ("failure", _TEXT, "set where the mind gave nothing usable: then it is no choice of its"),
    ("failure_detail", _TEXT, "more about the failure"),
    ("recorded_at", _TIME, "when it was stored"),
)
EVALUATIONS = _schema(
    ("run", _TEXT, "the run's id"),
    ("evaluation", _TEXT, "its id"),
    ("episode", _TEXT, "the episode that was read"),
    ("judge", _TEXT, "the judge's name"),
    ("judge_kind", _TEXT, "model, local, rehearsal, rule, imported or person"),
    ("judge_hash", _TEXT, "the judge's fingerprint, which tells judges of one name apart"),
    ("upto", _WHOLE, "the last event number that was judged"),
    ("status", _TEXT, "running, ended, or failed: given up"),
    ("scored", _WHOLE, "scores with a value"),
    ("failed", _WHOLE, "scores that the judge failed to give"),
    ("abstained", _WHOLE, "scores that the judge declined to give"),
    ("reason", _TEXT, "why it was given up, or empty"),
    ("started_at", _TIME, "null: not known"),
    ("ended_at", _TIME, "null: not ended"),
)
SCORES = _schema(
    ("run", _TEXT, "the run's id"),
    ("episode", _TEXT, "the episode's id"),
    ("evaluation", _TEXT, "the evaluation's id; null where the score is derived"),
    ("judge", _TEXT, "the judge's name"),
    ("judge_kind", _TEXT, "model, local, rehearsal, rule, imported or person"),
    ("judge_hash", _TEXT, "the judge's fingerprint, which tells judges of one name apart"),
    ("seat", _WHOLE, "whom it is about"),
    ("character", _TEXT, "name"),
    ("mind", _TEXT, "name"),
    ("partner", _WORDS, "the minds in the other seats, each once"),
    ("dimension", _TEXT, "its name; overall is worked out where all that it needs was asked for"),
    ("status", _TEXT, "scored, failed (nothing usable) or abstained (declined)"),
    ("value", _NUMBER, "null unless scored; a checkpoint is 1 (passed) or 0"),
    ("reason", _TEXT, "the judge's, or why there is no value"),
    ("evidence", _NUMBERS, "numbers of the events that it rests on"),
    ("quotes", _WORDS, "words that it rests on"),
    ("derived", _FLAG, "true for overall: leave it out where scores are counted"),
)
CALLS = _schema(
    ("run", _TEXT, "the run's id"),
    ("episode", _TEXT, "the episode of the agent that asked, or that the judge was reading"),
    ("seat", _WHOLE, "the seat of the agent or the memory that asked; null for a judge"),
    ("evaluation", _TEXT, "the evaluation of the judge that asked, or empty"),
    ("turn", _WHOLE, "the turn; of a memory the episode's index; 0 for a judge"),
    ("attempt", _WHOLE, "0, then one more each time an answer could not be read"),
    ("purpose", _TEXT, "act, judge, remember, find, interview, or what a mind that thinks asks"),
    ("model", _TEXT, "as configured, provider included"),
    ("asked", _WHOLE, "how often it was sent: more than once after a crash"),
    ("answered", _WHOLE, "answers received"),
    ("failed", _WHOLE, "calls that failed for good"),
    ("failure", _TEXT, "the last failure's reason, or empty"),
    ("input_tokens", _WHOLE, "of all answers"),
    ("output_tokens", _WHOLE, "of all answers"),
    ("cost_usd", _NUMBER, "null where the price is not known"),
    ("latency_s", _NUMBER, "of all answers and failures, retries included"),
    ("retries", _WHOLE, "repeated requests within the calls"),
    ("chain", _TEXT, "the chain of the memory that asked, or empty"),
)
CHAINS = _schema(
    ("run", _TEXT, "the run's id"),
    ("chain", _TEXT, "its id"),
    ("catalog", _TEXT, "name"),
    ("characters", _WORDS, "ids, one a seat"),
    ("minds", _WORDS, "names, one a seat"),
    ("memory", _TEXT, "the memory its characters have, by name"),
    ("module", _TEXT, "what kind of memory it is"),
    ("length", _WHOLE, "episodes it is to have"),
    ("done", _WHOLE, "episodes that are over and remembered"),
    ("failed", _WHOLE, "of them, those that were given up"),
    ("memories_failed", _WHOLE, "how often a seat's memory was given up"),
    ("status", _TEXT, "planned, playing, ended, or failed: given up"),
    ("reason", _TEXT, "why it was given up, or empty"),
    ("started_at", _TIME, "null while it is planned"),
    ("ended_at", _TIME, "null while it goes on"),
)
MEMORIES = _schema(
    ("run", _TEXT, "the run's id"),
    ("chain", _TEXT, "the chain's id"),
    ("seat", _WHOLE, "whose memory it is"),
    ("index", _WHOLE, "the episode's place in the chain, from 0"),
    ("episode", _TEXT, "the episode's id"),
    ("recalled", _NUMBERS, "indices of the earlier episodes that were in the prompt"),
    ("dropped", _NUMBERS, "indices of those that did not fit"),
    ("recalled_tokens", _WHOLE, "tokens of what was recalled"),
    ("limit_tokens", _WHOLE, "tokens there was room for"),
    ("recalled_at", _TIME, "null: nothing was recalled yet"),
    ("words", _WHOLE, "words of the note"),
    ("tokens", _WHOLE, "tokens that the note takes in a prompt"),
    ("writer", _TEXT, "the model that wrote the note, or rehearsal; empty: nobody had to"),
    ("attempts", _WHOLE, "questions put to the writer"),
    ("within_bounds", _FLAG, "false where no note kept to the length asked for"),
    ("cost_usd", _NUMBER, "of all attempts; null where the price is not known"),
    ("input_tokens", _WHOLE, "of all attempts"),
    ("output_tokens", _WHOLE, "of all attempts"),
    ("written_at", _TIME, "null: not remembered yet"),
)

SCHEMAS = {
    "runs": RUNS,
    "episodes": EPISODES,
    "actions": ACTIONS,
    "evaluations": EVALUATIONS,
    "scores": SCORES,
    "calls": CALLS,
    "chains": CHAINS,
    "memories": MEMORIES,
}
"""Each by its table's name."""
