"""Size limits of input from outside: models' replies, messages, files.

Each limit is larger than any honest sender needs, and reading that much takes a process at most 256
MiB. Plain JSON takes up to some 24 times its length once it is decoded (``[[],[],…``), so what is
decoded without a schema is bounded at 4 MiB, or in how many values it may have.
"""

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB

# ---------------------------------------------------------------- replies of models

MOST_REPLY_BYTES: Final = 4 * MIB
"""Bytes of a model server's reply, its body as sent and as inflated, each; the default of
``TROUPE_MOST_REPLY_BYTES``. An answer of 100,000 tokens has half a MiB."""
LEAST_REPLY_CAP: Final = 4 * KIB
"""Bytes: the least that ``TROUPE_MOST_REPLY_BYTES`` may say; a short answer has one KiB."""
MOST_REPLY_CAP: Final = 16 * MIB
"""Bytes: the most that ``TROUPE_MOST_REPLY_BYTES`` may say."""
MOST_ERROR_BYTES: Final = 64 * KIB
"""Bytes that are read of a reply that reports an error: its words are for a person."""
MOST_REPLY_MARKS: Final = 500_000
"""Commas and opening brackets in a reply. There are at least as many of them as values; LiteLLM
keeps several copies of each, of 100 bytes and more."""

# ---------------------------------------------------------------- what is kept

MOST_RAW: Final = 16_000
"""Characters of an answer that could not be read, kept beside the failure (``raw``). All of it is
in its ``ModelAnswered``."""
MOST_DETAIL: Final = 2_000
"""Maximum characters of an error message (``detail``) from any sender."""

MOST_NARRATED: Final = 4_000
"""Characters that a narrator says at once."""

MOST_QUESTION: Final = 4_000
"""Characters of a question in an interview."""

# ---------------------------------------------------------------- messages

MOST_MESSAGE_BYTES: Final = 8 * MIB
"""Bytes of any message: what the embedded NATS server takes (``max_payload``). A server of the
user's own may take less; then that is the limit."""
MOST_COMMAND_BYTES: Final = 512 * KIB
"""Bytes of a command to an episode as it is sent. An action of 10,000 characters has 120 KiB where
JSON escapes them all."""
MOST_JOB_BYTES: Final = 256 * KIB
"""Bytes of a job in the queue. It holds ids; before this version it held a judge, too."""
MOST_ID: Final = 200
"""Characters of an id: what the projections' tables hold."""

# ---------------------------------------------------------------- files

MOST_LINE_BYTES: Final = 32 * MIB
"""Bytes of a line of an exported file. The plan of a run of 150,000 episodes is one event."""
PLAIN_LINE_BYTES: Final = 4 * MIB
"""A line of an exported file that is longer than this is looked at before it is decoded: bytes."""
MOST_MARKS: Final = 1_500_000
"""Commas and brackets in such a line. There are at least as many of them as values, and a value
takes some 100 bytes."""
MOST_TABLE_LINE: Final = MIB
"""Characters of a line of a table (CSV) that a person fills in."""
MOST_MANIFEST_BYTES: Final = MIB
"""Bytes of a backup's manifest."""
