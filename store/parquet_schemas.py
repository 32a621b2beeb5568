"""The columns of the Parquet tables. ``docs/tables.md`` says what each holds.

Times are UTC timestamps, money is US dollars, latencies are seconds. What is not known is null.
"""

import pyarrow as pa

_TEXT, _WHOLE, _NUMBER, _FLAG = pa.string(), pa.int64(), pa.float64(), pa.bool_()
_TIME = pa.timestamp("us", tz="UTC")
_WORDS, _NUMBERS = pa.list_(_TEXT), pa.list_(_WHOLE)

EPISODES = pa.schema(
    [
        ("run", _TEXT),
        ("episode", _TEXT),
        ("task", _TEXT),
        ("catalog", _TEXT),
        ("scenario_id", _TEXT),
        ("scenario", _TEXT),
        ("characters", _WORDS),
        ("minds", _WORDS),
        ("status", _TEXT),
        ("turns", _WHOLE),
        ("end_reason", _TEXT),
        ("failed_actions", _WHOLE),
        ("parent", _TEXT),
        ("forked_at", _WHOLE),
        ("started_at", _TIME),
        ("ended_at", _TIME),
        # Empty where it belongs to no chain; its place there.
        ("chain", _TEXT),
        ("index", _WHOLE),
        # The episode played in its place; empty: it stands.
        ("superseded_by", _TEXT),
        # It is of the part that ends its chain and needs what came up in earlier episodes.
        ("hard", _FLAG),
        # The task's, the scenario's, and those of whoever began the episode.
        ("tags", _WORDS),
        # What its environment tells of the setup, each under a name; columns of these names follow.
    ]
)
ACTIONS = pa.schema(
    [
        ("run", _TEXT),
        ("episode", _TEXT),
        # The event's number in the episode's history.
        ("number", _WHOLE),
        ("turn", _WHOLE),
        ("seat", _WHOLE),
        ("character", _TEXT),
        ("mind", _TEXT),
        # The whole action, as JSON; what it has of kind, text and seats stands beside it.
        ("action", _TEXT),
        ("kind", _TEXT),
        ("text", _TEXT),
        # Seats that may notice it; empty: everybody.
        ("to", _NUMBERS),
        # True where a fork shares the action with its parent.
        ("inherited", _FLAG),
        ("failure", _TEXT),
        ("failure_detail", _TEXT),
        ("recorded_at", _TIME),
    ]
)
SCORES = pa.schema(
    [
        ("run", _TEXT),
        ("episode", _TEXT),
        ("evaluation", _TEXT),
        ("judge", _TEXT),
        ("judge_kind", _TEXT),
        ("judge_hash", _TEXT),
        ("seat", _WHOLE),
        ("character", _TEXT),
        ("mind", _TEXT),
        # The minds in the other seats, each once, by name.
        ("partner", _WORDS),
        ("dimension", _TEXT),
        ("status", _TEXT),
        ("value", _NUMBER),
        ("reason", _TEXT),
        ("evidence", _NUMBERS),
        ("quotes", _WORDS),
        # Worked out from the judge's other scores, as the overall score is.
        ("derived", _FLAG),
    ]
)
CALLS = pa.schema(
    [
        ("run", _TEXT),
        ("episode", _TEXT),
        ("seat", _WHOLE),
        ("evaluation", _TEXT),
        ("turn", _WHOLE),
        ("attempt", _WHOLE),
        ("purpose", _TEXT),
        ("model", _TEXT),
        ("asked", _WHOLE),
        ("answered", _WHOLE),
        ("failed", _WHOLE),
        ("failure", _TEXT),
        ("input_tokens", _WHOLE),
        ("output_tokens", _WHOLE),
        ("cost_usd", _NUMBER),
        ("latency_s", _NUMBER),
        ("retries", _WHOLE),
        # The chain of the memory that asked; the turn is then the episode's index.
        ("chain", _TEXT),
    ]
)
CHAINS = pa.schema(
    [
        ("run", _TEXT),
        ("chain", _TEXT),
        ("catalog", _TEXT),
        ("characters", _WORDS),
        ("minds", _WORDS),
        ("memory", _TEXT),
        ("module", _TEXT),
        ("length", _WHOLE),
        ("done", _WHOLE),
        ("failed", _WHOLE),
        ("memories_failed", _WHOLE),
        ("status", _TEXT),
        ("reason", _TEXT),
        ("started_at", _TIME),
        ("ended_at", _TIME),
    ]
)
MEMORIES = pa.schema(
    [
        ("run", _TEXT),
        ("chain", _TEXT),
        ("seat", _WHOLE),
        ("index", _WHOLE),
        ("episode", _TEXT),
        # Indices of earlier episodes.
        ("recalled", _NUMBERS),
        ("dropped", _NUMBERS),
        ("recalled_tokens", _WHOLE),
        ("limit_tokens", _WHOLE),
        ("recalled_at", _TIME),
        ("words", _WHOLE),
        ("tokens", _WHOLE),
        ("writer", _TEXT),
        ("attempts", _WHOLE),
        ("within_bounds", _FLAG),
        ("cost_usd", _NUMBER),
        ("input_tokens", _WHOLE),
        ("output_tokens", _WHOLE),
        ("written_at", _TIME),
    ]
)
